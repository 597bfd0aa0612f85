package tools

import (
	"context"
	"slices"

	"memory-graph/classifier"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
	"memory-graph/internal/text"
)

const whyText = "How the context block of a message came to be: its class, its words, the candidates with the " +
	"features of their scores, the gate, what the budget cut, and the block as a host receives it."

type whyArgs struct {
	Message       string `json:"message" jsonschema_description:"What the user said"`
	ContextWindow int    `json:"context_window,omitempty" jsonschema_description:"Tokens of the host's context window"`
	BudgetTokens  *int   `json:"budget_tokens,omitempty" jsonschema_description:"Size of the block where context_window is not given"`
	scopeArgs
}

type whyResult struct {
	injectContextResult
	Particular     float64      `json:"particular"` // probability that the message is about something particular
	Personal       float64      `json:"personal"`   // and that its best answer depends on the user
	Classes        []classShare `json:"classes"`
	Words          []askedWord  `json:"words"`
	Searched       bool         `json:"searched"`
	Strategy       string       `json:"strategy,omitempty"`
	Gate           *whyGate     `json:"gate,omitempty"`
	Candidates     []whyItem    `json:"candidates"` // turns, then facts, then entities, the best of each first
	Standing       []whyItem    `json:"standing"`   // standing facts about the user
	BelowThreshold int          `json:"below_threshold"`
	BestBelow      *float64     `json:"best_below,omitempty"`
	Budget         int          `json:"budget,omitempty"` // tokens
	Cut            []string     `json:"cut"`              // lines that the budget cut or shortened
}

// classShare is the probability of a class of messages.
type classShare struct {
	Class       string  `json:"class"`
	Probability float64 `json:"probability"`
}

// askedWord is a word of the message. Stop words are not searched for.
type askedWord struct {
	Word string `json:"word"`
	Stop bool   `json:"stop"`
}

// whyGate is the minimum that candidates had to reach.
type whyGate struct {
	Best  float64 `json:"best"`  // strength of the strongest candidate
	Least float64 `json:"least"` // that it needed
	Each  float64 `json:"each"`  // that every turn needed, beside standing facts
	Share float64 `json:"share"` // of the best, that a turn of a user needed
	Open  bool    `json:"open"`
}

// whyItem is one candidate.
type whyItem struct {
	ID       string         `json:"id"`
	Kind     string         `json:"kind" jsonschema:"enum=turn,enum=fact,enum=entity"`
	Text     string         `json:"text"`
	Score    float64        `json:"score"`
	Strength float64        `json:"strength"`
	Fate     string         `json:"fate" jsonschema:"enum=kept,enum=gate,enum=uninformative,enum=untrusted,enum=limit"`
	Why      *retrieval.Why `json:"why,omitempty"`
}

// The fates of candidates.
const (
	fateKept          = "kept"          // for the block, where it is shown if the budget allows it
	fateGate          = "gate"          // too weak
	fateUninformative = "uninformative" // it would tell the reader nothing
	fateUntrusted     = "untrusted"     // it comes from a tool or a file
	fateLimit         = "limit"         // others were better
)

// newWhy returns the tool that replays a question for the page.
func newWhy(mem Memory, o Options) (Tool, error) {
	s := spec{name: "why", title: "Why this answer", description: whyText, readOnly: true, idempotent: true,
		bounds: bounds{ranges: map[string]span{"context_window": {0, maxContextWindow, 0},
			"budget_tokens": {0, o.MaxBudgetTokens, o.BudgetTokens}}}}
	return define(o, s, func(ctx context.Context, in whyArgs) (whyResult, error) {
		if len(in.Message) > o.MaxContentBytes {
			return whyResult{}, memory.Errorf(memory.TooLarge, "message is %d bytes long, more than the %d allowed.",
				len(in.Message), o.MaxContentBytes).WithHint("Give its first and last paragraphs.")
		}
		sc, err := in.scope(o)
		if err != nil {
			return whyResult{}, err
		}
		req := contextblock.Request{Message: in.Message, Scope: o.withDefaults(sc), ContextWindow: in.ContextWindow,
			Budget: o.BudgetTokens, Explain: true}
		if in.BudgetTokens != nil {
			req.Budget = *in.BudgetTokens
		}
		got, err := mem.ContextBlock(ctx, req)
		if err != nil {
			return whyResult{}, err
		}
		return newWhyResult(in.Message, got, o), nil
	})
}

