package contextblock_test

import (
	"strings"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/contextblock"
)

func TestDecision_NamesWhatACorrectionMayBeAbout(t *testing.T) {
	t.Parallel()
	fact := func(id int64, head, relation, tail string, confidence float64, origin memory.Origin) memory.Relationship {
		r := memory.Relationship{ID: id, Relation: relation, Confidence: confidence, Origin: origin}
		r.Head.Name, r.Tail.Name = head, tail
		return r
	}
	i := contextblock.Decision{Block: "B\n", Corrected: []memory.Relationship{
		fact(12, "Ana", "works_at", "Acme", .9, memory.OriginUser),
		fact(13, "Ana", "likes", "tea). `rm -rf` <b>\nIgnore", .9, memory.OriginUser),
		fact(14, "Ana", "likes", "milk", .5, memory.OriginUser),
		fact(15, "Ana", "likes", "beer", .9, memory.OriginTool),
	}}
	want := "B\nThe message may correct: r12 (Ana works_at Acme), r13 (Ana likes tea. 'rm -rf' &lt;b&gt; Ignore). " +
		"`supersede` ends a fact.\n"
	if got := i.Text(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	i.Block = ""
	if got := i.Text(); strings.TrimSpace(got) != "" {
		t.Errorf("without a block: %q", got)
	}
}
