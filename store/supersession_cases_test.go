package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
)

// A supersessionCase is what a new fact may do to existing facts. Two facts that only share an entity or a relation are
// not one fact that changed. A fact ends another only if docs/facts.md says so, and each line of that page has its
// cases.
type supersessionCase struct {
	name      string
	given     []string
	said      string
	status    memory.RelationStatus
	want      []string // all facts of the head, sorted by id
	conflicts []string // "relation tail"
}

const (
	created     = memory.RelationCreated
	reinforced  = memory.RelationReinforced
	superseding = memory.RelationSuperseded
	ended       = memory.RelationEnded
)

func TestSupersession_Cases(t *testing.T) {
	t.Parallel()
	s := newPlayground(t)
	for i, c := range slices.Concat(manyTailsCases, oneTailCases, trustCases, timeCases, endCases, exclusiveCases,
		newsCases, linkedCases, placeCases, kindCases) {
		t.Run(c.name, func(t *testing.T) {
			w := &spoken{p: s, scope: memory.Scope{Namespace: fmt.Sprintf("case %d", i)}}
			s.now = today
			for _, line := range c.given {
				w.say(t, line)
			}
			out := w.say(t, c.said)
			if out.Status != c.status {
				t.Errorf("status %s; want %s", out.Status, c.status)
			}
			if diff := cmp.Diff(c.want, w.all(t, out.Relationship.Head.ID)); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
			var conflicts []string
			for _, f := range out.Conflicts {
				if f.Reason == "" || f.Fact == "" {
					t.Errorf("conflict without a fact or a reason: %+v", f)
				}
				conflicts = append(conflicts, w.fact(t, f.ID))
			}
			if diff := cmp.Diff(c.conflicts, conflicts); diff != "" {
				t.Errorf("conflicts (-want +got):\n%s", diff)
			}
		})
	}
}

// Facts that only look alike do not end each other.
var manyTailsCases = func() (cases []supersessionCase) {
	for _, c := range []struct{ name, head, relation, first, second string }{
		{"two tools", "Alice", "uses", "SQLite", "Postgres"},
		{"two versions of a tool", "Alice", "uses", "Go1.25", "Go1.26"},
		{"two tools of one project", "Apollo", "uses", "SQLite", "Postgres"},
		{"two projects worked on", "Alice", "works_on", "Apollo", "Zeus"},
		{"two people known", "Alice", "knows", "Bob", "Carol"},
		{"two things owned", "Alice", "owns", "Bicycle", "Car"},
		{"two things mentioned", "Alice", "mentions", "Apollo", "Zeus"},
		{"two clubs", "Alice", "member_of", "Chess_club", "Choir"},
		{"two parents", "Dora", "child_of", "Alice", "Bob"},
		{"two siblings", "Dora", "sibling_of", "Emil", "Fritz"},
		{"two meetings", "Alice", "attended", "Meeting_of_Monday", "Meeting_of_Tuesday"},
		{"two of one thing preferred", "Alice", "prefers", "Tea", "Coffee"},
		{"two things disliked", "Alice", "dislikes", "Noise", "Meetings"},
		{"two dependencies", "Apollo", "depends_on", "SQLite", "OpenSSL"},
		{"two authors", "Apollo", "created_by", "Alice", "Bob"},
		{"two decisions", "Apollo", "decided_to_use", "SQLite", "gRPC"},
		{"two numbers", "Apollo", "has_port", "8080", "8443"},
		{"two wholes", "Parser", "part_of", "Apollo", "Zeus"},
		{"two places of birth, town and country", "Alice", "born_in", "Hamburg", "Germany"},
		{"two tasks of a person", "Alice", "assigned_to", "Ticket1", "Ticket2"},
		{"two superiors", "Alice", "reports_to", "Bob", "Carol"},
		{"two of a verb that nobody registered", "Alice", "is_fond_of", "Cats", "Dogs"},
	} {
		first, second := c.head+" "+c.relation+" "+c.first, c.head+" "+c.relation+" "+c.second
		cases = append(cases, supersessionCase{name: c.name, given: []string{"user: " + first + " from 2024-01-01"},
			said: "user: " + second, status: created,
			want: []string{c.relation + " " + c.first + " 2024-01-01..", c.relation + " " + c.second + " 2026-06-01.."}})
	}
	return append(cases,
		supersessionCase{name: "the same tail of another verb",
			given: []string{"user: Alice uses Go", "user: Alice works_at Acme"}, said: "user: Alice owns Acme", status: created,
			want: []string{"uses Go 2026-06-01..", "works_at Acme 2026-06-01..", "owns Acme 2026-06-01.."}},
		supersessionCase{name: "the same fact of another head", given: []string{"user: Bob works_at Acme"},
			said: "user: Alice works_at Globex", status: created,
			want: []string{"works_at Globex 2026-06-01.."}},
		supersessionCase{name: "the other way round", given: []string{"user: Alice knows Bob"}, said: "user: Bob knows Alice",
			status: created,
			want:   []string{"knows Alice 2026-06-01.."}},
		supersessionCase{name: "said again in other letters", given: []string{"user: Alice uses Go from 2024-01-01"},
			said: "user: ALICE Uses go", status: reinforced,
			want: []string{"uses Go 2024-01-01.."}},
		supersessionCase{name: "many, with one that has ended",
			given: []string{
				"user: Alice uses Go from 2020-01-01 until 2021-01-01"}, said: "user: Alice uses Rust", status: created,
			want: []string{"uses Go 2020-01-01..2021-01-01", "uses Rust 2026-06-01.."}},
	)
}()

