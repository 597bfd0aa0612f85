package supersession

import "strings"

// digits reads a word with digits in it; after is the word behind it, "" where punctuation parts the two. ok is false for
// what belongs to another value.
func digits(w, before, after string) (v value, ok bool) {
	body := strings.Trim(w, "~≈<>=+")
	switch {
	case strings.HasSuffix(body, "%") || percents[after]:
		return value{kind: Percent, text: strings.TrimSuffix(body, "%")}, true
	case strings.ContainsAny(body, "€$£¥") || currencies[after] || currencies[before]:
		return value{kind: Money, text: strings.Trim(body, "€$£¥")}, true
	case strings.HasPrefix(body, "#"):
		return value{kind: Code, text: body[1:]}, true
	case isClock(body), isDigits(body) && clockWords[after]:
		return value{kind: Clock, text: body}, true
	case isOrdinal(body):
		return value{kind: Date, text: body[:len(body)-2]}, !isMonth(after) && !isMonth(before)
	case isDate(body):
		return value{kind: Date, text: body}, true
	case isCode(body):
		return value{kind: Code, text: body}, true
	case isNumeric(body):
		return value{kind: Number, text: body, unit: unit(body, after)}, !isMonth(after) && !isMonth(before)
	}
	if v := strings.TrimPrefix(body, "v"); isNumeric(v) { // v1.24
		return value{kind: Number, text: v, unit: unit(v, "")}, true
	}
	if n := strings.TrimRight(body, "abcdefghijklmnopqrstuvwxyz°"); isNumeric(n) && len(body)-len(n) <= 4 { // 35g, 20mg
		return value{kind: Number, text: n, unit: body[len(n):]}, true
	}
	return value{kind: Code, text: body}, true
}

// decimal stands for the unit of a fraction without one: a version, a ratio.
const decimal = "."

// unit gives what a number counts: the word behind it in the singular.
func unit(number, after string) string {
	if after == "" || noUnits[after] || hasDigit(after) || len(after) > 14 {
		if strings.Contains(number, ".") {
			return decimal
		}
		return ""
	}
	return strings.TrimSuffix(after, "s")
}

// isCode takes addresses, references and digits that count nothing: 192.168.1.20, TK-4471, 0926, 0d1117.
func isCode(s string) bool {
	switch {
	case isDigits(s):
		return len(s) > 4 || len(s) == 4 && s[:2] != "19" && s[:2] != "20" || len(s) > 1 && s[0] == '0'
	case isNumeric(s):
		return strings.Count(s, ".") >= 2
	}
	return strings.ContainsAny(s, "@/\\_:") || isHex(s)
}

func isHex(s string) bool {
	if len(s) != 6 && len(s) != 8 && len(s) < 12 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'f') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// shape gives what a code looks like: a hexadecimal number by its length, else its digits as 0 and its letters as a, and of
// what has several parts each part as one of them. 10.0.0.7 looks like 192.168.1.20, and 4471 not like 118.
func shape(s string) string {
	if isMail(s) {
		return "@"
	}
	if isHex(s) && !isDigits(s) {
		return "hex" + strings.Repeat("0", len(s))
	}
	parts := strings.ContainsAny(s, ".-:/")
	var b strings.Builder
	last := rune(0)
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			r = '0'
		case r >= 'a' && r <= 'z':
			r = 'a'
		}
		if !parts || r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// isMail takes addresses of mail.
func isMail(s string) bool {
	name, host, ok := strings.Cut(s, "@")
	return ok && name != "" && strings.Contains(strings.Trim(host, "."), ".")
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// isNumeric takes digits with points, commas and a sign.
func isNumeric(s string) bool {
	digit := false
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digit = true
		case c == '.' || c == ',' || c == '-' && i == 0:
		default:
			return false
		}
	}
	return digit
}

// isClock takes 7:45, 19h, 7am, 7:45pm.
func isClock(s string) bool {
	for _, suffix := range []string{"am", "pm", "h"} {
		if n, cut := strings.CutSuffix(s, suffix); cut {
			return isDigits(n) && len(n) <= 2 || suffix != "h" && isClock(n)
		}
	}
	h, m, ok := strings.Cut(s, ":")
	return ok && isDigits(h) && len(h) <= 2 && isDigits(m) && len(m) == 2
}

// isDate takes 2026-03-18 and 18/03/2026.
func isDate(s string) bool {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '/' })
	return len(parts) == 3 && isDigits(parts[0]) && isDigits(parts[1]) && isDigits(parts[2]) && len(s) >= 8 && len(s) <= 10
}

// isOrdinal takes 1st to 31st.
func isOrdinal(s string) bool {
	if len(s) < 3 || len(s) > 4 || !isDigits(s[:len(s)-2]) {
		return false
	}
	switch s[len(s)-2:] {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}

// isMonth takes may too: beside a number it is one.
func isMonth(w string) bool { return months[w] || shortMonths[w] || w == "may" }
