// Package text turns text into searchable tokens. The tokens are the same for the index and for the query. It knows no
// SQL.
//
// A token is a folded (NFKC, lower case, without Latin, Greek, Arabic and Hebrew marks) and stemmed (Porter, English)
// word; a single character of a script without spaces; or an emoji, spelt as a word.
package text

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"
)

// Prepare returns the text to index: the tokens of s, separated by single spaces.
func Prepare(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for _, t := range Tokens(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Stem)
	}
	return b.String()
}

// Query is a question for an index: any of its terms may match (OR).
type Query struct {
	Terms []Term // distinct, in order of appearance
}

// Term is one word, or a phrase of several consecutive words: neighbouring characters of a script without spaces, or
// the parts of an identifier such as 192.168.1.20 or main.go.
type Term struct {
	Words []string // stems as Prepare writes them, at least one
}

// maxTerms limits the cost of one query. The longest questions of people have some 40 content words.
const maxTerms = 128

// Parse parses a question. It drops stop words, unless nothing else is left. It turns runs of characters without spaces
// into overlapping pairs (triples in Thai and its neighbours), because word boundaries are unknown.
func Parse(question string) Query { return QueryOf(Tokens(question)) }

// QueryOf is Parse of a question whose tokens are known.
func QueryOf(tokens []Token) Query {
	q := parse(tokens, true)
	if len(q.Terms) == 0 {
		q = parse(tokens, false)
	}
	return q
}

func parse(tokens []Token, dropStops bool) Query {
	var q Query
	seen := map[string]bool{}
	add := func(ts []Token) {
		words := make([]string, len(ts))
		for i, t := range ts {
			words[i] = t.Stem
		}
		key := strings.Join(words, " ")
		if seen[key] || len(q.Terms) == maxTerms {
			return
		}
		seen[key] = true
		q.Terms = append(q.Terms, Term{Words: words})
	}
	for i := 0; i < len(tokens); {
		j := i + 1
		for j < len(tokens) && tokens[j].Glued && tokens[j].Kind == tokens[i].Kind {
			j++
		}
		run := tokens[i:j]
		i = j
		if n := run[0].Kind.gram(); n > 0 {
			for k := 0; k+n <= len(run) || k == 0; k++ {
				add(run[k:min(k+n, len(run))])
			}
			continue
		}
		for _, t := range run {
			if !dropStops || !t.Stop() {
				add([]Token{t})
			}
		}
		if len(run) > 1 && len(run) <= maxPhrase && !contraction(run) {
			add(run)
		}
	}
	return q
}

// maxPhrase is the maximum number of parts of an identifier that is also searched as a phrase.
const maxPhrase = 8

// contraction reports whether a run of glued words is one word with an apostrophe (don't, Anna's).
func contraction(run []Token) bool {
	return len(run) == 2 && len(run[1].Word) <= 2 && run[1].Stop()
}

// ScopeToken encodes an exact value (a namespace, a session…) as one token that no stemmer or tokeniser changes: the
// kind's letter and a 64-bit hash in decimal. Hashes can collide, so the caller must compare the value of each row
// found.
func ScopeToken(kind byte, value string) string {
	sum := sha256.Sum256([]byte(value))
	return string(rune(kind)) + strconv.FormatUint(binary.BigEndian.Uint64(sum[:8]), 10)
}
