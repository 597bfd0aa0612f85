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

// gram returns the number of neighbouring tokens of a kind that form one search term; 0 if each token is a term.
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
	Glued bool // no white space separates it from the previous token
}

// Stop reports whether the token is an English function word.
func (t Token) Stop() bool { return t.Kind == Word && stopWords[t.Word] }

// maxTokenBytes is the maximum length of a token. It cuts what is not a word (base64, minified code), the same way in
// index and query.
const maxTokenBytes = 64

// Tokens splits a text into tokens. Invalid UTF-8 separates tokens.
func Tokens(s string) []Token {
	s = fold(s)
	tokens := make([]Token, 0, len(s)/5+1)
	for c := Search.Cut(s); c.Next(); {
		tokens = append(tokens, token(wordAt(s, c.Piece), c.Kind, c.Gap == Glued))
	}
	return tokens
}

// wordAt returns the word of a piece of folded text. C++ and C# keep their signs, spelt as words.
func wordAt(s string, p Piece) string {
	word := s[p.Start:p.Stop]
	if p.Kind == Word && len(word) == 1 {
		if behind := s[p.Stop:]; strings.HasPrefix(behind, "++") {
			word += "plusplus"
		} else if strings.HasPrefix(behind, "#") {
			word += "sharp"
		}
	}
	return word
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

// stem applies Porter's algorithm to words of ASCII letters.
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

// fold normalises text that looks alike to equal letters: NFKC, case folding (ß is ss), no accents.
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
