package classifier_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memory-graph/classifier"
	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
	"memory-graph/internal/memory"
)

var agentTurns = []string{"the export takes ages", "I added an index on orders.created_at. Should I also page the query?"}

func TestClassify_TellsPlainMessagesApart(t *testing.T) {
	t.Parallel()
	for name, emb := range map[string]embedding.Embedder{"builtin": builtin.New(), "none": embedding.None{}} {
		c, err := classifier.New(t.Context(), emb, "")
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]classifier.Class{
			"thanks a lot, that's great":                            classifier.Conversational,
			"ok thank you, good night":                              classifier.Conversational,
			"no, the column is called placed_at, you mixed them up": classifier.Correction,
			"yes please, 500 rows each":                             classifier.TaskContinuation,
			"now do the same for the invoices":                      classifier.TaskContinuation,
			"who is our contact at the insurance company?":          classifier.NewTopic,
			"I need help with a birthday speech for my grandmother": classifier.NewTopic,
		} {
			r, err := c.Classify(t.Context(), classifier.Message{Text: text, Previous: agentTurns})
			if err != nil {
				t.Fatal(err)
			}
			if r.Class != want {
				t.Errorf("%s: %q is %v (%.2f), want %v", name, text, r.Class, r.Probabilities, want)
			}
			var sum float64
			for _, p := range r.Probabilities {
				sum += p
			}
			if math.Abs(sum-1) > 1e-6 || r.Confidence != r.Probabilities[r.Class] || r.Degraded {
				t.Errorf("%s: %q: %+v", name, text, r)
			}
			if (len(r.Vector) > 0) != emb.Identity().Enabled() {
				t.Errorf("%s: %d components of a vector", name, len(r.Vector))
			}
		}
	}
}

