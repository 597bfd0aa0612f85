package vault

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// parsing is the state of reading one page.
type parsing struct {
	page     Page
	problems []Problem
	section  string // the heading under which a line stands, "" before the first
	kept     bool   // the section is one that a person added
	fence    string // the line that ends the code of a kept section, "" outside of code
	text     []string
	own      []string // the lines of kept sections
}

func (p *parsing) problem(line int, format string, args ...any) {
	p.problems = append(p.problems, Problem{Line: line, Text: fmt.Sprintf(format, args...)})
}

var heading = regexp.MustCompile(`^(#{1,6})(?:[ \t]+(.*))?$`)

// Parse reads a page. It never fails: what it cannot read is a problem, and left out.
func Parse(data []byte) (Page, []Problem) {
	p := &parsing{page: Page{Lines: map[string]int{}, Unread: map[int64]bool{}}}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		p.problem(1, "the file is not UTF-8")
		p.page.Unsure = true
		return p.page, p.problems
	}
	front, rest, at, ok := Front(data)
	if ok {
		p.front(front)
	}
	all := strings.Split(strings.TrimSuffix(string(rest), "\n"), "\n")
	for i, line := range all {
		if line = strings.TrimRight(line, "\r"); p.kept && p.code(line, all[i+1:]) {
			p.own = append(p.own, line)
		} else {
			p.line(at+i, strings.TrimRight(line, " \t\r"), line)
		}
	}
	p.page.Sections = p.sections()
	for i, line := range p.text {
		p.text[i] = unescape(strings.TrimSpace(line))
	}
	p.page.Description = lines(strings.Join(p.text, "\n"))
	slices.Sort(p.page.Aliases)
	p.page.Aliases = slices.Compact(p.page.Aliases)
	return p.page, p.problems
}

// line reads a line; raw is the same with the white space at its end.
func (p *parsing) line(at int, line, raw string) {
	if m := heading.FindStringSubmatch(line); m != nil {
		p.heading(line, len(m[1]), strings.TrimSpace(m[2]))
		return
	}
	item, listed := listItem(line)
	switch {
	case p.kept:
		p.own = append(p.own, raw)
	case p.section == "":
		p.text = append(p.text, line)
	case line == "" || listed && item == "":
	case p.section == headObservations:
		p.observation(at, line, item, listed)
	case listed:
		p.fact(at, item)
	default:
		p.unread(at, line, "a fact is a line like `- works_at [[Acme]] (since 2024-03-01)`")
	}
}

func (p *parsing) heading(line string, level int, text string) {
	if level == 1 && p.page.Heading == "" && p.section == "" && !p.kept &&
		strings.TrimSpace(strings.Join(p.text, "")) == "" {
		p.page.Heading, p.text = oneLine(unescape(text)), nil
		return
	}
	for _, known := range []string{headFacts, headEnded, headObservations} {
		if level > 1 && strings.EqualFold(text, known) {
			p.section, p.kept = known, false
			return
		}
	}
	p.begin(line)
}

