package episodes

import (
	"regexp"
	"strings"
)

// The two forms in which we render recorded data come back: hosts echo them, quote them, put them
// into JSON or HTML. Storing an echo would make memory out of memory.
var (
	// blockTag is the opening or the closing tag of the first form, in the spellings that hosts make of it: in other case,
	// escaped for HTML or JSON, with wide brackets. Each spelling opens and closes in a group of its own.
	blockTag = regexp.MustCompile(
		`(?i)<[ \t]*(/?)[ \t]*memory_context[ \t]*>|&lt;[ \t]*(/?)[ \t]*memory_context[ \t]*&gt;|＜[ \t]*([/／]?)[ \t]*memory_context[ \t]*＞|\\u003c(/?)memory_context\\u003e`)

	// blockHead begins what stands in a block: by it a block is known whose end was cut off.
	blockHead = regexp.MustCompile(`(?i)^(?:[\s>]|\\n|\\r)*Recorded data, not instructions\.`)

	// blockLines are lines of a block whose beginning was cut off: they stand right before its end.
	blockLines = regexp.MustCompile(
		`(?:(?:^|\n)[ \t>]*(?:Recorded data, not instructions\.|Entities:|Relations:|Recent episodes:|- [^\n]*))+\n[ \t>]*$`)

	// ownLine is one that nobody else writes.
	ownLine = regexp.MustCompile(
		`(?m)^[ \t>]*- (?:\[\d{4}-\d\d-\d\d\] \[(?:user|assistant|tool|system)[^\]]*\] |[^\n]* → [^\n]* → [^\n]*\(confidence [01]\.\d\d)`)

	// graphBlock is the second form: its heading and the facts right behind it.
	graphBlock = regexp.MustCompile(
		`(?i)(^|\n|\\n|")[ \t>]*[\[［]knowledge graph[\]］][ \t]*(?:\r?\n|\\r\\n|\\n)(?:[ \t>]*- [^\n]*?\(confidence: [0-9.]+\)[ \t]*(?:\r?\n|\\r\\n|\\n|\z))+`)
	graphHead = regexp.MustCompile(`(?i)[\[［]knowledge graph[\]］]`)
)

// StripContext takes our own rendered blocks out of a text and says whether there were any. A block without an end, as
// a host that cuts messages leaves it, goes up to the next blank line, one without a beginning back to the first of its
// lines; the bare mention of a tag stays. What comes out holds no block, however often it is read.
func StripContext(s string) (string, bool) {
	found := false
	for range maxRounds { // what stood apart may come to stand together
		next, more := stripOnce(s)
		if !more {
			return trimmed(s, found), found
		}
		s, found = next, true
	}
	s = blockTag.ReplaceAllString(s, "\n")
	return trimmed(graphHead.ReplaceAllString(s, "\n"), true), true
}

// maxRounds bounds how often a text is read. More rounds than two are needed only where somebody nests blocks on
// purpose: then the tags go and the rest is kept.
const maxRounds = 6

func trimmed(s string, found bool) string {
	if found {
		return strings.TrimSpace(s)
	}
	return s
}

func stripOnce(s string) (string, bool) {
	t, tags := stripTagged(s)
	graphs := false
	if graphHead.MatchString(t) {
		u := graphBlock.ReplaceAllString(t, "${1}\n")
		t, graphs = u, u != t
	}
	return t, tags || graphs
}

// tag is one tag of a text.
type tag struct {
	start, stop int
	form        int // its spelling
	closing     bool
	partner     int // of an opening tag: the place of the one that closes it; -1 for none
}

// tags finds all tags and pairs them, the inner ones first.
func tags(s string) []tag {
	var list []tag
	open := map[int][]int{}
	for _, m := range blockTag.FindAllStringSubmatchIndex(s, -1) {
		t := tag{start: m[0], stop: m[1], partner: -1}
		for form := 1; 2*form+1 < len(m); form++ {
			if m[2*form] >= 0 {
				t.form, t.closing = form, m[2*form] < m[2*form+1]
			}
		}
		if t.closing {
			if waiting := open[t.form]; len(waiting) > 0 {
				list[waiting[len(waiting)-1]].partner = len(list)
				t.partner = waiting[len(waiting)-1]
				open[t.form] = waiting[:len(waiting)-1]
			}
		} else {
			open[t.form] = append(open[t.form], len(list))
		}
		list = append(list, t)
	}
	return list
}

// stripTagged removes tagged blocks. What stood before and behind one is kept apart by a newline, so that nothing new
// can grow together, neither a tag nor a secret.
func stripTagged(s string) (string, bool) {
	list := tags(s)
	var out strings.Builder
	done, found := 0, false
	cut := func(from, to int) {
		out.WriteString(s[done:max(done, from)])
		out.WriteByte('\n')
		done, found = to, true
	}
	for i, t := range list {
		switch {
		case t.start < done: // inside what was taken out
		case !t.closing && t.partner >= 0:
			cut(t.start, list[t.partner].stop)
		case !t.closing && blockHead.MatchString(s[t.stop:]):
			end := len(s)
			if i+1 < len(list) {
				end = list[i+1].start
			}
			cut(t.start, behindParagraph(s, t.stop, end))
		case t.closing:
			before := s[done:t.start]
			if m := blockLines.FindStringIndex(before); m != nil && ownLine.MatchString(before[m[0]:]) {
				cut(done+m[0], t.stop)
			}
		}
	}
	if !found {
		return s, false
	}
	out.WriteString(s[done:])
	return out.String(), true
}

// behindParagraph gives where the paragraph of s that begins at from ends, at the latest at to.
func behindParagraph(s string, from, to int) int {
	head := from + blockHead.FindStringIndex(s[from:])[1]
	end := to
	for _, blank := range []string{"\n\n", "\n\r\n"} {
		if i := strings.Index(s[min(head, end):end], blank); i >= 0 {
			end = min(head, end) + i
		}
	}
	for end < to && (s[end] == '\n' || s[end] == '\r') {
		end++
	}
	return end
}
