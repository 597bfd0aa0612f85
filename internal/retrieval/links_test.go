package retrieval_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

func (w world) links(req retrieval.LinksRequest) retrieval.Links {
	w.t.Helper()
	if req.Scope.Namespace == "" {
		req.Scope.Namespace = "n"
	}
	if req.Limit == 0 {
		req.Limit = 10
	}
	got, err := w.Links(w.t.Context(), req)
	if err != nil {
		w.t.Fatalf("%q: %v", req.Entity, err)
	}
	return got
}

func TestLinks_AreOrderedByWhatIsLeftOfTheirConfidence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fact("Ann", "uses", "Vim", confidence(.9))     // .9 × e^-1 = .331 after 100 days
	w.fact("Ann", "is_a", "Person", confidence(.5))  // does not decay
	w.fact("Ann", "knows", "Zed", confidence(.4))    // .147
	w.fact("Ann", "prefers", "Go", confidence(.55))  // .55 × e^-.2 = .45
	w.fact("Eve", "mentions", "Ann", confidence(.6)) // .22
	w.later(100 * 24 * time.Hour)
	got := w.links(retrieval.LinksRequest{Entity: "ann", Explain: true})
	want := []string{"Ann is_a Person", "Ann prefers Go", "Ann uses Vim", "Eve mentions Ann", "Ann knows Zed"}
	if diff := cmp.Diff(want, said(got.Links)); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if first := got.Links[0]; first.Hop != 1 || first.Confidence != .5 || first.Why == nil || got.More ||
		got.Entity.Entity.Name != "Ann" {
		t.Errorf("first %+v of %+v", first, got.Entity)
	}
	if len(*w.used) != 5 {
		t.Errorf("used %v", *w.used)
	}
	w.later(100 * 24 * time.Hour) // Zed: .054, Ann of Eve: .081
	if got := w.links(retrieval.LinksRequest{Entity: "Ann"}); len(got.Links) != 3 {
		t.Errorf("faded facts are shown: %v", said(got.Links))
	}
	if got := w.links(retrieval.LinksRequest{Entity: "Ann", At: memory.AsOf{ValidAt: day}}); len(got.Links) != 5 ||
		got.Links[0].Confidence != .9 {
		t.Errorf("of the past: %v", said(got.Links))
	}
}

func TestLinks_AreFilteredAndPaged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var facts [][3]string
	for i := range 450 {
		facts = append(facts, [3]string{"hub", "uses", fmt.Sprintf("spoke %d", i)})
	}
	w.bulk(append(facts, [3]string{"hub", "caused_by", "luck"}, [3]string{"fan", "knows", "hub"}))
	seen := map[int64]bool{}
	pages := 0
	for offset := 0; ; offset += 50 {
		got := w.links(retrieval.LinksRequest{Entity: "hub", Limit: 50, Offset: offset})
		for _, f := range got.Links {
			if seen[f.Relationship.ID] {
				t.Fatalf("r%d comes twice", f.Relationship.ID)
			}
			seen[f.Relationship.ID] = true
		}
		pages++
		if !got.More {
			break
		}
	}
	if len(seen) != 452 || pages != 10 {
		t.Errorf("%d facts on %d pages", len(seen), pages)
	}
	for _, c := range []struct {
		req  retrieval.LinksRequest
		want []string
	}{
		{retrieval.LinksRequest{Direction: memory.In}, []string{"fan knows hub"}},
		{retrieval.LinksRequest{Relations: []string{"caused_by", "knows"}, Direction: memory.Out},
			[]string{"hub caused_by luck"}},
		{retrieval.LinksRequest{EdgeClasses: []string{memory.Causal}}, []string{"hub caused_by luck"}},
		{retrieval.LinksRequest{EdgeClasses: []string{memory.Temporal}}, []string{}},
	} {
		c.req.Entity = "hub"
		if diff := cmp.Diff(c.want, said(w.links(c.req).Links)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c.req, diff)
		}
	}
}

func TestLinks_TellsNamesakesApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.entity("Mercury", "location", "")
	w.entity("Mercury", "tool", "")
	w.fact("e1", "part_of", "Solar system")
	_, err := w.Links(t.Context(), retrieval.LinksRequest{Scope: memory.Scope{Namespace: "n"}, Entity: "Mercury",
		Limit: 5})
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.Ambiguous || len(e.Candidates) != 2 {
		t.Errorf("an ambiguous name gives %v", err)
	}
	if got := w.links(retrieval.LinksRequest{Entity: "Mercury", EntityType: "location"}); len(got.Links) != 1 {
		t.Errorf("the planet has %v", said(got.Links))
	}
	if got := w.links(retrieval.LinksRequest{Entity: "Mercury", EntityType: "tool"}); got.Links == nil ||
		len(got.Links) != 0 {
		t.Errorf("the tool has %v", said(got.Links))
	}
}

func TestRetrieve_GivesItemsOfAnyKindByID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.fact("Ann", "works_at", "Initech", from(day.AddDate(-1, 0, 0)))
	w.fact("Ann", "works_at", "Hooli")
	ann, err := w.store.ResolveEntity(t.Context(), "n", "Ann", "", memory.AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	ids := []memory.ID{memory.RelationshipID(id), ann.Ref(), memory.EpisodeID(1)}
	a := w.ask(retrieval.Request{IDs: ids})
	if len(a.Episodes) != 1 || !slices.Equal(names(a.Entities), []string{"Ann"}) ||
		!slices.Equal(said(a.Relations), []string{"Ann works_at Initech"}) || a.Match != retrieval.Strong {
		t.Errorf("answer %+v", a)
	}
	if f := a.Relations[0]; f.Relationship.ValidUntil.IsZero() || f.Confidence != 1 {
		t.Errorf("the ended fact is %+v", f)
	}
	for _, unknown := range [][]memory.ID{{{Kind: memory.KindEntity, Num: 99}}, {memory.RelationshipID(99)},
		{{Kind: memory.KindMemory, Num: ann.ID}}, {{Kind: memory.KindCommunity, Num: 1}}, append(ids, memory.EpisodeID(99))} {
		_, err := w.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "n"}, IDs: unknown, Limit: 10})
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.NotFound {
			t.Errorf("%v gives %v", unknown, err)
		}
	}
	if _, err := w.Retrieve(t.Context(), retrieval.Request{Scope: memory.Scope{Namespace: "other"}, IDs: ids,
		Limit: 10}); err == nil {
		t.Error("ids of another namespace are found")
	}
}
