package scanner

import "unicode/utf8"

// Window is two consecutive sentences, as the model sees them.
type Window struct {
	// Features are the features found in the window.
	Features []Feature
	// Words is the number of words of the whole text; two letters of a script without spaces count as one word.
	Words int

	points func() bool
}

// Points reports whether the text points at an agent that is steered against its user, or at the agent's memory. Either
// a rule of that kind matches in the window, or another rule matched in the text up to it. Each call evaluates the
// rules again.
func (w *Window) Points() bool { return w.points() }

// familyPoints are the rules used only by Points. A rule of at least pointingWeight points too, except in the tame
// families: users address their agent and tell it what to remember and to prefer.
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
