package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/extraction/mentions"
)

// tokenKind says what a token is.
type tokenKind uint8

const (
	wordToken tokenKind = iota
	nameToken           // a name, of however many words
	numberToken
	signToken
)

// token is a word, a name or a sign of the scrubbed text.
type token struct {
	start, stop int
	lower       string // the word in small letters, spelled out where it was contracted; of a sign, the sign
	kind        tokenKind
	name        int  // of a nameToken: its index among the names
	capital     bool // begins with a capital
	glued       bool // no white space before it
	line        int  // white space before it: 0 none or within a line, 1 a line's end, 2 an empty line
}

// name is a name as it stands in the text.
type name struct {
	start, stop int
	text        string
	sort        sort   // as the lists have it
	typ         string // the best known type; "" for none
	unsure      bool   // may be any word with a sentence's capital
	shape       bool   // a file, a ticket, a component: told by how it is written
}

// tokenise cuts the scrubbed text into tokens. names are in order and do not overlap; each becomes one token.
func tokenise(text string, names []name) []token {
	out := make([]token, 0, len(text)/5+8)
	next := 0
	line := 2
	glued := false
	for i := 0; i < len(text); {
		for next < len(names) && names[next].start < i {
			next++
		}
		if next < len(names) && names[next].start == i {
			n := names[next]
			r, _ := utf8.DecodeRuneInString(text[i:])
			// "Dr. Eleftheria Manou" is one
			if k := len(out) - 2; k >= 0 && n.typ == "person" && out[k+1].lower == "." && out[k+1].glued &&
				titles[out[k].lower] && out[k].capital {
				line, out = out[k].line, out[:k]
			}
			out = append(out, token{start: n.start, stop: n.stop, lower: lowerOf(n.text), kind: nameToken, name: next,
				capital: unicode.IsUpper(r), glued: glued, line: line})
			i, line, glued = n.stop, 0, true
			if size := contraction(text[i:]); size > 0 {
				out = append(out, token{start: i, stop: i + size, lower: endings[straight(lowerOf(text[i:i+size]))], glued: true})
				i += size
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n':
			line = min(line+1, 2)
			glued = false
			i += size
		case unicode.IsSpace(r):
			glued = false
			i += size
		case unicode.IsLetter(r):
			stop := i + wordLen(text[i:], limitOf(names, next, len(text))-i)
			word := text[i:stop]
			out = appendWord(out, token{start: i, stop: stop, lower: straight(lowerOf(word)), capital: unicode.IsUpper(r),
				glued: glued, line: line})
			i, line, glued = stop, 0, true
		case unicode.IsDigit(r):
			stop := i
			for stop < len(text) && (isDigit(text[stop]) || stop+1 < len(text) && stop > i && strings.IndexByte(".,:/-",
				text[stop]) >= 0 && isDigit(text[stop+1])) {
				stop++
			}
			if stop == i {
				stop += size
			}
			out = append(out, token{start: i, stop: stop, lower: text[i:stop], kind: numberToken, glued: glued, line: line})
			i, line, glued = stop, 0, true
		case r >= 0x80 && mentions.Visible(text[i:i+size]) == "":
			i += size // what nobody sees parts nothing
		case emphasis(r):
			i += size // **Vim** and "Vim" are Vim
			glued = glued && r != '*'
		default:
			out = append(out, token{start: i, stop: i + size, lower: text[i : i+size], kind: signToken, glued: glued,
				line: line})
			i, line, glued = i+size, 0, true
		}
	}
	return out
}

// titles stand before people's names with a dot that ends nothing.
var titles = set(`dr mr mrs ms prof`)

// emphasis says whether a sign only sets off what stands between two of it.
func emphasis(r rune) bool {
	return r == '*' || r == '_' || r == '~' || r == '"' || r == '“' || r == '”' || r == '`'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func limitOf(names []name, next, end int) int {
	if next < len(names) {
		return names[next].start
	}
	return end
}

// wordLen gives the length of the word at the head of s, at most limit: letters, digits and marks, with apostrophes and
// hyphens between them.
func wordLen(s string, limit int) int {
	i := 0
	for i < limit {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) || r == '_' {
			i += size
			continue
		}
		if r == '\'' || r == '’' || r == '-' || r == '‑' {
			if next, _ := utf8.DecodeRuneInString(s[i+size:]); i+size < limit && (unicode.IsLetter(next) ||
				unicode.IsDigit(next)) {
				i += size
				continue
			}
		}
		break
	}
	return max(i, 1)
}

func lowerOf(s string) string {
	if !hasUpper(s) {
		return s
	}
	return strings.ToLower(s)
}

// straight writes a bent apostrophe straight.
func straight(s string) string {
	if strings.Contains(s, "’") {
		return strings.ReplaceAll(s, "’", "'")
	}
	return s
}

// contraction gives the length of what is contracted to a name before it: "'s" of "Rust's". 0 for nothing.
func contraction(s string) int {
	for _, mark := range []string{"'", "’"} {
		rest, ok := strings.CutPrefix(s, mark)
		if !ok {
			continue
		}
		n := 0
		for n < len(rest) && n < 3 && ('a' <= rest[n] && rest[n] <= 'z') {
			n++
		}
		if _, ok := endings["'"+rest[:n]]; ok && (n == len(rest) || !isNameByte(rest[n])) {
			return len(mark) + n
		}
	}
	return 0
}

// unapostrophed are contractions as they are typed in haste, and words that stand for several.
var unapostrophed = map[string]string{
	"dont": "do not", "doesnt": "does not", "didnt": "did not", "isnt": "is not", "arent": "are not", "wasnt": "was not", "werent": "were not",
	"cant": "can not", "wont": "will not", "couldnt": "could not", "wouldnt": "would not", "shouldnt": "should not", "havent": "have not",
	"hasnt": "has not", "hadnt": "had not", "im": "i am", "ive": "i have", "thats": "that is", "cannot": "can not", "gonna": "going to",
	"wanna": "want to", "gotta": "got to", "lets": "let us", "youre": "you are", "theyre": "they are", "weve": "we have", "theyve": "they have",
	"won't": "will not", "can't": "can not", "shan't": "shall not", "ain't": "is not", "let's": "let us", "y'all": "you", "anymore": "anymore",
	"dunno": "do not know", "gimme": "give me", "hes": "he is", "shes": "she is", "i'm": "i am",
}

// endings are what is contracted to the word before it.
var endings = map[string]string{"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "'d", "'s": "'s"}

// appendWord adds a word, contractions as the words they stand for; all of these have the offsets of the part they
// stand in.
func appendWord(out []token, t token) []token {
	if long, ok := unapostrophed[t.lower]; ok && t.lower != "anymore" {
		first := true
		for w := range strings.FieldsSeq(long) {
			part := t
			part.lower = w
			if !first {
				part.start, part.glued, part.line, part.capital = t.stop, true, 0, false // it has no letters of its own
			}
			out, first = append(out, part), false
		}
		return out
	}
	if stem, ok := strings.CutSuffix(t.lower, "n't"); ok && len(stem) > 1 {
		width := t.stop - t.start
		at := t.start + len(stem)
		if at > t.start+width {
			at = t.stop
		}
		head, tail := t, t
		head.lower, head.stop = stem, at
		tail.lower, tail.start, tail.glued, tail.line, tail.capital = "not", at, true, 0, false
		return append(out, head, tail)
	}
	if i := strings.LastIndexByte(t.lower, '\''); i > 0 {
		if long, ok := endings[t.lower[i:]]; ok {
			at := t.start + i // apostrophe's offset: the bent one is longer, behind it
			head, tail := t, t
			head.lower, head.stop = t.lower[:i], at
			tail.lower, tail.start, tail.glued, tail.line, tail.capital = long, at, true, 0, false
			return append(out, head, tail)
		}
	}
	return append(out, t)
}
