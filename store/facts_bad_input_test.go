package store_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// crowd is a namespace with the objects that bad input needs. Its clock stays at 2026-06-01.
type crowd struct {
	*spoken
	s     *store.Store
	facts map[string]int64 // "relation tail" to id
	ids   map[string]string
	turn  int64
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	p := newPlayground(t)
	p.now = today
	c := &crowd{spoken: &spoken{p: p, scope: memory.Scope{Namespace: "n"}}, s: p.s, facts: map[string]int64{},
		ids: map[string]string{}}
	for _, line := range []string{
		"user: Alice works_at Acme from 2020-01-01", "user: Alice uses Go from 2021-01-01", "user: Alice uses Rust from " +
			"2022-01-01",
		"user: Alice knows Bob", "user: Alice uses Perl from 2010-01-01 until 2015-01-01",
	} {
		out := c.say(t, line)
		c.facts[out.Relationship.Relation+" "+out.Relationship.Tail.Name] = out.Relationship.ID
		c.ids[out.Relationship.Head.Name], c.ids[out.Relationship.Tail.Name] = out.Relationship.Head.Ref().
			String(), out.Relationship.Tail.Ref().String()
		c.turn = out.Relationship.Evidence[0]
	}
	for _, e := range []struct{ name, typ string }{{"Mercury", "project"}, {"Mercury", "location"}} {
		if _, err := c.s.CreateEntity(t.Context(), c.scope,
			memory.EntityDraft{Name: e.name, Type: e.typ, Origin: memory.OriginUser,
				Method: memory.MethodSupplied}, agent); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// aRelation and anEntity make drafts that are valid except for what a case changes.
func aRelation(change func(*memory.RelationDraft)) memory.RelationDraft {
	d := draft("Alice", "uses", "Zig")
	change(&d)
	return d
}

func anEntity(change func(*memory.EntityDraft)) memory.EntityDraft {
	d := memory.EntityDraft{Name: "Zig", Type: "language", Origin: memory.OriginAgent, Method: memory.MethodSupplied}
	change(&d)
	return d
}

func ptr[T any](v T) *T { return &v }

// Every call is refused with its code and a helpful message, and leaves nothing behind.
func TestBadInput_IsRefusedAndLeavesNothing(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	ctx, n := t.Context(), c.scope.Namespace
	relate := func(change func(*memory.RelationDraft)) func() error {
		return func() error {
			_, err := c.s.CreateRelation(ctx, c.scope, aRelation(change), 0, agent)
			return err
		}
	}
	create := func(change func(*memory.EntityDraft)) func() error {
		return func() error { _, err := c.s.CreateEntity(ctx, c.scope, anEntity(change), agent); return err }
	}
	update := func(ch memory.EntityChange) func() error {
		return func() error { _, _, err := c.s.UpdateEntity(ctx, n, ch, agent); return err }
	}
	supersede := func(in memory.Supersession) func() error {
		return func() error { _, err := c.s.Supersede(ctx, c.scope, in, agent); return err }
	}
	day := func(s string) time.Time { return mustTime(t, s) }
	// Objects of another namespace, and the earlier calls that some cases need.
	other := &spoken{p: c.p, scope: memory.Scope{Namespace: "other"}}
	theirs := other.say(t, "user: Eve works_at Evil from 2020-01-01").Relationship
	c.say(t, "user: Bob uses Lisp from 2020-01-01")
	lisp := c.say(t, "user: Bob uses Lisp until 2026-05-01 ended").Relationship.ID
	if err := supersede(memory.Supersession{ID: c.facts["uses Go"], ReplacementID: c.facts["uses Rust"],
		At: day("2026-12-01")})(); err != nil {
		t.Fatal(err)
	}
	for _, link := range [][2]string{{"Rust", "Go"}, {"Go", "Acme"}} { // Rust under Go under Acme
		if err := update(memory.EntityChange{Entity: c.ids[link[0]], Parent: &link[1]})(); err != nil {
			t.Fatal(err)
		}
	}
	for name, bad := range map[string]struct {
		call func() error
		code memory.Code
		says string // part of the message: the value
	}{
		"a self-relation": {relate(func(d *memory.RelationDraft) { d.Tail = "Alice" }),
			memory.InvalidArgument, "Alice"},
		"a self-relation in other letters": {relate(func(d *memory.RelationDraft) { d.Tail = " aLICE\t" }),
			memory.InvalidArgument, "Alice"},
		"a self-relation by id": {relate(func(d *memory.RelationDraft) { d.Tail = c.ids["Alice"] }),
			memory.InvalidArgument, "Alice"},
		"a self-relation of something new": {
			relate(func(d *memory.RelationDraft) { d.Head, d.Tail = "Nim", "nim" }), memory.InvalidArgument, "Nim"},
		"a self-relation as a replacement": {
			supersede(memory.Supersession{ID: c.facts["knows Bob"],
				Replacement: &memory.RelationDraft{Tail: "Alice", Origin: memory.OriginUser,
					Method: memory.MethodSupplied}}), memory.InvalidArgument, ""},
		"a fact superseded by itself": {
			supersede(memory.Supersession{ID: c.facts["knows Bob"],
				ReplacementID: c.facts["knows Bob"]}), memory.InvalidArgument, "itself"},
		"a cycle of supersession": {
			supersede(memory.Supersession{ID: c.facts["uses Rust"], ReplacementID: c.facts["uses Go"]}), memory.Conflict, ""},
		"superseding what has ended": {supersede(memory.Supersession{ID: lisp}), memory.Conflict, "ended"},
		"superseding what was past when it was told": {supersede(memory.Supersession{ID: c.facts["uses Perl"]}),
			memory.Conflict, "ended"},
		"superseding by what has ended": {
			supersede(memory.Supersession{ID: c.facts["knows Bob"],
				ReplacementID: c.facts["uses Perl"]}), memory.Conflict, "ended"},
		"superseding before it began": {
			supersede(memory.Supersession{ID: c.facts["works_at Acme"],
				At: day("2019-12-31")}), memory.InvalidArgument, "2019-12-31"},
		"superseding nothing": {supersede(memory.Supersession{ID: 4711}), memory.NotFound, "r4711"},
		"superseding by nothing": {
			supersede(memory.Supersession{ID: c.facts["knows Bob"], ReplacementID: 4711}), memory.NotFound, "r4711"},
		"superseding by two": {
			supersede(memory.Supersession{ID: c.facts["knows Bob"], ReplacementID: c.facts["uses Rust"],
				Replacement: &memory.RelationDraft{Tail: "Zig"}}), memory.InvalidArgument, ""},
		"superseding another namespace's": {supersede(memory.Supersession{ID: theirs.ID}), memory.NotFound,
			theirs.Ref().String()},
		"superseding by another namespace's": {
			supersede(memory.Supersession{ID: c.facts["knows Bob"],
				ReplacementID: theirs.ID}), memory.NotFound, theirs.Ref().String()},

		"its own parent":          {update(memory.EntityChange{Entity: "Go", Parent: ptr("Go")}), memory.Conflict, ""},
		"a parent from below":     {update(memory.EntityChange{Entity: "Acme", Parent: ptr("Go")}), memory.Conflict, ""},
		"a parent from far below": {update(memory.EntityChange{Entity: "Acme", Parent: ptr("Rust")}), memory.Conflict, ""},
		"a parent that is not": {update(memory.EntityChange{Entity: "Acme", Parent: ptr("Nobody")}), memory.NotFound,
			"Nobody"},
		"a new one under nobody": {create(func(d *memory.EntityDraft) { d.Parent = "Nobody" }), memory.NotFound, "Nobody"},
		"a layer that is not":    {create(func(d *memory.EntityDraft) { d.Layer = ptr(4) }), memory.InvalidArgument, "4"},
		"an unknown entity": {update(memory.EntityChange{Entity: "Nobody", Description: ptr("x")}), memory.NotFound,
			"Nobody"},
		"an unknown id": {update(memory.EntityChange{Entity: "e4711", Description: ptr("x")}), memory.NotFound,
			"e4711"},
		"an unknown head": {relate(func(d *memory.RelationDraft) { d.Head, d.CreateMissing = "Nobody", false }),
			memory.NotFound, "Nobody"},
		"an unknown tail": {relate(func(d *memory.RelationDraft) { d.Tail, d.CreateMissing = "Nobody", false }),
			memory.NotFound, "Nobody"},
		"an id of nothing as head": {relate(func(d *memory.RelationDraft) { d.Head = "e4711" }), memory.NotFound, "e4711"},
		"another's name":           {update(memory.EntityChange{Entity: "Go", Name: ptr("rust")}), memory.Conflict, "rust"},
		"another namespace's name": {update(memory.EntityChange{Entity: "Eve", Description: ptr("x")}), memory.NotFound,
			"Eve"},
		"another namespace's id": {update(memory.EntityChange{Entity: theirs.Head.Ref().String(), Description: ptr("x")}),
			memory.NotFound, theirs.Head.Ref().String()},
		"another namespace's head": {relate(func(d *memory.RelationDraft) { d.Head = theirs.Head.Ref().String() }),
			memory.NotFound, theirs.Head.Ref().String()},
		"another namespace's tail": {relate(func(d *memory.RelationDraft) { d.Tail = theirs.Head.Ref().String() }),
			memory.NotFound, theirs.Head.Ref().String()},
		"another namespace's above": {update(memory.EntityChange{Entity: "Go", Parent: ptr(theirs.Head.Ref().String())}),
			memory.NotFound, theirs.Head.Ref().String()},
		"another namespace's words": {func() error {
			_, err := c.s.CreateRelation(ctx, c.scope, aRelation(func(*memory.RelationDraft) {}), theirs.Evidence[0], agent)
			return err
		}, memory.NotFound, memory.EpisodeID(theirs.Evidence[0]).String()},

		"an ambiguous head": {relate(func(d *memory.RelationDraft) { d.Head = "Mercury" }), memory.Ambiguous, "Mercury"},
		"an ambiguous tail": {relate(func(d *memory.RelationDraft) { d.Tail = "mercury" }), memory.Ambiguous, "mercury"},
		"an ambiguous entity": {update(memory.EntityChange{Entity: "MERCURY", Description: ptr("x")}), memory.Ambiguous,
			"MERCURY"},
		"an ambiguous parent": {update(memory.EntityChange{Entity: "Go", Parent: ptr("Mercury")}), memory.Ambiguous,
			"Mercury"},
		"an ambiguous one": {create(func(d *memory.EntityDraft) { d.Name, d.Type = "Mercury", "" }), memory.Ambiguous,
			"Mercury"},

		"a fact that ends before it begins": {
			relate(func(d *memory.RelationDraft) {
				d.ValidFrom, d.ValidUntil = day("2024-01-02"),
					day("2024-01-01")
			}), memory.InvalidArgument, "2024-01-01"},
		"a fact that ends when it begins": {
			relate(func(d *memory.RelationDraft) {
				d.ValidFrom, d.ValidUntil = day("2024-01-01"),
					day("2024-01-01")
			}), memory.InvalidArgument, "2024-01-01"},
		"a fact that ended before it begins": {
			relate(func(d *memory.RelationDraft) {
				d.ValidFrom, d.Ended = day("2027-01-01"),
					true
			}), memory.InvalidArgument, "2027-01-01"},
		"a replacement that ends before it begins": {
			supersede(memory.Supersession{ID: c.facts["knows Bob"],
				Replacement: ptr(aRelation(func(d *memory.RelationDraft) {
					d.ValidFrom, d.ValidUntil = day("2024-01-02"),
						day("2024-01-01")
				}))}), memory.InvalidArgument, "2024-01-01"},
		"an entity that ends before it begins": {
			create(func(d *memory.EntityDraft) {
				d.ValidFrom, d.ValidUntil = day("2024-01-02"),
					day("2024-01-01")
			}), memory.InvalidArgument, "2024-01-01"},
		"a relation without a letter": {
			relate(func(d *memory.RelationDraft) { d.Relation = "\x00→ _-_ \u200b" }), memory.InvalidArgument, "relation"},
		"a relation of 129 bytes": {
			relate(func(d *memory.RelationDraft) { d.Relation = strings.Repeat("x", 129) }), memory.InvalidArgument, "128"},
		"a class that is none": {relate(func(d *memory.RelationDraft) { d.EdgeClass = "magic" }),
			memory.InvalidArgument, "magic"},
		"an alias of nothing that can be seen": {
			create(func(d *memory.EntityDraft) { d.Aliases = []string{"ziglang", "\u200b"} }), memory.InvalidArgument, "alias"},
		"a new name of nothing that can be seen": {update(memory.EntityChange{Entity: "Go", Name: ptr("\x01\x02")}),
			memory.InvalidArgument, `\x01`},
		"a new alias of nothing that can be seen": {update(memory.EntityChange{Entity: "Go", AddAliases: []string{"\x01"}}),
			memory.InvalidArgument, `\x01`},
		"an alias taken away that was none": {
			update(memory.EntityChange{Entity: "Go", RemoveAliases: []string{"gopher"}}), memory.InvalidArgument, "gopher"},
		"a layer set that is not": {update(memory.EntityChange{Entity: "Go", Layer: ptr(-1)}),
			memory.InvalidArgument, "-1"},
		"an entity asked for by nothing to be seen": {update(memory.EntityChange{Entity: " \t"}), memory.InvalidArgument, ""},
	} {
		c.refused(t, name, bad.call, bad.code, bad.says)
	}
	for name, v := range map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1), "1.5": 1.5,
		"-0.1": -.1} {
		c.refused(t, "a fact's confidence "+name, relate(func(d *memory.RelationDraft) { d.Confidence = &v }),
			memory.InvalidArgument, name)
		c.refused(t, "a fact's strength "+name, relate(func(d *memory.RelationDraft) { d.Strength = &v }),
			memory.InvalidArgument, name)
		c.refused(t, "an entity's confidence "+name, create(func(d *memory.EntityDraft) { d.Confidence = &v }),
			memory.InvalidArgument, name)
		c.refused(t, "an entity's new confidence "+name, update(memory.EntityChange{Entity: "Go", Confidence: &v}),
			memory.InvalidArgument, name)
	}
	for _, v := range []string{"", " ", "\x00", "\x01\x02\x7f", "\u200b\u200d\u2060", "\u202e", "\ufeff", "\u00ad",
		"\U000e0041"} {
		c.refused(t, fmt.Sprintf("an entity named %q", v), create(func(d *memory.EntityDraft) { d.Name = v }),
			memory.InvalidArgument, "")
		c.refused(t, fmt.Sprintf("a head named %q", v), relate(func(d *memory.RelationDraft) { d.Head = v }),
			memory.InvalidArgument, "")
		c.refused(t, fmt.Sprintf("a tail named %q", v), relate(func(d *memory.RelationDraft) { d.Tail = v }),
			memory.InvalidArgument, "")
	}
}

