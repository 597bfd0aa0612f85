package scanner

import (
	"strings"
	"unicode/utf8"
)

// token is a word, a phrase or a mark of the folded text: text[start:stop].
type token struct {
	start, stop int
	has         concepts
	flags       uint8
}

const (
	beginsClause uint8 = 1 << iota // first token of a line, of a sentence, or after a mark
	beginsLine
	order // a verb here is an order: at the beginning of a clause, or after "please", "must", "and"
	mark  // not a word
	cited // quoted in a text about attacks
)

// sentence is tokens[from:to] and the union of their concepts.
type sentence struct {
	from, to int
	has      concepts
}

// maxSentence is the maximal number of tokens of a sentence. A longer sentence is split; rules read two sentences at a
// time.
const maxSentence = 80

// A line shorter than this, in bytes, ends its sentence; a longer one is assumed to be wrapped.
const wrapped = 48

// reading is a folded text split into tokens and sentences.
type reading struct {
	text      string
	tokens    []token
	sentences []sentence
}

// marks are the concepts that the tokenizer itself assigns (dest, open) or tests (lead).
type marks struct{ dest, open, lead concepts }

// tokens splits the folded text in one pass.
func (l *lexicon) tokens(text string, m marks) reading {
	r := reading{text: text, tokens: make([]token, 0, len(text)/5+8)}
	from, line, lineTokens, clause, newLine := 0, 0, 0, true, true
	end := func() {
		if from == len(r.tokens) {
			return
		}
		s := sentence{from: from, to: len(r.tokens)}
		for _, t := range r.tokens[from:] {
			s.has = s.has.with(t.has)
		}
		r.sentences = append(r.sentences, s)
		from = len(r.tokens)
	}
	put := func(start, stop int, has concepts, flags uint8) {
		if clause {
			flags |= beginsClause | order
		}
		if newLine {
			flags |= beginsLine
		}
		if n := len(r.tokens); n > from {
			before := r.tokens[n-1]
			if before.has.meets(m.lead) {
				flags |= order
			}
		}
		clause, newLine = flags&mark != 0, false
		r.tokens = append(r.tokens, token{start, stop, has, flags})
		if len(r.tokens)-from >= maxSentence {
			end()
		}
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ':
			i++
		case c == '\n':
			if words := len(r.tokens) - lineTokens; i-line < wrapped && words > 1 {
				end()
			}
			i++
			line, lineTokens, clause, newLine = i, len(r.tokens), true, true
		case wordByte(c):
			if stop, ok := address(text, i); ok {
				put(i, stop, m.dest, 0)
				i = stop
				continue
			}
			if has, stop, ok := l.find(text, i); ok {
				flags := uint8(0)
				if r0, _ := utf8.DecodeRuneInString(text[i:]); !wordRune(r0) {
					flags = mark
				}
				put(i, stop, has, flags)
				i = stop
				continue
			}
			stop := wordEnd(text, i)
			if stop == i { // a letter of a script without spaces, or a character that is not part of a word
				r0, size := utf8.DecodeRuneInString(text[i:])
				i += size
				if strings.ContainsRune("。！？｡", r0) {
					end()
					clause = true
				} else if !unspaced(r0) {
					clause = true
				}
				continue
			}
			put(i, stop, concepts{}, 0)
			i = stop
		default:
			has, stop, ok := l.find(text, i)
			switch {
			case (c == '?' || c == '&') && openParameter(text, i) > i:
				stop = openParameter(text, i)
				put(i, stop, m.open, mark)
			case ok:
				put(i, stop, has, mark)
				if c == '!' && stop == i+1 {
					end()
				}
			case (c == '.' || c == '?' || c == ';') && (i+1 == len(text) || !wordByte(text[i+1])):
				end()
				clause = true
				stop = i + 1
			default:
				clause = clause || c != '.' && c != '-' && c != '_' && c != '@' && c != '/' && c != '&' && c != '%' && c != '+'
				stop = i + 1
			}
			i = stop
		}
	}
	end()
	return r
}

// address returns the end of the URL, mail address, host or IP address that begins at i.
func address(text string, i int) (int, bool) {
	stop, dots, at, digits := i, 0, false, true
	last := i
	for stop < len(text) && stop-i < 254 {
		c := text[stop]
		if c >= utf8.RuneSelf || !(wordByte(c) || c == '.' || c == '-' || c == '_' || c == '@' || c == '+') {
			break
		}
		switch {
		case c == '.':
			dots++
			last = stop + 1
		case c == '@':
			at, dots = true, 0
		case c < '0' || c > '9':
			digits = false
		}
		stop++
	}
	if strings.HasPrefix(text[stop:], "://") && (text[i] == 'h' || text[i] == 'f' || text[i] == 'w') {
		return urlEnd(text, stop+3), true
	}
	for stop > i && (text[stop-1] == '.' || text[stop-1] == '-') {
		if text[stop-1] == '.' {
			dots--
		}
		stop--
	}
	if dots == 0 || last >= stop {
		if !at || dots == 0 {
			return 0, false
		}
	}
	if at && dots > 0 || digits && dots == 3 || hosts[text[min(last, stop):stop]] && dots > 0 {
		return urlEnd(text, stop), true
	}
	return 0, false
}

// urlEnd returns the end of a URL's path. Placeholders and queries in it are tokens of their own.
func urlEnd(text string, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case c == '?', c == '{', c == '$', c == '[', c == '<', c == '(', c == ')', c == '"', c == '\'', c == '`', c == ']',
			c == '>', c == ',', c == ';', c == ' ', c == '\n', c == '|', c == '&', c >= utf8.RuneSelf:
			return i
		case (c == '.' || c == '!' || c == ':') && (i+1 >= len(text) || text[i+1] == ' ' || text[i+1] == '\n'):
			return i
		}
		i++
	}
	return i
}

// openParameter returns the position after the "=" of a URL parameter without a value, which an attacker wants filled
// in. It returns 0 if there is none.
func openParameter(text string, i int) int {
	stop := wordEnd(text, i+1)
	if stop == i+1 || stop == len(text) || text[stop] != '=' {
		return 0
	}
	stop++
	if stop < len(text) && (wordByte(text[stop]) || text[stop] == '%' || text[stop] == '/' || text[stop] == '-' ||
		text[stop] == '+') {
		return 0
	}
	return stop
}

// hosts are the top-level domains by which a host name is recognised without a scheme.
var hosts = map[string]bool{"com": true, "net": true, "org": true, "io": true, "ru": true, "xyz": true, "example": true,
	"test": true, "cc": true, "top": true, "invalid": true, "site": true, "info": true, "evil": true, "onion": true,
	"cn": true, "tk": true, "app": true, "dev": true, "co": true}
