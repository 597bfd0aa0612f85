package supersession

import (
	"slices"
	"strings"
)

// Idioms that tell of what was, of what is no more, and of what somebody would like.
var (
	longAgo = words("used to be", "used to live", "used to work", "used to have", "used to", "before that", "back then", "in those days", "at that time",
		"as a child", "as a kid", "as a boy", "as a girl", "as a student", "as a teenager", "as a baby", "when i was", "when i lived", "when i worked",
		"when we were", "when we lived", "when we worked", "when he was", "when she was", "when they were", "years ago", "decades ago", "ages ago",
		"long time ago", "long ago", "in the past", "had been", "until recently", "up to now", "formerly", "previously", "originally", "in my youth")
	lastTime = words("last year", "last summer", "last winter", "last spring", "last autumn", "last fall", "last season", "last time", "the year before",
		"the month before", "the week before", "the day before", "at first", "initially", "earlier on")
	ceasing = words("no longer", "any more", "anymore", "any longer", "no more", "not ever again", "never again")
	wishing = words("thinking of", "thinking about", "dream of", "dreaming of", "hope to", "hoping to", "want to", "wants to", "wanted to", "plan to",
		"plans to", "planning to", "planned to", "planning on", "intend to", "intends to", "wish to", "wish i", "wish we", "about to", "tempted to", "some day")
)

// The kinds of idiom that give a clause its mood.
const (
	ofLongAgo uint8 = 1 << iota
	ofLastTime
	ofCeasing
	ofWishing
)

type idiom struct {
	words []string
	kind  uint8
}

// byFirst finds idioms by their first word: every clause of every turn that is read is looked through.
var byFirst = func() map[string][]idiom {
	m := map[string][]idiom{}
	for kind, list := range map[uint8][][]string{ofLongAgo: longAgo, ofLastTime: lastTime, ofCeasing: ceasing, ofWishing: wishing} {
		for _, w := range list {
			m[w[0]] = append(m[w[0]], idiom{w, kind})
		}
	}
	return m
}()

// idioms gives the kinds of those in a clause.
func idioms(clause []token) (kinds uint8) {
	for i, t := range clause {
		for _, m := range byFirst[t.lower] {
			n := len(m.words)
			if i+n <= len(clause) && slices.EqualFunc(clause[i:i+n], m.words, func(t token, w string) bool { return t.lower == w }) {
				kinds |= m.kind
			}
		}
	}
	return kinds
}

// words splits phrases.
func words(list ...string) [][]string {
	out := make([][]string, len(list))
	for i, p := range list {
		out[i] = strings.Fields(p)
	}
	return out
}
