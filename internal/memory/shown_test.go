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

func TestPoorer_IsTheHastySpelling(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ poorer, than string }{
		{"kafka", "Kafka"}, {"KAFKA", "Kafka"}, {"KAFKA", "kafka"}, {"aws", "AWS"}, {"NEW YORK", "New York"},
		{"db_url", "DB_URL"}, {"ann", "Ann Lee"},
	} {
		if !memory.Poorer(c.poorer, c.than) || memory.Poorer(c.than, c.poorer) {
			t.Errorf("%q is not poorer than %q alone", c.poorer, c.than)
		}
	}
	for _, c := range [][2]string{{"Kafka", "kafka"}, {"Kafka", "Kafka"}, {"MYSQL", "Oracle"}} {
		if memory.Poorer(c[0], c[1]) {
			t.Errorf("%q is poorer than %q", c[0], c[1])
		}
	}
}
