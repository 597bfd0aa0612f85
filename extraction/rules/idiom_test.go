package rules

import (
	"strings"
	"testing"
)

func TestIdioms_AreWellFormed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, d := range idiomsRead().idioms {
		if seen[d.line] {
			t.Errorf("%q stands there twice", d.line)
		}
		seen[d.line] = true
		labels := map[byte]bool{0: true}
		for _, p := range d.parts {
			switch p.kind {
			case partSlot, partOwner:
				if p.slot == 0 {
					t.Errorf("%q: a slot that there is not", d.line)
				}
				labels[p.label] = true
			case partVerb:
				for v := range p.words {
					if _, ok := verbForms[v]; !ok && v != "be" {
						t.Errorf("%q: %q is no verb that is known", d.line, v)
					}
				}
			}
		}
		if len(d.states) == 0 {
			t.Errorf("%q states nothing", d.line)
		}
		for _, s := range d.states {
			if !labels[s.head] || !labels[s.tail] || wording[s.relation][0] == "" {
				t.Errorf("%q states %+v", d.line, s)
			}
		}
		if strings.Contains(d.line, "  ") {
			t.Errorf("%q: two spaces", d.line)
		}
	}
	for w, list := range idiomsRead().of {
		if len(list) > 220 {
			t.Errorf("%q calls %d idioms: each word of a text would be compared with all of them", w, len(list))
		}
	}
}
