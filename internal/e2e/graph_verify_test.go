package e2e_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"memory-graph/store"
)

// verifyGraph looks for what was acknowledged in the file that the processes left, and for what must not be there.
func verifyGraph(t *testing.T, db string, calls []*graphCall) {
	t.Helper()
	c := openRaw(t, db)
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	number := func(sql string, args ...string) int {
		t.Helper()
		st, _, err := c.Prepare(sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		defer func() { _ = st.Close() }()
		for i, a := range args {
			if err := st.BindText(i+1, a); err != nil {
				t.Fatal(err)
			}
		}
		if !st.Step() {
			t.Fatalf("%s: %v", sql, st.Err())
		}
		return st.ColumnInt(0)
	}
	num := func(id string) string { return strings.TrimLeft(id, "erm") }
	versions := map[string]string{}
	made := map[string]bool{}
	for _, call := range calls {
		if !call.done {
			if n := number(`SELECT count(*) FROM mg_events WHERE reason = ?`, call.token); n != 0 {
				t.Errorf("%s was refused and left %d events", call.token, n)
			}
			continue
		}
		want, got := 1, 1
		switch call.tool {
		case "create_entity":
			got = number(`SELECT count(*) FROM mg_entity_aliases WHERE alias = ? AND entity_id = ?`, call.token, num(call.a.ID))
			want, got = 2, got+number(
				`SELECT count(*) > 0 FROM mg_entity_versions v JOIN mg_events e ON e.id = v.event_id, json_each(v.snapshot, '$.aliases') a WHERE a.value = ?`, call.token)
		case "update_entity":
			got = number(
				`SELECT count(*) FROM mg_entity_versions v JOIN mg_events e ON e.id = v.event_id WHERE json_extract(v.snapshot, '$.description') = ? AND e.action = 'update_entity'`,
				"Described by "+call.token+".")
			key := call.a.Entity.ID + " " + strconv.Itoa(call.a.Version)
			if before := versions[key]; before != "" || call.a.Version == 0 {
				t.Errorf("%s and %s were both told that they made version %s", before, call.token, key)
			}
			versions[key] = call.token
		case "create_relation":
			made[call.a.ID] = made[call.a.ID] || call.a.Status != "reinforced"
			got = number(
				`SELECT count(*) FROM mg_evidence v JOIN mg_episodes e ON e.id = v.episode_id WHERE e.content = ? AND v.relationship_id = ?`,
				"It is so, says "+call.token+".", num(call.a.ID))
		case "store_episode":
			var ids []string
			for _, r := range call.a.Relations {
				ids = append(ids, r.ID)
			}
			slices.Sort(ids)
			want = len(slices.Compact(ids))
			got = number(`SELECT count(*) FROM mg_evidence v JOIN mg_episodes e ON e.id = v.episode_id WHERE e.content = ?`,
				"They talked about "+call.token+".")
		case "supersede":
			// One change of what ended; of what came instead there may be more.
			var ended struct{ ID string }
			if err := json.Unmarshal(call.a.Superseded, &ended); err != nil {
				t.Errorf("%s: %v", call.token, err)
			}
			want, got = 2, number(`SELECT count(*) > 0 FROM mg_events e JOIN mg_relationship_versions v ON v.event_id = e.id
				WHERE e.reason = ? AND e.object = ? AND v.valid_until IS NOT NULL`, call.token, ended.ID)+
				number(`SELECT valid_until IS NOT NULL FROM mg_facts WHERE id = ?`, num(ended.ID))
		}
		if got != want {
			t.Errorf("%s %v was acknowledged as %+v, and of its %d traces %d are there", call.tool, call.args, call.a, want, got)
		}
	}
	for what, sql := range map[string]string{
		"facts active twice":           `SELECT count(*) FROM (SELECT 1 FROM mg_relationships WHERE valid_until IS NULL GROUP BY namespace, head_id, relation, tail_id HAVING count(*) > 1)`,
		"entities there twice":         `SELECT count(*) FROM (SELECT 1 FROM mg_entities WHERE merged_into IS NULL AND kind <> 'memory' GROUP BY namespace, canonical_name, type HAVING count(*) > 1)`,
		"employers at a time too many": `SELECT count(*) FROM (SELECT 1 FROM mg_relationships WHERE valid_until IS NULL AND relation = 'works_at' GROUP BY head_id HAVING count(*) > 1)`,
		"facts with a gap in versions": gaps("mg_relationship_versions", "relationship_id"),
		"entities with a gap in them":  gaps("mg_entity_versions", "entity_id"),
		"versions without an event":    `SELECT count(*) FROM (SELECT event_id FROM mg_relationship_versions UNION ALL SELECT event_id FROM mg_entity_versions) WHERE event_id IS NULL OR event_id NOT IN (SELECT id FROM mg_events)`,
		"changes without a version":    `SELECT count(*) FROM mg_events e WHERE e.after IS NOT NULL AND e.object LIKE 'r%' AND NOT EXISTS (SELECT 1 FROM mg_relationship_versions WHERE event_id = e.id)`,
		"facts other than their version": `SELECT count(*) FROM mg_relationships r WHERE NOT EXISTS (SELECT 1 FROM mg_relationship_versions v WHERE v.relationship_id = r.id
			AND v.expired_at IS NULL AND v.confidence = r.confidence AND v.valid_from IS r.valid_from AND v.valid_until IS r.valid_until AND v.superseded_by IS r.superseded_by)`,
	} {
		if n := number(sql); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
	if rows := number(`SELECT count(*) FROM mg_facts`); rows < len(made) {
		t.Errorf("%d facts, and %d were acknowledged", rows, len(made))
	}
	checkFile(t, db)
}

// gaps counts versions that do not begin where the one before ended, and objects without exactly one open version.
func gaps(table, column string) string {
	return fmt.Sprintf(`SELECT (SELECT count(*) FROM (SELECT created_at, lag(expired_at, 1, created_at) OVER (PARTITION BY %[2]s ORDER BY version_id) AS before
		FROM %[1]s) WHERE before IS NOT created_at) + (SELECT count(*) FROM (SELECT 1 FROM %[1]s GROUP BY %[2]s HAVING sum(expired_at IS NULL) <> 1))`, table, column)
}

// checkFile lets SQLite and the store look over a file.
func checkFile(t *testing.T, db string) {
	t.Helper()
	s, err := store.Open(t.Context(), db, store.Options{CacheDir: filepath.Join(cacheHome(), "memory-graph")})
	if err != nil {
		t.Fatal(err)
	}
	if findings, err := s.IntegrityCheck(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("integrity: %v, %v", findings, err)
	}
	if faults, err := s.CheckGraph(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("graph: %+v, %v", faults, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
