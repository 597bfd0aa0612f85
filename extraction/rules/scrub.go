package rules

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// expressions holds the regular expressions of data/scrub.txt by section.
type expressions map[string][]*expression

// expression is compiled on first use, because most texts need few of them.
type expression struct {
	at      string // file and line
	text    string
	compile func() (*regexp.Regexp, error)
}

func newExpression(at, text string) *expression {
	return &expression{at, text, sync.OnceValues(func() (*regexp.Regexp, error) { return regexp.Compile(text) })}
}

// re returns the compiled expression. A test checks that those of the file are valid.
func (e *expression) re() *regexp.Regexp {
	re, _ := e.compile()
	return re
}

// first returns the first expression of a section.
func (x expressions) first(section string) *regexp.Regexp { return x[section][0].re() }

// check compiles all expressions.
func (x expressions) check() error {
	for _, list := range x {
		for _, e := range list {
			if _, err := e.compile(); err != nil {
				return fmt.Errorf("%s: %w", e.at, err)
			}
		}
	}
	return nil
}

// scrubbing reads data/scrub.txt when the first text is read.
var scrubbing = sync.OnceValue(func() expressions {
	ready()
	text, _ := lists.ReadFile("data/scrub.txt") // embedded: it is there
	return parseScrubbing("scrub.txt", string(text))
})

// parseScrubbing reads sections of regular expressions. A line "name = expression" defines "{name}". The expressions of
// the section machine become one, which is faster.
func parseScrubbing(file, text string) expressions {
	out := expressions{}
	var names, machine []string
	section, n := "", 0
	replace := strings.NewReplacer()
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		name, expr, assigns := strings.Cut(line, " = ")
		switch {
		case line == "" || line[0] == '#':
		case isHeading(line):
			section = strings.Trim(line, "[]")
		case section == "" && assigns:
			names = append(names, "{"+name+"}", replace.Replace(expr))
			replace = strings.NewReplacer(names...)
		case section == "machine":
			machine = append(machine, replace.Replace(line))
		default:
			out[section] = append(out[section], newExpression(fmt.Sprintf("%s:%d", file, n), replace.Replace(line)))
		}
	}
	out["machine"] = []*expression{newExpression(file+", section machine", "^(?:"+strings.Join(machine, "|")+")")}
	return out
}

// isHeading reports whether a line is a section heading: a word in brackets.
func isHeading(line string) bool {
	rest, opens := strings.CutPrefix(line, "[")
	name, closes := strings.CutSuffix(rest, "]")
	return opens && closes && strings.IndexFunc(name, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) < 0
}

// scrub replaces with spaces what the writer does not state here and now: code, logs, data, commands, quotations,
// letters, the words of others, and text to work on. Offsets stay the same. self is the name of the user.
func scrub(text, self string) string {
	s := scrubber{in: text, out: []byte(text), res: scrubbing(), self: self}
	s.lines()
	s.letters()
	s.handed()
	s.talks()
	s.given()
	s.spans()
	return string(s.out)
}

type scrubber struct {
	in   string
	out  []byte
	res  expressions
	self string
}

// match returns the submatches of the first expression of a section that matches; nil for none.
func (s *scrubber) match(section, line string) []int {
	for _, e := range s.res[section] {
		if m := e.re().FindStringSubmatchIndex(line); m != nil {
			return m
		}
	}
	return nil
}

func (s *scrubber) blank(from, to int) {
	for i := from; i < to; i++ {
		if s.out[i] != '\n' {
			s.out[i] = ' '
		}
	}
}

// row is the range of a line without surrounding white space.
type row struct{ start, stop int }

// rows returns the lines that are not blank.
func (s *scrubber) rows() []row {
	var out []row
	start := 0
	for line := range strings.Lines(string(s.out)) {
		if body := strings.TrimSpace(line); body != "" {
			at := start + strings.Index(line, body)
			out = append(out, row{at, at + len(body)})
		}
		start += len(line)
	}
	return out
}

