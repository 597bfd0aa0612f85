package tools

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// shownMarks returns the marked parts of an excerpt, cut as a browser cuts: by UTF-16 units.
func shownMarks(text string, spans [][2]int) []string {
	units := utf16.Encode([]rune(text))
	out := []string{}
	for _, s := range spans {
		out = append(out, string(utf16.Decode(units[s[0]:s[1]])))
	}
	return out
}

func TestMarks_ShowTheWordsThatSayTheFact(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é 🚀 filler. ", 400)
	for name, tc := range map[string]struct {
		content, quote string
		names          []string
		cut            string
		want           []string
	}{
		"the quote":                 {"I joined Acme. Acme is big.", "joined Acme", nil, "", []string{"joined Acme"}},
		"the names, whole words":    {"Ann sees Annette and ANN.", "", []string{"Ann", "Bob"}, "", []string{"Ann", "ANN"}},
		"overlapping names":         {"New York City", "", []string{"New York City", "York"}, "", []string{"New York City"}},
		"a quote that is not there": {"Ann works.", "Ann does not work", []string{"ann"}, "", []string{"Ann"}},
		"nothing":                   {"Hello.", "", []string{"Ann", ""}, "", []string{}},
		"letters of other lengths":  {"İstanbul 🚀 ISTANBUL", "", []string{"istanbul"}, "", []string{"İstanbul", "ISTANBUL"}},
		"in the middle":             {long + "Zoë naps. " + long, "Zoë naps", nil, "both", []string{"Zoë naps"}},
		"at the end":                {long + "Zoë likes tea.", "Zoë likes tea", nil, "start", []string{"Zoë likes tea"}},
		"at the beginning":          {"Zoë likes tea. " + long, "Zoë likes tea", nil, "end", []string{"Zoë likes tea"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, cut, marks := excerpt(tc.content, marked(tc.content, tc.quote, tc.names...))
			if diff := cmp.Diff(tc.want, shownMarks(text, utf16Spans(text, marks))); diff != "" || cut != tc.cut {
				t.Errorf("cut %q, marks (-want +got):\n%s", cut, diff)
			}
			if len(text) > excerptBytes {
				t.Errorf("the excerpt has %d bytes", len(text))
			}
		})
	}
}

func FuzzMarks(f *testing.F) {
	f.Add("Ann works at Acme.", "works", "Acme")
	f.Add(strings.Repeat("👩‍🚀", 300), "", "👩")
	f.Fuzz(func(t *testing.T, content, quote, name string) {
		if !utf8.ValidString(content) {
			t.Skip() // the store holds valid text only
		}
		text, _, marks := excerpt(content, marked(content, quote, name))
		if !utf8.ValidString(text) || len(text) > excerptBytes || !strings.Contains(content, text) {
			t.Fatalf("the excerpt is %q", text)
		}
		at := 0
		for _, s := range utf16Spans(text, marks) {
			if s[0] < at || s[1] < s[0] || s[1] > len(utf16.Encode([]rune(text))) {
				t.Fatalf("the marks are %v in %d bytes", marks, len(text))
			}
			at = s[1]
		}
	})
}
