package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/text"
)

func TestPrepare_CutsEveryScriptIntoTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"stems", "Running the tests quickly", "run the test quickli"},
		{"apostrophes", "Don’t touch Anna's files", "don t touch anna s file"},
		{"accents", "Crème brûlée, Ærøskøbing, ÅNGSTRÖM", "creme brule ærøskøbing angstrom"},
		{"german", "Donaudampfschifffahrtsgesellschaft Straße", "donaudampfschifffahrtsgesellschaft strass"},
		{"chinese", "我喜欢喝咖啡。", "我 喜 欢 喝 咖 啡"},
		{"japanese", "東京でコーヒーを", "東 京 で コ ー ヒ ー を"},
		{"korean", "커피를 좋아", "커 피 를 좋 아"},
		{"thai keeps marks", "กินข้าว", "กิ น ข้ า ว"},
		{"arabic without harakat", "مُحَمَّد", "محمد"},
		{"cyrillic keeps й", "Мой чай", "мой чай"},
		{"hindi keeps vowels", "हिन्दी", "हिन्दी"},
		{"emoji", "party 🎉🎉", "parti u1f389x u1f389x"},
		{"emoji with skin and joiner", "👩🏽‍💻", "u1f469x u1f4bbx"},
		{"full width", "ＡＢＣ１２", "abc12"},
		{"identifiers", "store_episode v0.21.3 C++ c#", "store episod v0 21 3 cplusplu csharp"},
		{"invalid bytes part words", "ab\xffcd", "ab cd"},
		{"nothing", " \t\n…!", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, text.Prepare(c.in)); diff != "" {
				t.Errorf("Prepare(%q) (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func terms(q text.Query) []string {
	var out []string
	for _, t := range q.Terms {
		out = append(out, strings.Join(t.Words, "+"))
	}
	return out
}

func TestParse_KeepsWhatCarriesMeaning(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"What did we have to throw away in summer?", []string{"throw", "awai", "summer"}},
		{"Where is the 192.168.1.20 broker", []string{"192", "168", "1", "20", "192+168+1+20", "broker"}},
		{"who are you", []string{"who", "ar", "you"}},
		{"don't say Anna's name", []string{"sai", "anna", "name"}},
		{"喝咖啡", []string{"喝+咖", "咖+啡"}},
		{"咖", []string{"咖"}},
		{"🎉", []string{"u1f389x"}},
		{`"quoted" OR NEAR(a b) col:x * ^`, []string{"quot", "near", "b", "col", "x", "col+x"}},
		{"", nil},
		{"test testing tests", []string{"test"}},
	} {
		if diff := cmp.Diff(c.want, terms(text.Parse(c.in))); diff != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", c.in, diff)
		}
	}
}

func TestParse_BoundsALongQuestion(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 5000 {
		b.WriteString(strings.Repeat("w", i%50+1))
		b.WriteString(string(rune('a'+i%26)) + " ")
	}
	if n := len(text.Parse(b.String()).Terms); n != 128 {
		t.Errorf("a question of 5,000 words has %d terms, want the bound of 128", n)
	}
}

func TestScopeToken_IsOneWordAndTellsValuesApart(t *testing.T) {
	t.Parallel()
	a, b := text.ScopeToken('n', "a/b c"), text.ScopeToken('n', "a/b d")
	if a == b {
		t.Errorf("two namespaces share the token %q", a)
	}
	if got := text.Prepare(a); got != a {
		t.Errorf("Prepare changes the token %q to %q", a, got)
	}
	if text.ScopeToken('p', "x") == text.ScopeToken('n', "x") {
		t.Error("a project and a namespace of one name share a token")
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"", "a", "İstanbul ﬁ", "👩🏽‍💻", "กิน", "a\xff\xfeb", "\u0301\u0640", "C++#", "½ ² Ⅷ", "ßẞ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		prepared := text.Prepare(s)
		if !utf8.ValidString(prepared) {
			t.Fatalf("Prepare(%q) is not UTF-8: %q", s, prepared)
		}
		for _, tok := range text.Tokens(s) {
			if tok.Stem == "" || strings.ContainsAny(tok.Stem, " \"*^:()\x00") {
				t.Fatalf("token %q of %q", tok.Stem, s)
			}
		}
		for _, term := range text.Parse(s).Terms {
			if !strings.Contains(" "+prepared+" ", " "+strings.Join(term.Words, " ")+" ") {
				t.Fatalf("term %q of %q is not in its own index text %q", term.Words, s, prepared)
			}
		}
	})
}