// paragraphEnd returns the end of the paragraph around an offset.
func (s *scrubber) paragraphEnd(at int) int {
	if end := strings.Index(s.in[at:], "\n\n"); end >= 0 {
		return at + end
	}
	return len(s.in)
}

// lines blanks whole lines: fenced and indented code, quotations, logs, traces, data, commands and quoted mail.
func (s *scrubber) lines() {
	fence, mail, traced, shell := "", false, false, false
	lastPrompt := -1
	if m := s.res.first("prompt").FindAllStringIndex(s.in, -1); m != nil {
		lastPrompt = m[len(m)-1][0]
	}
	start := 0
	for whole := range strings.Lines(s.in) {
		line := strings.TrimSpace(whole)
		end := start + len(whole)
		indented := strings.HasPrefix(whole, "    ") || strings.HasPrefix(whole, "\t")
		gone := true
		switch {
		case fence != "":
			if strings.HasPrefix(line, fence) {
				fence = ""
			}
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			fence = line[:3]
		case mail || s.match("mail", line) != nil:
			mail = true // quoted mail extends to the end
		case s.match("prompt", whole) != nil:
			shell = true
		case shell && (start < lastPrompt || line != ""): // the output of a command, up to the next one or an empty line
		case line == "":
			traced, shell = false, false
		case indented && (traced || !sentenceLike(line)), s.isMachine(line):
			traced = traced || s.match("trace", line) != nil
		default:
			gone = line[0] == '>' || line[0] == '|'
		}
		if gone {
			s.blank(start, end)
		}
		start = end
	}
}

// isMachine reports whether a line is part of a log, a trace, data, code or a command.
func (s *scrubber) isMachine(line string) bool {
	switch line[len(line)-1] {
	case ';', '{', '}':
		return true
	case '(', ',', ')', '>':
		if s.match("code", line) != nil {
			return true
		}
	}
	return len(line) > 400 && !strings.Contains(line, " ") ||
		!strings.HasPrefix(line, "[[") && s.match("machine", line) != nil
}

// sentenceLike reports whether an indented line is prose or a list item.
func sentenceLike(line string) bool {
	c := line[0]
	return c == '-' || c == '*' || isDigit(c) ||
		'A' <= c && c <= 'Z' && strings.Count(line, " ") > 2 && !strings.ContainsAny(line, "={};")
}

// own reports whether a name is the user's.
func (s *scrubber) own(name string) bool {
	key, self := memory.Canonical(name), memory.Canonical(s.self)
	first, _, _ := strings.Cut(self, " ")
	return oneOf(key, "me i myself") || self != "" && (key == self || key == first)
}

// known reports whether the user's name is known.
func (s *scrubber) known() bool { return s.self != "" && s.self != extraction.DefaultSelf }

// letters blanks letters, from the greeting to the signature. A letter begins with "Dear", greets the user by name, or
// is signed by somebody else.
func (s *scrubber) letters() {
	rows := s.rows()
	from := -1
	for i, x := range rows {
		line := string(s.out[x.start:x.stop])
		if len(line) >= 80 {
			continue
		}
		if m := s.res.first("greeting").FindStringSubmatch(line); m != nil && from < 0 {
			from = x.start
			if to, rest, _ := strings.Cut(m[2], " "); strings.EqualFold(m[1], "dear") || s.known() && s.own(to) && rest == "" {
				s.blank(x.start, len(s.out))
				return
			}
			continue
		}
		m := s.res.first("parting").FindStringSubmatch(line)
		if m == nil || from < 0 {
			continue
		}
		name, end := m[2], x.stop
		if name == "" && i+1 < len(rows) {
			if n := s.res.first("signature").FindStringSubmatch(string(s.out[rows[i+1].start:rows[i+1].stop])); n != nil {
				name, end = n[1], rows[i+1].stop
			}
		}
		if name != "" && !s.own(name) {
			s.blank(from, end)
		}
		from = -1
	}
}

