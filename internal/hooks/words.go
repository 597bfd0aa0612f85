package hooks

import "strings"

// block delimits text that a host adds to the user's message.
type block struct {
	from, to string
	says     bool // the content is the user's; otherwise the host's
}

// tag is a block in a tag, with any attributes; said is one whose content is the user's.
func tag(name string) block  { return block{from: "<" + name, to: "</" + name + ">"} }
func said(name string) block { return block{from: "<" + name, to: "</" + name + ">", says: true} }

// tags makes blocks from the names of tags.
func tags(names string) (list []block) {
	for _, name := range strings.Fields(names) {
		list = append(list, tag(name))
	}
	return list
}

// words returns the user's words in a message, without the host's blocks before and after them. It returns "" if
// nothing is left, or only a command of the host. Blocks inside the user's words stay.
func (h client) words(message string) string {
	left := maxBlocks
	if s := h.bare(message, &left); !h.ownCommand(s) {
		return s
	}
	return ""
}

// maxBlocks is the maximal number of blocks removed from a message, since each search reads the whole message.
const maxBlocks = 100

// bare removes up to *left blocks from a text.
func (h client) bare(s string, left *int) string {
	for ok := true; ok && *left > 0; {
		*left-- // first, because unwrap recurses
		s, ok = h.unwrap(strings.TrimSpace(s), left)
	}
	return strings.TrimSpace(s)
}

// unwrap removes the first or the last block of a message; false if there is none.
func (h client) unwrap(s string, left *int) (string, bool) {
	for _, b := range h.blocks {
		if !b.begins(s) {
			continue
		}
		inside, rest, closed := strings.Cut(s[len(b.from):], b.to)
		switch {
		case b.says:
			return b.inside(inside) + " " + h.bare(rest, left), true
		case closed || b.tagged(): // an unclosed tag has no words of the user
			return rest, true
		}
	}
	for _, b := range h.blocks {
		head, ok := strings.CutSuffix(s, b.to)
		if i := strings.LastIndex(head, b.from); ok && i >= 0 && b.begins(s[i:]) {
			if b.says {
				return s[:i] + b.inside(head[i+len(b.from):]), true
			}
			return s[:i], true
		}
	}
	return s, false
}

// begins reports whether a text begins with the block. A tag must have exactly the block's name.
func (b block) begins(s string) bool {
	rest, ok := strings.CutPrefix(s, b.from)
	if !ok || !b.tagged() {
		return ok
	}
	return rest != "" && strings.ContainsRune("> \t\r\n", rune(rest[0]))
}

// inside returns a block's content after the rest of its opening tag.
func (b block) inside(s string) string {
	if b.tagged() {
		_, s, _ = strings.Cut(s, ">")
	}
	return strings.TrimSpace(s)
}

func (b block) tagged() bool { return strings.HasPrefix(b.from, "<") }

// ownCommand reports whether a message is a command that the host handles, or a bare command name. Neither is worth
// remembering. The arguments of other commands are kept, with the command's name.
func (h client) ownCommand(s string) bool {
	name, ok := strings.CutPrefix(s, "/")
	if !ok {
		return false
	}
	name, words := name, ""
	if i := strings.IndexAny(name, " \t\r\n"); i >= 0 {
		name, words = name[:i], strings.TrimSpace(name[i:])
	}
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789-_:.", r)) {
			return false // a path or not a name
		}
	}
	if name == "" {
		return false
	}
	for _, own := range strings.Fields(h.commands) {
		if strings.EqualFold(own, name) {
			return true
		}
	}
	return words == ""
}
