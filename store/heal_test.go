package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// An older version made a second entity of a known name. The tests write such a fork under the name with this sign, and
// then remove the sign from the file. The result is what that version wrote.
const forked = "§"

// older turns the file into one of the version before.
func (n *namesakesOf) older() {
	n.t.Helper()
	for table, columns := range map[string]string{"mg_entities": "name canonical_name description",
		"mg_entity_aliases": "alias", "mg_entity_versions": "snapshot", "mg_events": "before after",
		"mg_relationships": "fact", "mg_relationship_versions": "fact", "mg_episodes": "content"} {
		for column := range strings.FieldsSeq(columns) {
			n.exec(`UPDATE %s SET %[2]s = replace(%[2]s, '%s', '') WHERE %[2]s LIKE '%%%[3]s%%'`, table, column, forked)
		}
	}
	n.mark()
}

// mark says that all entities so far are of the version before.
func (n *namesakesOf) mark() {
	n.t.Helper()
	n.exec(`INSERT INTO mg_metadata SELECT 'identity.heal_to', max(id) FROM mg_entities WHERE true
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`)
}

func (n *namesakesOf) exec(sql string, args ...any) {
	n.t.Helper()
	if err := n.s.ExecOnWriter(fmt.Sprintf(sql, args...)); err != nil {
		n.t.Fatal(err)
	}
}

// healing begins a run for a holder; nil if nothing is due.
func (n *namesakesOf) healing(holder string) *store.Run {
	n.t.Helper()
	r, _, err := n.s.BeginRun(n.t.Context(), store.RunRequest{Task: "identity", Holder: holder, Every: time.Hour,
		Lease: time.Minute, AtOnce: true})
	if err != nil {
		n.t.Fatal(err)
	}
	return r
}

func (n *namesakesOf) heal() int {
	n.t.Helper()
	n.now = n.now.Add(2 * time.Hour)
	healed, err := n.s.HealIdentities(n.t.Context(), n.healing("one"), "User")
	if err != nil {
		n.t.Fatal(err)
	}
	n.sound()
	return healed
}

func (n *namesakesOf) sound() {
	n.t.Helper()
	faults, err := n.s.CheckGraph(n.t.Context())
	if err != nil || len(faults) > 0 {
		n.t.Errorf("the graph is not sound: %+v, %v", faults, err)
	}
}

// is states a fact as the rules of the version before did, in a turn.
func is(head, headType, relation, tail, tailType string) memory.RelationDraft {
	return memory.RelationDraft{Head: head, HeadType: headType, Relation: relation, Tail: tail, TailType: tailType}
}

// supplied stores an agent's turn with an entity that the caller gives.
func (n *namesakesOf) supplied(name, typ string) {
	n.t.Helper()
	n.turns++
	if _, err := n.s.RecordEpisode(n.t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: n.scope(),
		Role: memory.RoleAssistant, Content: fmt.Sprintf("turn %d", n.turns), Origin: memory.OriginAgent,
		Status: memory.StatusDone}, Caller: memory.Caller{Actor: "tool"}, Entities: []memory.EntityDraft{{Name: name,
		Type: typ, Origin: memory.OriginAgent, Method: memory.MethodSupplied}}}); err != nil {
		n.t.Fatal(err)
	}
}

// quoted gives a statement the words of the turn that say it.
func quoted(words string, d memory.RelationDraft) memory.RelationDraft {
	d.Quote = words
	return d
}

// named is the statement of a name as the version before stored it.
func named(speaker, name string) memory.RelationDraft {
	return is(speaker, "person", "same_as", name, "person")
}

