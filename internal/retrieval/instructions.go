package retrieval

import (
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// Rules reads the memories that are standing instructions.
type Rules interface {
	// RuleMemories returns the filter's memories of the types rule and instruction, newest first. It runs one statement.
	RuleMemories(ctx context.Context, f memory.Filter, limit int) ([]int64, error)
}

// The limits of the first tier: the newest instructions, in turns and in memories.
const (
	ruleTurns      = 3
	ruleMemories   = 3
	ruleCandidates = 60 // turns with a word of an instruction that are read
	ruleWords      = 40 // longest turn, in words, that is an instruction; a longer one is work
)

// instructionQuery finds the turns that may be instructions.
var instructionQuery = func() text.Query {
	var q text.Query
	for _, phrase := range []string{"always", "never", "avoid", "don't", "do not", "make sure", "remember to",
		"from now on", "going forward", "in future"} {
		var t text.Term
		for _, token := range text.Tokens(phrase) {
			t.Words = append(t.Words, token.Stem)
		}
		q.Terms = append(q.Terms, t)
	}
	return q
}()

// isInstruction reports whether the user tells the agent how to behave from now on: a short turn with a sentence that
// begins with "always", "never", "don't" or the like, or that says "from now on".
func isInstruction(e memory.Episode) bool {
	if e.Role != memory.RoleUser || e.Origin.Trust() <= memory.OriginTool.Trust() ||
		e.Status == memory.StatusQuarantined || countWords(e.Content) > ruleWords {
		return false
	}
	plain := strings.NewReplacer("'", "", "’", "", ",", " ", ":", " ").Replace(strings.ToLower(e.Content))
	for sentence := range strings.FieldsFuncSeq(plain, func(r rune) bool { return strings.ContainsRune(".!;\n", r) }) {
		if strings.Contains(sentence, "?") {
			continue
		}
		words := strings.Fields(sentence)
		for len(words) > 0 && beforeRules[words[0]] {
			words = words[1:]
		}
		said := " " + strings.Join(words, " ") + " "
		if slices.ContainsFunc(ruleStarts, func(start string) bool { return strings.HasPrefix(said, start) }) ||
			slices.ContainsFunc(ruleMarks, func(mark string) bool { return strings.Contains(said, mark) }) {
			return true
		}
	}
	return false
}

var (
	// beforeRules are words before an instruction that do not change it.
	beforeRules = wordSet(`please and also ok okay so but remember you should must`)
	// ruleStarts begin an instruction.
	ruleStarts = []string{" always ", " never ", " avoid ", " dont ", " do not ", " make sure ", " to always ",
		" to never "}
	// ruleMarks make any statement an instruction.
	ruleMarks = []string{" from now on ", " going forward ", " in future "}
)

// rules returns the first tier of the baseline: the newest instructions of the user in the filter, as turns and as
// memories. They hold in every session.
func (r *Retriever) rules(ctx context.Context, req Request, f memory.Filter) ([]FoundEpisode, []FoundEntity, error) {
	f.SessionID, f.Roles = "", []memory.Role{memory.RoleUser}
	if len(req.Roles) > 0 && !slices.Contains(req.Roles, memory.RoleUser) {
		return nil, nil, nil
	}
	hits, err := r.Text.SearchText(ctx, instructionQuery, f, ruleCandidates)
	if err != nil {
		return nil, nil, err
	}
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	slices.SortFunc(ids, func(a, b int64) int { return int(b - a) })
	turns, err := r.readTurns(ctx, req, ids, isInstruction)
	if err != nil {
		return nil, nil, err
	}
	if err := r.nameReplaced(ctx, req, turns); err != nil {
		return nil, nil, err
	}
	turns = slices.DeleteFunc(turns, func(t FoundEpisode) bool { return len(t.SupersededBy) > 0 })
	turns = turns[:min(len(turns), ruleTurns)]
	for i := range turns {
		turns[i].Tier = TierRules
		if req.Explain {
			turns[i].Why = &Why{Strategy: Baseline, MatchedBy: []string{"instruction"}, Features: []Feature{}}
		}
	}
	if r.Rules == nil || r.Graph == nil || len(req.Types) > 0 {
		return turns, nil, nil
	}
	f.Roles = nil
	nodes, err := r.Rules.RuleMemories(ctx, f, ruleMemories)
	if err != nil || len(nodes) == 0 {
		return turns, nil, err
	}
	list, err := r.Graph.EntitiesByID(ctx, f.Namespace, nodes, req.At)
	if err != nil { // the baseline does without the graph
		return turns, nil, ctx.Err()
	}
	memories := make([]FoundEntity, len(list))
	for i, e := range list {
		memories[i] = FoundEntity{Entity: e, Score: 1, Confidence: e.Confidence, Tier: TierRules}
		if req.Explain {
			memories[i].Why = &Why{Strategy: Baseline, MatchedBy: []string{"instruction"}, Features: []Feature{}}
		}
	}
	return turns, memories, nil
}

// readTurns reads turns in the order of ids, without those that were not yet known or are not wanted.
func (r *Retriever) readTurns(ctx context.Context, req Request, ids []int64,
	wanted func(memory.Episode) bool) ([]FoundEpisode, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := r.Episodes.Episodes(ctx, req.Scope.Namespace, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]memory.Episode, len(list))
	for _, e := range list {
		byID[e.ID] = e
	}
	var out []FoundEpisode
	for _, id := range ids {
		if e, ok := byID[id]; ok && req.knows(e) && wanted(e) {
			out = append(out, FoundEpisode{Episode: e})
		}
	}
	return out, nil
}
