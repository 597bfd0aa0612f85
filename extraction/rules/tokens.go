package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/extraction/mentions"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	wordToken tokenKind = iota
	nameToken           // a name of one or more words
	numberToken
	signToken
)

// token is a word, a name or a sign of the scrubbed text.
type token struct {
	start, stop int
	lower       string // the word in lower case with contractions spelled out, or the sign
	kind        tokenKind
	name        int  // index of a nameToken's name
	capital     bool // begins with a capital
	glued       bool // no white space before it
	line        int  // line breaks before it: 0, 1, or 2 for an empty line
}

// name is an occurrence of a name in the text.
type name struct {
	start, stop int
	text        string
	sort        sort   // from the word lists
	typ         string // the best known type; "" for none
	unsure      bool   // may be an ordinary word at the start of a sentence
	shape       bool   // the spelling shows that it is a file, a ticket or a component
}

// tokenise splits the scrubbed text into tokens. names are in order and do not overlap; each becomes one token.
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
			// "Dr. Eleftheria Manou" is one name
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
			i += size // invisible characters separate nothing
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

// titles precede a name; the dot after them ends no sentence.
var titles = set(`dr mr mrs ms prof`)

// emphasis reports whether a sign only encloses emphasised text.
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

// wordLen returns the length of the word at the start of s, at most limit: letters, digits and marks, with apostrophes
// and hyphens between them.
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

// straight replaces typographic apostrophes with ASCII ones.
func straight(s string) string {
	if strings.Contains(s, "’") {
		return strings.ReplaceAll(s, "’", "'")
	}
	return s
}

// contraction returns the length of a contraction after a name: "'s" in "Rust's". 0 for none.
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

// unapostrophed are contractions without their apostrophe, and words that stand for several.
var unapostrophed = map[string]string{
	"dont": "do not", "doesnt": "does not", "didnt": "did not", "isnt": "is not", "arent": "are not", "wasnt": "was not",
	"werent": "were not", "cant": "can not", "wont": "will not", "couldnt": "could not", "wouldnt": "would not",
	"shouldnt": "should not", "havent": "have not", "hasnt": "has not", "hadnt": "had not", "im": "i am",
	"ive": "i have", "thats": "that is", "cannot": "can not", "gonna": "going to", "wanna": "want to", "gotta": "got to",
	"lets": "let us", "youre": "you are", "theyre": "they are", "weve": "we have", "theyve": "they have",
	"won't": "will not", "can't": "can not", "shan't": "shall not", "ain't": "is not", "let's": "let us", "y'all": "you",
	"dunno": "do not know", "gimme": "give me", "hes": "he is", "shes": "she is", "i'm": "i am",
}

// endings are contractions of the word after a name or pronoun.
var endings = map[string]string{"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "'d", "'s": "'s"}

// appendWord adds a word. A contraction is added as the words it stands for, each with the offsets of its part.
func appendWord(out []token, t token) []token {
	if long, ok := unapostrophed[t.lower]; ok {
		first := true
		for w := range strings.FieldsSeq(long) {
			part := t
			part.lower = w
			if !first {
				part.start, part.glued, part.line, part.capital = t.stop, true, 0, false // has no letters of its own
			}
			out, first = append(out, part), false
		}
		return out
	}
	if stem, ok := strings.CutSuffix(t.lower, "n't"); ok && len(stem) > 1 {
		at := min(t.start+len(stem), t.stop)
		head, tail := t, t
		head.lower, head.stop = stem, at
		tail.lower, tail.start, tail.glued, tail.line, tail.capital = "not", at, true, 0, false
		return append(out, head, tail)
	}
	if i := strings.LastIndexByte(t.lower, '\''); i > 0 {
		if long, ok := endings[t.lower[i:]]; ok {
			at := t.start + i // a typographic apostrophe is longer, but only after this offset
			head, tail := t, t
			head.lower, head.stop = t.lower[:i], at
			tail.lower, tail.start, tail.glued, tail.line, tail.capital = long, at, true, 0, false
			return append(out, head, tail)
		}
	}
	return append(out, t)
}