func TestHeal_MakesOneThingOneNode(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		play            func(n *namesakesOf)
		healed          int
		entities, facts []string
	}{
		"a fork by a guess": {func(n *namesakesOf) {
			n.said("", is("Larder", "project", "uses", "MySQL", "tool"))
			n.said("", is("Larder"+forked, "person", "uses", "SQLite", "tool"))
		}, 1, []string{"Larder (project)", "MySQL (tool)", "SQLite (tool)"},
			[]string{"Larder uses MySQL", "Larder uses SQLite"}},
		"a person with a doubtful project": {func(n *namesakesOf) {
			n.said("", is("Kim", "project", "uses", "Go", "language"), is("Kim", "project", "uses", "Rust", "language"))
			n.said("", is("Kim"+forked, "person", "works_at", "Acme", "organization"))
		}, 1, []string{"Kim (project)", "Go (language)", "Rust (language)", "Acme (organization)"},
			[]string{"Kim uses Go", "Kim uses Rust", "Kim works_at Acme"}},
		"namesakes that callers made": {func(n *namesakesOf) {
			n.create("Mercury", "project")
			n.create("Mercury"+forked, "person")
			n.create("Sydney", "location")
			n.said("", is("Sydney"+forked, "person", "works_at", "Acme", "organization"))
		}, 0, []string{"Mercury (project)", "Mercury (person)", "Sydney (location)", "Sydney (person)",
			"Acme (organization)"}, []string{"Sydney works_at Acme"}},
		"namesakes that a turn's caller made": {func(n *namesakesOf) {
			n.supplied("Mercury", "project")
			n.supplied("Mercury"+forked, "person")
		}, 0, []string{"Mercury (project)", "Mercury (person)"}, nil},
		"two things that are said to be the same": {func(n *namesakesOf) {
			n.said("", is("staging", "system", "same_as", "prod", ""))
			n.said("", is("Otto", "person", "same_as", "Max", "person"))
		}, 0, []string{"staging (system)", "prod (concept)", "Otto (person)", "Max (person)"},
			[]string{"staging same_as prod", "Otto same_as Max"}},
		"a technology of two names": {func(n *namesakesOf) {
			n.said("", is("billing", "project", "uses", "Postgres"+forked, "tool"))
			n.said("", is("Larder", "project", "uses", "Postgre"+forked+"SQL", "tool"))
			n.said("", is("Larder", "project", "uses", "k8s"+forked, "technology"))
		}, 3, []string{"billing (project)", "Postgres (tool)", "Larder (project)", "k8s (technology)"},
			[]string{"billing uses Postgres", "Larder uses Postgres", "Larder uses k8s"}},
		"a speaker and the only name": {func(n *namesakesOf) {
			n.said("", named("User", "Ann"), is("User", "person", "uses", "Vim", "tool"))
			n.said("spk_2", named("spk_2", "Bob"))
			n.said("spk_2", named("spk_2", "Carl"))
			n.fact(memory.MethodSupplied, "Dan", "person", "same_as", "Daniel", "person")
		}, 1, []string{"Ann (person)", "Vim (tool)", "spk_2 (person)", "Bob (person)", "Carl (person)", "Dan (person)",
			"Daniel (person)"}, []string{"Ann uses Vim", "spk_2 same_as Bob", "spk_2 same_as Carl", "Dan same_as Daniel"}},
		"a speaker, and a namesake of whom the speaker talks": {func(n *namesakesOf) {
			n.said("Sam", quoted("I use Vim", is("Sam", "person", "uses", "Vim", "tool")))
			n.said("Sam", quoted("SAM uses Lambda", is("Sam"+forked, "project", "uses", "Lambda", "tool")))
		}, 0, []string{"Sam (person)", "Vim (tool)", "Sam (project)", "Lambda (tool)"},
			[]string{"Sam uses Vim", "Sam uses Lambda"}},
		"a speaker of whom others talk": {func(n *namesakesOf) {
			n.said("Sam", quoted("I'm Sam, and I use Vim", is("Sam", "person", "uses", "Vim", "tool")))
			n.said("Bob", quoted("Sam uses Lambda", is("Sam"+forked, "project", "uses", "Lambda", "tool")))
		}, 1, []string{"Sam (person)", "Vim (tool)", "Lambda (tool)"},
			[]string{"Sam uses Vim", "Sam uses Lambda"}},
		"two things of whom a speaker of that name talks": {func(n *namesakesOf) {
			n.said("Sam", quoted("SAM uses S3", is("Sam", "project", "uses", "S3", "tool")))
			n.said("Sam", quoted("SAM uses Lambda", is("Sam"+forked, "person", "uses", "Lambda", "tool")))
		}, 1, []string{"Sam (project)", "S3 (tool)", "Lambda (tool)"}, []string{"Sam uses S3", "Sam uses Lambda"}},
		"a name that a speaker gives to a namesake": {func(n *namesakesOf) {
			n.said("Sam", quoted("SAM is called Sammy", named("Sam", "Sammy")))
			n.said("Ann", quoted("I'm Ann Lee", named("Ann", "Ann Lee")))
			n.said("Robert", quoted("Everybody calls me Bob", named("Robert", "Bob")))
		}, 2, []string{"Sam (person)", "Sammy (person)", "Ann Lee (person)", "Bob (person)"},
			[]string{"Sam same_as Sammy"}},
		"a name of somebody of whom the speaker talks": {func(n *namesakesOf) {
			n.said("", quoted("I am Sam from accounting", named("User", "Sam from accounting")))
			n.said("", quoted("Sam from accounting reports to Kim",
				is("Sam from accounting", "person", "reports_to", "Kim", "person")))
		}, 0, []string{"User (person)", "Sam (person)", "Kim (person)"},
			[]string{"User same_as Sam", "Sam reports_to Kim"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNamesakes(t)
			tc.play(n)
			n.older()
			if got := n.heal(); got != tc.healed {
				t.Errorf("%d changes, want %d", got, tc.healed)
			}
			if diff := cmp.Diff(tc.entities, n.all()); diff != "" {
				t.Errorf("entities (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.facts, n.facts()); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
			if again := n.heal(); again != 0 {
				t.Errorf("%d changes when nothing waits", again)
			}
		})
	}
}

// oldMonth fills a file with forks, synonyms and a speaker, over 40 days.
func (n *namesakesOf) oldMonth(seed uint64) {
	n.t.Helper()
	draw := rand.New(rand.NewPCG(seed, 5))
	for i := range 12 {
		name := fmt.Sprintf("Thing %d", i)
		n.said("", is(name, "project", "uses", fmt.Sprintf("Tool %d", draw.IntN(6)), "tool"))
		n.now = n.now.Add(time.Duration(draw.IntN(72)+1) * time.Hour)
		n.said("", is(name+forked, "person", "uses", fmt.Sprintf("Tool %d", draw.IntN(6)), "tool"))
		if draw.IntN(2) == 0 {
			n.said("", is(name, "project", "part_of", "House", "concept"))
		}
	}
	n.said("", named("User", "Ann"), is("User", "person", "uses", "Tool 1", "tool"))
	n.said("", is("House", "concept", "uses", "Postgres"+forked, "tool"),
		is("House", "concept", "uses", "Postgre"+forked+"SQL", "tool"))
	n.older()
}

// pastReads are 1,000 answers about what was known at instants up to end.
func (n *namesakesOf) pastReads(seed uint64, begin, end time.Time) []string {
	n.t.Helper()
	draw := rand.New(rand.NewPCG(seed, 6))
	ctx := n.t.Context()
	out := make([]string, 1000)
	for i := range out {
		at := memory.AsOf{KnownAt: begin.Add(time.Duration(draw.Int64N(int64(end.Sub(begin)))))}
		id := draw.Int64N(45) + 1
		var got any
		var err error
		switch draw.IntN(4) {
		case 0:
			got, err = n.s.EntitiesByID(ctx, "n", []int64{id}, at)
		case 1:
			var list []memory.Relationship
			list, _, err = n.s.LinksOf(ctx, memory.EdgeQuery{Namespace: "n", Nodes: []int64{id}, At: at},
				memory.Filter{Namespace: "n"}, 0, 50)
			got = closedLater(list)
		case 2:
			var list []memory.Relationship
			list, err = n.s.Relationships(ctx, "n", []int64{id}, at)
			got = closedLater(list)
		default:
			got, err = n.s.ResolveEntity(ctx, "n", fmt.Sprintf("thing %d", draw.IntN(13)), "", at)
		}
		out[i] = fmt.Sprintf("%s: %+v, %v", memory.Millis(at.KnownAt), got, err)
	}
	return out
}

// closedLater removes when the versions that were read were closed: every later change does that.
func closedLater(list []memory.Relationship) []memory.Relationship {
	for i := range list {
		list[i].ExpiredAt = time.Time{}
	}
	return list
}

func TestHeal_KeepsWhatWasKnownBefore(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	begin := n.now
	n.oldMonth(1)
	end := n.now.Add(time.Minute)
	n.now = end
	before := n.pastReads(1, begin, end)
	versions := `SELECT version_id || ' ' || snapshot || created_at || cause FROM mg_entity_versions
		WHERE created_at <= '` + memory.Millis(end) + `' UNION ALL
		SELECT version_id || ' ' || head_id || relation || tail_id || created_at
		FROM mg_relationship_versions WHERE created_at <= '` + memory.Millis(end) + `' ORDER BY 1`
	rows, err := n.s.QueryTexts(versions)
	if err != nil {
		t.Fatal(err)
	}
	if healed := n.heal(); healed < 14 {
		t.Errorf("%d changes", healed)
	}
	if diff := cmp.Diff(before, n.pastReads(1, begin, end)); diff != "" {
		t.Errorf("reads of the past (-before +after):\n%s", diff)
	}
	after, err := n.s.QueryTexts(versions)
	if diff := cmp.Diff(rows, after); diff != "" || err != nil {
		t.Errorf("rewritten versions (-before +after):\n%s%v", diff, err)
	}
}

// Holders die at any statement. The others continue where they stopped, so the file ends as if nobody had died.
func TestHeal_DeathsAtAnyStatementRepeatNothing(t *testing.T) {
	t.Parallel()
	calls := `SELECT count(*) FROM (SELECT DISTINCT call_id FROM mg_events WHERE action = 'heal_identity')`
	whole := newNamesakes(t)
	whole.oldMonth(2)
	want := whole.heal()
	n := newNamesakes(t)
	n.oldMonth(2)
	draw := rand.New(rand.NewPCG(7, 7))
	healed, deaths := 0, 0
	for life := 0; ; life++ {
		if life > 500 {
			t.Fatal("the run is never finished")
		}
		n.now = n.now.Add(2 * time.Minute) // the lease of the dead has ended
		r := n.healing(fmt.Sprint("holder ", life))
		if r == nil {
			break
		}
		done, err := n.s.HealIdentities(&dying{n.t.Context(), 20 + draw.IntN(400)}, r, "User")
		healed += done
		if errors.Is(err, context.Canceled) {
			deaths++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	n.sound()
	got, err := n.s.QueryInts(calls)
	if err != nil || deaths < 5 || got[0] != int64(want) {
		t.Errorf("%d changes in the file, %d deaths, %v; want %d changes", got[0], deaths, err, want)
	}
	if diff := cmp.Diff(whole.all(), n.all()); diff != "" {
		t.Errorf("entities (-undisturbed +disturbed):\n%s", diff)
	}
	if diff := cmp.Diff(whole.facts(), n.facts()); diff != "" {
		t.Errorf("facts (-undisturbed +disturbed):\n%s", diff)
	}
}

// An undo without a call means the newest call of a caller, not what the program did by itself.
func TestHeal_IsNotWhatUndoTakesBackByItself(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.oldMonth(4)
	n.create("Mercury", "project")
	n.heal()
	if _, err := n.s.Undo(t.Context(), "n", "", memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	if got, err := n.resolve("Mercury"); err == nil {
		t.Errorf("Mercury is %s after the undo", got)
	}
}

func TestHeal_IsUndoneOneByOneAndNotRepeated(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.oldMonth(3)
	entities, facts := n.all(), n.facts()
	n.heal()
	calls, err := n.s.QueryTexts(`SELECT call_id FROM mg_events WHERE action = 'heal_identity' GROUP BY call_id
		ORDER BY max(id) DESC`)
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range calls {
		if _, err := n.s.Undo(t.Context(), "n", call, memory.Caller{Actor: "tool"}); err != nil {
			t.Fatal(err)
		}
	}
	n.sound()
	if diff := cmp.Diff(entities, n.all()); diff != "" {
		t.Errorf("entities (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(facts, n.facts()); diff != "" {
		t.Errorf("facts (-before +after):\n%s", diff)
	}
	n.mark()
	n.heal()
	if diff := cmp.Diff(entities, n.all()); diff != "" {
		t.Errorf("healed again (-undone +now):\n%s", diff)
	}
}