// refused expects an error for the caller, with a hint, and an unchanged database.
func (c *crowd) refused(t *testing.T, name string, call func() error, code memory.Code, says string) {
	t.Helper()
	before := c.rows(t)
	err := call()
	var e *memory.Error
	switch {
	case !errors.As(err, &e) || e.Code != code:
		t.Errorf("%s gives %v; want %s", name, err, code)
	case e.Hint == "" || !strings.Contains(e.Message, says):
		t.Errorf("%s: %q does not contain %q, or has no hint", name, e.Error(), says)
	case code == memory.Ambiguous && (len(e.Candidates) != 2 || e.Candidates[0].Type == e.Candidates[1].Type):
		t.Errorf("%s names candidates %v", name, e.Candidates)
	}
	if diff := cmp.Diff(before, c.rows(t)); diff != "" {
		t.Errorf("%s leaves rows behind:\n%s", name, diff)
	}
}

// rows counts the rows that a call could leave, and sums up the values that it could change.
func (c *crowd) rows(t *testing.T) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	for _, table := range []string{"mg_entities", "mg_entity_aliases", "mg_entity_versions", "mg_relationships",
		"mg_relationship_versions", "mg_evidence", "mg_episodes", "mg_mentions", "mg_closure", "mg_events", "mg_jobs",
		"mg_entities_fts", "mg_episodes_fts"} {
		n, err := c.s.QueryInts("SELECT count(*) FROM " + table)
		if err != nil {
			t.Fatal(err)
		}
		out[table] = n[0]
	}
	return out
}

