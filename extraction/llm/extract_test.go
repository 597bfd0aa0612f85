package llm

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

func text(s string) *string { return &s }

func TestValidate_TakesWhatStandsInTheTurn(t *testing.T) {
	t.Parallel()
	turns := []extraction.Input{{Role: memory.RoleUser, Self: "Ada",
		Text: "Since March 2024 I work at “Contoso”.\nIt’s a bank. We no longer use  the Redis cluster."}}
	found := newValidation(turns, 0).validate(turnAnswer{
		Turn: 1,
		Entities: []entityAnswer{
			{ID: 1, Name: "contoso", Type: "organization", Description: text("a bank")},
			{ID: 2, Name: "the Redis cluster", Type: "database"},
			{ID: 3, Name: "Kafka", Type: "tool"},
		},
		Relations: []relationAnswer{
			{Quote: "Since March 2024 I work at \"Contoso\"", Head: 0, Relation: "works at", Tail: 1, Basis: "stated",
				Confidence: .95, ValidFrom: text("2024-03"), EdgeClass: text("semantic")},
			{Quote: "We no longer use the Redis cluster", Head: 0, Relation: "uses", Tail: 2, Basis: "implied", Confidence: .8,
				Ended: true},
			{Quote: "It's a bank", Head: 1, Relation: "uses", Tail: 3, Basis: "stated", Confidence: 1},
		},
	}, Limits{Entities: 10, Relations: 15})
	c95, c8 := .95, .8
	want := memory.Findings{
		Mentions: found.Mentions,
		Entities: []memory.EntityDraft{{Name: "Contoso", Type: "organization", Description: "a bank",
			Method: memory.MethodModelStated}},
		Relations: []memory.RelationDraft{
			{Head: "Ada", HeadType: "person", Relation: "works_at", Tail: "Contoso", TailType: "organization", Confidence: &c95,
				ValidFrom: time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC), FromUnit: memory.Month,
				Quote: "Since March 2024 I work at “Contoso”", CreateMissing: true, Method: memory.MethodModelStated},
			{Head: "Ada", HeadType: "person", Relation: "uses", Tail: "Redis cluster", TailType: "concept", Confidence: &c8,
				Ended: true, Quote: "We no longer use  the Redis cluster", CreateMissing: true, Method: memory.MethodModelImplied},
		},
		Dropped: map[string]int{DroppedAbsent: 1, DroppedEnd: 1},
		DroppedItems: []memory.DroppedItem{{What: "Kafka", Reason: DroppedAbsent},
			{What: "contoso uses Kafka", Reason: DroppedEnd}},
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, m := range found.Mentions {
		if turns[0].Text[m.Start:m.Stop] != m.Name {
			t.Errorf("mention %+v does not stand there", m)
		}
	}
}

func TestValidate_LeavesOutAnEntityThatIsNotSure(t *testing.T) {
	t.Parallel()
	share := func(v float64) *float64 { return &v }
	turns := []extraction.Input{{Role: memory.RoleUser, Self: "Ada", OccurredAt: time.Date(2026, 3, 18, 0, 0, 0, 0,
		time.UTC), Text: "I use Kafka, Redis and Solr."}}
	using := func(tail int) relationAnswer {
		return relationAnswer{Quote: "I use Kafka, Redis and Solr", Head: 0, Relation: "uses", Tail: tail, Basis: "stated",
			Confidence: .9, EdgeClass: text("semantic")}
	}
	found := newValidation(turns, 0).validate(turnAnswer{Turn: 1, Entities: []entityAnswer{
		{ID: 1, Name: "Kafka", Type: "tool", Confidence: share(.1)},
		{ID: 2, Name: "Redis", Type: "tool", Confidence: share(.55)},
		{ID: 3, Name: "Solr", Type: "tool"},
		{ID: 4, Name: "use", Type: "tool", Confidence: share(1.5)},
	}, Relations: []relationAnswer{using(1), using(2), using(3)}}, Limits{Entities: 10, Relations: 15, MinConfidence: .4})
	sure := map[string]map[string]float64{}
	for _, d := range found.Relations {
		sure[d.Tail] = d.Sure
	}
	if diff := cmp.Diff(map[string]map[string]float64{"Redis": {"Redis": .55}, "Solr": nil}, sure); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{DroppedUnsure: 1, DroppedScore: 1, DroppedEnd: 1}, found.Dropped); diff != "" {
		t.Error(diff)
	}
}
