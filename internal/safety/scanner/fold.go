package scanner

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a text normalised for matching.
type folded struct {
	// text is in lower case and in compatibility form, without accents, apostrophes and invisible characters. A run of
	// white space is one space, or one newline if it contains one. Spelled-out letters are joined to words.
	text string

	tagged    string // text written in tag characters
	joined    string // words that were spelled out, without the separators
	invisible int    // zero-width and other invisible characters inside Latin words
	selectors int    // variation selectors that have no effect
	bidi      int    // direction overrides
	mixed     int    // words that mix Latin letters and look-alikes
	alike     bool   // the text has letters that look like Latin ones
	leet      int    // words that mix letters with digits or marks
}

// fold normalises the characters, then the words.
func fold(s string) folded {
	var f folded
	if strings.Contains(s, "&#") || strings.Contains(s, "&lt;") || strings.Contains(s, "&zw") {
		s = html.UnescapeString(s)
	}
	s = f.visible(s)
	s = f.joinLetters(s)
	f.text = f.words(s)
	return f
}

// visible converts the text to lower-case compatibility form. It removes invisible characters and counts them.
func (f *folded) visible(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf || s[i] < ' ' && s[i] != '\n' && s[i] != '\t' && s[i] != '\r' {
			plain = false
			break
		}
	}
	if plain {
		return strings.ToLower(s)
	}
	var tagged strings.Builder
	var b strings.Builder
	b.Grow(len(s))
	last, flag := rune(' '), false // after a black flag, tag characters name a region
	each := func(r rune) {
		flag = r == '\U0001F3F4' || flag && 0xE0020 <= r && r <= 0xE007F
		switch {
		case r < utf8.RuneSelf && (r >= ' ' || r == '\n' || r == '\t' || r == '\r'):
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			b.WriteByte(byte(r))
			last = r
		case 0xE0020 <= r && r <= 0xE007E:
			if !flag {
				tagged.WriteByte(byte(r - 0xE0000))
			}
		case 0xE0100 <= r && r <= 0xE01EF, 0xFE00 <= r && r <= 0xFE0F && last < 0x2000 && !unicode.IsDigit(last) &&
			last != '#' && last != '*':
			f.selectors++
		case r == '\u202d', r == '\u202e':
			f.bidi++
		case unicode.Is(unicode.Cf, r), r == '\u034f', r == '\u115f', r == '\u1160', r == '\u3164', r == '\u2800',
			r == '\u180e':
			if last < 0x250 && unicode.IsLetter(last) {
				f.invisible++
			}
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r), r == utf8.RuneError:
		case unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r':
			b.WriteByte(' ')
		case r == '\u2028', r == '\u2029', r == '\u0085':
			b.WriteByte('\n')
		default:
			r = unicode.ToLower(r)
			if c, ok := smallCaps[r]; ok {
				r = c
			}
			b.WriteRune(r)
			last = r
			f.alike = f.alike || lookAlikes[r] != 0
		}
	}
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			each(rune(c))
			i++
			continue
		}
		// Rune by rune: norm needs its buffer only to order marks, and the marks are removed.
		p := norm.NFKD.PropertiesString(s[i:])
		r, size := utf8.DecodeRuneInString(s[i:])
		if parts := p.Decomposition(); parts != nil {
			for _, r := range string(parts) {
				each(r)
			}
		} else {
			each(r)
		}
		i += size
	}
	f.tagged = tagged.String()
	if !f.alike {
		return b.String()
	}
	return f.latin(b.String())
}

