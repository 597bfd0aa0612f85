package rules

import "strings"

// Data in a text that no fence marks.
var (
	keyed   = pattern(`^[a-z][a-z0-9_-]{0,24}: ?\S`)
	row3    = pattern(`^[^,\n]+(?:,[^ ,\n][^,\n]*)+$`)
	struck  = pattern(`~~[^~\n]{1,400}~~`)
	address = pattern(`\bhttps?://\S*[?=]\S*(?: [^\n.!?]*)?`)
	hunk    = pattern(`^(?:diff --git |@@ -\d|--- a/|\+\+\+ b/|index [0-9a-f]{7})`)
)

// records blanks what nobody says in data: records of keys, rows of values, changes of files, what is struck out, addresses with
// what they ask.
func (s *scrubber) records() {
	text := string(s.out)
	if strings.Contains(text, "~~") {
		for _, m := range struck().FindAllStringIndex(text, -1) {
			s.blank(m[0], m[1])
		}
	}
	if strings.Contains(text, "://") {
		for _, m := range address().FindAllStringIndex(text, -1) {
			s.blank(m[0], m[1])
		}
	}
	if !strings.Contains(text, "\n") {
		return
	}
	whole := scrubber{in: s.in, out: []byte(s.in)} // also what was blanked is a line of a record
	rows := whole.rows()
	line := func(i int) string { return s.in[rows[i].start:rows[i].stop] }
	run := func(from, least int, is func(string) bool) int { // the end of at least so many such rows
		to := from
		for to < len(rows) && is(line(to)) && (to == from || s.between(rows[to-1].stop, rows[to].start)) {
			to++
		}
		if to-from < least {
			return from
		}
		return to
	}
	blank := func(from, to int) int {
		for ; from < to; from++ {
			s.blank(rows[from].start, rows[from].stop)
		}
		return to
	}
	signed := func(sign string) func(string) bool {
		return func(l string) bool { return strings.HasPrefix(l, sign) && !strings.HasPrefix(l, sign+sign) }
	}
	changed := strings.Contains(s.in, "diff --git") || strings.Contains(s.in, "\n@@ -") || strings.HasPrefix(s.in, "@@ -")
	for i := 0; i < len(rows); {
		l := line(i)
		switch {
		case changed && (hunk().MatchString(l) || l[0] == '+' || l[0] == '-'):
			i = blank(i, i+1)
		case l[0] == '-' || l[0] == '+': // lines that go and lines that come
			minus := run(i, 1, signed("-"))
			if plus := run(minus, 1, signed("+")); minus > i && plus > minus {
				i = blank(i, plus)
			} else if minus > i {
				i = minus
			} else {
				i++
			}
		case keyed().MatchString(l):
			if to := run(i, 3, keyed().MatchString); to > i {
				i = blank(i, to)
			} else {
				i++
			}
		case row3().MatchString(l):
			n := strings.Count(l, ",")
			if to := run(i, 2, func(x string) bool { return row3().MatchString(x) && strings.Count(x, ",") == n }); to > i {
				i = blank(i, to)
			} else {
				i++
			}
		default:
			i++
		}
	}
}

// between says whether no empty line stands between two offsets.
func (s *scrubber) between(a, b int) bool { return strings.Count(s.in[a:b], "\n") < 2 }