func newWhyResult(message string, got contextblock.Decision, o Options) whyResult {
	r := whyResult{injectContextResult: newInjectContextResult(got), Particular: round(got.Class.Particular),
		Personal: round(got.Class.Personal), Classes: []classShare{}, Words: []askedWord{}, Candidates: []whyItem{},
		Standing: []whyItem{}, Cut: []string{}}
	for _, t := range text.Tokens(message) {
		w := askedWord{t.Word, t.Stop()}
		if !slices.Contains(r.Words, w) && len(r.Words) < mostWords {
			r.Words = append(r.Words, w)
		}
	}
	for _, class := range classifier.Classes() {
		r.Classes = append(r.Classes, classShare{class.String(), round(got.Class.Probabilities[class])})
	}
	if got.Steps == nil {
		return r
	}
	s := got.Steps
	r.Searched, r.Strategy, r.Budget, r.Cut = true, string(s.Found.Strategy), s.Budget, s.Cut
	r.Gate = &whyGate{round(s.Best), round(s.Least), round(s.Each), round(s.Share), s.Best >= s.Least && s.Best > 0}
	if r.BelowThreshold = s.Found.BelowThreshold; r.BelowThreshold > 0 {
		r.BestBelow = rounded(s.Found.BestBelow)
	}
	r.Candidates = candidates(s, got.Answer, shape{runes: o.SummaryRunes})
	for _, f := range got.Answer.Standing {
		it := whyItem{ID: memory.EpisodeID(f.Episode.ID).String(), Kind: "turn", Score: round(f.Score), Fate: fateKept,
			Why: f.Why}
		it.Text, _ = shape{runes: o.SummaryRunes}.cut(f.Episode.Content)
		r.Standing = append(r.Standing, it)
	}
	return r
}

// mostWords is the maximum number of a message's words that are shown.
const mostWords = 60

// candidates returns what was found, and what became of it.
func candidates(s *contextblock.Steps, kept retrieval.Answer, cut shape) []whyItem {
	list := []whyItem{}
	fate := func(in bool) string {
		if in {
			return fateKept
		}
		return fateGate
	}
	for _, f := range s.Found.Episodes {
		it := whyItem{ID: memory.EpisodeID(f.Episode.ID).String(), Kind: "turn", Score: round(f.Score),
			Strength: round(s.TurnStrength[f.Episode.ID]), Why: f.Why}
		is := func(k retrieval.FoundEpisode) bool { return k.Episode.ID == f.Episode.ID }
		it.Fate = fate(slices.ContainsFunc(kept.Episodes, is) || slices.ContainsFunc(kept.Standing, is))
		switch {
		case it.Fate == fateKept:
		case f.Episode.Origin.Trust() <= memory.OriginTool.Trust():
			it.Fate = fateUntrusted
		case !s.Tells[f.Episode.ID]:
			it.Fate = fateUninformative
		case s.Passed[f.Episode.ID]:
			it.Fate = fateLimit
		}
		it.Text, _ = cut.cut(f.Episode.Content)
		list = append(list, it)
	}
	for i, f := range s.Found.Relations {
		r := f.Relationship
		it := whyItem{ID: r.Ref().String(), Kind: "fact", Text: r.Head.Name + " " + r.Relation + " " + r.Tail.Name,
			Score: round(f.Score), Strength: round(s.FactStrength[i]), Why: f.Why}
		it.Fate = fate(slices.ContainsFunc(kept.Relations,
			func(k retrieval.FoundRelation) bool { return k.Relationship.ID == r.ID }))
		it.Text, _ = cut.cut(it.Text)
		list = append(list, it)
	}
	for i, f := range s.Found.Entities {
		it := whyItem{ID: f.Entity.Ref().String(), Kind: "entity", Score: round(f.Score),
			Strength: round(s.EntityStrength[i]), Why: f.Why}
		it.Fate = fate(slices.ContainsFunc(kept.Entities,
			func(k retrieval.FoundEntity) bool { return k.Entity.ID == f.Entity.ID }))
		it.Text, _ = cut.cut(f.Entity.Name)
		list = append(list, it)
	}
	return list
}
