package scanner

import (
	"strings"
	"testing"
)

func TestLabels_NameEveryConcept(t *testing.T) {
	t.Parallel()
	l, err := builtinLexicon()
	if err != nil {
		t.Fatal(err)
	}
	labels := builtinLabels()
	for _, name := range l.names {
		if labels[name] == "" {
			t.Errorf("concept %q has no label in data/labels.txt", name)
		}
	}
	if len(labels) != len(l.names) {
		t.Errorf("%d labels for %d concepts", len(labels), len(l.names))
	}
}

func TestWeights_AreKeptAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	w, err := builtinWeights()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(w.Encode()); got != weightsFile {
		t.Error("the weights change when they are read and written")
	}
	if w.Low >= w.Other || w.Other >= w.User || w.Scale <= 0 {
		t.Errorf("thresholds %f, %f, %f, scale %f", w.Low, w.Other, w.User, w.Scale)
	}
	if _, err := DecodeWeights([]byte(strings.Repeat("x", len(weightsFile)))); err == nil {
		t.Error("invalid weights are accepted")
	}
}

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
		least := .5
		if r.family == familyPoints {
			least = 0
		}
		if seen[r.name] || r.weight < least || r.weight > 3 || r.family == "" {
			t.Errorf("rule %q of family %q, weight %f", r.name, r.family, r.weight)
		}
		seen[r.name] = true
	}
}
