package text_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/text"
)

func pieces(m *text.Mode, s string) []string {
	var out []string
	for c := m.Cut(s); c.Next(); {
		out = append(out, s[c.Start:c.Stop])
	}
	return out
}

func TestCut_EachModeHasItsOwnWords(t *testing.T) {
	t.Parallel()
	const in = "Ann's v0.2 store_x: กิน 東京\u200b🎉 2026-03-05,\n(é)"
	for name, c := range map[string]struct {
		mode *text.Mode
		want []string
	}{
		"search": {text.Search, []string{"Ann", "s", "v0", "2", "store", "x", "กิ", "น", "東", "京", "🎉", "2026", "03", "05",
			"é"}},
		"names": {text.Names, []string{"Ann", "'", "s", "v0", ".", "2", "store_x", ":", "กิ", "น", "東", "京", "🎉", "2026",
			"-", "03", "-", "05", ",", "(", "é", ")"}},
		"times": {text.Times, []string{"Ann's", "v0.2", "store_x", ":", "กิน", "東京", "\u200b", "🎉", "2026-03-05", ",", "\n",
			"(", "é", ")"}},
		"prompts": {text.Prompts, []string{"nn", "s", "v0", "2", "store", "x", "2026", "03", "05", "é"}},
		"plain": {text.Plain, []string{"Ann", "s", "v0", "2", "store", "x", "กิน", "東京\u200b🎉", "2026", "03", "05",
			"é"}},
	} {
		if diff := cmp.Diff(c.want, pieces(c.mode, in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestCut_TellsTheWhiteSpaceBefore(t *testing.T) {
	t.Parallel()
	var got []text.Gap
	for c := text.Names.Cut("a b\nc \n\nd."); c.Next(); {
		got = append(got, c.Gap)
	}
	want := []text.Gap{text.Paragraph, text.Spaced, text.Line, text.Paragraph, text.Glued}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
}

func TestNames_InvisibleCharactersBelongToAWordAndBeginNone(t *testing.T) {
	t.Parallel()
	want := []string{"Ac\u200bme", "x"}
	if diff := cmp.Diff(want, pieces(text.Names, "\u200bAc\u200bme \u3164x")); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}
