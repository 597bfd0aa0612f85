package store_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// clocked returns a new store and the time of its clock, which a test sets.
func clocked(t *testing.T) (*store.Store, *time.Time) {
	t.Helper()
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	return open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }}), &now
}

func TestUndo_TakesATurnsFactsBackAndLeavesTheTurn(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	relate(t, s, draft("Ann", "works_at", "Acme"))
	told(t, s, "turn", "Ann moved to Globex with Bob.",
		[]memory.EntityDraft{{Name: "Ann", Type: "person", Description: "An engineer", Origin: memory.OriginUser,
			Method: memory.MethodSupplied}},
		draft("Ann", "works_at", "Globex"), draft("Ann", "works_with", "Bob"))
	done, err := s.Undo(t.Context(), ns, "", memory.Caller{CallID: "undo"})
	if err != nil || done.CallID != "turn" || done.UndoneBy != "undo" || done.Action != "store_episode" ||
		len(done.Objects) != 6 {
		t.Fatalf("%+v, %v", done, err)
	}
	if e, err := s.Episodes(t.Context(), ns, []int64{2}); err != nil || len(e) != 1 {
		t.Errorf("the turn: %v, %v", e, err)
	}
	facts, err := s.Relationships(t.Context(), ns, []int64{1, 2, 3}, memory.AsOf{})
	if err != nil || !facts[0].ValidUntil.IsZero() || facts[0].SupersededBy != 0 ||
		!facts[1].ValidUntil.Equal(facts[1].ValidFrom) {
		t.Errorf("%+v, %v", facts, err)
	}
	for _, name := range []string{"Globex", "Bob"} {
		if _, err := s.ResolveEntity(t.Context(), ns, name, "", memory.AsOf{}); code(err) != memory.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if e, err := s.ResolveEntity(t.Context(), ns, "Ann", "", memory.AsOf{}); err != nil || e.Description != "" ||
		e.Type != "concept" {
		t.Errorf("Ann: %+v, %v", e, err)
	}
	if _, err := s.Undo(t.Context(), ns, "turn", memory.Caller{}); code(err) != memory.Conflict ||
		!strings.Contains(err.Error(), "undo") {
		t.Errorf("twice: %v", err)
	}
	// The undo of the undo brings the turn back, and so on.
	last := "undo"
	for _, next := range []string{"again", "back", "forth"} {
		if _, err := s.Undo(t.Context(), ns, last, memory.Caller{CallID: next}); err != nil {
			t.Fatal(err)
		}
		last = next
	}
	if e, err := s.ResolveEntity(t.Context(), ns, "Globex", "", memory.AsOf{}); err != nil || e.Kind != memory.NodeEntity {
		t.Errorf("%+v, %v", e, err)
	}
	isSound(t, s)
}

func TestUndo_RefusesWhatOthersBuiltOn(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	by := func(call string) memory.Caller { return memory.Caller{CallID: call} }
	create := func(call string, d memory.RelationDraft) {
		t.Helper()
		if _, err := s.CreateRelation(t.Context(), inN, d, 0, by(call)); err != nil {
			t.Fatal(err)
		}
	}
	create("acme", draft("Ann", "works_at", "Acme"))
	create("globex", draft("Ann", "works_at", "Globex"))
	create("bob", draft("Bob", "knows", "Cid"))
	create("dan", draft("Dan", "knows", "Cid"))
	for call, says := range map[string]string{"acme": "globex", "bob": "r4"} {
		if _, err := s.Undo(t.Context(), ns, call, by("undo")); code(err) != memory.Conflict ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want a conflict that names %s", call, err, says)
		}
	}
	ended := draft("Ann", "works_at", "Globex")
	ended.Ended, ended.ValidUntil = true, time.Now().Add(time.Hour)
	create("leaves", ended)
	if _, err := s.Undo(t.Context(), ns, "leaves", by("stays")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo(t.Context(), ns, "forgotten", by("undo")); code(err) != memory.NotFound {
		t.Errorf("%v", err)
	}
	if _, err := s.Undo(t.Context(), "other", "bob", by("undo")); code(err) != memory.NotFound {
		t.Errorf("another namespace: %v", err)
	}
}

func TestUndo_OfWhatWasForgottenSince(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	if _, err := s.CreateRelation(t.Context(), inN, draft("Ann", "works_at", "Acme"), 0,
		memory.Caller{CallID: "acme"}); err != nil {
		t.Fatal(err)
	}
	second, err := s.CreateRelation(t.Context(), inN, draft("Ann", "works_at", "Globex"), 0,
		memory.Caller{CallID: "globex"})
	if err != nil {
		t.Fatal(err)
	}
	forget(t, s, true, second.Relationship.Ref())
	if _, err := s.Undo(t.Context(), ns, "globex", memory.Caller{CallID: "undo"}); err != nil {
		t.Fatal(err)
	}
	facts, err := s.Relationships(t.Context(), ns, []int64{1, 2}, memory.AsOf{})
	if err != nil || len(facts) != 1 || !facts[0].ValidUntil.IsZero() || facts[0].SupersededBy != 0 {
		t.Errorf("the fact that the forgotten one ended is not active again: %+v, %v", facts, err)
	}
	isSound(t, s)
}

func TestUpdateRelation_WritesVersions(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	r := relate(t, s, draft("Ann", "uses", "Go")).Relationship
	change := func(ch memory.RelationChange) (memory.Relationship, int, error) {
		*now = now.Add(time.Minute)
		ch.ID = r.ID
		return s.UpdateRelation(t.Context(), ns, ch, memory.Caller{})
	}
	got, version, err := change(memory.RelationChange{Fact: ptr("Ann writes Go."), EdgeClass: ptr("causal"),
		Confidence: ptr(.3), Strength: ptr(.5)})
	if err != nil || version != 2 || got.Fact != "Ann writes Go." || got.EdgeClass != "causal" || got.Confidence != .3 ||
		got.Strength != .5 || !got.LastObservedAt.Equal(r.LastObservedAt) {
		t.Fatalf("%+v, %d, %v", got, version, err)
	}
	if got, version, err = change(memory.RelationChange{Confidence: ptr(1.)}); err != nil || got.Confidence != .9 ||
		version != 3 {
		t.Errorf("an agent's fact: %v, version %d, %v", got.Confidence, version, err)
	}
	if _, version, err = change(memory.RelationChange{Confidence: ptr(.9)}); err != nil || version != 3 {
		t.Errorf("without a change: version %d, want 3, %v", version, err)
	}
	soon := now.Add(48 * time.Hour)
	if got, _, err = change(memory.RelationChange{ValidUntil: &soon}); err != nil || !got.ExpiresAt.Equal(soon) ||
		!got.ValidUntil.IsZero() {
		t.Errorf("scheduled: %+v, %v", got, err)
	}
	if got, _, err = change(memory.RelationChange{ValidUntil: &time.Time{}}); err != nil || !got.ExpiresAt.IsZero() {
		t.Errorf("scheduled end removed: %+v, %v", got, err)
	}
	ended := *now
	if got, _, err = change(memory.RelationChange{ValidUntil: &ended}); err != nil || !got.ValidUntil.Equal(ended) {
		t.Errorf("ended: %+v, %v", got, err)
	}
	for name, ch := range map[string]memory.RelationChange{"another end": {ValidUntil: &soon},
		"no end": {ValidUntil: &time.Time{}}} {
		if _, _, err := change(ch); code(err) != memory.Conflict {
			t.Errorf("%s of an ended fact: %v", name, err)
		}
	}
	early := r.ValidFrom.AddDate(-1, 0, 0)
	if got, _, err = change(memory.RelationChange{ValidFrom: &early, Fact: ptr("Ann wrote Go.")}); err != nil ||
		!got.ValidFrom.Equal(early) || got.Fact != "Ann wrote Go." {
		t.Errorf("a correction of an ended fact: %+v, %v", got, err)
	}
	late := ended.AddDate(1, 0, 0)
	for name, ch := range map[string]memory.RelationChange{"a class": {EdgeClass: ptr("x")},
		"NaN": {Confidence: ptr(math.NaN())}, "1.1": {Strength: ptr(1.1)}, "-1": {
			Confidence: ptr(-1.)}, "a beginning behind the end": {ValidFrom: &late}} {
		if _, _, err := change(ch); code(err) != memory.InvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := s.UpdateRelation(t.Context(), "other", memory.RelationChange{ID: r.ID, Strength: ptr(1.)},
		memory.Caller{}); code(err) != memory.NotFound {
		t.Errorf("another namespace: %v", err)
	}
}

func TestExpireDue_EndsWhatIsDueInAllNamespaces(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	for _, namespace := range []string{"a", "b"} {
		for day, tail := range map[int]string{1: "Go", 3: "Rust"} {
			d := draft("Ann", "uses", tail)
			d.ValidUntil = now.AddDate(0, 0, day)
			if _, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: namespace}, d, 0,
				memory.Caller{CallID: namespace + tail}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, step := range []struct{ days, want int }{{0, 0}, {2, 2}, {0, 0}, {2, 2}, {9, 0}} {
		*now = now.AddDate(0, 0, step.days)
		if n, err := s.ExpireDue(t.Context(), *now); err != nil || n != step.want {
			t.Errorf("%d facts were due, %v; want %d", n, err, step.want)
		}
	}
	facts, err := s.Relationships(t.Context(), "a", []int64{1, 2}, memory.AsOf{})
	if err != nil || len(facts) != 2 || !facts[0].ValidUntil.Equal(facts[0].ExpiresAt) {
		t.Errorf("%+v, %v", facts, err)
	}
	// No call made the scheduled end come, so undo finds the call that made the fact.
	if _, err := s.Undo(t.Context(), "a", "", memory.Caller{}); err != nil {
		t.Error(err)
	}
	isSound(t, s)
}

func TestRelationRates_AreOfOneNamespace(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for _, c := range []struct {
		relation string
		rate     float64
		want     memory.Code
	}{{"worksAt", .5, ""}, {"works_at", .25, ""}, {"uses", 0, ""}, {"knows", 10, ""}, {"knows", 10.1,
		memory.InvalidArgument}, {"knows", -1, memory.InvalidArgument},
		{"knows", math.NaN(), memory.InvalidArgument}, {"knows", math.Inf(1), memory.InvalidArgument}, {"!", 1,
			memory.InvalidArgument}, {strings.Repeat("x", 200), 1, memory.InvalidArgument}} {
		if err := s.SetRelationRate(t.Context(), ns, c.relation, c.rate, memory.Caller{}); code(err) != c.want {
			t.Errorf("%s %v: %v", c.relation, c.rate, err)
		}
	}
	for namespace, want := range map[string]map[string]float64{ns: {"works_at": .25, "uses": 0, "knows": 10},
		"other": {}} {
		got, err := s.RelationRates(t.Context(), namespace)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %s, %v", namespace, diff, err)
		}
	}
}

func TestUndo_GoesBackCallByCall(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for _, tool := range []string{"Go", "Rust", "Zig"} {
		if _, err := s.CreateRelation(t.Context(), memory.Scope{Namespace: ns}, draft("Ann", "uses", tool), 0,
			memory.Caller{CallID: tool}); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"Zig", "Rust"} {
		if done, err := s.Undo(t.Context(), ns, "", memory.Caller{CallID: "undo " + want}); err != nil ||
			done.CallID != want {
			t.Fatalf("undid %q, %v; want %s", done.CallID, err, want)
		}
	}
	if done, err := s.Undo(t.Context(), ns, "undo Rust", memory.Caller{CallID: "redo"}); err != nil ||
		done.CallID != "undo Rust" {
		t.Fatalf("%+v, %v", done, err)
	}
	if done, err := s.Undo(t.Context(), ns, "", memory.Caller{}); err != nil || done.CallID != "Rust" {
		t.Fatalf("a redone call is not the newest: %+v, %v", done, err)
	}
	if _, err := s.Forget(t.Context(), ns, []memory.ID{memory.RelationshipID(1)}, true, memory.Caller{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Undo(t.Context(), ns, "", memory.Caller{}); code(err) != memory.Conflict {
		t.Errorf("undo of forgetting: %v", err)
	}
	isSound(t, s)
}

func TestUndo_AlwaysGoesOnToTheOlderCall(t *testing.T) {
	t.Parallel()
	s, now := clocked(t)
	past := draft("Ann", "uses", "Perl")
	past.Ended = true
	stated, denied := draft("Ann", "uses", "Go"), draft("Ann", "uses", "Go")
	denied.Ended, denied.Denied = true, true
	for i, drafts := range [][]memory.RelationDraft{{draft("Ann", "works_at", "Acme"), draft("Bob", "uses", "Go")},
		{past}, {stated, denied}} {
		*now = now.Add(time.Hour)
		id := []string{"job", "past", "both"}[i]
		told(t, s, id, "The turn "+id+".", nil, drafts...)
	}
	undone := func(call string) memory.Undone {
		*now = now.Add(time.Hour)
		out, err := s.Undo(t.Context(), ns, call, memory.Caller{CallID: "undo at " + now.Format(time.TimeOnly)})
		if err != nil {
			t.Fatalf("undo %q: %v", call, err)
		}
		return out
	}
	var redo []string
	for _, want := range []struct{ call, change string }{{"both", "r4 as before: "}, {"past", "r3 retracted: "},
		{"job", "r1 retracted: "}} {
		out := undone("")
		if out.CallID != want.call || !strings.Contains(strings.Join(out.Changes, "\n"), want.change) {
			t.Errorf("undid %s: %q; want %s with %q", out.CallID, out.Changes, want.call, want.change)
		}
		redo = append(redo, out.UndoneBy)
	}
	out := undone(redo[1])
	if text := strings.Join(out.Changes, "\n"); !strings.Contains(text, "r3 known again: ") {
		t.Errorf("redo of the past fact: %q", text)
	}
	found, err := s.Relationships(t.Context(), ns, []int64{3}, memory.AsOf{})
	if err != nil || len(found) != 1 || !found[0].ValidFrom.IsZero() || found[0].ValidUntil.IsZero() {
		t.Errorf("after the redo: %+v, %v", found, err)
	}
}
