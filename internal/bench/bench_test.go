package bench_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/episodes"
	"memory-graph/internal/bench"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

const conversation = `[{"sample_id": "c1", "conversation": {
	"speaker_a": "Ann",
	"session_2": [{"speaker": "Bob", "dia_id": "D2:1", "text": "later", "blip_caption": "a boat"}],
	"session_1_date_time": "1:56 pm on 8 May, 2023",
	"session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "one"}, {"speaker": "Bob", "dia_id": "D1:2", "text": "two"}]},
 "qa": [
	{"question": "q1", "evidence": ["D:1:01; D1:2"], "category": 1},
	{"question": "nothing is known of it", "evidence": ["D9:9", ""], "category": 2},
	{"question": "q5", "evidence": ["D2:1"], "category": 5}]}]`

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "set.json")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadSet_ReadsConversationsInOrder(t *testing.T) {
	t.Parallel()
	set, err := bench.ReadSet(bench.Locomo, file(t, conversation))
	if err != nil {
		t.Fatal(err)
	}
	want := []bench.Group{{Name: "c1", Documents: []bench.Document{
		{ID: "D1:1", Content: "one", Speaker: "Ann", SessionID: "c1/session_1",
			OccurredAt: time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC)},
		{ID: "D1:2", Content: "two", Speaker: "Bob", SessionID: "c1/session_1",
			OccurredAt: time.Date(2023, 5, 8, 13, 56, 0, 0, time.UTC)},
		{ID: "D2:1", Content: "later [image: a boat]", Speaker: "Bob", SessionID: "c1/session_2"},
	}, Questions: []bench.GoldQuestion{{Text: "q1", Gold: []string{"D1:1", "D1:2"}, Group: "1"}, {Text: "q5",
		Gold: []string{"D2:1"}, Group: "5"}}}}
	if diff := cmp.Diff(want, set.Groups); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

func TestReadSet_RefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ form, path string }{
		{"other", file(t, conversation)}, {bench.Locomo, file(t, "{")}, {bench.Passages, file(t, "[]")}, {bench.Locomo,
			"/does/not/exist"},
	} {
		_, err := bench.ReadSet(c.form, c.path)
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.InvalidArgument {
			t.Errorf("%s of %s gives %v", c.form, c.path, err)
		}
	}
}

// fake answers every question with all episodes of its namespace, the newest first.
type fake struct {
	stored []memory.Episode
}

func (f *fake) StoreEpisode(_ context.Context, in store.NewEpisode) (episodes.Result, error) {
	f.stored = append(f.stored, memory.Episode{ID: int64(len(f.stored) + 1), Scope: in.Scope, Content: in.Content})
	return episodes.Result{EpisodeID: memory.EpisodeID(int64(len(f.stored)))}, nil
}

func (f *fake) Retrieve(_ context.Context, req retrieval.Request) (retrieval.Answer, error) {
	var a retrieval.Answer
	for i := len(f.stored) - 1; i >= 0; i-- {
		if e := f.stored[i]; e.Scope.Namespace == req.Scope.Namespace {
			a.Episodes = append(a.Episodes, retrieval.FoundEpisode{Episode: e})
		}
	}
	return a, nil
}

func (f *fake) State(context.Context, string) (memory.State, error) { return memory.State{}, nil }

func TestRecall_CountsTheEvidenceFound(t *testing.T) {
	t.Parallel()
	set, err := bench.ReadSet(bench.Locomo, file(t, conversation))
	if err != nil {
		t.Fatal(err)
	}
	r, err := bench.Recall(t.Context(), &fake{}, set, bench.Locomo,
		bench.Asker{Tool: bench.ToolRetrieve, Strategy: retrieval.Auto}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Found are D2:1, D1:2, D1:1. Of q1's two gold documents one is among the first two, the first at rank 2. Category 5
	// is scored separately.
	want := bench.Scores{R2: .5, R5: 1, R10: 1, R20: 1, MRR: .5, N: 1}
	if diff := cmp.Diff(want, r.Scores); diff != "" {
		t.Errorf("headline (-want +got):\n%s", diff)
	}
	if five := r.Groups["5"]; five.N != 1 || math.Abs(five.MRR-1) > 1e-9 || five.R2 != 1 {
		t.Errorf("category 5: %+v", five)
	}
}

func TestRecall_ReadsPassages(t *testing.T) {
	t.Parallel()
	set, err := bench.ReadSet(bench.Passages,
		file(t, `{"corpus": [{"id": "a", "title": "T", "text": "x"}], "questions": [{"question": "q", "gold": ["a"], "group": "2hop"}, {"question": "r", "gold": []}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := bench.Recall(t.Context(), &fake{}, set, bench.Passages,
		bench.Asker{Tool: bench.ToolSearchGraph, Strategy: retrieval.Fused}, nil)
	if err != nil || r.N != 1 || r.R2 != 1 || r.Groups["2hop"].N != 1 || set.Groups[0].Documents[0].Content != "T\nx" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestSpeed_StoresAndAsks(t *testing.T) {
	t.Parallel()
	f := &fake{}
	r, err := bench.Speed(t.Context(), &locked{fake: f}, 200, 3, nil)
	if err != nil || len(f.stored) != 200 || r.StorePerS <= 0 || r.RetrieveMS.P95 < r.RetrieveMS.P50 {
		t.Errorf("%d stored, %+v, %v", len(f.stored), r, err)
	}
	if words := strings.Fields(f.stored[7].Content); len(words) < 20 || len(words) > 30 {
		t.Errorf("a turn has %d words", len(words))
	}
}

// locked makes the fake safe for several clients.
type locked struct {
	mu sync.Mutex
	*fake
}

func (l *locked) StoreEpisode(ctx context.Context, in store.NewEpisode) (episodes.Result, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fake.StoreEpisode(ctx, in)
}

func (l *locked) Retrieve(ctx context.Context, req retrieval.Request) (retrieval.Answer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fake.Retrieve(ctx, req)
}
