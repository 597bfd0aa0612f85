package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
	"memory-graph/internal/safety/secrets"
)

// How a session began, in the hosts' words.
const (
	BeganResumed   = "resume"  // an earlier one goes on, and the agent has its words
	BeganCompacted = "compact" // it goes on, and the agent has a summary of it
)

// BeginRequest asks what stands at the beginning of a session.
type BeginRequest struct {
	// Namespace required; Project filters, and without one what belongs to none counts; facts of no project count in each;
	// SessionID is the session that begins
	Scope  memory.Scope
	Source string // how; anything else than the constants is a new session
	Budget int    // tokens
}

// What stands at a session's beginning, before a budget cuts it.
const (
	lookBack     = 80 // turns among which those of the last session are looked for
	gistAsked    = 4  // of the user: the first that is had, and the last ones
	gistAnswered = 2  // of the assistant: the last ones
	factsOfUser  = 20
)

// Begin gives the block for the beginning of a session: what holds of the user in the project, and the gist of the
// project's last session, which is what the user first and last asked there and what the assistant last answered. A
// session that was compacted has its own gist; one that is resumed has its words, and gets the facts alone.
func (e *Engine) Begin(ctx context.Context, req BeginRequest) (string, error) {
	s, err := e.wait(ctx)
	if err != nil || req.Budget <= 0 {
		return "", err
	}
	req.Scope = secrets.Scope(req.Scope)
	answer := retrieval.Answer{Match: retrieval.Strong}
	if req.Source != BeganResumed {
		turns, err := s.store.NewestEpisodes(ctx,
			memory.Filter{Namespace: req.Scope.Namespace, Project: req.Scope.Project, Unassigned: req.Scope.Project == "",
				Roles: []memory.Role{memory.RoleUser, memory.RoleAssistant}}, 0, lookBack)
		if err != nil {
			return "", err
		}
		for _, t := range gist(turns, req.Scope.SessionID, req.Source == BeganCompacted) {
			answer.Episodes = append(answer.Episodes, retrieval.FoundEpisode{Episode: t})
		}
	}
	scope := req.Scope
	scope.SessionID = ""
	links, err := s.retriever.Links(ctx, retrieval.LinksRequest{Scope: scope, Unassigned: true, Limit: factsOfUser,
		Entity: cmp.Or(req.Scope.User, e.cfg.User, extraction.DefaultSelf)})
	if err == nil {
		answer.Relations = links.Links
		if answer, err = s.retriever.Showable(ctx, scope.Namespace, answer); err != nil {
			return "", err
		}
	} else if memory.AsError(err).Code == memory.Internal || ctx.Err() != nil {
		return "", err // nothing is known of the user otherwise, or several are called that
	}
	if len(answer.Relations) == 0 && len(answer.Episodes) == 0 {
		return "", nil
	}
	return retrieval.Render(answer, req.Budget, s.retriever.Settings, e.o.now()), nil
}

// toldToAgent says whether a turn is what an agent reported to the one that the user talks to, as hooks bring it.
func toldToAgent(t memory.Episode) bool {
	return t.Speaker != "" && strings.HasPrefix(t.Source, memory.HookSource)
}

// gist chooses of turns, newest first, those that tell what the last session was about, in the order in which they were
// said. own says that the session itself is meant, and not the one before it. What nobody vouches for never stands
// here.
func gist(turns []memory.Episode, session string, own bool) []memory.Episode {
	var of []memory.Episode
	for _, t := range turns {
		if t.Status == memory.StatusQuarantined || t.Origin.Trust() <= memory.OriginTool.Trust() ||
			(session != "" && t.Scope.SessionID == session) != own {
			continue
		}
		if len(of) > 0 && of[0].Scope.SessionID != t.Scope.SessionID {
			continue // of a session before that
		}
		of = append(of, t)
	}
	var asked, answered []memory.Episode
	for _, t := range of {
		if !contextblock.Tells(t) {
			continue
		}
		if t.Role == memory.RoleUser {
			asked = append(asked, t)
		} else if len(answered) < gistAnswered && !toldToAgent(t) {
			answered = append(answered, t)
		}
	}
	if n := len(asked); n > gistAsked {
		asked = append(slices.Clone(asked[:gistAsked-1]), asked[n-1])
	}
	all := append(asked, answered...)
	slices.SortStableFunc(all, func(a, b memory.Episode) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), a.OccurredAt.Compare(b.OccurredAt), cmp.Compare(a.ID, b.ID))
	})
	return all
}
