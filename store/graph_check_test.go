package store_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/migrations"
	"memory-graph/store"
)

// checkedGraph makes a sound file with three facts and a parent, and returns its path.
func checkedGraph(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	s, err := store.Open(context.Background(), path, store.Options{CacheDir: cacheDir})
	if err != nil {
		t.Fatal(err)
	}
	scope, by := memory.Scope{Namespace: "default"}, memory.Caller{Actor: "tool"}
	for _, d := range []memory.RelationDraft{
		{Head: "Ann", Relation: "works_at", Tail: "Acme"}, {Head: "Ann", Relation: "works_at", Tail: "Initech"}, {Head: "Ann",
			Relation: "knows", Tail: "Bob"},
	} {
		d.CreateMissing, d.Origin, d.Method = true, memory.OriginUser, memory.MethodSupplied
		if _, err := s.CreateRelation(context.Background(), scope, d, 0, by); err != nil {
			t.Fatal(err)
		}
	}
	child := memory.EntityDraft{Name: "Ann's desk", Type: "concept", Parent: "Ann", Origin: memory.OriginUser,
		Method: memory.MethodSupplied}
	if _, err := s.CreateEntity(context.Background(), scope, child, by); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCheckGraph_FindsWhatBreaksItsRules(t *testing.T) {
	t.Parallel()
	id := func(kind memory.Kind, n int64) []memory.ID { return []memory.ID{{Kind: kind, Num: n}} }
	for name, tt := range map[string]struct {
		breaks string
		want   []store.GraphFault
	}{
		"nothing": {``, []store.GraphFault{}},
		"two active facts of a kind": {`DROP INDEX mg_relationships_active; UPDATE mg_relationships SET valid_until = NULL,
			tail_id = (SELECT tail_id FROM mg_relationships WHERE id = 2) WHERE id = 1`,
			[]store.GraphFault{{Rule: store.OneActiveFact, N: 1, Objects: id('r', 2)}}},
		"no evidence": {`DELETE FROM mg_evidence WHERE relationship_id = 3`,
			[]store.GraphFault{{Rule: store.EvidenceOfFact, N: 1, Objects: id('r', 3)}}},
		"no version": {`DELETE FROM mg_relationship_versions WHERE relationship_id = 3`,
			[]store.GraphFault{{Rule: store.OneOpenVersion, N: 1, Objects: id('r', 3)}}},
		"two versions at once": {`UPDATE mg_relationship_versions SET expired_at = NULL WHERE relationship_id = 1`,
			[]store.GraphFault{{Rule: store.OneOpenVersion, N: 1, Objects: id('r', 1)}}},
		"an entity without version": {`UPDATE mg_entity_versions SET expired_at = created_at WHERE entity_id = 1`,
			[]store.GraphFault{{Rule: store.OneOpenVersion, N: 1, Objects: id('e', 1)}}},
		"a closure that lacks": {`DELETE FROM mg_closure`,
			[]store.GraphFault{{Rule: store.ParentsClosure, N: 1, Objects: id('e', 5)}}},
		"a closure of what is gone": {`INSERT INTO mg_closure VALUES (77, 78, 1)`,
			[]store.GraphFault{{Rule: store.ParentsClosure, N: 1, Objects: id('e', 78)}}},
		"a circle of parents": {`UPDATE mg_entities SET parent_id = 5 WHERE id = 1`, []store.GraphFault{
			{Rule: store.ParentsClosure, N: 2, Objects: []memory.ID{{Kind: 'e', Num: 1}, {Kind: 'e', Num: 5}}}}},
		"another namespace": {`UPDATE mg_entities SET namespace = 'other' WHERE id = 4`,
			[]store.GraphFault{{Rule: store.OneNamespace, N: 1, Objects: id('r', 3)}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := checkedGraph(t)
			rawExec(t, path, tt.breaks)
			got, err := open(t, path, store.Options{ReadOnly: true}).CheckGraph(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestOpen_AnOlderFileCanBeLookedAt(t *testing.T) {
	t.Parallel()
	path := checkedGraph(t)
	rawExec(t, path, `UPDATE mg_schema_versions SET is_applied = 0 WHERE version_id = `+itoa(migrations.Latest()))
	err := openErr(path, store.Options{ReadOnly: true})
	version, ok := store.Outdated(err)
	if !ok || version >= migrations.Latest() {
		t.Errorf("Outdated says %d, %t of %v", version, ok, err)
	}
	s := open(t, path, store.Options{ReadOnly: true, AnySchema: true})
	if v, err := s.Versions(context.Background()); err != nil || v.Schema != version {
		t.Errorf("versions %+v, %v", v, err)
	}
	rawExec(t, path, `UPDATE mg_schema_versions SET is_applied = 0`)
	if err := openErr(path, store.Options{ReadOnly: true, AnySchema: true}); err == nil {
		t.Error("a file without tables opens")
	}
	if _, ok := store.Outdated(memory.Errorf(memory.Unavailable, "locked")); ok {
		t.Error("a lock is taken for an old file")
	}
}
