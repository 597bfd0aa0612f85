package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	porterstemmer "github.com/blevesearch/go-porterstemmer"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Kind says how a token was cut from its text.
type Kind uint8

// The kinds of tokens.
const (
	Word      Kind = iota // letters and digits between anything else
	Ideograph             // one character of Chinese, Japanese or Korean
	Syllable              // one character with its marks of Thai, Lao, Khmer or Burmese
	Symbol                // an emoji or another pictograph
)

// gram is how many neighbouring tokens of a kind make one search term, 0 where a token stands for itself.
func (k Kind) gram() int {
	switch k {
	case Ideograph:
		return 2
	case Syllable:
		return 3
	default:
		return 0
	}
}

// Token is one searchable unit.
type Token struct {
	Word  string // folded
	Stem  string // as the index holds it
	Kind  Kind
	Glued bool // nothing of white space stands between it and the token before
}

// Stop says whether the token carries no meaning of its own (English function words).
func (t Token) Stop() bool { return t.Kind == Word && stopWords[t.Word] }

// maxTokenBytes cuts what is no word (base64, minified code): the cut is the same in index and query.
const maxTokenBytes = 64

// Tokens cuts a text. Invalid UTF-8 separates.
func Tokens(s string) []Token {
	s = fold(s)
	tokens := make([]Token, 0, len(s)/5+1)
	glued := false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		kind, ok := kindOf(r, size)
		if !ok {
			if unicode.IsSpace(r) || r >= utf8.RuneSelf && !joins(r) {
				glued = false
			}
			i += size
			continue
		}
		j := i + size
		switch kind {
		case Word:
			for j < len(s) {
				r, size := utf8.DecodeRuneInString(s[j:])
				if k, ok := kindOf(r, size); (!ok || k != Word) && !unicode.Is(unicode.M, r) {
					break
				}
				j += size
			}
		case Syllable:
			for j < len(s) {
				r, size := utf8.DecodeRuneInString(s[j:])
				if !unicode.Is(unicode.M, r) {
					break
				}
				j += size
			}
		}
		word := s[i:j]
		i = j
		if kind == Word && len(word) == 1 && strings.HasPrefix(s[i:], "++") {
			word, i = word+"plusplus", i+2
		} else if kind == Word && len(word) == 1 && i < len(s) && s[i] == '#' {
			word, i = word+"sharp", i+1
		}
		tokens = append(tokens, token(word, kind, glued))
		glued = true
	}
	return tokens
}

func token(word string, kind Kind, glued bool) Token {
	if kind == Symbol {
		r, _ := utf8.DecodeRuneInString(word)
		word = fmt.Sprintf("u%xx", r)
		return Token{Word: word, Stem: word, Kind: kind, Glued: glued}
	}
	if len(word) > maxTokenBytes {
		n := maxTokenBytes
		for n > 0 && !utf8.RuneStart(word[n]) {
			n--
		}
		word = word[:n]
	}
	return Token{Word: word, Stem: stem(word), Kind: kind, Glued: glued}
}

// stem applies Porter's algorithm to what looks like an English word.
func stem(word string) string {
	if len(word) < 3 {
		return word
	}
	for i := 0; i < len(word); i++ {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	return string(porterstemmer.StemWithoutLowerCasing([]rune(word)))
}

// kindOf says what a token that starts with r is; ok is false for what separates.
func kindOf(r rune, size int) (kind Kind, ok bool) {
	switch {
	case r < utf8.RuneSelf:
		return Word, 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	case r == utf8.RuneError && size == 1:
		return 0, false
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) && unicode.IsLetter(r):
		return Ideograph, true
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && unicode.IsLetter(r):
		return Syllable, true
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		return Word, true
	case unicode.Is(unicode.So, r):
		return Symbol, true
	}
	return 0, false
}

// joins says whether a rune may stand inside a sequence of emoji or an identifier without parting it.
func joins(r rune) bool {
	return r == '\u200d' || r == '\ufe0f' || unicode.Is(unicode.Sk, r) || unicode.Is(unicode.M, r) || r == '’' || r == '‑'
}

// fold brings equal-looking text to equal letters: NFKC, case folding (ß is ss), no accents.
func fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(s)
	}
	decomposed := norm.NFKD.String(cases.Fold().String(strings.ToValidUTF8(s, " ")))
	var b strings.Builder
	b.Grow(len(decomposed))
	dropMarks := false
	for _, r := range decomposed {
		if unicode.Is(unicode.Mn, r) {
			if !dropMarks {
				b.WriteRune(r)
			}
			continue
		}
		if r == '\u0640' { // tatweel stretches an Arabic word
			continue
		}
		dropMarks = unicode.In(r, unicode.Latin, unicode.Greek, unicode.Arabic, unicode.Hebrew)
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}
