package transfer

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
)

// parseNote reads a Markdown file by the rules of basic-memory: list items [category] text and items with a #tag are
// observations, items relation [[Target]] are relations, and other [[links]] are links. It leaves out code and quotes.
func parseNote(text []byte) note {
	head, body, _ := frontMatter(text)
	n := note{title: head.text("title"), typ: head.text("type"), permalink: head.text("permalink"),
		tags: head.list("tags"),
		at:   head.time("modified", "updated", "updated_at", "created", "created_at", "date"),
		body: strings.ToValidUTF8(strings.TrimSpace(string(body)), "\uFFFD")}
	fence := ""
	for line := range strings.Lines(n.body) {
		line = strings.TrimSpace(line)
		if mark := fenceMark.FindString(line); mark != "" && (fence == "" || strings.HasPrefix(mark, fence)) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		if fence != "" || strings.HasPrefix(line, ">") {
			continue
		}
		item, isItem := listItem(line)
		if isItem && isObservation(item) {
			n.observations = append(n.observations, item)
		}
		n.links = append(n.links, linksIn(item, isItem)...)
	}
	return n
}

var (
	fenceMark   = regexp.MustCompile("^(```+|~~~+)")
	itemMark    = regexp.MustCompile(`^([-*+]|[0-9]{1,9}[.)])[ \t]+`)
	observation = regexp.MustCompile(`^\[([^\[\]()]+)\]\s+\S`)
)

func listItem(line string) (item string, ok bool) {
	mark := itemMark.FindString(line)
	return strings.TrimSpace(line[len(mark):]), mark != ""
}

// isObservation tells observations from tasks, links and other items.
func isObservation(item string) bool {
	for _, task := range []string{"[ ]", "[x]", "[-]", "[X]"} {
		if strings.HasPrefix(item, task) {
			return false
		}
	}
	if observation.MatchString(item) {
		return true
	}
	for word := range strings.FieldsSeq(item) {
		if strings.HasPrefix(word, "#") && len(word) > 1 && word[1] != '#' {
			return true
		}
	}
	return false
}

// linksIn returns the links of a line. The first link of an item is a relation if one word or a quoted text stands
// before it.
func linksIn(line string, isItem bool) []noteLink {
	var out []noteLink
	before, rest, ok := strings.Cut(line, "[[")
	for first := true; ok; first = false {
		target, after, closed := strings.Cut(rest, "]]")
		if !closed {
			return out
		}
		target, _, _ = strings.Cut(target, "|") // what a link shows
		if target = strings.TrimSpace(target); target != "" {
			l := noteLink{relation: "links_to", target: target}
			if relation := relationBefore(before); first && isItem && relation != "" {
				l.relation = relation
				if context := strings.TrimSpace(after); strings.HasPrefix(context, "(") && strings.HasSuffix(context, ")") {
					l.context = strings.TrimSpace(context[1 : len(context)-1])
				}
			}
			out = append(out, l)
			if l.relation != "links_to" {
				return out
			}
		}
		_, rest, ok = strings.Cut(after, "[[")
	}
	return out
}

func relationBefore(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return strings.TrimSpace(s[1 : len(s)-1])
	}
	if strings.ContainsFunc(s, unicode.IsSpace) {
		return ""
	}
	return s
}

// frontMatter splits the lines between --- at the beginning off a file. It reads the fields of the outermost level that
// are texts or lists of texts. ok is false if there are none.
func frontMatter(text []byte) (fields record, body []byte, ok bool) {
	fields = record{}
	text = bytes.TrimPrefix(text, []byte(bom))
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if strings.TrimRight(string(first), " \t\r") != "---" {
		return fields, text, false
	}
	key := ""
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		s := strings.TrimRight(string(line), " \t\r")
		if s == "---" || s == "..." {
			return fields, rest, true
		}
		if item, isItem := listItem(strings.TrimSpace(s)); isItem && key != "" {
			list, _ := fields[key].([]any)
			fields[key] = append(list, unquote(item))
			continue
		}
		name, value, is := strings.Cut(s, ":")
		if !is || name == "" || name[0] == ' ' || name[0] == '#' {
			continue
		}
		key = strings.TrimSpace(name)
		value = strings.TrimSpace(value)
		switch {
		case value == "":
		case strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]"):
			var list []any
			for item := range strings.SplitSeq(value[1:len(value)-1], ",") {
				if item = unquote(item); item != "" {
					list = append(list, item)
				}
			}
			fields[key] = list
		default:
			fields[key] = unquote(value)
		}
	}
	return record{}, text, false // it is not closed
}

func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
