package retrieval_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

func TestTraverse_OrdersByDepthThenStrength(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("Ann", "works_on", "Atlas", confidence(.7))
	w.fact("Ann", "knows", "Bob", confidence(.9))
	w.fact("Atlas", "uses", "Go", confidence(.9))
	w.fact("Bob", "uses", "Rust", confidence(.6))
	w.fact("Rust", "related_to", "Ann", confidence(.5)) // a cycle
	w.fact("Go", "created_by", "Google")
	got := w.traverse(retrieval.TraverseRequest{Start: "Ann"})
	if diff := cmp.Diff([]string{"Bob", "Atlas", "Rust", "Go"}, names(got.Entities)); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
	var depths []int
	for _, e := range got.Entities {
		depths = append(depths, e.Depth)
	}
	if diff := cmp.Diff([]int{1, 1, 1, 2}, depths); diff != "" {
		t.Errorf("depths (-want +got):\n%s", diff)
	}
	if got.Start.Entity.Name != "Ann" || got.Truncated || got.More || got.State.Degraded == nil {
		t.Errorf("traversal %+v", got)
	}
	want := []string{"Ann knows Bob", "Ann works_on Atlas", "Rust related_to Ann", "Atlas uses Go", "Bob uses Rust"}
	if diff := cmp.Diff(want, said(got.Relations)); diff != "" {
		t.Errorf("relations (-want +got):\n%s", diff)
	}
	for _, f := range got.Relations {
		if len(f.Path) != f.Hop || f.Path[f.Hop-1] != f.Relationship.ID || f.Hop < 1 || f.Hop > 2 {
			t.Errorf("%v: hop %d over %v", said([]retrieval.FoundRelation{f}), f.Hop, f.Path)
		}
	}
	if !slices.Equal(*w.used, []int64{2, 1, 5, 3, 4}) {
		t.Errorf("used %v", *w.used)
	}
}

func TestTraverse_FollowsDirectionRelationsAndClasses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("A", "uses", "B")
	w.fact("C", "uses", "A")
	w.fact("A", "caused_by", "D")
	w.fact("B", "uses", "E")
	for _, c := range []struct {
		name string
		req  retrieval.TraverseRequest
		want []string
	}{
		{"out", retrieval.TraverseRequest{Direction: memory.Out}, []string{"D", "B", "E"}},
		{"in", retrieval.TraverseRequest{Direction: memory.In}, []string{"C"}},
		{"one hop", retrieval.TraverseRequest{MaxHops: 1}, []string{"D", "B", "C"}},
		{"relation", retrieval.TraverseRequest{Relations: []string{"caused_by"}}, []string{"D"}},
		{"class", retrieval.TraverseRequest{EdgeClasses: []string{memory.Semantic}}, []string{"B", "C", "E"}},
	} {
		c.req.Start = "A"
		got := names(w.traverse(c.req).Entities)
		slices.Sort(got)
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestTraverse_FindsAllShortestPaths(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("Ann", "works_on", "Atlas", confidence(.9))
	w.fact("Atlas", "uses", "SQLite", confidence(.9))
	w.fact("Ann", "knows", "Bob", confidence(.8))
	w.fact("Bob", "uses", "SQLite", confidence(.8))
	w.fact("Ann", "likes", "Tea")
	w.fact("Tea", "related_to", "Cup")
	w.fact("Cup", "related_to", "SQLite")
	got := w.traverse(retrieval.TraverseRequest{Start: "Ann", End: "SQLite", MaxHops: 4})
	if diff := cmp.Diff([]string{"Atlas", "Bob", "SQLite"}, names(got.Entities)); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Ann works_on Atlas", "Ann knows Bob", "Atlas uses SQLite", "Bob uses SQLite"},
		said(got.Relations)); diff != "" {
		t.Errorf("relations (-want +got):\n%s", diff)
	}
	if last := got.Relations[3]; last.Hop != 2 || !slices.Equal(last.Path, []int64{3, 4}) {
		t.Errorf("the last hop is %d over %v", last.Hop, last.Path)
	}
	// The strongest path is complete even if not all paths fit.
	if got := w.traverse(retrieval.TraverseRequest{Start: "Ann", End: "SQLite",
		Limit: 2}); !slices.Equal(names(got.Entities), []string{"Atlas", "SQLite"}) || !got.More || !got.Truncated {
		t.Errorf("the strongest path is %v", names(got.Entities))
	}
	for name, req := range map[string]retrieval.TraverseRequest{
		"too far":   {Start: "Ann", End: "SQLite", MaxHops: 1},
		"backwards": {Start: "Ann", End: "SQLite", Direction: memory.In},
		"itself":    {Start: "Ann", End: "ann"},
	} {
		if got := w.traverse(req); len(got.Entities) > 0 || len(got.Relations) > 0 || got.Truncated {
			t.Errorf("%s: %v, %v", name, names(got.Entities), said(got.Relations))
		}
	}
	if got := w.traverse(retrieval.TraverseRequest{Start: "Ann", End: "SQLite", Direction: memory.Out,
		Relations: []string{"knows", "uses"}}); !slices.Equal(names(got.Entities), []string{"Bob", "SQLite"}) {
		t.Errorf("over knows and uses: %v", names(got.Entities))
	}
}