func TestClassify_TakesTheCallersVectors(t *testing.T) {
	t.Parallel()
	emb := &counting{Embedder: builtin.New()}
	c, err := classifier.New(t.Context(), emb, "")
	if err != nil {
		t.Fatal(err)
	}
	m := classifier.Message{Text: "same for the invoices", Previous: agentTurns}
	first, err := c.Classify(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := emb.Embedder.Embed(t.Context(), embedding.Classification, []string{m.Text, agentTurns[1]})
	if err != nil {
		t.Fatal(err)
	}
	before := emb.texts
	m.Vector, m.PreviousVector = rows[0], rows[1]
	again, err := c.Classify(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if emb.texts != before {
		t.Errorf("%d texts were embedded", emb.texts-before)
	}
	if first.Probabilities != again.Probabilities {
		t.Errorf("%v with own vectors, %v with the caller's", first.Probabilities, again.Probabilities)
	}
}

func TestClassify_GoesByWordsWhereTheEmbedderFails(t *testing.T) {
	t.Parallel()
	emb := &counting{Embedder: builtin.New()}
	c, err := classifier.New(t.Context(), emb, "")
	if err != nil {
		t.Fatal(err)
	}
	emb.fails = true
	r, err := c.Classify(t.Context(), classifier.Message{Text: "thank you so much", Previous: agentTurns})
	if err != nil || !r.Degraded || r.Class != classifier.Conversational || r.Vector != nil {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Classify(ctx, classifier.Message{Text: "thank you so much"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a context that was cancelled", err)
	}
}

func TestClassify_ReadsAnything(t *testing.T) {
	t.Parallel()
	c, err := classifier.Open(embedding.None{}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", " ", "\xff\xfe", strings.Repeat("é", 100_000), strings.Repeat("\x80", 1000), "🙂", "\x00", "好"} {
		r, err := c.Classify(t.Context(), classifier.Message{Text: text, Previous: []string{text, "", text, text, text}})
		if err != nil || math.IsNaN(r.Confidence) {
			t.Errorf("%.20q: %+v, %v", text, r, err)
		}
	}
}

func FuzzClassify(f *testing.F) {
	c, err := classifier.Open(embedding.None{}, "")
	if err != nil {
		f.Fatal(err)
	}
	f.Add("no, it's 8443", "The port is 8080.")
	f.Add("ünïcode\xff", "?")
	f.Fuzz(func(t *testing.T, text, before string) {
		r, err := c.Classify(context.Background(), classifier.Message{Text: text, Previous: []string{before}})
		if err != nil || !(r.Confidence > 0 && r.Confidence <= 1) || !r.Abstained && r.Class == classifier.Conversational && r.Confidence < .5 {
			t.Errorf("%q behind %q: %+v, %v", text, before, r, err)
		}
	})
}

func TestNew_KeepsWhatItLearnedOfAnotherEmbedder(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it trains three times")
	}
	dir := t.TempDir()
	emb := &counting{Embedder: coarse{}}
	fresh, err := classifier.Open(emb, dir)
	if err != nil {
		t.Fatal(err)
	}
	message := classifier.Message{Text: "who wrote the importer?", Previous: agentTurns}
	if r, err := fresh.Classify(t.Context(), message); err != nil || !r.Degraded {
		t.Errorf("before anything was learned: %+v, %v", r, err)
	}
	trained, err := classifier.New(t.Context(), emb, dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := trained.Classify(t.Context(), message)
	if err != nil || want.Degraded {
		t.Fatalf("%+v, %v", want, err)
	}
	list, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(list) != 1 {
		t.Fatalf("the cache holds %q, %v", list, err)
	}
	emb.texts = 0
	cached, err := classifier.Open(emb, dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := cached.Classify(t.Context(), message)
	if err != nil || got.Degraded || emb.texts != 2 {
		t.Errorf("from the cache: %+v with %d texts embedded, %v", got, emb.texts, err)
	}
	for c := range got.Probabilities {
		if math.Abs(got.Probabilities[c]-want.Probabilities[c]) > 1e-4 {
			t.Errorf("from the cache %v, as trained %v", got.Probabilities, want.Probabilities)
			break
		}
	}

	raw, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string]string{
		"empty":   "",
		"cut":     string(raw[:len(raw)/2]),
		"short":   string(raw[:strings.LastIndex(string(raw), "\nterm")+1]),
		"foreign": strings.Replace(string(raw), "test/coarse", "test/gross!", 1),
		"older":   strings.Replace(string(raw), "source\t", "source\t0", 1),
		"lacking": strings.Replace(string(raw), "signal\tthanks\t", "signal\tthinks\t", 1),
	} {
		if err := os.WriteFile(list[0], []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := classifier.Open(emb, dir)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := c.Classify(t.Context(), message); err != nil || !r.Degraded {
			t.Errorf("a cache that is %s was taken: %+v, %v", name, r, err)
		}
	}
	if _, err := classifier.New(t.Context(), emb, dir); err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(list[0])
	if err != nil || string(again) != string(raw) {
		t.Errorf("a broken cache was not made anew as it was: %v", err)
	}
}

func TestPolicy_RetrievesWhateverIsInDoubt(t *testing.T) {
	t.Parallel()
	r := classifier.Result{Class: classifier.Conversational, Abstained: true}
	if p := r.Policy(); !p.Retrieve || p.Session != 1 || p.RecentFirst {
		t.Errorf("%+v", p)
	}
	for _, c := range classifier.Classes() {
		if c.Policy().Retrieve == (c == classifier.Conversational) {
			t.Errorf("%v: %+v", c, c.Policy())
		}
		if got, ok := classifier.ParseClass(c.String()); !ok || got != c {
			t.Errorf("%v is read as %v, %t", c, got, ok)
		}
	}
	if _, ok := classifier.ParseClass("small_talk"); ok {
		t.Error("small_talk is a class")
	}
}

func TestExemplars_AreManyAndEachOnce(t *testing.T) {
	t.Parallel()
	list, err := classifier.Exemplars()
	if err != nil {
		t.Fatal(err)
	}
	count := map[classifier.Class]int{}
	seen := map[string]bool{}
	for _, e := range list {
		key := e.Text + "\x00" + strings.Join(e.Previous, "\x00")
		if seen[key] {
			t.Errorf("%q stands twice behind the same turns", e.Text)
		}
		seen[key] = true
		count[e.Class]++
	}
	for _, c := range classifier.Classes() {
		if count[c] < 400 {
			t.Errorf("%d exemplars of %v", count[c], c)
		}
	}
}

// counting counts the texts that are embedded, and can fail.
type counting struct {
	embedding.Embedder
	texts int
	fails bool
}

func (c *counting) Embed(ctx context.Context, mode embedding.Mode, texts []string) ([][]float32, error) {
	if c.fails {
		return nil, memory.Errorf(memory.Unavailable, "out of order.")
	}
	c.texts += len(texts)
	return c.Embedder.Embed(ctx, mode, texts)
}

// coarse embeds a text as how often its letters occur.
type coarse struct{}

func (coarse) Identity() embedding.Identity {
	return embedding.Identity{Provider: "test", Model: "coarse", Dimensions: 26}
}

func (coarse) Embed(_ context.Context, _ embedding.Mode, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, s := range texts {
		out[i] = make([]float32, 26)
		for _, r := range strings.ToLower(s) {
			if r >= 'a' && r <= 'z' {
				out[i][r-'a']++
			}
		}
		embedding.Normalize(out[i])
	}
	return out, nil
}

// TestClassify_KnowsWhatIsAboutSomethingParticular: none of these messages is among the exemplars.
func TestClassify_KnowsWhatIsAboutSomethingParticular(t *testing.T) {
	t.Parallel()
	for name, emb := range map[string]embedding.Embedder{"builtin": builtin.New(), "none": embedding.None{}} {
		c, err := classifier.New(t.Context(), emb, "")
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]bool{
			"which queue did we pick for the mailer":             true,
			"where does my aunt live":                            true,
			"add a test for the retry handler":                   true,
			"welche Version von Node benutzen wir im Build?":     true,
			"what's the capital of Mongolia?":                    false,
			"write a haiku about a lighthouse":                   false,
			"write a function that sorts a list of numbers":      false,
			"translate \"where is the harbour\" into Portuguese": false,
			"thanks, that's great":                               false,
			"Wie heißt die Hauptstadt von Estland?":              false,
		} {
			r, err := c.Classify(t.Context(), classifier.Message{Text: text})
			if err != nil {
				t.Fatal(err)
			}
			if (r.Particular > .5) != want {
				t.Errorf("%s: %q is particular with %.2f", name, text, r.Particular)
			}
		}
	}
}

func TestPolicy_LooksUpWhatSoundsLikeSmallTalkAndIsNone(t *testing.T) {
	t.Parallel()
	c, err := classifier.New(t.Context(), builtin.New(), "")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"who am I?": true, "hey what's my name": true, "ok go on": true, "okay, carry on with it": true, "hi, do you know where I work?": true,
		"thanks!": false, "haha, nice one": false, "good night then": false, "ok thank you so much": false} {
		r, err := c.Classify(t.Context(), classifier.Message{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if r.Policy().Retrieve != want {
			t.Errorf("%q is looked up: %v (%s, %.2f; particular %.2f)", text, !want, r.Class, r.Confidence, r.Particular)
		}
	}
}
