package wordpiece_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding/builtin/internal/wordpiece"
)

const vocabulary = `[PAD]
[UNK]
[CLS]
[SEP]
the
cafe
play
##ing
##s
un
##able
你
好
i
,
!
[
]
sep
a
##a
=
σ
ᄒ
##ᅡ
##ᆫ
`

var pieces = strings.Split(strings.TrimSpace(vocabulary), "\n")

func newTokenizer(t testing.TB) *wordpiece.Tokenizer {
	t.Helper()
	tok, err := wordpiece.New(vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func TestAppend_SplitsAsTheModelWasTrained(t *testing.T) {
	t.Parallel()
	tok := newTokenizer(t)
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"white space", " \t\r\n\u00a0\u2003\u3000", ""},
		{"longest piece first", "playing plays unable", "play ##ing play ##s un ##able"},
		{"unknown as a whole", "playx xplay", "[UNK] [UNK]"},
		{"a piece in the middle of a word only", "ing", "[UNK]"},
		{"case and accents", "Café CAFE\u0301 THE", "cafe cafe the"},
		{"punctuation", "the,the!!", "the , the ! !"},
		{"ASCII signs are punctuation", "a=a", "a = a"},
		{"a sign out of a decomposition", "a\u2260a", "a = a"},
		{"special tokens are plain text", "[SEP]", "[ sep ]"},
		{"Chinese", "你好the你", "你 好 the 你"},
		{"Hangul is decomposed", "한", "ᄒ ##ᅡ ##ᆫ"},
		{"final sigma as any other", "Σ", "σ"},
		{"dotted capital I", "İ", "i"},
		{"controls vanish within a word", "t\x00h\u200be\ufeff\u00ad", "the"},
		{"bytes that are not UTF-8 vanish", "t\xffhe\xc3", "the"},
		{"a character that Unicode has yet to name is one", "the\u0378", "[UNK]"},
		{"replacement characters vanish", "t\uFFFDhe", "the"},
		{"a mark alone", "\u0301", ""},
		{"100 characters", strings.Repeat("a", 100), "a" + strings.Repeat(" ##a", 99)},
		{"100 characters, some of which vanish", strings.Repeat("a", 50) + "\u0301\u200d" + strings.Repeat("a", 50),
			"a" + strings.Repeat(" ##a", 99)},
		{"101 characters", strings.Repeat("a", 101) + " the", "[UNK] the"},
		{"101 characters of several bytes", strings.Repeat("ж", 101), "[UNK]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := []string{}
			for _, id := range tok.Append(nil, c.in) {
				got = append(got, pieces[id])
			}
			if diff := cmp.Diff(strings.Fields(c.want), got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestAppend_KeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	got := newTokenizer(t).Append([]int32{7}, "xyz the")
	if diff := cmp.Diff([]int32{7, 1, 4}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Not parallel: it counts allocations.
func TestAppend_DoesNotLookAtHugeWords(t *testing.T) {
	tok := newTokenizer(t)
	huge := strings.Repeat("a", 4<<20) + " the"
	if diff := cmp.Diff([]int32{1, 4}, tok.Append(nil, huge)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	ids := make([]int32, 0, 16)
	if n := testing.AllocsPerRun(1, func() { tok.Append(ids, huge) }); n > 2 {
		t.Errorf("%v allocations for one word, want 2 at most", n)
	}
}

func TestNew_RefusesAVocabularyWithoutSpecialTokens(t *testing.T) {
	t.Parallel()
	for _, v := range []string{"", "the\n", "[UNK]\n[CLS]\n"} {
		if _, err := wordpiece.New(v); err == nil {
			t.Errorf("New(%q) returned no error", v)
		}
	}
	crlf, err := wordpiece.New(strings.ReplaceAll(vocabulary, "\n", "\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int32{4}, crlf.Append(nil, "the")); diff != "" {
		t.Errorf("with CRLF (-want +got):\n%s", diff)
	}
}

func FuzzAppend_SplitsWordsIndependently(f *testing.F) {
	for _, s := range []string{"the café", "你好 the", "un\u0301able\xff", strings.Repeat("a", 120), "한İΣ\u200d👍🏽",
		"[CLS]##s\u2028\x85"} {
		f.Add(s, "plays")
	}
	tok := newTokenizer(f)
	f.Fuzz(func(t *testing.T, a, b string) {
		ids := tok.Append(nil, a)
		for _, id := range ids {
			if id < 0 || int(id) >= len(pieces) {
				t.Fatalf("%q: id %d of %d", a, id, len(pieces))
			}
		}
		if n := utf8.RuneCountInString(a); len(ids) > 4*n {
			t.Fatalf("%q: %d tokens of %d characters", a, len(ids), n)
		}
		joined := tok.Append(tok.Append(nil, a), b)
		if diff := cmp.Diff(joined, tok.Append(nil, a+" "+b)); diff != "" {
			t.Fatalf("%q and %q apart and with a space between (-apart +together):\n%s", a, b, diff)
		}
	})
}