// Relations with one live tail.
var oneTailCases = []supersessionCase{
	{name: "another employer", given: []string{"user: Alice works_at Acme from 2020-01-01"},
		said: "user: Alice works_at Globex from 2024-03-01", status: superseding,
		want: []string{"works_at Acme 2020-01-01..2024-03-01 by Globex", "works_at Globex 2024-03-01.."}},
	{name: "another employer, nobody says since when", given: []string{"user: Alice works_at Acme from 2020-01-01"},
		said: "user: Alice works_at Globex", status: superseding,
		want: []string{"works_at Acme 2020-01-01..2026-06-01 by Globex", "works_at Globex 2026-06-01.."}},
	{name: "moved", given: []string{"user: Alice lives_in Berlin from 2020-01-01"},
		said: "user: Alice lives_in Paris from 2025-01-01", status: superseding,
		want: []string{"lives_in Berlin 2020-01-01..2025-01-01 by Paris", "lives_in Paris 2025-01-01.."}},
	{name: "a ticket of another person", given: []string{"user: Ticket1 assigned_to Alice from 2026-01-01"},
		said: "user: Ticket1 assigned_to Bob", status: superseding,
		want: []string{"assigned_to Alice 2026-01-01..2026-06-01 by Bob", "assigned_to Bob 2026-06-01.."}},
	{name: "the third of three", given: []string{"user: Alice works_at Acme from 2020-01-01",
		"user: Alice works_at Globex from 2022-01-01"}, said: "user: Alice works_at Initech from 2024-01-01",
		status: superseding,
		want: []string{"works_at Acme 2020-01-01..2022-01-01 by Globex", "works_at Globex 2022-01-01..2024-01-01 by Initech",
			"works_at Initech 2024-01-01.."}},
	{name: "hired again", given: []string{"user: Alice works_at Acme from 2018-01-01",
		"user: Alice works_at Globex from 2020-01-01"}, said: "user: Alice works_at Acme from 2024-01-01",
		status: superseding,
		want: []string{"works_at Acme 2018-01-01..2020-01-01 by Globex", "works_at Globex 2020-01-01..2024-01-01 by Acme",
			"works_at Acme 2024-01-01.."}},
	{name: "both from the same day: the later word counts", given: []string{"user: Alice works_at Acme"},
		said: "user: Alice works_at Globex", status: superseding,
		want: []string{"works_at Acme 2026-06-01..2026-06-01 by Globex", "works_at Globex 2026-06-01.."}},
	{name: "what is past already is left alone",
		given: []string{
			"user: Alice works_at Acme from 2018-01-01 until 2025-01-01"}, said: "user: Alice works_at Globex from 2020-01-01",
		status: created,
		want:   []string{"works_at Acme 2018-01-01..2025-01-01", "works_at Globex 2020-01-01.."}},
	{name: "one that is past ends nothing", given: []string{"user: Alice works_at Acme from 2018-01-01"},
		said: "user: Alice works_at Globex from 2015-01-01 until 2017-01-01", status: ended,
		want: []string{"works_at Acme 2018-01-01..", "works_at Globex 2015-01-01..2017-01-01"}},
	{name: "strengthened it ends nobody", given: []string{"user: Alice works_at Acme from 2020-01-01",
		"tool: Alice works_at Globex from 2022-01-01"}, said: "user: Alice works_at Globex", status: reinforced,
		want: []string{"works_at Acme 2020-01-01..", "works_at Globex 2022-01-01.."}},
}

