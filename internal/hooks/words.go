package hooks

import "strings"

// block is what a host puts around the user's words, from its beginning to its end.
type block struct {
	from, to string
	says     bool // what is inside is the user's; otherwise it is the host's
}

// tag is a block in a tag, with whatever attributes; said is one whose inside is the user's.
func tag(name string) block  { return block{from: "<" + name, to: "</" + name + ">"} }
func said(name string) block { return block{from: "<" + name, to: "</" + name + ">", says: true} }

// tags makes blocks of names of tags.
func tags(names string) (list []block) {
	for _, name := range strings.Fields(names) {
		list = append(list, tag(name))
	}
	return list
}

// words gives what the user said in a message: without the blocks that the host put before and behind it, and "" where
// there is nothing else, or a command of the host's own. What stands in the middle of a message is the user's, whatever
// it looks like.
func (h client) words(message string) string {
	left := maxBlocks
	if s := h.bare(message, &left); !h.ownCommand(s) {
		return s
	}
	return ""
}

// maxBlocks is how many blocks are taken off a message: each is looked for in all of it.
const maxBlocks = 100

// bare takes the blocks off a text, as many as are left to take.
func (h client) bare(s string, left *int) string {
	for ok := true; ok && *left > 0; {
		*left-- // before what unwrap calls again
		s, ok = h.unwrap(strings.TrimSpace(s), left)
	}
	return strings.TrimSpace(s)
}

// unwrap takes one block off a message, the first or the last; false where there is none.
func (h client) unwrap(s string, left *int) (string, bool) {
	for _, b := range h.blocks {
		if !b.begins(s) {
			continue
		}
		inside, rest, closed := strings.Cut(s[len(b.from):], b.to)
		switch {
		case b.says:
			return b.inside(inside) + " " + h.bare(rest, left), true
		case closed || b.tagged(): // of a tag that is cut off nothing is the user's
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

// begins says whether a text begins with the block: a tag's name ends where the name does.
func (b block) begins(s string) bool {
	rest, ok := strings.CutPrefix(s, b.from)
	if !ok || !b.tagged() {
		return ok
	}
	return rest != "" && strings.ContainsRune("> \t\r\n", rune(rest[0]))
}

// inside gives what a block holds, behind the rest of its opening tag.
func (b block) inside(s string) string {
	if b.tagged() {
		_, s, _ = strings.Cut(s, ">")
	}
	return strings.TrimSpace(s)
}

func (b block) tagged() bool { return strings.HasPrefix(b.from, "<") }

// ownCommand says whether a message is a command that the host carries out itself, or the bare name of one: neither
// tells anything. The words that are given to a command of the user's are kept, with its name.
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
			return false // a path, or no name
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