func TestTraverse_ReadsThePastOnBothAxes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("Ann", "works_at", "Initech", from(day.AddDate(-1, 0, 0)))
	w.later(24 * time.Hour)
	w.fact("Ann", "works_at", "Hooli", from(day))
	for name, c := range map[string]struct {
		at   memory.AsOf
		want string
	}{
		"now":                {memory.AsOf{}, "Hooli"},
		"then, as known now": {memory.AsOf{ValidAt: day.AddDate(0, -1, 0)}, "Initech"},
		"as believed before": {memory.AsOf{KnownAt: day.Add(time.Hour)}, "Initech"},
		"today, as believed before": {memory.AsOf{ValidAt: day.Add(48 * time.Hour), KnownAt: day.Add(time.Hour)},
			"Initech"},
		"today, as believed just now": {memory.AsOf{ValidAt: day.Add(48 * time.Hour), KnownAt: day.Add(25 * time.Hour)},
			"Hooli"},
	} {
		got := w.traverse(retrieval.TraverseRequest{Start: "Ann", At: c.at})
		if diff := cmp.Diff([]string{c.want}, names(got.Entities)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if len(got.Relations) != 1 || !c.at.Now() && got.Relations[0].Confidence != 1 {
			t.Errorf("%s: relations %+v", name, got.Relations)
		}
	}
	_, err := w.Traverse(t.Context(),
		traversal(retrieval.TraverseRequest{Start: "Hooli", At: memory.AsOf{KnownAt: day.Add(time.Hour)}}))
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.NotFound {
		t.Errorf("an entity that was not known yet gives %v", err)
	}
}

func TestTraverse_GoesOverNothingThatHasFaded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("A", "uses", "B", confidence(.5))
	w.fact("B", "is_a", "C", confidence(.5))
	w.later(200 * 24 * time.Hour) // .5 × e^-2 = .068
	if got := w.traverse(retrieval.TraverseRequest{Start: "A"}); len(got.Entities) != 0 {
		t.Errorf("from A: %v", names(got.Entities))
	}
	if got := w.traverse(retrieval.TraverseRequest{Start: "B"}); !slices.Equal(names(got.Entities), []string{"C"}) ||
		got.Relations[0].Confidence != .5 {
		t.Errorf("from B: %v", names(got.Entities))
	}
	w.Rates = func(context.Context, string) (map[string]float64, error) {
		return map[string]float64{"uses": .001}, nil
	}
	if got := w.traverse(retrieval.TraverseRequest{Start: "A"}); len(got.Entities) != 2 {
		t.Errorf("with a rate that was set: %v", names(got.Entities))
	}
}

func TestTraverse_KeepsToTheScopeOfTheEvidence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.factIn(memory.Scope{Project: "one"}, "A", "uses", "B")
	w.factIn(memory.Scope{Project: "two"}, "A", "uses", "C")
	w.factIn(memory.Scope{Namespace: "other"}, "A", "uses", "D")
	for project, want := range map[string][]string{"": {"B", "C"}, "one": {"B"}, "two": {"C"}, "three": {}} {
		got := w.traverse(retrieval.TraverseRequest{Start: "A", Scope: memory.Scope{Project: project}})
		list := names(got.Entities)
		slices.Sort(list)
		if diff := cmp.Diff(want, list); diff != "" {
			t.Errorf("project %q (-want +got):\n%s", project, diff)
		}
	}
}