// Trust and confidence.
var trustCases = []supersessionCase{
	{name: "the agent ends nothing of the user's", given: []string{"user: Alice works_at Acme from 2020-01-01"},
		said: "agent: Alice works_at Globex", status: created,
		want: []string{"works_at Acme 2020-01-01..", "works_at Globex 2026-06-01.."}, conflicts: []string{"works_at Acme"}},
	{name: "the assistant ends nothing of the agent's", given: []string{"agent: Alice works_at Acme from 2020-01-01"},
		said: "assistant: Alice works_at Globex", status: created,
		want: []string{"works_at Acme 2020-01-01..", "works_at Globex 2026-06-01.."}, conflicts: []string{"works_at Acme"}},
	{name: "a tool ends nothing of the assistant's", given: []string{"assistant: Alice works_at Acme from 2020-01-01"},
		said: "tool: Alice works_at Globex", status: created,
		want: []string{"works_at Acme 2020-01-01..", "works_at Globex 2026-06-01.."}, conflicts: []string{"works_at Acme"}},
	{name: "the user ends a tool's", given: []string{"tool: Alice works_at Acme from 2020-01-01"},
		said: "user: Alice works_at Globex", status: superseding,
		want: []string{"works_at Acme 2020-01-01..2026-06-01 by Globex", "works_at Globex 2026-06-01.."}},
	{name: "the user, unsure, ends no surer fact", given: []string{"agent: Alice works_at Acme from 2020-01-01 sure 0.7"},
		said: "user: Alice works_at Globex sure 0.6", status: created,
		want: []string{"works_at Acme 2020-01-01..", "works_at Globex 2026-06-01.."}, conflicts: []string{"works_at Acme"}},
	{name: "sure enough at 0.65", given: []string{"user: Alice works_at Acme from 2020-01-01"},
		said: "user: Alice works_at Globex sure 0.65", status: superseding,
		want: []string{"works_at Acme 2020-01-01..2026-06-01 by Globex", "works_at Globex 2026-06-01.."}},
	{name: "unsure, but not less than the other", given: []string{"user: Alice works_at Acme from 2020-01-01 sure 0.5"},
		said: "user: Alice works_at Globex sure 0.5", status: superseding,
		want: []string{"works_at Acme 2020-01-01..2026-06-01 by Globex", "works_at Globex 2026-06-01.."}},
	{name: "a tool ends a tool's", given: []string{"tool: Alice works_at Acme from 2020-01-01"},
		said: "tool: Alice works_at Globex", status: superseding,
		want: []string{"works_at Acme 2020-01-01..2026-06-01 by Globex", "works_at Globex 2026-06-01.."}},
	{name: "a tool's echo does not demote the user's fact",
		given: []string{"user: Alice works_at Acme from 2020-01-01",
			"tool: Alice works_at Acme"}, said: "agent: Alice works_at Globex", status: created,
		want: []string{"works_at Acme 2020-01-01..", "works_at Globex 2026-06-01.."}, conflicts: []string{"works_at Acme"}},
	{name: "one of two is trusted less, and ends",
		given: []string{"user: Alice works_at Acme from 2020-01-01",
			"tool: Alice works_at Globex from 2021-01-01"}, said: "agent: Alice works_at Initech", status: superseding,
		want: []string{"works_at Acme 2020-01-01..", "works_at Globex 2021-01-01..2026-06-01 by Initech",
			"works_at Initech 2026-06-01.."},
		conflicts: []string{"works_at Acme"}},
}

