package store_test

import (
	"path/filepath"
	"testing"

	"memory-graph/store"
)

func TestBaseCosine_IsOfOneGenerationAndStays(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path, store.Options{})
	g, err := s.EnsureGeneration(t.Context(), identityA)
	if err != nil || g.Base != nil {
		t.Fatalf("%+v, %v", g, err)
	}
	if _, ok, err := s.BaseCosine(t.Context(), g.ID); ok || err != nil {
		t.Fatalf("measured before it was: %v", err)
	}
	for _, base := range []float64{.44, .7} { // the second process comes too late
		if err := s.SaveBaseCosine(t.Context(), g.ID, base); err != nil {
			t.Fatal(err)
		}
	}
	other := open(t, path, store.Options{})
	if base, ok, err := other.BaseCosine(t.Context(), g.ID); base != .44 || !ok || err != nil {
		t.Errorf("%v, %v, %v", base, ok, err)
	}
	if g, ok, err := other.UseGeneration(t.Context(), identityA); !ok || err != nil || g.Base == nil || *g.Base != .44 {
		t.Errorf("used: %+v, %v", g, err)
	}
	if g, err = other.EnsureGeneration(t.Context(), identityA); err != nil || g.Base == nil || *g.Base != .44 {
		t.Errorf("ensured: %+v, %v", g, err)
	}
	if g, err = other.EnsureGeneration(t.Context(), identityB); err != nil || g.Base != nil {
		t.Errorf("of another embedder: %+v, %v", g, err)
	}
}

// doctor examines files of older versions, which have no base cosines.
func TestGenerations_AreReadFromAnOlderFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path, store.Options{})
	record(t, s, turn("s", "works"))
	if _, err := s.EnsureGeneration(t.Context(), identityA); err != nil {
		t.Fatal(err)
	}
	rawExec(t, path, `ALTER TABLE mg_embedders DROP COLUMN base_cosine;
		UPDATE mg_schema_versions SET is_applied = 0 WHERE version_id = 17`)
	old := open(t, path, store.Options{ReadOnly: true, AnySchema: true})
	if list, err := old.Generations(t.Context()); err != nil || len(list) != 1 || list[0].Identity != identityA {
		t.Errorf("%+v, %v", list, err)
	}
}
