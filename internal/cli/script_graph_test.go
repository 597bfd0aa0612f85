package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/rogpeppe/go-internal/testscript"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// remember creates a small graph in the default database of a script, each fact with its own call: `remember`. None of
// its relations decays, so the output does not depend on the day.
func remember(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: remember")
	}
	path := filepath.Join(ts.Getenv("XDG_DATA_HOME"), "memory-graph", "memory.db")
	clock := time.Now().Add(-time.Hour) // one second per write, for a stable order
	s, err := store.Open(context.Background(), path, store.Options{CacheDir: filepath.Join(cacheHome(), "memory-graph"),
		Now: func() time.Time { clock = clock.Add(time.Second); return clock }})
	ts.Check(err)
	scope := memory.Scope{Namespace: "default"}
	call := 0
	by := func() memory.Caller {
		call++
		return memory.Caller{Actor: "tool", Client: "script 1", CallID: fmt.Sprint("call-", call)}
	}
	entity := func(name, typ, description string, aliases ...string) {
		_, err := s.CreateEntity(context.Background(), scope,
			memory.EntityDraft{Name: name, Type: typ, Description: description, Aliases: aliases,
				Origin: memory.OriginUser, Method: memory.MethodSupplied}, by())
		ts.Check(err)
	}
	fact := func(head, relation, tail, from, until string) {
		d := memory.RelationDraft{Head: head, Relation: relation, Tail: tail, CreateMissing: true, Origin: memory.OriginUser,
			Method: memory.MethodSupplied}
		for text, into := range map[string]*time.Time{from: &d.ValidFrom, until: &d.ValidUntil} {
			if text != "" {
				*into, err = memory.ParseTime("time", text)
				ts.Check(err)
			}
		}
		_, err := s.CreateRelation(context.Background(), scope, d, 0, by())
		ts.Check(err)
	}
	entity("Ann", "person", "leads the platform team", "Annie")    // e1, call-1
	entity("Mercury", "project", "")                               // e2
	entity("Mercury", "location", "a planet")                      // e3
	entity("Rust", "language", "")                                 // e4
	entity("Rusty Bucket", "organization", "a café in 東京")         // e5
	fact("Ann", "born_in", "Leeds", "1990-05-01", "")              // r1, e6
	fact("Ann", "located_in", "Leeds", "1990-05-01", "")           // r2
	fact("Ann", "located_in", "Berlin", "2024-02-01 08:30:00", "") // r3, e7: r2 ends
	fact("Engine", "part_of", "Rust", "2020-01-01", "2999-01-01")  // r4, e8
	fact("Engine", "created_by", "Ann", "2020-01-01", "")          // r5, call-10
	ts.Check(s.Close())
}

// sqlOn changes the default database as another program would: `sql 'DELETE …'`.
func sqlOn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sql statement")
	}
	c, err := sqlite3.Open(filepath.Join(ts.Getenv("XDG_DATA_HOME"), "memory-graph", "memory.db"))
	ts.Check(err)
	ts.Check(c.Exec(args[0]))
	ts.Check(c.Close())
}

// swap replaces a text in a file, which must have it: `swap answer.txt old new`.
func swap(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: swap file old new")
	}
	content := ts.ReadFile(args[0])
	if !strings.Contains(content, args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(content, args[1], args[2])), 0o600))
}

// jsonField reads one JSON object from stdout or stderr and compares the field with a dotted path: `jsonfield stdout
// facts.0.head Ann`.
func jsonField(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: jsonfield file path value")
	}
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &v); err != nil {
		ts.Fatalf("%s is no JSON: %v", args[0], err)
	}
	for _, key := range strings.Split(args[1], ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[key]
		case []any:
			i := 0
			if _, err := fmt.Sscan(key, &i); key != "len" && (err != nil || i >= len(at)) {
				ts.Fatalf("%s: there is no %s among %d", args[1], key, len(at))
			}
			if key == "len" {
				v = len(at)
			} else {
				v = at[i]
			}
		default:
			v = nil
		}
	}
	if got := fmt.Sprint(v); (got == args[2]) == neg {
		ts.Fatalf("%s is %s, and must %sbe %s", args[1], got, map[bool]string{true: "not "}[neg], args[2])
	}
}
