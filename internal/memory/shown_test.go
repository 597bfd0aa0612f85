package memory_test

import (
	"testing"

	"memory-graph/internal/memory"
)

func TestShown_LeavesOutWhatCannotBeSeen(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Ac\u200bme":                      "Acme",
		"Ana\u202e Belling\u202c":         "Ana Belling",
		"\ufeff Norvik\u00ad Labs\x07":    "Norvik Labs",
		"Ac\u200dme\u200c":                "Acme",
		"A\ufe0fcme":                      "Acme",
		"Acme\U000e0041\U000e0042":        "Acme",
		"می\u200cخواهم":                   "می\u200cخواهم",
		"\U0001f468\u200d\U0001f469":      "\U0001f468\u200d\U0001f469",
		"❤\ufe0f":                         "❤\ufe0f",
		"Blue\n  Whale":                   "Blue\n  Whale",
		"\u200b":                          "",
		"O’Neill & Söhne, 大阪":             "O’Neill & Söhne, 大阪",
		"क्\u200dष":                       "क्\u200dष",
		"\u2066Acme\u2069 \u200e(Berlin)": "Acme (Berlin)",
	} {
		got := memory.Shown(name)
		if got != want {
			t.Errorf("%+q: %+q, want %+q", name, got, want)
		}
		if memory.Canonical(got) != memory.Canonical(name) {
			t.Errorf("%+q and %+q have different canonical forms", got, name)
		}
	}
}