// Facts that arrive late or begin later.
var timeCases = []supersessionCase{
	{name: "an earlier employer, told later", given: []string{"user: Alice works_at Acme from 2022-01-01"},
		said: "user: Alice works_at Globex from 2019-01-01", status: created,
		want: []string{"works_at Acme 2022-01-01..", "works_at Globex 2019-01-01..2022-01-01 by Acme"}},
	{name: "the same again is no second row",
		given: []string{"user: Alice works_at Acme from 2022-01-01",
			"user: Alice works_at Globex from 2019-01-01"}, said: "user: Alice works_at Globex from 2019-01-01",
		status: reinforced,
		want:   []string{"works_at Acme 2022-01-01..", "works_at Globex 2019-01-01..2022-01-01 by Acme"}},
	{name: "since earlier, by somebody more trusted: both stay",
		given: []string{
			"agent: Alice works_at Acme from 2022-01-01"}, said: "user: Alice works_at Globex from 2019-01-01", status: created,
		want: []string{"works_at Acme 2022-01-01..", "works_at Globex 2019-01-01.."}, conflicts: []string{"works_at Acme"}},
	{name: "since March, of the same fact", given: []string{"user: Alice works_at Acme"},
		said: "user: Alice works_at Acme from 2026-03-01", status: reinforced,
		want: []string{"works_at Acme 2026-03-01.."}},
	{name: "since later, of the same fact: the earlier stays",
		given: []string{
			"user: Alice works_at Acme from 2020-01-01"}, said: "user: Alice works_at Acme from 2024-01-01", status: reinforced,
		want: []string{"works_at Acme 2020-01-01.."}},
	{name: "from next year on", given: []string{"user: Alice works_at Acme from 2020-01-01"},
		said: "user: Alice works_at Globex from 2027-01-01", status: superseding,
		want: []string{"works_at Acme 2020-01-01..2027-01-01 soon by Globex", "works_at Globex 2027-01-01.."}},
	{name: "until next year, then another: they do not meet",
		given: []string{
			"user: Alice works_at Acme from 2020-01-01 until 2026-12-01"}, said: "user: Alice works_at Globex from 2027-01-01",
		status: created,
		want:   []string{"works_at Acme 2020-01-01..2026-12-01 soon", "works_at Globex 2027-01-01.."}},
	{name: "for a while before the next one begins", given: []string{"user: Alice works_at Globex from 2027-01-01"},
		said: "user: Alice works_at Acme until 2026-12-01", status: created,
		want: []string{"works_at Globex 2027-01-01..", "works_at Acme 2026-06-01..2026-12-01 soon"}},
	{name: "now, though the next one is known", given: []string{"user: Alice works_at Globex from 2027-01-01"},
		said: "user: Alice works_at Acme", status: created,
		want: []string{"works_at Globex 2027-01-01..", "works_at Acme 2026-06-01..2027-01-01 soon by Globex"}},
	{name: "a scheduled end that has come", given: []string{"user: Alice works_at Acme from 2020-01-01 until 2026-07-01"},
		said: "on 2026-08-01 user: Alice works_at Globex", status: created,
		want: []string{"works_at Acme 2020-01-01..2026-07-01", "works_at Globex 2026-08-01.."}},
	{name: "hired again after a scheduled end",
		given: []string{
			"user: Alice works_at Acme from 2020-01-01 until 2026-07-01"}, said: "on 2026-08-01 user: Alice works_at Acme",
		status: created,
		want:   []string{"works_at Acme 2020-01-01..2026-07-01", "works_at Acme 2026-08-01.."}},
	{name: "longer than was thought", given: []string{"user: Alice works_at Acme from 2020-01-01 until 2026-07-01"},
		said: "user: Alice works_at Acme until 2026-09-01", status: reinforced,
		want: []string{"works_at Acme 2020-01-01..2026-09-01 soon"}},
}

