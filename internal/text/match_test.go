package text_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/text"
)

func TestMatcher_FindsTheTokensOfTokens(t *testing.T) {
	t.Parallel()
	texts := []string{
		"", "Running runs; the RUNNER ran.", "C++ and C# in main.go, 192.168.1.20", "naïve Ærø — Straße", "東京タワー 🎉🎉",
		"a\xffb", "don't don’t",
	}
	for _, asked := range []string{"run runner main go c plusplus", "東京 🎉", "naive strasse dont don t 192 b"} {
		var stems []string
		for _, token := range text.Tokens(asked) {
			stems = append(stems, token.Stem)
		}
		matcher := text.NewMatcher(stems)
		for _, s := range append(texts, texts...) {
			var want []text.Match
			tokens := text.Tokens(s)
			for at, token := range tokens {
				for i := len(stems) - 1; i >= 0; i-- { // of equal stems the last has the index
					if stems[i] == token.Stem {
						want = append(want, text.Match{Stem: i, At: at})
						break
					}
				}
			}
			got, n := matcher.Find(s, nil)
			if n != len(tokens) {
				t.Errorf("Find(%q) counts %d tokens, want %d", s, n, len(tokens))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Find(%q) for %q (-want +got):\n%s", s, asked, diff)
			}
		}
	}
}

func TestMatcher_FindsEveryWordByItsStem(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	const letters = "abeilnosyzt"
	endings := []string{"", "s", "es", "ies", "ied", "ing", "ed", "eed", "y", "ational", "izing", "ness", "ement", "e",
		"ll", "ally", "7"}
	for range 50_000 {
		b := make([]byte, rnd.IntN(5))
		for i := range b {
			b[i] = letters[rnd.IntN(len(letters))]
		}
		word := string(b) + endings[rnd.IntN(len(endings))]
		if tokens := text.Tokens(word); len(tokens) > 0 {
			if found, _ := text.NewMatcher([]string{tokens[0].Stem}).Find(word, nil); len(found) == 0 {
				t.Fatalf("%q is not found by its stem %q", word, tokens[0].Stem)
			}
		}
	}
}
