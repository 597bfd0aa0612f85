package classifier

import (
	_ "embed" // the lexicon
	"strings"
	"sync"

	"memory-graph/internal/text"
)

//go:embed lexicon.txt
var lexiconText string

// lexicon holds kinds of words and phrases.
type lexicon struct {
	names   []string
	phrases map[string][]phrase // by their first token
}

type phrase struct {
	tokens []string
	kind   int // index in names
}

var words = sync.OnceValue(func() *lexicon {
	lex := &lexicon{phrases: map[string][]phrase{}}
	for line := range strings.Lines(lexiconText) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		kind := len(lex.names)
		lex.names = append(lex.names, name)
		for _, word := range strings.Fields(list) {
			tokens := cut(strings.ReplaceAll(word, "_", " "))
			if len(tokens) > 0 {
				p := phrase{kind: kind}
				for _, t := range tokens {
					p.tokens = append(p.tokens, t.Word)
				}
				lex.phrases[p.tokens[0]] = append(lex.phrases[p.tokens[0]], p)
			}
		}
	}
	return lex
})

// find counts the words and phrases of each kind in the tokens.
func (l *lexicon) find(tokens []text.Token) []int {
	found := make([]int, len(l.names))
	for i, t := range tokens {
		for _, p := range l.phrases[t.Word] {
			if p.at(tokens[i:]) {
				found[p.kind]++
			}
		}
	}
	return found
}

func (p phrase) at(tokens []text.Token) bool {
	if len(tokens) < len(p.tokens) {
		return false
	}
	for i, w := range p.tokens {
		if tokens[i].Word != w {
			return false
		}
	}
	return true
}

// apostrophes go before a text is cut: "don't" is written "dont" as often.
var apostrophes = strings.NewReplacer("'", "", "’", "")

// cut makes tokens of a text.
func cut(s string) []text.Token { return text.Tokens(apostrophes.Replace(s)) }
