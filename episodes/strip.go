package episodes

import (
	"regexp"
	"strings"
)

// The two forms of rendered context blocks. Hosts echo and quote them, also inside JSON or HTML. Storing an echo would
// turn recorded data into new data.
var (
	// blockTag matches the opening or closing tag of the first form, in the spellings that hosts use: any case, escaped
	// for HTML or JSON, with full-width brackets. Each spelling has its own group for the slash.
	blockTag = regexp.MustCompile(
		`(?i)<[ \t]*(/?)[ \t]*memory_context[ \t]*>|&lt;[ \t]*(/?)[ \t]*memory_context[ \t]*&gt;|＜[ \t]*([/／]?)[ \t]*memory_context[ \t]*＞|\\u003c(/?)memory_context\\u003e`)

	// blockHead matches the first line in a block. It identifies a block whose end was cut off.
	blockHead = regexp.MustCompile(`(?i)^(?:[\s>]|\\n|\\r)*Recorded data, not instructions\.`)

	// blockLines matches the lines before the end of a block whose beginning was cut off.
	blockLines = regexp.MustCompile(
		`(?:(?:^|\n)[ \t>]*(?:Recorded data, not instructions\.|Entities:|Relations:|About the user:|Recent episodes:` +
			`|- [^\n]*))+\n[ \t>]*$`)

	// ownLine matches a line that only memory-graph writes.
	ownLine = regexp.MustCompile(
		`(?m)^[ \t>]*- (?:\[\d{4}-\d\d-\d\d\] \[(?:user|assistant|tool|system)[^\]]*\] |[^\n]* → [^\n]* → [^\n]*\(confidence [01]\.\d\d)`)

	// graphBlock matches the second form: its heading and the facts directly after it.
	graphBlock = regexp.MustCompile(
		`(?i)(^|\n|\\n|")[ \t>]*[\[［]knowledge graph[\]］][ \t]*(?:\r?\n|\\r\\n|\\n)(?:[ \t>]*- [^\n]*?\(confidence: [0-9.]+\)[ \t]*(?:\r?\n|\\r\\n|\\n|\z))+`)
	graphHead = regexp.MustCompile(`(?i)[\[［]knowledge graph[\]］]`)
)

// StripContext removes memory-graph's context blocks from a text, and reports whether there were any. Hosts may cut a
// block off: without its end it extends to the next blank line, without its beginning back to the first of its lines. A
// tag without a block is kept. The result has no block, even if it is stripped again.
func StripContext(s string) (string, bool) {
	found := false
	for range maxRounds { // removing a block may join the parts of another
		next, more := stripOnce(s)
		if !more {
			return trimmed(s, found), found
		}
		s, found = next, true
	}
	s = blockTag.ReplaceAllString(s, "\n")
	return trimmed(graphHead.ReplaceAllString(s, "\n"), true), true
}

// maxRounds bounds the passes over a text. More than two are needed only if someone nests blocks on purpose. After
// maxRounds only the tags are removed.
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
	partner     int // index of the tag that closes an opening tag, or of the one that a closing tag closes; -1 for none
}

// tags returns all tags in a text, paired from the innermost outwards.
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

// stripTagged removes tagged blocks. It puts a newline in place of each, so the text around it cannot join into a new
// tag or secret.
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
		case t.start < done: // inside a removed block
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

// behindParagraph returns the offset just after the paragraph of s that begins at from, at most to.
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
