package bench_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memory-graph/internal/bench"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/retrieval/contextblock"
)

// blocks answers a message with the turns that share a word with it, and "all" with all turns.
type blocks struct {
	fake
}

func (b *blocks) ContextBlock(_ context.Context, req contextblock.Request) (contextblock.Decision, error) {
	var out contextblock.Decision
	for _, e := range b.stored {
		if e.Scope.Namespace == req.Scope.Namespace && (req.Message == "all" || strings.Contains(e.Content, req.Message)) {
			out.Answer.Episodes = append(out.Answer.Episodes, retrieval.FoundEpisode{Episode: e})
			out.Block += "- [2026-01-01] [user] " + e.Content + "\n"
			out.Tokens += 10
		}
	}
	if out.Block != "" {
		out.Block = "<memory_context>\nRecent episodes:\n" + out.Block + "</memory_context>\n"
	}
	if req.Message == "fact" {
		r := memory.Relationship{Relation: "uses", Evidence: []int64{b.stored[0].ID}}
		r.Head.Name, r.Tail.Name = "Ann", "Vim"
		out.Answer.Relations = []retrieval.FoundRelation{{Relationship: r}}
		out.Block = "<memory_context>\nEntities:\n- Ann (person): edits\n- Bo (person): walks\nRelations:\n- Ann → uses → " +
			"Vim (confidence 0.90)\n</memory_context>\n"
	}
	return out, nil
}

func TestContext_CountsWhatHelpsAndWhatDoesNot(t *testing.T) {
	t.Parallel()
	stores, sum, err := bench.ReadBlocks(file(t, `{"stores": [{"name": "a", "turns": [
		{"role": "user", "text": "Ann edits in Vim", "session": "s", "at": "2026-01-01T00:00:00Z"},
		{"role": "assistant", "text": "Noted", "session": "s", "at": "2026-01-01T00:00:01Z"},
		{"role": "user", "text": "Bo walks", "session": "t", "at": "2026-01-02T00:00:00Z"}],
	"messages": [
		{"text": "Vim", "relevant": [0]}, {"text": "all", "relevant": [0, 2]}, {"text": "fact", "relevant": [0]}, {"text": "sun", "relevant": [2]},
		{"text": "moon", "relevant": []}, {"text": "Bo", "relevant": []}]}]}`))
	if err != nil || len(sum) != 64 {
		t.Fatal(sum, err)
	}
	r, err := bench.Context(t.Context(), &blocks{}, stores, 500, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Lines: 1 of 1, 2 of 3, 2 of 3 (the fact and one entity), none.
	want := bench.ContextScores{Helped: 4, Unhelped: 2, Recall: 4. / 5, Hit: 3. / 4, Helpful: 7. / 9, Empty: .5, Stray: .5,
		Lines: 7. / 4, Tokens: 40. / 4, Wasted: 5}
	if diff := cmp.Diff(want, r.ContextScores, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Error(diff)
	}
	var missed []string
	for _, m := range r.Misses {
		missed = append(missed, m.Text)
	}
	if diff := cmp.Diff([]string{"all", "fact", "sun", "Bo"}, missed); diff != "" {
		t.Error(diff)
	}
}

func TestReadBlocks_RefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	for _, path := range []string{file(t, "{"), file(t, `{"stores": []}`), "/does/not/exist",
		file(t, `{"stores": [{"name": "a", "turns": [], "messages": [{"text": "x", "relevant": [0]}]}]}`)} {
		_, _, err := bench.ReadBlocks(path)
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.InvalidArgument {
			t.Errorf("%s gives %v", path, err)
		}
	}
}
