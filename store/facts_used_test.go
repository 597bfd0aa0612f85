package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// A usedTurn is a turn with the facts that a caller supplied and those that the rules found. A fact has the form
// "[not] HEAD RELATION TAIL [now]"; its quote is the turn.
type usedTurn struct{ supplied, found string }

// use plays turns, and returns the active facts, then those that ended, and the number of conflicts of the last turn.
func use(t *testing.T, turns ...usedTurn) (facts []string, conflicts int) {
	t.Helper()
	n := newNamesakes(t)
	drafts := func(list string, m memory.Method, o memory.Origin) (out []memory.RelationDraft) {
		for line := range strings.SplitSeq(list, ";") {
			line, ended := strings.CutPrefix(strings.TrimSpace(line), "not ")
			line, news := strings.CutSuffix(line, " now")
			part := strings.SplitN(line, " ", 3)
			if len(part) < 3 {
				continue
			}
			d := memory.RelationDraft{Head: part[0], HeadType: "project", Relation: part[1], Tail: part[2], Ended: ended,
				News: news, Method: m, Origin: o, SaidBy: memory.OriginUser, CreateMissing: true}
			if m == memory.MethodRule {
				d.Quote, d.Fact = list, line+"."
			}
			out = append(out, d)
		}
		return out
	}
	for _, turn := range turns {
		out, err := n.s.RecordEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: n.scope(),
			Role: memory.RoleUser, Content: turn.supplied + turn.found, Origin: memory.OriginUser,
			Status: memory.StatusDone}, Caller: memory.Caller{Actor: "tool"},
			Relations: drafts(turn.supplied, memory.MethodSupplied, memory.OriginAgent),
			Reading: store.Reading{Found: memory.Findings{Relations: drafts(turn.found, memory.MethodRule,
				memory.OriginUser)}}})
		if err != nil || len(out.Errors)+len(out.Found.Refused) > 0 {
			t.Fatal(err, out.Errors, out.Found.Refused)
		}
		conflicts = 0
		for _, r := range append(out.Relations, out.Found.Relations...) {
			conflicts += len(r.Conflicts)
		}
	}
	facts = n.facts()
	ids, err := n.s.QueryInts(`SELECT id FROM mg_relationships WHERE valid_until IS NOT NULL ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := n.s.Relationships(t.Context(), "n", ids, memory.AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		by := ""
		if r.SupersededBy != 0 {
			next, err := n.s.Relationships(t.Context(), "n", []int64{r.SupersededBy}, memory.AsOf{})
			if err != nil || len(next) != 1 {
				t.Fatal(next, err)
			}
			by = ", now " + next[0].Tail.Name
		}
		facts = append(facts, fmt.Sprintf("was %s %s%s", r.Relation, r.Tail.Name, by))
	}
	return facts, conflicts
}

func TestUsed_OneStatementIsOneFactAndAChangeEndsIt(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		turns []usedTurn
		want  []string
	}{
		"supplied and found": {[]usedTurn{{"Larder runs_on MySQL", "Larder uses MySQL"}}, []string{"Larder runs_on MySQL"}},
		"found only":         {[]usedTurn{{"", "Larder uses MySQL"}}, []string{"Larder uses MySQL"}},
		"another thing": {[]usedTurn{{"Larder runs_on MySQL", "Larder uses Redis"}},
			[]string{"Larder runs_on MySQL", "Larder uses Redis"}},
		"a relation that says something else": {[]usedTurn{{"Larder depends_on MySQL", "Larder uses MySQL"}},
			[]string{"Larder depends_on MySQL", "Larder uses MySQL"}},
		"an earlier turn states it": {[]usedTurn{{"Larder runs_on MySQL", ""}, {"", "Larder uses MySQL"}},
			[]string{"Larder runs_on MySQL", "Larder uses MySQL"}},
		"another name of the thing": {[]usedTurn{{"Larder runs_on the PostgreSQL database now", "Larder uses Postgres now"}},
			[]string{"Larder runs_on Postgres"}},
		"four databases": {[]usedTurn{{"Larder runs_on MySQL", "Larder uses MySQL"},
			{"Larder runs_on Postgres now", "Larder uses Postgres now"}, {"", "Larder uses MongoDB now"},
			{"Larder runs_on CockroachDB now", "Larder uses CockroachDB now"}},
			[]string{"Larder runs_on CockroachDB", "was runs_on MySQL, now Postgres",
				"was runs_on Postgres, now MongoDB", "was uses MongoDB, now CockroachDB"}},
		"a host": {[]usedTurn{{"Larder deployed_to Heroku", "Larder uses Heroku"},
			{"Larder deployed_to Fly.io now", "Larder uses Fly.io now"}},
			[]string{"Larder deployed_to Fly.io", "was deployed_to Heroku, now Fly.io"}},
		"two statements of one thing": {[]usedTurn{{"", "Larder uses MySQL"}, {"Larder runs_on MySQL", ""},
			{"", "Larder uses Postgres now"}}, []string{"Larder uses Postgres", "was uses MySQL, now Postgres",
			"was runs_on MySQL, now Postgres"}},
		"a switch": {[]usedTurn{{"Larder runs_on MySQL", "Larder uses MySQL"},
			{"", "Larder uses Postgres now; not Larder uses MySQL"}}, []string{"Larder uses Postgres",
			"was runs_on MySQL, now Postgres"}},
		"an end": {[]usedTurn{{"Larder runs_on MySQL", "Larder uses MySQL"}, {"", "not Larder uses MySQL"}},
			[]string{"was runs_on MySQL"}},
		"an end of two": {[]usedTurn{{"", "Larder uses MySQL"}, {"Larder runs_on MySQL", ""}, {"", "not Larder uses MySQL"}},
			[]string{"was uses MySQL", "was runs_on MySQL"}},
		"an end of two, with what is used instead": {[]usedTurn{{"", "Larder uses MySQL"}, {"Larder runs_on MySQL", ""},
			{"", "not Larder uses MySQL; Larder uses Postgres"}}, []string{"Larder uses Postgres",
			"was uses MySQL, now Postgres", "was runs_on MySQL, now Postgres"}},
		"instead, under two relations": {[]usedTurn{{"", "Larder uses MySQL"},
			{"Larder runs_on Postgres; Larder uses Postgres", "not Larder uses MySQL"}},
			[]string{"Larder runs_on Postgres", "Larder uses Postgres", "was uses MySQL, now Postgres"}},
		"an end that is supplied, too": {[]usedTurn{{"Larder runs_on MySQL", "Larder uses MySQL"},
			{"not Larder runs_on MySQL", "not Larder uses MySQL"}}, []string{"was runs_on MySQL"}},
		"two of a kind in one statement": {[]usedTurn{{"", "Larder uses NATS"},
			{"", "Larder uses Kafka now; Larder uses RabbitMQ now"}}, []string{"Larder uses Kafka", "Larder uses RabbitMQ",
			"was uses NATS, now Kafka"}},
		"a release that is supplied": {[]usedTurn{{"", "Larder uses MySQL"},
			{"Larder runs_on PostgreSQL 16", "Larder uses Postgres now"}},
			[]string{"Larder runs_on PostgreSQL 16", "Larder uses Postgres", "was uses MySQL, now Postgres"}},
	} {
		got, conflicts := use(t, tc.turns...)
		if diff := cmp.Diff(tc.want, got); diff != "" || conflicts > 0 {
			t.Errorf("%s: %d conflicts, facts (-want +got):\n%s", name, conflicts, diff)
		}
	}
}

func TestUsed_SeveralThingsOfAKindStay(t *testing.T) {
	t.Parallel()
	got, conflicts := use(t, usedTurn{"Larder runs_on MySQL; Larder uses SQLite", "Larder uses MySQL"},
		usedTurn{"", "Larder uses Postgres now"})
	want := []string{"Larder runs_on MySQL", "Larder uses SQLite", "Larder uses Postgres"}
	if diff := cmp.Diff(want, got); diff != "" || conflicts != 2 {
		t.Errorf("%d conflicts, facts (-want +got):\n%s", conflicts, diff)
	}
}
