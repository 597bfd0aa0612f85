package mentions

import (
	"strings"

	"memory-graph/internal/text"
)

// orth is a written word: tokens joined by hyphens, apostrophes, dots of initials and ampersands.
type orth struct {
	start, stop int
	gap         gap
	capital     bool
	caps        bool
	camel       bool
	number      bool
	head        bool // a sentence may begin with it, so its capital says nothing
	ended       bool // a separating sign is before it
	abbreviated bool // the dot after it does not end a sentence: Dr. J. St.
	possessive  bool // 's was removed
	closed      bool // another ending was removed, or a hyphenated part follows
	lower       string
}

// readWords joins tokens into words.
func readWords(text string, tokens []token, body int) []orth {
	words := make([]orth, 0, len(tokens))
	parts, head := true, true // what the signs since the last word mean
	for i := 0; i < len(tokens); {
		t := tokens[i]
		if t.kind != wordToken || t.code || t.start < body {
			if joinsFirm(text, tokens, i) {
				i++
				continue
			}
			p, h := partsAt(text, t)
			parts, head = parts || p, head || h || t.start < body
			i++
			continue
		}
		w, next := readWord(text, tokens, i)
		w.ended, w.head = parts, head || t.gap >= broken
		words = append(words, w)
		i, parts, head = next, false, false
	}
	return words
}

// joinsFirm reports whether token i is the sign within the name of a firm: "Cask & Co.", "Miller & Sons".
func joinsFirm(text string, tokens []token, i int) bool {
	return i > 0 && i+1 < len(tokens) && text[tokens[i].start:tokens[i].stop] == "&" && tokens[i+1].capital &&
		firmEndings[lowered(text[tokens[i+1].start:tokens[i+1].stop])]
}

// readWord reads the word that begins with token i and returns the index of the token after it.
func readWord(text string, tokens []token, i int) (orth, int) {
	t := tokens[i]
	w := orth{start: t.start, stop: t.stop, gap: t.gap, capital: t.capital, caps: t.caps, camel: t.camel, number: t.number}
	j := i + 1
	for more := true; more && j+1 < len(tokens) && tokens[j].gap == glued && tokens[j+1].gap == glued &&
		tokens[j+1].kind == wordToken; {
		more = w.join(text, tokens[j], tokens[j+1])
		if more || w.possessive || w.closed {
			j += 2
		}
	}
	for w.closed && j+1 < len(tokens) && tokens[j].gap == glued && text[tokens[j].start] == '-' &&
		tokens[j+1].gap == glued && tokens[j+1].kind == wordToken {
		j += 2 // state-of-the-art is one word
	}
	if stop := plusEnd(text, w.stop); (w.capital || w.camel) && !w.possessive && !w.closed && stop > w.stop {
		j += stop - w.stop // Disney+
		w.stop = stop
	}
	w.lower = lowered(text[w.start:w.stop])
	if w.capital && j < len(tokens) && tokens[j].gap == glued && text[tokens[j].start] == '.' &&
		(honorifics[w.lower] || abbreviations[w.lower] || initials(text[w.start:w.stop])) {
		w.abbreviated = true
		j++
	}
	return w, j
}

// join adds a sign and the part after it to the word if they belong to the name. It reports whether more parts may
// follow.
func (w *orth) join(text string, sign, next token) bool {
	switch part := text[next.start:next.stop]; text[sign.start:sign.stop] {
	case "'", "’":
		if suffix := lowered(part); contractions[suffix] {
			w.possessive, w.closed = suffix == "s", true
			if suffix != "s" && suffix != "ll" && suffix != "d" { // don't, I'm, we've: not part of a name
				w.capital, w.caps, w.camel = false, false, false
			}
			return false
		}
	case "-", "‑":
		if !next.capital && !next.number && next.stop-next.start > 2 { // Redis-backed is cut to Redis, Kim Jong-il is not cut
			if !w.capital && !w.camel {
				w.stop = next.stop
			}
			w.closed = true
			return false
		}
	case "&":
		if !w.capital || !next.capital {
			return false
		}
	case ".":
		if (w.capital || w.camel) && w.named(text) && extends(part) { // Node.js
			break
		}
		if !w.capital || !next.capital || !initials(text[w.start:w.stop]) {
			return false
		}
	default:
		return false
	}
	w.stop = next.stop
	w.caps = (w.caps || w.stop-w.start == 1) && next.capital
	w.camel = w.camel || next.camel
	return true
}

// named reports whether a word may begin a name that goes on over a dot: "Done.thanks" is two sentences.
func (w *orth) named(text string) bool {
	lower := lowered(text[w.start:w.stop])
	return !commonWords[lower] && !functionWords[lower] && !openers[lower]
}

// Continues returns the end of the name that a word which ends at stop only begins: "Postgres" begins "Postgres.app",
// and "Disney" begins "Disney+". It is stop if no name goes on there.
func Continues(s string, stop int) int {
	for stop < len(s) && s[stop] == '.' {
		end := text.Names.WordEnd(s, stop+1)
		if !extends(s[stop+1 : end]) {
			break
		}
		stop = end
	}
	return plusEnd(s, stop)
}

// extends reports whether the word behind a dot goes on with the name before the dot: Postgres.app, Socket.IO. In
// "Vim.it works" and "Vim.We like it" a sentence begins.
func extends(word string) bool {
	if word == "" || !letter(rune(word[0])) || functionWords[lowered(word)] {
		return false
	}
	return word == lowered(word) || len(word) > 1 && word == strings.ToUpper(word)
}

// plusEnd returns the end of the plus signs at the end of a name; stop if there are none. Those of "Redis+Postgres",
// "12+" and "A+" belong to no name.
func plusEnd(s string, stop int) int {
	end := stop
	for end < len(s) && s[end] == '+' {
		end++
	}
	if stop < 2 || !letter(rune(s[stop-1])) || !letter(rune(s[stop-2])) || text.Names.WordEnd(s, end) > end {
		return stop
	}
	return end
}

// partsAt reports whether a sign separates the words around it, and whether a sentence may begin after it.
func partsAt(text string, t token) (parts, head bool) {
	switch text[t.start:t.stop] {
	case ".", "!", "?", ":", ";", "…", "。", "！", "？", "\"", "“", "”", "«", "»", "„", "(", "[", "*", "-", "–", "—", "•",
		">", "#", "|", "¿", "¡", "‘", "'", "’":
		return true, true
	}
	return true, t.gap >= broken
}

// initials reports whether s consists of single capitals with dots between them: J, U.S, J.R.R.
func initials(s string) bool {
	for i := 0; i < len(s); i++ {
		if i%2 == 0 && (s[i] < 'A' || s[i] > 'Z') || i%2 == 1 && s[i] != '.' {
			return false
		}
	}
	return len(s)%2 == 1
}
