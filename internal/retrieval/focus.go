package retrieval

import (
	"slices"
	"strings"

	"memory-graph/internal/text"
)

// The focus of a question are the words that say what is asked for: "criteria" in "What criteria did I use for the
// board?", "budget" in "What is the budget of the party?". A long answer about the board contains every other word of
// the question, so only the focus tells whether it says this.

// maxFocus is the maximum number of words of a focus. A longer one is hardly a noun phrase.
const maxFocus = 4

var (
	focusAsks   = wordSet(`what which whose`)
	focusCounts = wordSet(`many much long often far old`) // after "how"
	focusVerbs  = wordSet(`is are was were be been am do does did have has had can could will would should shall may might
		must`)
	focusDeterminers = wordSet(`the a an any some this that these those my our your his her their its`)
	focusPronouns    = wordSet(`i you we they he she it me us them`)
	focusEnds        = wordSet(`of for in on at to from with behind between about by during after before over under into
		through who when where and or`)
)

// focusOf returns the stems of the focus, without duplicates, or nil if the question has none ("Who came?").
func focusOf(question string) []string {
	var words []string
	for _, field := range strings.Fields(strings.ToLower(strings.ReplaceAll(question, "’", "'"))) {
		if w := strings.Trim(field, `.,;:!?"'()[]`); w != "" {
			words = append(words, w)
		}
	}
	asks := slices.IndexFunc(words, func(w string) bool { return focusAsks[w] })
	if how := slices.Index(words, "how"); how >= 0 && (asks < 0 || how < asks) && how+1 < len(words) &&
		focusCounts[words[how+1]] {
		asks = how + 1
	}
	stop := func(w string) bool { return focusVerbs[w] || focusPronouns[w] || focusDeterminers[w] || focusEnds[w] }
	phrase := func(from int) []string { // the words up to one that ends a noun phrase
		to := from
		for to < len(words) && !stop(words[to]) {
			to++
		}
		return words[from:to]
	}
	var found []string
	if asks >= 0 {
		found = phrase(asks + 1)
	}
	if len(found) == 0 { // what is the ..., tell me about my ...
		at := asks + 1
		for at < len(words) && !focusDeterminers[words[at]] {
			at++
		}
		for at < len(words) && focusDeterminers[words[at]] {
			at++
		}
		found = phrase(at)
	}
	var stems []string
	for _, w := range found[:min(maxFocus, len(found))] {
		for _, t := range text.Tokens(w) {
			if !t.Stop() && !slices.Contains(stems, t.Stem) {
				stems = append(stems, t.Stem)
			}
		}
	}
	return stems
}
