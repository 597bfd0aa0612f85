package scanner

import "testing"

func TestData_CanBeRead(t *testing.T) {
	t.Parallel()
	l, err := builtinLexicon()
	if err != nil {
		t.Fatal(err)
	}
	rules, err := builtinRules()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d concepts, %d rules", len(l.names), len(rules))
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.name] || r.weight < .5 || r.weight > 3 || r.family == "" {
			t.Errorf("rule %q of family %q, weight %f", r.name, r.family, r.weight)
		}
		seen[r.name] = true
	}
}
