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

// How a session began, in the hosts' terms.
const (
	BeganResumed   = "resume"  // an earlier session continues, and the agent has its messages
	BeganCompacted = "compact" // the session continues, and the agent has a summary of it
)

// BeginRequest asks for the block at the start of a session.
type BeginRequest struct {
	// Namespace is required. Project filters the turns; an empty one selects turns without a project. Facts without a
	// project belong to every project. SessionID is the session that begins.
	Scope  memory.Scope
	Source string // how the session began; any value other than the constants means a new session
	Budget int    // tokens
}

// Contents of the block at the start of a session, before the budget cuts it.
const (
	lookBack     = 80 // newest turns searched for those of the last session
	gistAsked    = 4  // turns of the user: the first ones and the last one
	gistAnswered = 2  // turns of the assistant: the last ones
	factsOfUser  = 20
)

// Begin returns the block for the start of a session: the active facts about the user in the project, and the gist of
// the project's last session. The gist is what the user asked first and last, and what the assistant answered last. A
// compacted session gets its own gist. A resumed session still has its messages, so it gets only the facts.
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
		return "", err // any other error means that the user is unknown or the name ambiguous
	}
	if len(answer.Relations) == 0 && len(answer.Episodes) == 0 {
		return "", nil
	}
	return retrieval.Render(answer, req.Budget, s.retriever.Settings, e.o.now()), nil
}

// toldToAgent reports whether a turn is a subagent's report to the main agent, as hooks store it.
func toldToAgent(t memory.Episode) bool {
	return t.Speaker != "" && strings.HasPrefix(t.Source, memory.HookSource)
}

// gist selects the turns that show what the last session was about, in the order in which they were said. turns is
// sorted newest first. own selects the given session instead of the one before it. Questions are used only if the user
// stated nothing. Turns of tool origin and quarantined turns are left out.
func gist(turns []memory.Episode, session string, own bool) []memory.Episode {
	var of []memory.Episode
	for _, t := range turns {
		if t.Status == memory.StatusQuarantined || t.Origin.Trust() <= memory.OriginTool.Trust() ||
			(session != "" && t.Scope.SessionID == session) != own {
			continue
		}
		if len(of) > 0 && of[0].Scope.SessionID != t.Scope.SessionID {
			continue // from a session before that
		}
		of = append(of, t)
	}
	var asked, answered, questions []memory.Episode
	for _, t := range of {
		if !contextblock.Tells(t) {
			if t.Role == memory.RoleUser && contextblock.Asks(t) {
				questions = append(questions, t)
			}
			continue
		}
		if t.Role == memory.RoleUser {
			asked = append(asked, t)
		} else if len(answered) < gistAnswered && !toldToAgent(t) {
			answered = append(answered, t)
		}
	}
	if len(asked) == 0 { // a session of questions is about what was asked
		asked = questions
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
