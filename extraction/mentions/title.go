package mentions

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The maximum length of a title.
const (
	maxTitleBytes = 120
	maxTitleWords = 14
)

// findTitle returns the first line of a text if it looks like a title and a text follows. The title excludes a leading
// article and a remark in parentheses at the end: "Mercury (planet)\nThe smallest …" is about Mercury. Without a title,
// the span is empty and body is 0.
func findTitle(text string) (title span, body int) {
	end := strings.IndexByte(text, '\n')
	if end < 0 || end > maxTitleBytes {
		return span{}, 0
	}
	start, stop := trim(text, 0, end)
	if heading := strings.TrimLeft(text[start:stop], "#"); len(heading) < stop-start {
		start, stop = trim(text, stop-len(heading), stop)
	}
	line := text[start:stop]
	if !titleLike(line, strings.TrimSpace(text[end:])) {
		return span{}, 0
	}
	if i := strings.IndexByte(line, '('); i > 0 && strings.HasSuffix(line, ")") {
		start, stop = trim(text, start, start+i)
	}
	from, to := start, start+len(line)
	if word, rest, ok := strings.Cut(text[start:stop], " "); ok && articles[strings.ToLower(word)] {
		start, stop = trim(text, stop-len(rest), stop)
	}
	s := newSpan(text, start, stop, kindTitle, typeOf(text[start:stop]))
	s.Role, s.from, s.to = RoleTitle, from, to
	return s, end
}

// titleLike reports whether the line is a title and not a first sentence: it is short, does not end like a sentence,
// begins like a name, and is shorter than the text after it.
func titleLike(line, body string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	last, _ := utf8.DecodeLastRuneInString(line)
	if len(body) < 2*len(line) || strings.ContainsRune(",;:?!…", last) || strings.Count(line, " ") >= maxTitleWords {
		return false
	}
	if !unicode.IsLetter(first) && !unicode.IsDigit(first) || strings.IndexFunc(line, unicode.IsLetter) < 0 {
		return false
	}
	words := strings.Fields(line)
	head := lowered(strings.TrimRight(words[0], ",.!"))
	if functionWords[head] && !articles[head] && len(words) > 1 && !capitalised(words[1:]) || openers[head] {
		return false
	}
	if last == '.' { // "Jr.", "Inc.", "U.S."; anything longer ends a sentence
		return len(words[len(words)-1]) <= 5 && capitalised(words[len(words)-1:])
	}
	return true
}

// capitalised reports whether every word except particles begins with a capital, a digit or a sign.
func capitalised(words []string) bool {
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsLower(r) && len(w) > 4 {
			return false
		}
	}
	return true
}

// trim removes white space from both ends of a range.
func trim(text string, start, stop int) (int, int) {
	s := strings.TrimLeftFunc(text[start:stop], unicode.IsSpace)
	start = stop - len(s)
	return start, start + len(strings.TrimRightFunc(s, unicode.IsSpace))
}
