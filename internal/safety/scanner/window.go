package scanner

import "unicode/utf8"

// Window is two sentences that follow each other, as what was learnt sees them.
type Window struct {
	// Features are what there is in it.
	Features []Feature
	// Words is how many words the whole text has; two letters of a script without spaces count as one.
	Words int

	points func() bool
}

// Points says whether something in the window, or a rule that holds in the text up to it, points at an agent that is
// steered against its user, or at its memory. It reads the window anew.
func (w *Window) Points() bool { return w.points() }

// familyPoints are the rules that only say that. A rule of at least pointingWeight says it too, except of the tame
// families: users speak to their agent and tell it what to remember and to prefer.
const (
	familyPoints   = "points"
	pointingWeight = 1
)

var tame = map[string]bool{familyAddress: true, "memory": true, "steer": true}

// countWords counts the words of a folded text.
func countWords(text string) int {
	words, letters := 0, 0
	for i := 0; i < len(text); {
		if stop := wordEnd(text, i); stop > i {
			words++
			i = stop
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if unspaced(r) {
			letters++
		}
		i += size
	}
	return words + letters/2
}