// A turn with facts that cannot be stored keeps the other facts, and reports which failed and why.
func TestBadInput_InATurnCostsNothingElse(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	out, err := c.s.RecordEpisode(t.Context(),
		store.NewEpisode{Episode: memory.Episode{Scope: c.scope, Role: memory.RoleUser, Content: "Alice uses Zig.",
			Origin: memory.OriginUser, Status: memory.StatusPending}, Caller: memory.Caller{Actor: "test"},
			Entities: []memory.EntityDraft{anEntity(func(d *memory.EntityDraft) { d.Name = "\x01" }),
				anEntity(func(*memory.EntityDraft) {})}, Relations: []memory.RelationDraft{
				aRelation(func(d *memory.RelationDraft) { d.Head, d.Tail = "Brand new", "Brand New" }),
				aRelation(func(d *memory.RelationDraft) { d.Tail = "Mercury" }),
				aRelation(func(*memory.RelationDraft) {}),
				aRelation(func(d *memory.RelationDraft) { d.Confidence = ptr(math.NaN()) }),
			}})
	if err != nil {
		t.Fatal(err)
	}
	var items []string
	for _, e := range out.Errors {
		items = append(items, e.Item)
	}
	if want := []string{"entities[0]", "relations[0]", "relations[1]", "relations[3]"}; !slices.Equal(items, want) ||
		len(out.Entities) != 1 || len(out.Relations) != 1 {
		t.Errorf("errors %+v, %d entities, %d relations", out.Errors, len(out.Entities), len(out.Relations))
	}
	// The entities of a refused fact are not stored either.
	if _, err := c.s.ResolveEntity(t.Context(), c.scope.Namespace, "Brand new", "",
		memory.AsOf{}); code(err) != memory.NotFound {
		t.Errorf("the head of a refused fact: %v", err)
	}
}