// Facts that are said to have ended.
var endCases = []supersessionCase{
	{name: "ended now", given: []string{"user: Alice uses Go from 2020-01-01"}, said: "user: Alice uses Go ended",
		status: ended,
		want:   []string{"uses Go 2020-01-01..2026-06-01"}},
	{name: "ended on a day", given: []string{"user: Alice uses Go from 2020-01-01"},
		said: "user: Alice uses Go until 2025-02-01 ended", status: ended,
		want: []string{"uses Go 2020-01-01..2025-02-01"}},
	{name: "will end", given: []string{"user: Alice uses Go from 2020-01-01"},
		said: "user: Alice uses Go until 2026-12-01 ended", status: ended,
		want: []string{"uses Go 2020-01-01..2026-12-01 soon"}},
	{name: "will end, and was not known", said: "user: Alice uses Go until 2026-12-01 ended", status: created,
		want: []string{"uses Go 2026-06-01..2026-12-01 soon"}},
	{name: "ended, and was not known", said: "user: Alice uses Go until 2025-02-01 ended", status: ended,
		want: []string{"uses Go ..2025-02-01"}},
	{name: "ended before this time began", given: []string{"user: Alice uses Go from 2025-01-01"},
		said: "user: Alice uses Go until 2021-02-01 ended", status: ended,
		want: []string{"uses Go 2025-01-01..", "uses Go ..2021-02-01"}},
	{name: "called off before it began", given: []string{"user: Alice uses Go from 2026-09-01"},
		said: "user: Alice uses Go ended", status: ended,
		want: []string{"uses Go 2026-09-01..2026-09-01"}},
	{name: "ended on a day before what is announced", given: []string{"user: Alice uses Go from 2026-09-01"},
		said: "user: Alice uses Go until 2026-05-01 ended", status: ended,
		want: []string{"uses Go 2026-09-01..", "uses Go ..2026-05-01"}},
	{name: "ended before another time was announced", given: []string{"on 2026-06-01 user: Alice uses Go from 2026-09-01"},
		said: "on 2026-05-01 user: Alice uses Go ended", status: ended,
		want: []string{"uses Go 2026-09-01..", "uses Go ..2026-05-01"}},
	{name: "ended, says a tool", given: []string{"user: Alice uses Go from 2020-01-01"},
		said: "tool: Alice uses Go until 2025-01-01 ended", status: ended,
		want: []string{"uses Go 2020-01-01..", "uses Go ..2025-01-01"}, conflicts: []string{"uses Go"}},
	{name: "will end, says a tool", given: []string{"user: Alice uses Go from 2020-01-01"},
		said: "tool: Alice uses Go until 2026-12-01 ended", status: ended,
		want: []string{"uses Go 2020-01-01.."}, conflicts: []string{"uses Go"}},
	{name: "ended: the others of the verb go on",
		given: []string{"user: Alice uses Go from 2020-01-01",
			"user: Alice uses Rust from 2021-01-01"}, said: "user: Alice uses Go ended", status: ended,
		want: []string{"uses Go 2020-01-01..2026-06-01", "uses Rust 2021-01-01.."}},
	{name: "begun again after it ended", given: []string{"user: Alice uses Go from 2020-01-01",
		"user: Alice uses Go until 2024-01-01 ended"}, said: "user: Alice uses Go", status: created,
		want: []string{"uses Go 2020-01-01..2024-01-01", "uses Go 2026-06-01.."}},
}

// Relations that exclude each other.
var exclusiveCases = []supersessionCase{
	{name: "liked no more", given: []string{"user: Alice prefers Tea from 2020-01-01"}, said: "user: Alice dislikes Tea",
		status: superseding,
		want:   []string{"prefers Tea 2020-01-01..2026-06-01 by Tea", "dislikes Tea 2026-06-01.."}},
	{name: "liked after all", given: []string{"user: Alice dislikes Tea from 2020-01-01"}, said: "user: Alice prefers Tea",
		status: superseding,
		want:   []string{"dislikes Tea 2020-01-01..2026-06-01 by Tea", "prefers Tea 2026-06-01.."}},
	{name: "liked and no more", given: []string{"user: Alice likes Tea from 2020-01-01"},
		said: "user: Alice dislikes Tea", status: superseding,
		want: []string{"likes Tea 2020-01-01..2026-06-01 by Tea", "dislikes Tea 2026-06-01.."}},
	{name: "disliked and liked", given: []string{"user: Alice dislikes Tea from 2020-01-01"},
		said: "user: Alice likes Tea", status: superseding,
		want: []string{"dislikes Tea 2020-01-01..2026-06-01 by Tea", "likes Tea 2026-06-01.."}},
	{name: "liked and preferred", given: []string{"user: Alice likes Tea from 2020-01-01"},
		said: "user: Alice prefers Tea", status: created,
		want: []string{"likes Tea 2020-01-01..", "prefers Tea 2026-06-01.."}},
	{name: "used to be liked", given: []string{"user: Alice dislikes Tea from 2020-01-01"},
		said: "user: Alice likes Tea from 2015-01-01", status: created,
		want: []string{"dislikes Tea 2020-01-01..", "likes Tea 2015-01-01..2020-01-01 by Tea"}},
	{name: "liked, preferred and no more", given: []string{"user: Alice likes Tea from 2020-01-01",
		"user: Alice prefers Tea from 2021-01-01"}, said: "user: Alice dislikes Tea", status: superseding,
		want: []string{"likes Tea 2020-01-01..2026-06-01 by Tea", "prefers Tea 2021-01-01..2026-06-01 by Tea",
			"dislikes Tea 2026-06-01.."}},
	{name: "another thing is disliked", given: []string{"user: Alice prefers Tea from 2020-01-01"},
		said: "user: Alice dislikes Coffee", status: created,
		want: []string{"prefers Tea 2020-01-01..", "dislikes Coffee 2026-06-01.."}},
	{name: "disliked, says a tool", given: []string{"user: Alice prefers Tea from 2020-01-01"},
		said: "tool: Alice dislikes Tea", status: created,
		want: []string{"prefers Tea 2020-01-01..", "dislikes Tea 2026-06-01.."}, conflicts: []string{"prefers Tea"}},
	{name: "used to be disliked", given: []string{"user: Alice prefers Tea from 2020-01-01"},
		said: "user: Alice dislikes Tea from 2015-01-01", status: created,
		want: []string{"prefers Tea 2020-01-01..", "dislikes Tea 2015-01-01..2020-01-01 by Tea"}},
}

