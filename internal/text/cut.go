package text

import (
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of a piece of text.
type Kind uint8

// The kinds of pieces.
const (
	Word      Kind = iota // letters and digits between anything else
	Ideograph             // one character of Chinese, Japanese or Korean
	Syllable              // one character, with its marks, of a script that is written without spaces
	Symbol                // an emoji or another pictograph
	Sign                  // one other character, where a mode keeps these
)

// Gap is the white space before a piece.
type Gap uint8

// The gaps, larger ones last. A text begins with a Paragraph.
const (
	Glued     Gap = iota // none
	Spaced               // within a line
	Line                 // a line ends in it
	Paragraph            // an empty line stands in it
)

// Piece is a part of a text: text[Start:Stop].
type Piece struct {
	Start, Stop int
	Kind        Kind
	Gap         Gap
}

// Mode sets where a text is cut. There is one mode for each purpose that needs other words than the search.
type Mode struct {
	ascii    [utf8.RuneSelf]class
	other    func(r rune, size int) class // of a character beyond ASCII; of an invalid byte, RuneError and 1
	connects bool                         // some class has the bit connects
}

// class is the effect of a character on the pieces around it.
type class uint16

const (
	begins     class = 1 << iota // a piece begins here unless a word goes on: its kind stands above the other bits
	inWord                       // goes on with a word
	inSyllable                   // goes on with a syllable
	parts                        // is white space
	endsLine                     // is the end of a line
	connects                     // goes on with a word if the next character does

	kindShift = 8

	nothing = class(0) // is left out and does not part what it stands between
	letter  = begins | inWord | class(Word)<<kindShift
	ideo    = begins | class(Ideograph)<<kindShift
	syll    = begins | class(Syllable)<<kindShift
	symbol  = begins | class(Symbol)<<kindShift
	sign    = begins | class(Sign)<<kindShift
)

func (m *Mode) class(s string, i int) (class, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return m.ascii[c], 1
	}
	r, size := utf8.DecodeRuneInString(s[i:])
	return m.other(r, size), size
}

// Cutter returns the pieces of a text in order, in time linear in its length and without allocating.
type Cutter struct {
	Piece
	mode *Mode
	text string
	at   int
	gap  Gap
}

// Cut begins to cut a text: for c := m.Cut(s); c.Next(); { … c.Piece … }.
func (m *Mode) Cut(s string) Cutter { return Cutter{mode: m, text: s, gap: Paragraph} }

// Next goes to the next piece, and reports whether there is one.
func (c *Cutter) Next() bool {
	for i := c.at; i < len(c.text); {
		what, size := class(0), 1
		if b := c.text[i]; b < utf8.RuneSelf {
			what = c.mode.ascii[b]
		} else {
			what, size = c.mode.class(c.text, i)
		}
		if what&begins == 0 {
			switch {
			case what&endsLine != 0 && c.gap >= Line:
				c.gap = Paragraph
			case what&endsLine != 0:
				c.gap = Line
			case what&parts != 0:
				c.gap = max(c.gap, Spaced)
			}
			i += size
			continue
		}
		stop := i + size
		kind := Kind(what >> kindShift)
		switch kind {
		case Word:
			stop = c.mode.WordEnd(c.text, stop)
		case Syllable:
			for stop < len(c.text) {
				what, size := c.mode.class(c.text, stop)
				if what&inSyllable == 0 {
					break
				}
				stop += size
			}
		}
		c.Piece = Piece{Start: i, Stop: stop, Kind: kind, Gap: c.gap}
		c.at, c.gap = stop, Glued
		return true
	}
	c.at = len(c.text)
	return false
}

// WordEnd returns the end of the word that continues at byte i of a text; i if none does.
func (m *Mode) WordEnd(s string, i int) int {
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf && m.ascii[c]&inWord != 0 { // as nearly every one is
			i++
			continue
		}
		what, size := m.class(s, i)
		if what&inWord == 0 {
			if !m.connects || what&connects == 0 || i+size == len(s) {
				break
			}
			if next, _ := m.class(s, i+size); next&inWord == 0 {
				break
			}
		}
		i += size
	}
	return i
}

// mode makes a mode from the classes of single characters: ascii is asked for those of ASCII, once.
func mode(ascii func(c byte) class, other func(r rune, size int) class) *Mode {
	m := &Mode{other: other}
	for c := range byte(utf8.RuneSelf) {
		m.ascii[c] = ascii(c)
		m.connects = m.connects || m.ascii[c]&connects != 0
	}
	return m
}

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func asciiSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// unspacedFrom is the first character of the scripts that are written without spaces.
const unspacedFrom = 0x0e00

// ideograph reports whether a character is a letter of Chinese, Japanese or Korean.
func ideograph(r rune) bool {
	return r >= unspacedFrom && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) &&
		unicode.IsLetter(r)
}

// syllable reports whether a character is a letter of Thai, Lao, Khmer or Burmese.
func syllable(r rune) bool {
	return r >= unspacedFrom && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) &&
		unicode.IsLetter(r)
}
