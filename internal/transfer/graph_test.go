package transfer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/transfer"
)

func scanned(t *testing.T, text string) (transfer.Format, transfer.Found) {
	t.Helper()
	format, from, err := transfer.Detect(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	found, err := transfer.Scan(at(t, "2026-06-01T00:00:00Z"), func(to transfer.Sink) error {
		return transfer.Read(t.Context(), format, from, to)
	})
	if err != nil {
		t.Fatal(err)
	}
	found.First, found.Last = found.First.UTC(), found.Last.UTC()
	return format, found
}

func TestScan_OfAGraphThatCogneesServerGives(t *testing.T) {
	t.Parallel()
	format, found := scanned(t, `{"nodes":[
		{"id":"1","label":"Ada","type":"Entity","properties":{"description":"Repairs clocks.","created_at":1767225600000}},
		{"id":"2","label":"Lund","type":"Entity","properties":{}}, {"id":"3","label":"person","type":"EntityType"}],
		"edges":[{"source":"1","target":"2","label":"lives_in"},{"source":"1","target":"3","label":"is_a"}]}`)
	want := transfer.Found{Kinds: map[string]int{"node": 1, "entity": 1, "edge": 1}, Facts: 1,
		First: at(t, "2026-01-01T00:00:00Z"), Last: at(t, "2026-01-01T00:00:00Z"), Passed: passed{transfer.PassedTypes: 1}}
	if diff := cmp.Diff(want, found); diff != "" || format != transfer.Cognee {
		t.Errorf("%s\n%s", format, diff)
	}
}

func TestScan_CountsWhatHasEndedAndLeavesTheFutureOut(t *testing.T) {
	t.Parallel()
	edge := func(id, tail, until string) string {
		return `{"uuid":"` + id + `","name":"LIVES_IN","source_node_uuid":"1","target_node_uuid":"` + tail +
			`","created_at":"2999-01-01T00:00:00Z","invalid_at":"` + until + `"}`
	}
	format, found := scanned(t, `{"nodes":[{"uuid":"1","name":"Ada"},{"uuid":"2","name":"Lund"}],"edges":[`+
		edge("3", "2", "2026-05-01T00:00:00Z")+","+edge("4", "2", "2027-05-01T00:00:00Z")+","+edge("5", "1", "")+`]}`)
	want := transfer.Found{Kinds: map[string]int{"entity": 2, "edge": 3}, Facts: 2, Ended: 1,
		First: time.Time{}, Last: time.Time{}, Passed: passed{transfer.PassedStructure: 1}}
	if diff := cmp.Diff(want, found); diff != "" || format != transfer.Graphiti {
		t.Errorf("%s\n%s", format, diff)
	}
}

func TestScan_LeavesRelationsOfAThingToItselfOut(t *testing.T) {
	t.Parallel()
	_, found := scanned(t, `{"results":[],"relations":[{"source":"x","relationship":"knows","target":"X"}]}`)
	if diff := cmp.Diff(transfer.Found{Kinds: map[string]int{}, Passed: passed{transfer.PassedStructure: 1}},
		found); diff != "" {
		t.Error(diff)
	}
}

func TestScan_OfAListThatIsStillOpenIsAProblem(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"results":[`, `{"results":[]`, `[{"memory":"One","id":"1"}`,
		`[{"memory":"One","id":"1"},`} {
		if _, found := scanned(t, text); found.Problems != 1 ||
			found.Problem != "line 1: broken JSON: it is cut off; nothing after it can be read" {
			t.Errorf("%s: %+v", text, found)
		}
	}
}
