package store_test

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3/driver"

	"memory-graph/internal/memory"
	"memory-graph/migrations"
	"memory-graph/store"
)

// schema lists the tables, indexes and triggers of a file.
func schema(t *testing.T, path string) (out []string) {
	t.Helper()
	c := rawExec(t, path, "")
	st, _, err := c.Prepare(`SELECT type || ' ' || name || ': ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = st.Close() }()
	for st.Step() {
		out = append(out, st.ColumnText(0))
	}
	return out
}

// An upgrade from any earlier version, including 0 (an empty file), ends with the schema of a new file.
func TestUpgrade_FromEveryVersionEndsInTheSameSchema(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fresh := filepath.Join(dir, "fresh.db")
	if err := openErr(fresh, store.Options{}); err != nil {
		t.Fatal(err)
	}
	want := schema(t, fresh)
	for from := int64(0); from < migrations.Latest(); from++ {
		path := filepath.Join(dir, fmt.Sprint("from", from, ".db"))
		db, err := driver.Open((&url.URL{Scheme: "file", Path: path, OmitHost: true, RawQuery: "_txlock=immediate"}).String())
		if err != nil {
			t.Fatal(err)
		}
		if from > 0 {
			if err := migrations.Up(context.Background(), db, from); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		s := open(t, path, store.Options{})
		record(t, s, turn("s", "works"))
		v, err := s.Versions(context.Background())
		if err != nil || v.Schema != migrations.Latest() || v.ProgramsSchema != v.Schema || v.SQLite != "3.47.0" ||
			v.Vec != "v0.1.6" {
			t.Errorf("from %d: %+v, %v", from, v, err)
		}
		if diff := cmp.Diff(want, schema(t, path)); diff != "" {
			t.Errorf("from %d: %s", from, diff)
		}
	}
}

func TestUpgrade_AnOlderFileIsNotTouchedReadOnly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := openErr(path, store.Options{}); err != nil {
		t.Fatal(err)
	}
	rawExec(t, path, `UPDATE mg_schema_versions SET is_applied = 0 WHERE version_id = `+itoa(migrations.Latest()))
	wantError(t, openErr(path, store.Options{ReadOnly: true}), memory.Unavailable, "older")
}

// What an older version wrote is healed, and what is written after the upgrade is not.
func TestUpgrade_MarksTheEntitiesToHeal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	db, err := driver.Open((&url.URL{Scheme: "file", Path: path, OmitHost: true, RawQuery: "_txlock=immediate"}).String())
	if err != nil {
		t.Fatal(err)
	}
	if err := migrations.Up(t.Context(), db, 9); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	rawExec(t, path, `INSERT INTO mg_entities (id, namespace, canonical_name, name, type, confidence, origin, created_at,
		updated_at, last_seen_at) SELECT 7, 'n', 'larder', 'Larder', 'project', 1, 'user', at, at, at
		FROM (SELECT '`+born+`' AS at)`)
	s := open(t, path, store.Options{})
	observe(t, s, entityDraft("Ann", 1))
	got, err := s.QueryTexts(`SELECT value FROM mg_metadata WHERE key = 'identity.heal_to'`)
	if diff := cmp.Diff([]string{"7"}, got); diff != "" || err != nil {
		t.Errorf("%s%v", diff, err)
	}
}

// Facts, their evidence and what superseded them survive the table's new form, and the first eviction only reports.
func TestUpgrade_KeepsFactsAndReportsBeforeItArchives(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	db, err := driver.Open((&url.URL{Scheme: "file", Path: path, OmitHost: true, RawQuery: "_txlock=immediate"}).String())
	if err != nil {
		t.Fatal(err)
	}
	if err := migrations.Up(t.Context(), db, 11); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	rawExec(t, path, `INSERT INTO mg_entities (id, namespace, canonical_name, name, type, confidence, origin, created_at,
			updated_at, last_seen_at) SELECT value, 'n', 'x' || value, 'X' || value, 'tool', 1, 'user', at, at, at
			FROM (SELECT '`+born+`' AS at), json_each('[1,2,3]');
		INSERT INTO mg_relationships (id, namespace, head_id, relation, tail_id, label, edge_class, confidence, origin,
			method, valid_from, created_at, last_observed_at, from_unit)
			VALUES (5, 'n', 1, 'works_at', 3, 'works_at', 'semantic', .9, 'user', 'supplied', '2020-01-01 00:00:00', '`+born+`',
			'`+born+`', 'year');
		INSERT INTO mg_relationships (id, namespace, head_id, relation, tail_id, label, edge_class, confidence, origin,
			method, valid_until, created_at, last_observed_at, superseded_by)
			VALUES (4, 'n', 1, 'works_at', 2, 'works_at', 'semantic', .9, 'user', 'supplied', '2020-01-01 00:00:00', '`+born+`',
			'`+born+`', 5);
		INSERT INTO mg_episodes (id, namespace, seq, role, occurred_at, created_at, origin, content_hash, content)
			VALUES (7, 'n', 0, 'user', '2020-01-01 00:00:00', '`+born+`', 'user', x'00', 'said');
		INSERT INTO mg_evidence VALUES (4, 7, 'said', 'supplied', .9, '`+born+`'),
			(5, 7, 'said', 'supplied', .9, '`+born+`')`)
	s := open(t, path, store.Options{})
	rows, err := s.Relationships(t.Context(), "n", []int64{4, 5}, memory.AsOf{})
	if err != nil || len(rows) != 2 || rows[0].SupersededBy != 5 || rows[1].FromUnit != memory.Year ||
		!cmp.Equal(rows[0].Evidence, []int64{7}) || !cmp.Equal(rows[1].Evidence, []int64{7}) {
		t.Errorf("%+v, %v", rows, err)
	}
	if got, err := s.QueryTexts(`SELECT namespace || relation FROM mg_relations`); err != nil ||
		!cmp.Equal(got, []string{"nworks_at"}) {
		t.Errorf("relations %q, %v", got, err)
	}
	if got := evict(t, s, store.Eviction{}); !got.Reported || got.Facts != 1 {
		t.Errorf("the first run: %+v", got)
	}
	if got := evict(t, s, store.Eviction{}); got.Reported || got.Facts != 1 {
		t.Errorf("the second run: %+v", got)
	}
}

// The first start is killed after each migration, while the next one is under way. Nothing is stored yet, so a reader
// finds no older file, and the next start continues: the file becomes that of an undisturbed start.
func TestUpgrade_ContinuesAFirstStartThatWasKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fresh := filepath.Join(dir, "fresh.db")
	whole := open(t, fresh, store.Options{})
	const metadata = `SELECT key || '=' || value FROM mg_metadata ORDER BY key`
	wantMetadata, err := whole.QueryTexts(metadata)
	if err != nil {
		t.Fatal(err)
	}
	want := schema(t, fresh)
	for after := int64(0); after < migrations.Latest(); after++ {
		path := filepath.Join(dir, fmt.Sprint("after", after, ".db"))
		out, err := child("die", path, cacheDir, itoa(after)).CombinedOutput()
		if err == nil || string(out) != "migrated\n" {
			t.Fatalf("after %d: the child was not killed: %v, %q", after, err, out)
		}
		refused := openErr(path, store.Options{ReadOnly: true})
		if version, ok := store.Outdated(refused); !ok || version != 0 {
			t.Errorf("after %d: a reader says %d, %t: %v", after, version, ok, refused)
		}
		s := open(t, path, store.Options{})
		record(t, s, turn("s", "works"))
		got, err := s.QueryTexts(metadata)
		if diff := cmp.Diff(wantMetadata, got); diff != "" || err != nil {
			t.Errorf("after %d: %s%v", after, diff, err)
		}
		if diff := cmp.Diff(want, schema(t, path)); diff != "" {
			t.Errorf("after %d: %s", after, diff)
		}
	}
}
