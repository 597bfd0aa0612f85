package engine_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"memory-graph/extraction/llm/llmtest"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
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

// The facts of a long list that the turns are about come first, with the times that somebody stated. A turn of a
// backlog may end what held when it was said and is over by now.
func TestExtraction_FactsOfTheTurnsComeFirst(t *testing.T) {
	t.Parallel()
	script := map[string][]llmtest.Fact{
		"until 28 august": {{Head: "Bob", HeadType: "person", Relation: "leads", Tail: "red team", TailType: "organization",
			Quote: "Bob leads the red team until 28 august", ValidUntil: "2020-08-28"}},
		"since may": {{Head: "Bob", HeadType: "person", Relation: "owns", Tail: "Zig", Quote: "Bob owns Zig since may",
			ValidFrom: "2020-05"}},
	}
	text := ""
	for i := range 8 { // others, who are told of later
		name := string(rune('A'+i)) + "nna"
		text += name + " likes soup. "
		script["soup"] = append(script["soup"],
			llmtest.Fact{Head: name, HeadType: "person", Relation: "likes", Tail: "soup", Quote: name + " likes soup"})
	}
	s := llmtest.New(t, llmtest.OpenAI, llmtest.Script(script))
	e := startPolling(t, withModel(t, s))
	for day, content := range []string{"Bob leads the red team until 28 august", "Bob owns Zig since may", text,
		"so what would Bob say of the red team?"} {
		if _, err := e.StoreEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: content,
			Scope:      memory.Scope{Namespace: "n", SessionID: content[:5], User: "Ada"},
			OccurredAt: time.Date(2020, 8, 3+day, 0, 0, 0, 0, time.UTC)}}); err != nil {
			t.Fatal(err)
		}
		idle(t, e)
	}
	questions := s.Questions()
	_, list, _ := strings.Cut(questions[len(questions)-1].User, "Repeat none")
	var got []string
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "- ") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	want := []string{`- "Bob" leads "red team" (until 2020-08-28)`, `- "Bob" owns "Zig" (since 2020-05)`}
	if len(got) < 3 || !slices.Equal(got[:2], want) {
		t.Errorf("the facts begin with %q, want %q and others", got[:min(3, len(got))], want)
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
	e.Close() // the function is called after the job is done
	mu.Lock()
	defer mu.Unlock()
	if !slices.Equal(lost, []memory.DroppedItem{{What: "Kafka", Reason: "name_not_said"},
		{What: "Ada uses Kafka", Reason: "unknown_end"}}) {
		t.Errorf("%v", lost)
	}
}

// A turn may change a fact of the user without naming any part of it. The model is told of the facts that are similar
// to the turn.
func TestExtraction_FactsThatAreSimilarToATurnAreTold(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.OpenAI, llmtest.Script(nil))
	cfg := withModel(t, s)
	cfg.Embedder = "builtin"
	e := startPolling(t, cfg)
	in := store.NewEpisode{Episode: memory.Episode{Content: "what I noted before", Scope: memory.Scope{Namespace: "n",
		SessionID: "notes", User: "Ada"}}}
	in.Relations = append(in.Relations, memory.RelationDraft{Head: "Ada", Relation: "drinks", Tail: "oat milk"})
	for i := range 80 { // more than a model is told of
		in.Relations = append(in.Relations, memory.RelationDraft{Head: "Ada", Relation: "visited",
			Tail: "cave " + string(rune('a'+i%26)) + string(rune('a'+i/26))})
	}
	if _, err := e.StoreEpisode(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	waitfor.Until(t, "vectors", func() bool { return settled(t, e) })
	idle(t, e)
	tell(t, e, "z", "done with plant drinks in my coffee, it has to come from a cow again")
	idle(t, e)
	questions := s.Questions()
	asked := questions[len(questions)-1].User
	if _, facts, _ := strings.Cut(asked, "Repeat none"); !strings.Contains(facts, `"oat milk"`) {
		t.Errorf("the model is not told of oat milk: %s", asked)
	}
}
