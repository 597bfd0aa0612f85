package scanner

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// view is another reading of a text, such as decoded. Its sign counts only if the rules find something in it.
type view struct {
	text         string
	family, name string
	weight       float64
}

// views returns the readings that are worth judging.
func (f *folded) views() []view {
	var out []view
	if f.leet >= 2 {
		out = append(out, view{unleet(f.text), "disguise", "leet", 1})
	}
	if f.tagged != "" {
		inner := fold(f.tagged)
		out = append(out, view{inner.text, "disguise", "tag_characters", 1})
	}
	// ignore, disregard, previous, instruction, override
	for _, word := range []string{"vtaber", "qvfertneq", "cerivbhf", "vafgehpgvba", "bireevqr"} {
		if strings.Contains(f.text, word) {
			out = append(out, view{rot13(f.text), "disguise", "rot13", 1})
			break
		}
	}
	if f.bidi > 0 || backwards(f.text) {
		out = append(out, view{reversed(f.text), "disguise", "reversed", 1})
	}
	if t, n := unhyphened(f.text); n >= minHyphens {
		out = append(out, view{t, "disguise", "hyphens", 1})
	}
	if t, ok := respelled(f.text); ok {
		out = append(out, view{t, "disguise", "misspelled", 1})
	}
	return out
}

// signs adds the signs that folding found.
func (f *folded) signs(h hits) {
	something := len(h) > 0
	if letters(f.tagged) >= 4 {
		h.add("hidden", "hidden_tag_text", 3)
	}
	if f.selectors >= 8 {
		h.add("hidden", "hidden_selectors", 2)
	}
	if f.invisible >= 3 {
		h.add("hidden", "invisible_characters", 1)
	}
	h.note("hidden", "direction_override", 1, f.bidi > 0)
	h.note("disguise", "look_alike_letters", 1, f.mixed >= 2 || f.mixed == 1 && something)
	for _, needle := range squashed {
		if strings.Contains(f.joined, needle) {
			h.add("override", "spelled_out", 3)
		}
	}
}

// squashed are parts of attacks without spaces.
var squashed = []string{"ignoreall", "ignoreprev", "ignoreyour", "ignorethe", "disregard", "previousinstruction",
	"priorinstruction", "systemprompt", "jailbreak", "overridesystem"}

func letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

func leetLetter(c byte) byte {
	switch c {
	case '0':
		return 'o'
	case '1', '!', '|':
		return 'i'
	case '3':
		return 'e'
	case '4', '@':
		return 'a'
	case '5', '$':
		return 's'
	case '7':
		return 't'
	}
	return 0
}

// unleet replaces digits and marks by letters in words that also have letters.
func unleet(s string) string {
	out := []byte(s)
	for i := 0; i < len(out); {
		stop, plain, swapped := i, false, false
		for stop < len(out) && ('a' <= out[stop] && out[stop] <= 'z' || leetLetter(out[stop]) != 0) {
			if leetLetter(out[stop]) != 0 {
				swapped = true
			} else {
				plain = true
			}
			stop++
		}
		if plain && swapped {
			for k := i; k < stop; k++ {
				if c := leetLetter(out[k]); c != 0 && (c != 'i' || k+1 < stop || out[k] == '1') { // a mark at the end stays a mark
					out[k] = c
				}
			}
		}
		i = max(stop, i+1)
	}
	return string(out)
}

func rot13(s string) string {
	out := []byte(s)
	for i, c := range out {
		if 'a' <= c && c <= 'z' {
			out[i] = 'a' + (c-'a'+13)%26
		}
	}
	return string(out)
}

// minHyphens is the minimal number of hyphens inside words for which the text is also read without them.
const minHyphens = 4

// unhyphened removes the hyphens inside words and returns their number.
func unhyphened(s string) (string, int) {
	n := 0
	for i := 1; i+1 < len(s); i++ {
		if s[i] == '-' && letterAt(s, i-1) && letterAt(s, i+1) {
			n++
		}
	}
	if n < minHyphens || n*12 < strings.Count(s, " ") { // ordinary compounds
		return "", 0
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] != '-' || i == 0 || i+1 == len(s) || !letterAt(s, i-1) || !letterAt(s, i+1) {
			b.WriteByte(s[i])
		}
	}
	return b.String(), n
}

// minBackwards is the minimal number of reversed small words for which the text is also read reversed.
const minBackwards = 3

// backwards reports whether a text has a reversed attack word, or minBackwards reversed small words.
func backwards(s string) bool {
	n := 0
	for word := range strings.FieldsSeq(s) {
		if len(word) < 3 || len(word) > 16 {
			continue
		}
		switch strings.Trim(word, ".,:;!?") {
		case "erongi", "dragersid", "suoiverp", "noitcurtsni", "snoitcurtsni", "tpmorp", "laever", "rebmemer":
			return true
		case "eht", "dna", "uoy", "lla", "rof", "ruoy", "dnes", "htiw", "resu", "sti", "siht", "etirw":
			if n++; n >= minBackwards {
				return true
			}
		}
	}
	return false
}

func reversed(s string) string {
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		r, size := utf8.DecodeLastRuneInString(s)
		out = utf8.AppendRune(out, r)
		s = s[:len(s)-size]
	}
	return string(out)
}

// Encoded text is decoded once. The limits are pieces per text, bytes in all, and bytes that a piece needs.
const (
	maxEncoded      = 16
	maxEncodedBytes = 64 << 10
	minEncoded      = 24
)

// decoded returns the readable texts encoded in s as Base64, hexadecimal digits or percent-encoding.
func decoded(s string) []string {
	var out []string
	keep := func(b []byte, err error) bool {
		if err == nil && readable(b) {
			out = append(out, string(b))
			return true
		}
		return false
	}
	left, runs := maxEncodedBytes, maxEncoded
	for i := 0; i < len(s) && runs > 0; {
		stop := i
		for stop < len(s) && encodedByte(s[stop]) {
			stop++
		}
		if n := stop - i; n >= minEncoded && n <= left {
			run := s[i:stop]
			left, runs = left-n, runs-1
			if b, err := hex.DecodeString(run); !keep(b, err) {
				if b, err := base64.RawStdEncoding.DecodeString(run); !keep(b, err) {
					b, err := base64.RawURLEncoding.DecodeString(run)
					keep(b, err)
				}
			}
		}
		i = stop + 1
	}
	if strings.Count(s[:min(len(s), maxEncodedBytes)], "%") >= 8 {
		t, err := url.PathUnescape(s[:min(len(s), maxEncodedBytes)])
		keep([]byte(t), err)
	}
	return out
}

func encodedByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' ||
		c == '_'
}

// readable reports whether b is text: valid UTF-8, with spaces, and at least 80 % letters and white space.
func readable(b []byte) bool {
	if len(b) < 12 || !utf8.Valid(b) {
		return false
	}
	good, spaces, n := 0, 0, 0
	for _, r := range string(b) {
		n++
		if unicode.IsLetter(r) || unicode.IsSpace(r) {
			good++
		}
		if unicode.IsSpace(r) {
			spaces++
		}
	}
	return spaces > 0 && good*10 >= n*8
}