// handed blanks texts that are shown, quoted or to be worked on, after the line that introduces them. They extend to
// the end, or to the end of the paragraph if they begin in that line.
func (s *scrubber) handed() {
	rows := s.rows()
	for i, x := range rows {
		line := string(s.out[x.start:x.stop])
		last := i == len(rows)-1
		if !handing(line, last && !strings.Contains(line, ":")) || s.match("myself", line) != nil {
			continue
		}
		end := 0
		switch {
		case strings.Contains(line, ":") && s.match("sent", line) != nil:
			end = s.match("sent", line)[1]
			label, _, _ := strings.Cut(lowerOf(line), ":")
			if w := lastWord(label); oneOf(w, "side end perspective on now today") || timeWords[w] || timeNouns[w] {
				continue // "From my side: …"
			}
		case !last && s.match("shown", line) != nil:
			end = len(line)
		case s.match("asked", line) != nil:
			if end = s.match("asked", line)[1]; end == len(line) && last {
				continue
			}
		default:
			continue
		}
		if strings.TrimSpace(line[end:]) == "" {
			s.blank(x.start+end, len(s.out))
			return
		}
		s.blank(x.start+end, s.paragraphEnd(x.start+end))
	}
}

// handing is a cheap check whether a line can introduce a text. If it stands alone, it must name the kind of text.
func handing(line string, alone bool) bool {
	words := handingWords
	if alone {
		words = textNouns
	}
	for w := range strings.FieldsSeq(lowerOf(line)) {
		if words[strings.Trim(w, ".,:;!?()\"'’")] {
			return true
		}
	}
	return false
}

var (
	handingWords = class("handing")
	textNouns    = class("text_nouns")
)

// talks blanks what others say in a pasted conversation: lines that begin with their speaker, in the first person or
// with a time.
func (s *scrubber) talks() {
	if !strings.ContainsAny(s.in, ":>") {
		return
	}
	foreign, behind := false, 0
	for _, x := range s.rows() {
		m := s.res.first("talk").FindStringSubmatch(string(s.out[x.start:x.stop]))
		if m != nil {
			w, _, _ := strings.Cut(lowerOf(m[5]), " ")
			deed := verbForms[w].forms&formPast != 0 && verbForms[w].forms&formBase == 0
			speaks := m[1] != "" || m[3] != "" || m[4] == ">" || speakerLike(m[2]) &&
				(deed || m[5] == "" || s.match("first_person", m[5]) != nil)
			if speaks {
				foreign = !s.own(m[2])
			}
		} else if foreign && strings.Contains(s.in[behind:x.start], "\n\n") {
			foreign = false
		}
		if foreign {
			s.blank(x.start, x.stop)
		}
		behind = x.stop
	}
}

// speakerLike reports whether the label before a line is a speaker and not a topic: a capitalised word or a role.
func speakerLike(label string) bool {
	words := strings.Fields(lowerOf(label))
	if len(words) > 3 {
		return false
	}
	if talkRoles[words[0]] || roles[words[len(words)-1]] {
		return true
	}
	w := words[0]
	if len(words) > 2 || len(words) == 2 && !hasUpper(strings.Fields(label)[1][:1]) || !hasUpper(label[:1]) ||
		everyday(label) || ordinaryEnding(w) || timeNouns[w] || machineNouns[w] ||
		areas[w] {
		return false
	}
	return label == properCase(label) && !strings.HasSuffix(w, "s") && !strings.Contains(w, ";")
}

var talkRoles = class("talk_roles")

// given blanks the text after a request to work on it: to the end of its paragraph, or to the end of the text if the
// request ends its line.
func (s *scrubber) given() {
	if !strings.Contains(s.in, ":") {
		return
	}
	for _, e := range s.res["given"] {
		for _, m := range e.re().FindAllIndex(s.out, -1) {
			from, to := m[1], len(s.out)
			if line := bytes.IndexByte(s.out[from:], '\n'); line >= 0 && len(bytes.TrimSpace(s.out[from:from+line])) > 0 {
				to = s.paragraphEnd(from)
			}
			s.blank(from, to)
		}
	}
}
