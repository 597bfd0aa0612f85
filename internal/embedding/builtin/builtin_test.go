package builtin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin/internal/weights"
)

func TestModel_IsTheOneThatTheNoticeNames(t *testing.T) {
	t.Parallel()
	notice, err := os.ReadFile("model/NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(file))
	if line := hex.EncodeToString(sum[:]) + "  all-minilm-l6-v2-int8.bin"; !strings.Contains(string(notice), line) {
		t.Errorf("the file's line %q is not in NOTICE: was it converted again, or is it damaged?", line)
	}
	if _, err := os.Stat("model/LICENSE-Apache-2.0.txt"); err != nil {
		t.Error(err)
	}
}

func TestIdentity_NeedsNoModel(t *testing.T) {
	t.Parallel()
	want := embedding.Identity{Provider: "builtin", Model: "all-MiniLM-L6-v2-int8", Dimensions: 384}
	if diff := cmp.Diff(want, New().Identity()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEmbed_GivesOneRowForEachText(t *testing.T) {
	t.Parallel()
	e := New()
	for _, texts := range [][]string{nil, {}, {"a"}, {"", "b", ""}, {"\xff\xfe\x00", strings.Repeat("\u0301", 5000)}} {
		rows, err := e.Embed(context.Background(), embedding.Classification, texts)
		if err != nil || rows == nil || len(rows) != len(texts) {
			t.Fatalf("%d texts: %d rows, %v", len(texts), len(rows), err)
		}
		for i, row := range rows {
			if l := length(row); len(row) != Dimensions || !(l > 1-1e-6 && l < 1+1e-6) {
				t.Errorf("%q: %d components, length %v", texts[i], len(row), l)
			}
		}
	}
}

func TestEmbed_DoesNotDependOnWhatCameBefore(t *testing.T) {
	t.Parallel()
	e := New()
	embed := func(texts ...string) [][]float32 {
		rows, err := e.Embed(context.Background(), embedding.Document, texts)
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	alone := embed("a cat sat on a mat")[0]
	after := embed(strings.Repeat("long text ", 200), "a cat sat on a mat", "a dog")
	if diff := cmp.Diff(alone, after[1]); diff != "" {
		t.Errorf("the vector changed after a long text (-alone +after):\n%s", diff)
	}
}

func TestEmbed_IsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	e := New()
	texts := []string{"one", "two words", "three short words", "", strings.Repeat("more ", 40)}
	want, err := e.Embed(context.Background(), embedding.Document, texts)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 3 {
				got, err := e.Embed(context.Background(), embedding.Document, texts)
				if err != nil || cmp.Diff(want, got) != "" {
					t.Errorf("another goroutine's vectors differ (error %v)", err)
				}
			}
		})
	}
	group.Wait()
}

// countdown is a context that is cancelled after a number of checks.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestEmbed_StopsBetweenTextsAndBetweenWindows(t *testing.T) {
	t.Parallel()
	e := New()
	for name, texts := range map[string][]string{
		"texts":   {"a", "b", "c"},
		"windows": {strings.Repeat("word ", 600)},
	} {
		ctx := &countdown{Context: context.Background(), left: 2}
		rows, err := e.Embed(ctx, embedding.Document, texts)
		if !errors.Is(err, context.Canceled) || rows != nil {
			t.Errorf("%s: %d rows, error %v; want none and the context's error", name, len(rows), err)
		}
		if ctx.left != -1 {
			t.Errorf("%s: went on after the context was cancelled", name)
		}
	}
}

func TestWindows_CoverTheTextOrSpreadOverIt(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][]window{
		0:    {{0, 0}},
		1:    {{0, 1}},
		254:  {{0, 254}},
		255:  {{0, 127}, {127, 255}},
		508:  {{0, 254}, {254, 508}},
		509:  {{0, 169}, {169, 339}, {339, 509}},
		1016: {{0, 254}, {254, 508}, {508, 762}, {762, 1016}},
		1017: {{0, 254}, {254, 508}, {508, 762}, {763, 1017}},
		4064: {{0, 254}, {1270, 1524}, {2540, 2794}, {3810, 4064}},
	} {
		if diff := cmp.Diff(want, windows(n), cmp.AllowUnexported(window{})); diff != "" {
			t.Errorf("%d tokens (-want +got):\n%s", n, diff)
		}
	}
	for n := range 3000 {
		all := windows(n)
		for i, w := range all {
			if w.to-w.from > windowTokens || w.to < w.from || i > 0 && w.from < all[i-1].to {
				t.Fatalf("%d tokens: windows %v", n, all)
			}
		}
		if all[0].from != 0 || all[len(all)-1].to != n || len(all) > maxWindows {
			t.Fatalf("%d tokens: windows %v", n, all)
		}
	}
}

func TestLoad_LeavesTheWeightsWhereTheyAre(t *testing.T) {
	t.Parallel()
	p, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if &p.model.Word.Weights[0] != &mustParse(t).Word.Weights[0] {
		t.Error("two loads have two copies of the weights")
	}
}

func mustParse(t *testing.T) *weights.Model {
	t.Helper()
	m, err := weights.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := read(file); err != nil {
			b.Fatal(err)
		}
	}
}

func TestEmbed_GivesNoDirectionToWhatItCannotRead(t *testing.T) {
	t.Parallel()
	rows, err := New().Embed(context.Background(), embedding.Query,
		[]string{"🎉🚀", "การประชุมวันอังคาร", "party 🎉 on the boat", ""})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{false, false, true, true} {
		if got := embedding.Normalize(rows[i]); got != want {
			t.Errorf("text %d has a direction: %v, want %v", i, got, want)
		}
	}
}
