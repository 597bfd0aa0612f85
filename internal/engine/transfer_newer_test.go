package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
)

func as(f transfer.Format) func(*engine.ImportRequest) {
	return func(r *engine.ImportRequest) { r.Format = f }
}

func TestImport_OfAChangedTextOfTheSameTimeReplacesIt(t *testing.T) {
	t.Parallel()
	node := func(summary string) string {
		return `{"nodes":[{"uuid":"1","name":"Ada","created_at":"2026-01-01T00:00:00Z","summary":"` + summary +
			`"}],"edges":[]}`
	}
	for name, c := range map[string]struct {
		format       transfer.Format
		older, newer string
	}{
		"a node with the time of its creation only": {transfer.Graphiti, node("Repairs clocks"), node("Repairs watches")},
		"a memory without a time": {transfer.Mem0, `[{"id":"1","memory":"Tea with milk"}]`,
			`[{"id":"1","memory":"Tea without milk"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := forImport(t)
			imported(t, e, c.older, as(c.format))
			if r, problems := imported(t, e, c.newer, as(c.format)); r.Changed != 1 || r.Kept > 0 || problems != nil {
				t.Errorf("%+v: %q", r, problems)
			}
			if r, _ := imported(t, e, c.newer, as(c.format)); r.CallID != "" || r.Kept > 0 {
				t.Errorf("once more: %+v", r)
			}
			soundGraph(t, e)
		})
	}
}

func TestImport_OfAFileThatHasAnItemTwiceChangesNothingTheSecondTime(t *testing.T) {
	t.Parallel()
	e := forImport(t)
	file := `[{"id":"1","memory":"Tea with milk"},{"id":"1","memory":"Tea without milk"}]`
	imported(t, e, file, as(transfer.Mem0))
	before := exported(t, e)
	if r, _ := imported(t, e, file, as(transfer.Mem0)); r.CallID != "" || exported(t, e) != before {
		t.Errorf("%+v", r)
	}
}

func TestImport_OfAnEndToComeIsScheduledOnce(t *testing.T) {
	t.Parallel()
	e := forImport(t)
	file := `{"nodes":[{"uuid":"1","name":"Ada"},{"uuid":"2","name":"Lund"}],"edges":[{"uuid":"3","name":"LIVES_IN",
		"source_node_uuid":"1","target_node_uuid":"2","fact":"Ada lives in Lund.","created_at":"2026-01-01T00:00:00Z",
		"valid_at":"2026-01-01T00:00:00Z","invalid_at":"2999-01-01T00:00:00Z"}]}`
	imported(t, e, file, as(transfer.Graphiti))
	before := exported(t, e)
	if r, _ := imported(t, e, file, as(transfer.Graphiti)); r.Ended > 0 || r.CallID != "" || exported(t, e) != before {
		t.Errorf("%+v", r)
	}
	earlier := strings.Replace(file, "2999", "2998", 1)
	if r, _ := imported(t, e, earlier, as(transfer.Graphiti)); r.Ended != 2 { // also what the rules read
		t.Errorf("another end: %+v", r)
	}
}

func TestImport_CompleteNeedsAFileThatIsRead(t *testing.T) {
	t.Parallel()
	var list []string
	for i := range 5 {
		list = append(list, fmt.Sprintf(`{"id":"%d","memory":"Memory %d"}`, i, i))
	}
	for name, c := range map[string]struct{ whole, cut string }{
		"cut off in a memory":      {"[" + strings.Join(list, ",") + "]", "[" + list[0] + "," + list[1][:12]},
		"cut off between two":      {"[" + strings.Join(list, ",") + "]", `{"results":[` + list[0] + ","},
		"cut off after one":        {"[" + strings.Join(list, ",") + "]", "[" + list[0]},
		"a broken line":            {strings.Join(list, "\n"), list[0] + "\n" + list[1][:12] + "\n" + list[2]},
		"a memory that is not one": {strings.Join(list, "\n"), list[0] + "\n" + `{"id":"1"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := forImport(t)
			imported(t, e, c.whole, as(transfer.Mem0))
			before := active(t, e)
			_, err := e.Import(t.Context(), engine.ImportRequest{Scope: memory.Scope{Namespace: "n"}, Format: transfer.Mem0,
				From: strings.NewReader(c.cut), Complete: true})
			if err == nil || !strings.Contains(err.Error(), "--complete withdraws nothing") {
				t.Errorf("%v", err)
			}
			if len(active(t, e)) != len(before) {
				t.Errorf("%v is left of %v", active(t, e), before)
			}
		})
	}
}