// latin replaces look-alike letters by Latin ones in words that have both.
func (f *folded) latin(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		stop, latin, alike, other := i, 0, 0, 0
		for stop < len(s) {
			r, size := utf8.DecodeRuneInString(s[stop:])
			if !unicode.IsLetter(r) {
				if stop == i {
					stop += size
				}
				break
			}
			switch {
			case r < 0x250:
				latin++
			case lookAlikes[r] != 0:
				alike++
			default:
				other++
			}
			stop += size
		}
		if latin > 0 && alike > 0 && other == 0 && latin+alike > 2 {
			f.mixed++
			for _, r := range s[i:stop] {
				if c := lookAlikes[r]; c != 0 {
					r = c
				}
				b.WriteRune(r)
			}
		} else {
			b.WriteString(s[i:stop])
		}
		i = stop
	}
	return b.String()
}

// minSpaced is the minimal number of letters of a spelled-out word.
const minSpaced = 5

// joinLetters joins single letters with separators between them: "i g n o r e" and "i.g.n.o.r.e" become "ignore". Two
// or more separators in a row end a word.
func (f *folded) joinLetters(s string) string {
	var b, joined strings.Builder
	done := 0
	for i := 0; i+2 < len(s); i++ {
		if !letterAt(s, i) || i > 0 && letterAt(s, i-1) || !separator(s[i+1]) {
			continue
		}
		stop, letters := i, 0
		for stop < len(s) && letterAt(s, stop) && (stop+1 == len(s) || !letterAt(s, stop+1)) {
			letters++
			stop++
			gap := 0
			for stop+gap < len(s) && separator(s[stop+gap]) && gap < 4 {
				gap++
			}
			if gap == 0 || stop+gap >= len(s) || !letterAt(s, stop+gap) || stop+gap+1 < len(s) && letterAt(s, stop+gap+1) {
				break
			}
			stop += gap
		}
		if letters < minSpaced {
			i = max(i, stop-1)
			continue
		}
		b.WriteString(s[done:i])
		for k := i; k < stop; k++ {
			if letterAt(s, k) {
				b.WriteByte(s[k])
				joined.WriteByte(s[k])
			} else if k+1 < stop && separator(s[k+1]) {
				b.WriteByte(' ')
			}
		}
		done, i = stop, stop
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	f.joined = joined.String()
	return b.String()
}

func letterAt(s string, i int) bool {
	return i < len(s) && ('a' <= s[i] && s[i] <= 'z' || '0' <= s[i] && s[i] <= '9' || s[i] == '@' || s[i] == '$')
}

func separator(c byte) bool {
	return c == ' ' || c == '.' || c == '-' || c == '_' || c == '*' || c == '|' || c == '/' || c == '\t'
}

// words removes apostrophes, collapses white space, and counts words that mix letters with digits or marks.
func (f *folded) words(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := byte(0)
	letters, swapped := 0, 0
	flush := func() {
		if swapped > 0 && letters > 1 && letters+swapped > 3 {
			f.leet++
		}
		letters, swapped = 0, 0
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			if space == 0 {
				space = ' '
			}
			flush()
			continue
		case c == '\n':
			space = '\n'
			flush()
			continue
		case c == '\'' || c == '`' && i > 0 && letterAt(s, i-1) && letterAt(s, i+1):
			continue
		case strings.HasPrefix(s[i:], "’"):
			i += len("’") - 1
			continue
		case 'a' <= c && c <= 'z':
			letters++
		case leetLetter(c) != 0:
			swapped++
		default:
			flush()
		}
		if space != 0 {
			b.WriteByte(space)
			space = 0
		}
		b.WriteByte(s[i])
	}
	flush()
	return b.String()
}

// Letters that look like Latin ones, in lower case.
var (
	lookAlikes = pairs("аaвbеeкkмmнhоoрpсcтtуyхxіiѕsјjԁdһhԛqԝwґr" + "αaβbγyεeηnιiκkνvοoρpτtυuχxωw" +
		"ıiɑaɡgʟlɩiօoսuհhցgոn")
	smallCaps = pairs("ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz")
)

func pairs(s string) map[rune]rune {
	m, all := map[rune]rune{}, []rune(s)
	for i := 0; i+1 < len(all); i += 2 {
		m[all[i]] = all[i+1]
	}
	return m
}
