// Package wordpiece splits text into the tokens of uncased BERT models (Devlin et al., BERT, 2018, and its published
// tokenizer). It cleans the text, lower-cases it, removes accents, and splits it at white space, punctuation and
// Chinese characters. It splits each word into the longest pieces in the vocabulary.
package wordpiece

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWord is the number of characters above which a word counts as unknown, as in the model's training.
const maxWord = 100

// Tokenizer is immutable and safe for concurrent use.
type Tokenizer struct {
	first map[string]int32 // pieces that start a word
	rest  map[string]int32 // pieces that continue one, without their ##
	// The longest piece of each map in bytes, which bounds the lookups.
	longestFirst, longestRest int

	// Special tokens. Append never returns Start or End: "[SEP]" in a text is split like any other text.
	Unknown, Start, End int32
}

// New parses a vocabulary, one token per line; ids are line numbers from 0. The pieces point into vocab.
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
		// Special and unused tokens stay in the map, but no word matches them, since brackets are words of their own.
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
		return nil, fmt.Errorf("read vocabulary: %d tokens without [UNK], [CLS] or [SEP] (ids %d, %d, %d)", id, t.Unknown,
			t.Start, t.End)
	}
	return t, nil
}

// Append appends the tokens of a text to ids, without [CLS] and [SEP]. Its time is linear in the text. It skips bytes
// that are not UTF-8.
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

// splitter collects the characters of one word.
type splitter struct {
	t     *Tokenizer
	ids   []int32
	word  []byte // lower case, no accents
	chars int    // characters of the word, including those beyond maxWord, which are not stored
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
	case c < ' ', c == 0x7f: // control characters are dropped and do not end the word
	default:
		s.alone(rune(c))
	}
}

// other handles a non-ASCII character, in the order of the published tokenizer: clean, isolate Chinese, decompose, drop
// accents, lower-case, split at punctuation.
func (s *splitter) other(r rune) {
	switch {
	// Unassigned code points are kept.
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

// add appends a character to the word.
func (s *splitter) add(r rune) {
	s.chars++
	if s.chars <= maxWord {
		s.word = utf8.AppendRune(s.word, r)
	}
}

// alone makes a character a word of its own.
func (s *splitter) alone(r rune) {
	s.flush()
	s.add(r)
	s.flush()
}

// flush splits the collected word into pieces, the longest first, or replaces the whole word by the unknown token.
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

// isChinese reports whether a character belongs to the CJK ideograph blocks, which are written without spaces. Kana and
// Hangul do not: they are split like other words.
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
