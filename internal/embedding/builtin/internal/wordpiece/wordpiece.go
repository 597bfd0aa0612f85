// Package wordpiece splits text into the tokens of uncased BERT models: cleaned, lower-cased, without accents, split at
// white space, punctuation and Chinese characters, then into the longest pieces that the vocabulary knows
// (Devlin et al., BERT, 2018, and the tokenizer published with it).
package wordpiece

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWord is the number of characters beyond which a word is unknown without being looked at, as the model was trained.
const maxWord = 100

// Tokenizer is immutable and safe for concurrent use.
type Tokenizer struct {
	first map[string]int32 // pieces that start a word
	rest  map[string]int32 // pieces that continue one, without their ##
	// The longest piece of each map in bytes: nothing longer needs to be looked up.
	longestFirst, longestRest int

	// Special tokens. They come from the caller alone: "[SEP]" within a text is split as any text is.
	Unknown, Start, End int32
}

// New reads a vocabulary, one token a line, the line's number from 0 is the token's id. The pieces point into vocab.
func New(vocab string) (*Tokenizer, error) {
	n := strings.Count(vocab, "\n")
	t := &Tokenizer{first: make(map[string]int32, n), rest: make(map[string]int32, n/4), Unknown: -1, Start: -1, End: -1}
	var id int32
	for line := range strings.Lines(vocab) {
		piece := strings.TrimRight(line, "\r\n")
		switch piece {
		case "[UNK]":
			t.Unknown = id
		case "[CLS]":
			t.Start = id
		case "[SEP]":
			t.End = id
		}
		// Special and unused tokens stay in the map: no word reaches them, since brackets are words of their own.
		if p, ok := strings.CutPrefix(piece, "##"); ok && p != "" {
			t.rest[p] = id
			t.longestRest = max(t.longestRest, len(p))
		} else {
			t.first[piece] = id
			t.longestFirst = max(t.longestFirst, len(piece))
		}
		id++
	}
	if t.Unknown < 0 || t.Start < 0 || t.End < 0 {
		return nil, fmt.Errorf("read vocabulary: of %d tokens none is [UNK], [CLS] or [SEP]: %d, %d, %d", id, t.Unknown,
			t.Start, t.End)
	}
	return t, nil
}

// Append adds the tokens of a text to ids, without [CLS] and [SEP]. It takes time in proportion to the text, whatever
// is in it; bytes that are not UTF-8 are left out.
func (t *Tokenizer) Append(ids []int32, text string) []int32 {
	s := splitter{t: t, ids: ids, word: make([]byte, 0, 4*maxWord)}
	for _, r := range text {
		if r < utf8.RuneSelf {
			s.ascii(byte(r))
		} else {
			s.other(r)
		}
	}
	s.flush()
	return s.ids
}

// splitter gathers the characters of one word.
type splitter struct {
	t     *Tokenizer
	ids   []int32
	word  []byte // lower case, no accents
	chars int    // characters of the word; those beyond maxWord are counted only
	form  [64]byte
}

func (s *splitter) ascii(c byte) {
	switch {
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		s.add(rune(c))
	case 'A' <= c && c <= 'Z':
		s.add(rune(c) + 'a' - 'A')
	case c == ' ', c == '\t', c == '\n', c == '\r':
		s.flush()
	case c < ' ', c == 0x7f: // controls vanish, and the word goes on
	default:
		s.alone(rune(c))
	}
}

// other takes a character outside of ASCII, in the order of the published tokenizer: clean, set Chinese apart,
// decompose, drop accents, lower case, split at punctuation.
func (s *splitter) other(r rune) {
	switch {
	// not what Unicode has yet to name
	case r == utf8.RuneError, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs):
		return
	case unicode.Is(unicode.White_Space, r):
		s.flush()
		return
	}
	chinese := isChinese(r)
	if chinese {
		s.flush()
	}
	var encoded [utf8.UTFMax]byte
	n := utf8.EncodeRune(encoded[:], r)
	for _, d := range string(norm.NFD.Append(s.form[:0], encoded[:n]...)) {
		switch {
		case unicode.Is(unicode.Mn, d):
		case d < utf8.RuneSelf && isASCIIPunctuation(d), unicode.Is(unicode.P, d):
			s.alone(d)
		default:
			s.add(unicode.ToLower(d))
		}
	}
	if chinese {
		s.flush()
	}
}

// add puts a character at the end of the word.
func (s *splitter) add(r rune) {
	s.chars++
	if s.chars <= maxWord {
		s.word = utf8.AppendRune(s.word, r)
	}
}

// alone makes a word of one character.
func (s *splitter) alone(r rune) {
	s.flush()
	s.add(r)
	s.flush()
}

// flush splits the word gathered so far into pieces, longest first from its start, or makes it unknown as a whole.
func (s *splitter) flush() {
	if s.chars == 0 {
		return
	}
	word, known := s.word, len(s.ids)
	if s.chars > maxWord {
		word = nil
		s.ids = append(s.ids, s.t.Unknown)
	}
	pieces, longest := s.t.first, s.t.longestFirst
	for len(word) > 0 {
		end := min(len(word), longest)
		id, ok := pieces[string(word[:end])]
		for !ok && end > 1 {
			end--
			id, ok = pieces[string(word[:end])]
		}
		if !ok {
			s.ids = append(s.ids[:known], s.t.Unknown)
			break
		}
		s.ids = append(s.ids, id)
		word = word[end:]
		pieces, longest = s.t.rest, s.t.longestRest
	}
	s.word, s.chars = s.word[:0], 0
}

func isASCIIPunctuation(r rune) bool {
	return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
}

// isChinese says whether a character is of the CJK ideograph blocks, which are written without spaces. Kana and Hangul
// are not: they are split as words are.
func isChinese(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF ||
		0x3400 <= r && r <= 0x4DBF ||
		0x20000 <= r && r <= 0x2A6DF ||
		0x2A700 <= r && r <= 0x2B73F ||
		0x2B740 <= r && r <= 0x2B81F ||
		0x2B820 <= r && r <= 0x2CEAF ||
		0xF900 <= r && r <= 0xFAFF ||
		0x2F800 <= r && r <= 0x2FA1F
}
