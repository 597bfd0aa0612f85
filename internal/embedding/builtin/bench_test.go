package builtin_test

import (
	"context"
	"strings"
	"testing"

	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
)

// benchmark embeds a text with the given number of words. Each word is one token; [CLS] and [SEP] are added.
func benchmark(b *testing.B, words int) {
	e := builtin.New()
	if err := e.Load(); err != nil {
		b.Fatal(err)
	}
	text := strings.TrimSpace(strings.Repeat("the river house was cold when we came back from work ", 30))
	texts := []string{strings.Join(strings.Fields(text)[:words], " ")}
	for b.Loop() {
		if _, err := e.Embed(context.Background(), embedding.Query, texts); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEmbed14(b *testing.B)  { benchmark(b, 12) }
func BenchmarkEmbed30(b *testing.B)  { benchmark(b, 28) }
func BenchmarkEmbed60(b *testing.B)  { benchmark(b, 58) }
func BenchmarkEmbed256(b *testing.B) { benchmark(b, 254) }
