package memory_test

import (
	"strings"
	"testing"

	"memory-graph/internal/memory"
)

func TestCanonical_IsOneFormOfAllSpellings(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"  New \t York ":                "new york",
		"Zo\u00eb":                      "zo\u00eb",
		"Zoe\u0308":                     "zo\u00eb",
		"ZOE\u200d\u0308":               "zo\u00eb",
		"Jan\u00ad Jansen":              "jan jansen",
		"\u200b":                        "",
		"":                              "",
		strings.Repeat("a", 511) + " b": strings.Repeat("a", 511),
		strings.Repeat("a", 511) + "ß":  strings.Repeat("a", 511),
	} {
		if got := memory.Canonical(name); got != want {
			t.Errorf("%q gives %q, want %q", name, got, want)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add("Zoe\u0308 Smith")
	f.Add(strings.Repeat("\u0958", 300))
	f.Fuzz(func(t *testing.T, name string) {
		once := memory.Canonical(name)
		if twice := memory.Canonical(once); twice != once || len(once) > memory.MaxCanonicalBytes {
			t.Errorf("%q gives %q, then %q", name, once, twice)
		}
	})
}
