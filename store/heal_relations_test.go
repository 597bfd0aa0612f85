package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// An older version stored facts under the name that was given. The tests write such a fact with this prefix, and then
// remove the prefix from the file.
const unlinked = "older_"

func (w *spoken) older(t *testing.T) {
	t.Helper()
	for table, columns := range map[string]string{"mg_relationships": "relation label", "mg_events": "before after",
		"mg_relationship_versions": "relation"} {
		for column := range strings.FieldsSeq(columns) {
			if err := w.p.s.ExecOnWriter(fmt.Sprintf(`UPDATE %s SET %[2]s = replace(%[2]s, '%[3]s', '')`, table, column,
				unlinked)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func (w *spoken) healing(t *testing.T, holder string) *store.Run {
	t.Helper()
	w.p.now = w.p.now.Add(48 * time.Hour)
	r, _, err := w.p.s.BeginRun(t.Context(), store.RunRequest{Task: "relation_names", Holder: holder,
		Every: 24 * time.Hour, Lease: time.Minute, AtOnce: true})
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	return r
}

func (w *spoken) heal(t *testing.T) int {
	t.Helper()
	n, err := w.p.s.HealRelations(t.Context(), w.healing(t, "one"))
	if err != nil {
		t.Fatal(err)
	}
	if faults, err := w.p.s.CheckGraph(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("the graph is not sound: %+v, %v", faults, err)
	}
	return n
}

// active returns all active facts as words, sorted.
func (w *spoken) active(t *testing.T, at memory.AsOf) []string {
	t.Helper()
	list, _, err := w.p.s.ListRelationships(t.Context(), store.RelationshipFilter{Namespace: w.scope.Namespace, At: at}, 0,
		100)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range list {
		out = append(out, r.Head.Name+" "+r.Relation+" "+r.Tail.Name)
	}
	slices.Sort(out)
	return out
}

func olderFile(t *testing.T) *spoken {
	t.Helper()
	p := newPlayground(t)
	p.now = today
	w := &spoken{p: p, scope: memory.Scope{Namespace: "older"}}
	for _, line := range []string{
		"on 2026-05-01 user: Alice lives_in Ghent", "on 2026-05-02 user: Alice older_located_in Bruges",
		"user: Bob works_at Acme", "user: Acme older_employs Bob", "user: Acme older_employs Carol",
		"user: Bob older_manager_of Carol", "user: Dora older_works_for Bob",
		"user: Dora older_works_for Acme until 2026-04-01",
		"user: Apollo older_used_by Alice", "user: Apollo uses Go",
	} {
		w.say(t, line)
	}
	w.older(t)
	return w
}

var (
	olderFacts = []string{"Acme employs Bob", "Acme employs Carol", "Alice lives_in Ghent", "Alice located_in Bruges",
		"Apollo used_by Alice", "Apollo uses Go", "Bob manager_of Carol", "Bob works_at Acme", "Dora works_for Bob"}
	healedFacts = []string{"Alice lives_in Bruges", "Alice uses Apollo", "Apollo uses Go", "Bob works_at Acme",
		"Carol reports_to Bob", "Carol works_at Acme", "Dora works_for Bob"}
)

func TestHealRelations_StoresOneNameAndRewritesNoVersion(t *testing.T) {
	t.Parallel()
	w := olderFile(t)
	before := memory.AsOf{KnownAt: w.p.now}
	versions, err := w.p.s.QueryTexts(`SELECT format('%d %s %d %d', version_id, relation, head_id, tail_id)
		FROM mg_relationship_versions ORDER BY version_id`)
	if err != nil {
		t.Fatal(err)
	}
	if n := w.heal(t); n != 6 {
		t.Errorf("healed %d facts, want 6", n)
	}
	if diff := cmp.Diff(healedFacts, w.active(t, memory.AsOf{})); diff != "" {
		t.Errorf("active facts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(olderFacts, w.active(t, before)); diff != "" {
		t.Errorf("facts as they were believed before (-want +got):\n%s", diff)
	}
	now, err := w.p.s.QueryTexts(`SELECT format('%d %s %d %d', version_id, relation, head_id, tail_id)
		FROM mg_relationship_versions ORDER BY version_id`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(versions, now[:len(versions)]); diff != "" {
		t.Errorf("versions of before (-was +is):\n%s", diff)
	}
	if n := w.heal(t); n != 0 {
		t.Errorf("a second run heals %d facts", n)
	}
}

func TestHealRelations_IsUndoneAndNotMadeAgain(t *testing.T) {
	t.Parallel()
	w := olderFile(t)
	w.heal(t)
	calls, err := w.p.s.QueryTexts(`SELECT call_id FROM mg_events WHERE action = 'heal_relation' GROUP BY call_id
		ORDER BY max(id) DESC`)
	if err != nil {
		t.Fatal(err)
	}
	newest, err := w.p.s.NewestCall(t.Context(), w.scope.Namespace)
	if err != nil || slices.Contains(calls, newest) {
		t.Errorf("undo would take back %q first, %v", newest, err)
	}
	for i, call := range calls {
		if _, err := w.p.s.Undo(t.Context(), w.scope.Namespace, call,
			memory.Caller{CallID: fmt.Sprint("undo ", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(olderFacts, w.active(t, memory.AsOf{})); diff != "" {
		t.Errorf("facts after the undo (-want +got):\n%s", diff)
	}
	if n := w.heal(t); n != 0 {
		t.Errorf("healed %d facts that were undone", n)
	}
}

// broken is a context that ends after a number of questions.
type broken struct {
	context.Context
	left int
}

func (b *broken) Err() error {
	if b.left--; b.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestHealRelations_ContinuesWhereADeadProcessStopped(t *testing.T) {
	t.Parallel()
	cut := 0
	for left := 1; left < 400; left += 12 {
		w := olderFile(t)
		if _, err := w.p.s.HealRelations(&broken{t.Context(), left}, w.healing(t, "dead")); err == nil {
			break
		}
		cut++
		w.heal(t)
		if diff := cmp.Diff(healedFacts, w.active(t, memory.AsOf{})); diff != "" {
			t.Errorf("cut after %d: active facts (-want +got):\n%s", left, diff)
		}
		twice, err := w.p.s.QueryTexts(`SELECT object FROM mg_events WHERE action = 'heal_relation' GROUP BY object, after
			HAVING count(*) > 1`)
		if err != nil || len(twice) > 0 {
			t.Errorf("cut after %d: changed twice: %v, %v", left, twice, err)
		}
	}
	if cut < 3 {
		t.Errorf("the run was cut %d times", cut)
	}
}

// Filters of a read at a time before the names were linked mean the names of that time.
func TestReads_UseTheNamesOfTheirTime(t *testing.T) {
	t.Parallel()
	w := olderFile(t)
	before := w.p.now
	if err := w.p.s.ExecOnWriter(fmt.Sprintf(`INSERT INTO mg_metadata VALUES ('names_linked_at', '%s')`,
		memory.Millis(before.Add(time.Second)))); err != nil {
		t.Fatal(err)
	}
	w.heal(t)
	list := func(relation string, at memory.AsOf) (out []string) {
		t.Helper()
		rows, _, err := w.p.s.ListRelationships(t.Context(), store.RelationshipFilter{Namespace: w.scope.Namespace,
			Relations: []string{relation}, At: at, Order: store.ByName}, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			out = append(out, r.Head.Name+" "+r.Relation+" "+r.Tail.Name)
		}
		return out
	}
	for _, c := range []struct {
		relation string
		at       memory.AsOf
		want     []string
	}{
		{"employs", memory.AsOf{KnownAt: before}, []string{"Acme employs Bob", "Acme employs Carol"}},
		{"works_at", memory.AsOf{KnownAt: before}, []string{"Bob works_at Acme"}},
		{"works_for", memory.AsOf{KnownAt: before}, []string{"Dora works_for Bob"}},
		{"employs", memory.AsOf{}, []string{"Bob works_at Acme", "Carol works_at Acme"}},
		{"works_for", memory.AsOf{KnownAt: w.p.now}, []string{"Bob works_at Acme", "Carol works_at Acme",
			"Dora works_for Bob"}},
		{"located_in", memory.AsOf{}, []string{"Alice lives_in Bruges"}},
	} {
		if diff := cmp.Diff(c.want, list(c.relation, c.at)); diff != "" {
			t.Errorf("%s at %+v (-want +got):\n%s", c.relation, c.at, diff)
		}
	}
}