// listItem returns the text of an item of a list.
func listItem(line string) (text string, ok bool) {
	if line == "-" || line == "*" || line == "+" {
		return "", true
	}
	for _, mark := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

func (p *parsing) observation(at int, line, item string, listed bool) {
	list := &p.page.Observations
	switch {
	case listed:
		if item = oneLine(unescape(item)); item != "" {
			*list = append(*list, item)
		}
	case strings.HasPrefix(line, " ") && len(*list) > 0:
		last := &(*list)[len(*list)-1]
		*last = oneLine(*last + " " + unescape(strings.TrimSpace(line)))
	default:
		p.problem(at, "an observation is a line that begins with `- `")
	}
}

var (
	wikilink = regexp.MustCompile(`^\[\[([^\[\]|#^]+)(?:[#^][^\[\]|]*)?(?:\|[^\[\]]*)?\]\]`)
	mdlink   = regexp.MustCompile(`^\[[^\[\]]*\]\(<?([^()<>]+?)\.md(?:#[^()<>]*)?>?\)`)
	blockID  = regexp.MustCompile(`(?:^|[ \t])\^r([1-9][0-9]{0,17})$`)
)

// fact reads the line of a fact.
func (p *parsing) fact(at int, item string) {
	f := Fact{Line: at, Ended: p.section == headEnded}
	rest := item
	if m := blockID.FindStringSubmatchIndex(rest); m != nil {
		id, err := memory.ParseID("r" + rest[m[2]:m[3]])
		if err == nil {
			f.ID, rest = id.Num, strings.TrimSpace(rest[:m[0]])
		}
	}
	open := strings.IndexByte(rest, '[')
	if open < 0 {
		p.unreadFact(at, f.ID, "the fact has no [[Target]]")
		return
	}
	f.Relation = graph.Snake(unescape(strings.TrimSpace(rest[:open])))
	target, after, ok := link(rest[open:])
	switch {
	case f.Relation == "":
		p.unreadFact(at, f.ID, "the fact has no relation before its [[Target]]")
		return
	case !ok:
		p.unreadFact(at, f.ID, "the target is not a link like [[Acme]]")
		return
	}
	f.Target = target
	for rest = strings.TrimSpace(after); rest != ""; rest = strings.TrimSpace(rest) {
		if _, after, ok := link(rest); ok { // a source
			rest = after
			continue
		}
		dates, after, ok := strings.Cut(rest, ")")
		if !ok || !strings.HasPrefix(dates, "(") {
			p.unreadFact(at, f.ID, fmt.Sprintf("%.60q after the target is neither dates in parentheses nor a link", rest))
			return
		}
		if why := f.dates(dates[1:]); why != "" {
			p.unreadFact(at, f.ID, why)
			return
		}
		rest = after
	}
	p.page.Facts = append(p.page.Facts, f)
}

// link reads a link to a page at the beginning of a text and returns the name of the page.
func link(s string) (target, rest string, ok bool) {
	for _, kind := range []*regexp.Regexp{wikilink, mdlink} {
		if m := kind.FindStringSubmatchIndex(s); m != nil {
			name := s[m[2]:m[3]]
			if kind == mdlink {
				name = strings.ReplaceAll(name, "%20", " ")
			}
			name = strings.TrimSuffix(strings.TrimSpace(name), ext)
			name = oneLine(name[strings.LastIndexByte(name, '/')+1:])
			return name, s[m[1]:], name != ""
		}
	}
	return "", s, false
}

// dates reads "since 2024-03-01, until 2025". It returns the reason if it cannot.
func (f *Fact) dates(s string) (why string) {
	for part := range strings.SplitSeq(s, ",") {
		word, when, _ := strings.Cut(strings.TrimSpace(part), " ")
		when = strings.TrimSpace(when)
		var into *string
		switch strings.ToLower(word) {
		case "since", "from":
			into = &f.Since
		case "until", "to":
			into = &f.Until
		default:
			return fmt.Sprintf("%.60q is not a date like `since 2024-03-01` or `until 2025`", strings.TrimSpace(part))
		}
		t, unit, err := memory.ParsePeriod(word, when)
		if err != nil || *into != "" {
			return fmt.Sprintf("%.60q is not a time: use a date, a month (2024-03) or a year", when)
		}
		*into = unit.Date(t)
	}
	return ""
}

// unreadFact records that the line of a fact cannot be read, so the fact stays as it is.
func (p *parsing) unreadFact(at int, id int64, why string) {
	p.problem(at, "%s", why)
	if id != 0 {
		p.page.Unread[id] = true
	} else {
		p.page.Unsure = true
	}
}

// unread is unreadFact for a line that is not a list item.
func (p *parsing) unread(at int, line, why string) {
	id := int64(0)
	if m := blockID.FindStringSubmatch(line); m != nil {
		if parsed, err := memory.ParseID("r" + m[1]); err == nil {
			id = parsed.Num
		}
	}
	p.unreadFact(at, id, why)
}