func TestTraverse_PagesWithoutGapOrRepeat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var facts [][3]string
	for i := range 7 {
		mid := fmt.Sprintf("mid %d", i)
		facts = append(facts, [3]string{"root", "uses", mid})
		for j := range 6 {
			facts = append(facts, [3]string{mid, "uses", fmt.Sprintf("leaf %d %d", i, j)})
		}
	}
	w.bulk(facts)
	seen := map[string]int{}
	depth := 0
	for offset := 0; ; offset += 5 {
		got := w.traverse(retrieval.TraverseRequest{Start: "root", Limit: 5, Offset: offset})
		for _, e := range got.Entities {
			seen[e.Entity.Name]++
			if e.Depth < depth {
				t.Errorf("%s at depth %d after one at %d", e.Entity.Name, e.Depth, depth)
			}
			depth = e.Depth
		}
		if got.More != got.Truncated {
			t.Errorf("more %v, truncated %v", got.More, got.Truncated)
		}
		if !got.More {
			break
		}
	}
	if len(seen) != 49 {
		t.Errorf("%d of 49 entities: %v", len(seen), seen)
	}
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%s comes %d times", name, n)
		}
	}
}

// A traversal runs at most max_hops + 2 statements from the start to the complete result, plus one for the name and one
// for memory_state, whatever the graph.
func TestTraverse_RunsFewStatementsAndReadsFewEdgesOfAHub(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var facts [][3]string
	for i := range 1500 {
		facts = append(facts, [3]string{"hub", "uses", fmt.Sprintf("spoke %d", i)})
	}
	for i := range 5 {
		facts = append(facts, [3]string{fmt.Sprintf("chain %d", i), "depends_on", fmt.Sprintf("chain %d", i+1)})
	}
	facts = append(facts, [3]string{"chain 0", "uses", "hub"}, [3]string{"end", "knows", "spoke 1234"})
	w.bulk(facts)
	for _, c := range []struct {
		name      string
		req       retrieval.TraverseRequest
		entities  int
		truncated bool
	}{
		{"from a hub", retrieval.TraverseRequest{Start: "hub"}, 20, true},
		{"through a hub", retrieval.TraverseRequest{Start: "chain 0", Limit: 50}, 50, true},
		{"a chain", retrieval.TraverseRequest{Start: "chain 5", MaxHops: 5}, 5, false},
		{"a long chain", retrieval.TraverseRequest{Start: "chain 5", MaxHops: 6}, 6, false},
		{"over a spoke that the hub's first edges do not show",
			retrieval.TraverseRequest{Start: "chain 0", End: "end", MaxHops: 3}, 3, false},
		{"too far", retrieval.TraverseRequest{Start: "chain 5", End: "end", MaxHops: 6}, 0, true},
		{"to the hub", retrieval.TraverseRequest{Start: "end", End: "hub", MaxHops: 3}, 2, true},
		{"a path", retrieval.TraverseRequest{Start: "chain 5", End: "hub", MaxHops: 6}, 6, true},
	} {
		ctx, n := store.CountStatements(t.Context())
		req := traversal(c.req)
		got, err := w.Traverse(ctx, req)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if len(got.Entities) != c.entities || got.Truncated != c.truncated {
			t.Errorf("%s: %d entities, truncated %v: %v", c.name, len(got.Entities), got.Truncated, names(got.Entities))
		}
		resolve := 1
		if req.End != "" {
			resolve = 2
		}
		if ran := n.Load(); ran > resolve+req.MaxHops+2+1 {
			t.Errorf("%s: %d statements for %d hops", c.name, ran, req.MaxHops)
		}
	}
}

func TestTraverse_SaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.entity("Rust", "language", "")
	w.entity("Rust", "event", "")
	for start, code := range map[string]memory.Code{"nobody": memory.NotFound, "Rust": memory.Ambiguous,
		"e999": memory.NotFound, " ": memory.InvalidArgument} {
		_, err := w.Traverse(t.Context(), traversal(retrieval.TraverseRequest{Start: start}))
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("start %q gives %v", start, err)
		}
	}
	if got := w.traverse(retrieval.TraverseRequest{Start: "e1"}); got.Entities == nil || got.Relations == nil {
		t.Errorf("an entity without facts gives %+v", got)
	}
	w.Graph = nil
	_, err := w.Traverse(t.Context(), traversal(retrieval.TraverseRequest{Start: "e1"}))
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.Unavailable {
		t.Errorf("without a graph: %v", err)
	}
}
