package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// unmeant is one line of data/meant.txt: words that show that a sentence, the one before it, or more is not meant.
type unmeant struct {
	extent, place string
	words         string // as in the file
	parts         []part
	needs         []string // the text must have one of these words, unless there are none
}

// meantRead loads the lines once. A test checks that the file has no error.
var meantRead = sync.OnceValues(func() ([]unmeant, error) {
	return parseMeant("meant.txt", "")
})

// parseMeant reads lines "extent place : words" of a text, or of the embedded file if the text is "".
func parseMeant(file, text string) (out []unmeant, err error) {
	err = eachLine(file, text, func(line string) error {
		spec, words, _ := strings.Cut(line, " : ")
		f := strings.Fields(spec)
		if len(f) != 2 || words == "" || !oneOf(f[0], "text rest this before") || !oneOf(f[1], "start head any end") {
			return fmt.Errorf(`%q is not "extent place : words"`, line)
		}
		u, err := newUnmeant(f[0], f[1], words)
		out = append(out, u)
		return err
	})
	return out, err
}

func newUnmeant(extent, place, words string) (u unmeant, err error) {
	u = unmeant{extent: extent, place: place, words: words}
	u.parts, err = parseParts(words)
	for _, p := range u.parts {
		if p.kind == partWord && !p.optional && !p.special && len(p.phrases) == 0 && !p.words["$"] {
			u.needs = slices.Collect(maps.Keys(p.words))
			break
		}
	}
	return u, err
}

// holds reports whether the words match in a sentence.
func (u *unmeant) holds(t []token) bool {
	s := &sentence{t: t, user: true}
	from, to := 0, len(t)
	switch u.place {
	case "start":
		to = 1
	case "head":
		from = opening(t)
		to = from + 1
	}
	end := len(t)
	for end > 0 && t[end-1].kind == signToken {
		end--
	}
	for i := from; i < min(to, len(t)); i++ {
		m := match{r: &reader{}, s: s, from: i, verb: -1, last: i}
		if stop, ok := m.parts(u.parts, i); ok && (u.place != "end" || stop == end && i > 0) {
			return true
		}
	}
	return false
}

// meant omits sentences that are not meant: suppositions, role play, near misses, irony, and what a later sentence
// takes back. It omits whole sentences, because the affected part cannot be told. why maps the first offset of each
// omitted sentence to its line of meant.txt.
func meant(all [][]token) (out [][]token, why map[int]string) {
	why = map[int]string{}
	list, _ := meantRead()
	for n, t := range all {
		words := map[string]bool{}
		for _, x := range t {
			words[x.lower] = true
		}
		for i := range list {
			u := &list[i]
			if len(u.needs) > 0 && !slices.ContainsFunc(u.needs, func(w string) bool { return words[w] }) {
				continue
			}
			body := t
			if u.extent == "this" {
				body = t[amends(t).from:]
			}
			if len(body) == 0 || !u.holds(body) {
				continue
			}
			switch u.extent {
			case "text", "rest":
				from := n
				if u.extent == "text" {
					out, from = nil, 0
				}
				for _, x := range all[from:] {
					why[x[0].start] = u.words
				}
				return out, why
			case "this":
				why[t[0].start] = u.words
			case "before":
				out = takenBack(all, n, out, why, u.words)
			}
		}
		if amends(t).retracts {
			out = takenBack(all, n, out, why, "it takes back what was said")
		}
		if why[t[0].start] == "" {
			out = append(out, t)
		}
	}
	return out, why
}

// takenBack omits the sentence before the one with index n, and that one too if it has no verb.
func takenBack(all [][]token, n int, out [][]token, why map[int]string, at string) [][]token {
	t := all[n]
	if last := len(out) - 1; last >= 0 && n > 0 && t[0].line < 2 && out[last][0].start == all[n-1][0].start {
		why[all[n-1][0].start] = at
		out = out[:last]
	}
	if !anyVerb(t) && !amends(t).ok {
		why[t[0].start] = at
	}
	return out
}

// at returns the lower-case word of token i; "" beyond the ends.
func at(t []token, i int) string {
	if i < 0 || i >= len(t) {
		return ""
	}
	return t[i].lower
}

// saying reports whether the words begin at token i.
func saying(t []token, i int, words ...string) bool {
	for n, w := range words {
		if at(t, i+n) != w {
			return false
		}
	}
	return true
}

// opening returns the first token after signs and words that open a sentence.
func opening(t []token) int {
	i := 0
	for i < len(t) && (t[i].kind == signToken || openers[t[i].lower] && !oneOf(t[i].lower, "no sorry yeah actually")) {
		i++
	}
	return i
}

// anyVerb reports whether the tokens include a finite verb.
func anyVerb(t []token) bool {
	return slices.ContainsFunc(t, func(x token) bool {
		v, ok := verbForms[x.lower]
		return x.kind == wordToken && (ok && v.forms != formIng && !nounish[v.lemma] && !oneOf(x.lower,
			"wait scratch strike mean") ||
			oneOf(x.lower, "is are am"))
	})
}

// foreign reports whether most function words of the text are not English.
func foreign(t []token) bool {
	n := 0
	for _, x := range t {
		if x.kind == wordToken && englishWords[x.lower] {
			n--
		} else if x.kind == wordToken && foreignWords[x.lower] {
			n++
		}
	}
	return n > 0
}

var (
	englishWords = class("english")
	foreignWords = class("foreign")
)