func init() { childParts["same"] = createTheSame }

// createTheSame plays one of several processes that create the same objects at the same time: same PATH N.
func createTheSame(args []string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, args[0], store.Options{CacheDir: cacheDir})
	if err != nil {
		return err
	}
	scope := memory.Scope{Namespace: "n"}
	for i := range sameThings {
		tool := fmt.Sprintf("Tool %d", i)
		e, err := s.CreateEntity(ctx, scope, anEntity(func(d *memory.EntityDraft) { d.Name = tool }),
			memory.Caller{Actor: "test", CallID: fmt.Sprint(args[1], " e ", i)})
		if err != nil {
			return err
		}
		r, err := s.CreateRelation(ctx, scope, draft("Alice", "uses", tool), 0,
			memory.Caller{Actor: "test", CallID: fmt.Sprint(args[1], " r ", i)})
		if err != nil {
			return err
		}
		fmt.Println(i, e.Entity.ID, e.Created, r.Relationship.ID, r.Status)
	}
	return s.Close()
}

const sameThings = 40

// Two processes create the same entity and the same fact at once. There is one row of each, one of the processes
// created it, and both answers name it.
func TestProcesses_CreateTheSameAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path, store.Options{})
	var answers [2]string
	var running sync.WaitGroup
	for p := range answers {
		running.Go(func() { answers[p] = runChild(t, "same", path, fmt.Sprint(p)) })
	}
	running.Wait()
	var lines [2][]string
	for p, a := range answers {
		if lines[p] = strings.Split(strings.TrimSpace(a), "\n"); len(lines[p]) != sameThings {
			t.Fatalf("process %d says %q", p, a)
		}
	}
	firsts := 0
	for i := range sameThings {
		var id, entity, fact [2]int64
		var created [2]bool
		var status [2]string
		for p := range lines {
			if _, err := fmt.Sscan(lines[p][i], &id[p], &entity[p], &created[p], &fact[p], &status[p]); err != nil {
				t.Fatalf("%q: %v", lines[p][i], err)
			}
		}
		if entity[0] != entity[1] || created[0] == created[1] {
			t.Errorf("entity %d: %v, created %v", i, entity, created)
		}
		if fact[0] != fact[1] || status[0] == status[1] || !slices.Contains(status[:], "created") ||
			!slices.Contains(status[:], "reinforced") {
			t.Errorf("fact %d: %v, %v", i, fact, status)
		}
		if created[0] {
			firsts++
		}
	}
	t.Logf("the first process made %d of %d", firsts, sameThings)
	for what, sql := range map[string]string{
		"entities":         `SELECT count(*) FROM mg_entities`,
		"facts, and Alice": `SELECT count(*) + 1 FROM mg_relationships`,
		// the second call changed nothing
		"versions of all facts": `SELECT count(*) + 1 FROM mg_relationship_versions`,
	} {
		if n, err := s.QueryInts(sql); err != nil || n[0] != sameThings+1 {
			t.Errorf("%d %s, %v; want %d", n, what, err, sameThings+1)
		}
	}
	if findings, err := s.IntegrityCheck(t.Context()); err != nil || len(findings) > 0 {
		t.Errorf("integrity: %v, %v", findings, err)
	}
}
