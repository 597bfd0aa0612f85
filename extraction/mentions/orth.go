package mentions

// orth is a word as people write it: tokens joined by hyphens, apostrophes, dots of initials and ampersands.
type orth struct {
	start, stop int
	gap         gap
	capital     bool
	caps        bool
	camel       bool
	number      bool
	head        bool // a sentence may begin with it, so that its capital says nothing
	ended       bool // a sign that parts stands between the word before and this one
	abbreviated bool // a dot follows that ends no sentence: Dr. J. St.
	possessive  bool // 's was cut off
	closed      bool // something else was cut off or taken in behind it
	lower       string
}

// readWords joins tokens to words.
func readWords(text string, tokens []token, body int) []orth {
	words := make([]orth, 0, len(tokens))
	parts, head := true, true // what the signs since the last word say
	for i := 0; i < len(tokens); {
		t := tokens[i]
		if t.kind != wordToken || t.code || t.start < body {
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

// readWord reads the word that begins with token i and gives the token behind it.
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
	w.lower = lowered(text[w.start:w.stop])
	if w.capital && j < len(tokens) && tokens[j].gap == glued && text[tokens[j].start] == '.' &&
		(honorifics[w.lower] || abbreviations[w.lower] || initials(text[w.start:w.stop])) {
		w.abbreviated = true
		j++
	}
	return w, j
}

// join adds a sign and the part behind it to the word, as far as it is part of the name. It says whether more may
// follow.
func (w *orth) join(text string, sign, next token) bool {
	switch part := text[next.start:next.stop]; text[sign.start:sign.stop] {
	case "'", "’":
		if suffix := lowered(part); contractions[suffix] {
			w.possessive, w.closed = suffix == "s", true
			if suffix != "s" && suffix != "ll" && suffix != "d" { // don't, I'm, we've: no name is written so
				w.capital, w.caps, w.camel = false, false, false
			}
			return false
		}
	case "-", "‑":
		if !next.capital && !next.number && next.stop-next.start > 2 { // Redis-backed: the name stands before; Kim Jong-il
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
		if w.capital && productEndings[part] { // Node.js
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

// partsAt says whether a sign parts what stands before and behind it, and whether a sentence may begin behind it.
func partsAt(text string, t token) (parts, head bool) {
	switch text[t.start:t.stop] {
	case ".", "!", "?", ":", ";", "…", "。", "！", "？", "\"", "“", "”", "«", "»", "„", "(", "[", "*", "-", "–", "—", "•",
		">", "#", "|", "¿", "¡", "‘", "'", "’":
		return true, true
	}
	return true, t.gap >= broken
}

// initials says whether s is made of single capitals with dots between: J, U.S, J.R.R.
func initials(s string) bool {
	for i := 0; i < len(s); i++ {
		if i%2 == 0 && (s[i] < 'A' || s[i] > 'Z') || i%2 == 1 && s[i] != '.' {
			return false
		}
	}
	return len(s)%2 == 1
}