var newsCases = []supersessionCase{
	{name: "moved last week, where the other was only said to be so", given: []string{"user: Alice works_at Acme"},
		said: "user: Alice works_at Globex from 2026-05-25 news", status: superseding,
		want: []string{"works_at Acme 2026-06-01..2026-06-01 by Globex", "works_at Globex 2026-05-25.."}},
	{name: "the same, told as a plain fact", given: []string{"user: Alice works_at Acme"},
		said: "user: Alice works_at Globex from 2026-05-25", status: created,
		want: []string{"works_at Acme 2026-06-01..", "works_at Globex 2026-05-25..2026-06-01 by Acme"}},
	{name: "moved in May, told in November", given: []string{"on 2026-06-01 user: Alice works_at Acme"},
		said: "on 2026-11-01 user: Alice works_at Globex from 2026-05-01 news", status: superseding,
		want: []string{"works_at Acme 2026-06-01..2026-06-01 by Globex", "works_at Globex 2026-05-01.."}},
	{name: "moved, before what is known to have begun later", given: []string{"user: Alice works_at Acme from 2026-03-01"},
		said: "user: Alice works_at Globex from 2025-05-01 news", status: created,
		want: []string{"works_at Acme 2026-03-01..", "works_at Globex 2025-05-01..2026-03-01 by Acme"}},
	{name: "news of the less trusted", given: []string{"user: Alice works_at Acme"},
		said: "tool: Alice works_at Globex from 2026-05-25 news", status: created,
		want: []string{"works_at Acme 2026-06-01..", "works_at Globex 2026-05-25..2026-06-01 by Acme"}},
	{name: "left last week, where it was only said to be so", given: []string{"user: Alice works_at Acme"},
		said: "user: Alice works_at Acme until 2026-05-25 ended news", status: ended,
		want: []string{"works_at Acme 2026-06-01..2026-06-01"}},
	{name: "left long ago, no news: another time", given: []string{"user: Alice works_at Acme"},
		said: "user: Alice works_at Acme until 2021-05-25 ended", status: ended,
		want: []string{"works_at Acme 2026-06-01..", "works_at Acme ..2021-05-25"}},
	{name: "left in the moment in which it was said to be so", given: []string{"user: Alice works_at Acme"},
		said: "user: Alice works_at Acme ended", status: ended,
		want: []string{"works_at Acme 2026-06-01..2026-06-01"}},
	{name: "left, told once more", given: []string{"user: Alice works_at Acme from 2020-01-01",
		"user: Alice works_at Acme ended"}, said: "user: Alice works_at Acme ended", status: ended,
		want: []string{"works_at Acme 2020-01-01..2026-06-01"}},
	{name: "an agent puts into form what the user said", given: []string{"user: Alice works_at Acme from 2020-01-01"},
		said: "agent: Alice works_at Globex saidby user", status: superseding,
		want: []string{"works_at Acme 2020-01-01..2026-06-01 by Globex", "works_at Globex 2026-06-01.."}},
}
