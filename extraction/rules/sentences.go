package rules

import (
	"regexp"
	"slices"
	"sync"
)

// sentence is a range of tokens that is read on its own.
type sentence struct {
	t      []token
	text   string // the whole scrubbed text
	names  []name
	user   bool // a user turn: "I" is the user
	self   string
	amends amendment // its start, if it is a correction
	lists  *gazetteer

	phrases memo[arg]       // results of phraseAt, by token
	verbs   memo[group]     // results of groupAt, by token
	words   map[string]bool // the words of the sentence, and the lemmas of its verbs
}

// memo caches what is read at a token, for all templates.
type memo[T any] map[int]struct {
	got T
	ok  bool
}

// once returns the result of read for token i. It calls read once per token.
func (m *memo[T]) once(i int, read func(int) (T, bool)) (T, bool) {
	have, known := (*m)[i]
	if !known {
		have.got, have.ok = read(i)
		if *m == nil {
			*m = memo[T]{}
		}
		(*m)[i] = have
	}
	return have.got, have.ok
}

// abbreviations are words whose dot ends no sentence.
var abbreviations = set(`e.g eg i.e ie etc vs dr mr mrs ms prof st no inc ltd corp co e g approx dept est jr
	sr feat cf al`)

// sentences splits the tokens into sentences and omits those that are not meant.
func sentences(t []token) [][]token {
	kept, _ := meant(cut(t))
	return kept
}

func cut(t []token) [][]token {
	var out [][]token
	from := 0
	cut := func(to int) {
		if to > from {
			out = append(out, t[from:to])
		}
		from = to
	}
	for i := range t {
		if i > from && t[i].line > 0 && !continues(t, from, i) {
			cut(i)
		}
		if t[i].kind != signToken {
			continue
		}
		switch t[i].lower {
		case "!", "?", "…":
			if i+1 == len(t) || !t[i+1].glued {
				cut(i + 1)
			}
		case ".":
			if i+1 < len(t) && (t[i+1].glued && t[i+1].lower != ")" && t[i+1].lower != "\"") {
				continue // "v2.3", "..."
			}
			if i > 0 && t[i].glued && (abbreviations[t[i-1].lower] || t[i-1].kind == wordToken && t[i-1].capital &&
				t[i-1].stop-t[i-1].start == 1 && t[i-1].lower != "i") {
				continue
			}
			cut(i + 1)
		}
	}
	cut(len(t))
	return out
}

// continues reports whether the line that begins with token i continues the sentence before it: a wrapped line begins
// in lower case.
func continues(t []token, from, i int) bool {
	if t[i].line > 1 || t[i].kind == signToken || t[i].capital || t[i].kind == numberToken {
		return false
	}
	return t[i-1].stop-t[from].start > 60 && t[i-1].kind != signToken
}

// asks reports whether a sentence is a question, and returns where the question begins. A statement may precede it.
func asks(t []token) (from int, ok bool) {
	marked := len(t) > 0 && t[len(t)-1].lower == "?"
	start := 0
	for start < len(t) && (t[start].kind == signToken || openers[t[start].lower] && start+1 < len(t)) {
		start++
	}
	if !marked {
		if start < len(t) && inverted(t[start:]) {
			return 0, true
		}
		// after a comma, a colon or a dash a question may lack its mark: "one more thing: how do I …"
		for i := start; i+1 < len(t); i++ {
			if next := t[min(i+1, len(t)-1)].lower; separates(t[i].lower) && i+2 < len(t) && inverted(t[i+1:]) &&
				!relatives[next] {
				return i + 1, true
			}
		}
		return 0, false
	}
	for i := len(t) - 2; i > start; i-- {
		next := i + 1
		for next+1 < len(t) && conjunctions[t[next].lower] {
			next++
		}
		if separates(t[i].lower) && questionWords[t[next].lower] && !questionWords[t[start].lower] && !anyIn(t[:i], doubts) {
			return next, true
		}
	}
	return 0, true
}

// relatives after a comma continue the statement before it.
var relatives = set(`who which whose whom where when`)

func hasWord(t []token, w string) bool {
	return slices.ContainsFunc(t, func(x token) bool { return x.lower == w })
}

func separates(sign string) bool {
	return oneOf(sign, ", : ; — – -")
}

func anyIn(t []token, words map[string]bool) bool {
	return slices.ContainsFunc(t, func(x token) bool { return x.kind == wordToken && words[x.lower] })
}

// inverted reports whether the tokens begin like a question: with a question word, or with an auxiliary before the
// subject.
func inverted(t []token) bool {
	w := t[0].lower
	switch {
	case len(t) < 2 || t[0].kind != wordToken:
		return false
	case whWords[w]:
		return true
	case oneOf(w, "any anyone anybody"):
		return true
	case w == "when":
		return auxiliaries[t[1].lower]
	case w == "had" && t[1].kind == nameToken && hasWord(t[2:], "would"):
		return true
	case oneOf(w, "have had may might must"):
		return oneOf(t[1].lower, "you i we they anyone")
	case auxiliaries[w]:
		next := t[1]
		if next.lower == "not" && len(t) > 2 {
			next = t[2]
		}
		if next.kind == nameToken || pronouns[next.lower] || articles[next.lower] || possessives[next.lower] ||
			next.lower == "my" || next.lower == "our" || vague[next.lower] {
			return true
		}
		_, verb := verbForms[next.lower]
		return next.kind == wordToken && next.lower != "not" && !verb && !adverbs[next.lower] && !prepositions[next.lower] &&
			!auxiliaries[next.lower] && w != "be" && w != "been" && w != "being"
	}
	return false
}

// pattern returns a regular expression that is compiled on first use.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
