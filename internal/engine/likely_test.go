package engine_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"memory-graph/extraction/llm/llmtest"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
)

// A model knows the names and facts that a turn may mean, so it can end what the turn corrects.
func TestExtraction_ATurnCorrectsWhatTheGraphHolds(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.OpenAI, llmtest.Script(map[string][]llmtest.Fact{
		"opens": {{Head: "salt show", HeadType: "event", Relation: "scheduled_for", Tail: "24 April", Quote: "opens 24 april",
			ValidFrom: "2031-04-24"}},
		"mayor": {
			{Head: "salt show", HeadType: "event", Relation: "scheduled_for", Tail: "24 April", Ended: true,
				Quote: "mayor cant do the 24th"},
			{Head: "salt show", HeadType: "event", Relation: "scheduled_for", Tail: "1 May", Quote: "1 may it is",
				ValidFrom: "2031-05-01"}},
	}))
	e := startPolling(t, withModel(t, s))
	tell(t, e, "a", "the salt show opens 24 april, i am told")
	idle(t, e)
	tell(t, e, "b", "mayor cant do the 24th. 1 may it is then")
	idle(t, e)
	want(t, e, "salt show scheduled_for 1 may by model_stated 0.85")
	questions := s.Questions()
	for _, line := range []string{`"salt show" (event)`, `- "salt show" scheduled_for "24 april"`} {
		if asked := questions[len(questions)-1].User; !strings.Contains(strings.ToLower(asked), line) {
			t.Errorf("without %s: %s", line, asked)
		}
	}
}

func TestExtraction_SaysWhatItDropped(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.OpenAI, llmtest.Script(map[string][]llmtest.Fact{
		"Redis": {{Relation: "uses", Tail: "Redis", Quote: "we use Redis"},
			{Relation: "uses", Tail: "Kafka", Quote: "Redis"}},
	}))
	var mu sync.Mutex
	var lost []memory.DroppedItem
	e := startPolling(t, withModel(t, s), engine.WithDropped(func(_ memory.Episode, items []memory.DroppedItem) {
		mu.Lock()
		defer mu.Unlock()
		lost = append(lost, items...)
	}))
	tell(t, e, "s", "For the cache of the shop we use Redis.")
	idle(t, e)
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(lost, []memory.DroppedItem{{What: "Kafka", Reason: "name_not_said"},
		{What: "Ada uses Kafka", Reason: "unknown_end"}}) {
		t.Errorf("%v", lost)
	}
}
