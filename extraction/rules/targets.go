package rules

import (
	"strings"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// targetLine matches "- relation [[Target]]", as agents and notes write relations. The head is the title above the line
// ("# Lantern"), else the first name of the line before, else the user. Under a heading of a lower level ("##
// Relations") without a title above it, a line has no head and states nothing. "[[Target|label]]" is Target. A relation
// is one to four words of letters. "- no longer uses [[Redis]]" has ended.
var targetLine = pattern(`^\s*[-*+]\s+([A-Za-z][A-Za-z_ ]{0,60}?):?\s+` +
	`((?:\[\[[^\[\]\n]{1,200}\]\](?:,\s*|\s+and\s+)?)+)\s*(?:\([^()\n]*\))?\s*\.?\s*$`)

var (
	targetName = pattern(`\[\[([^\[\]\n|]{1,200})(?:\|[^\[\]\n]*)?\]\]`)
	heading    = pattern(`^(#{1,6})\s+(.{1,120}?)\s*#*$`)
)

// targets emits the relations of such lines and blanks the lines.
func (r *reader) targets() {
	if !strings.Contains(r.text, "[[") {
		return
	}
	head, headed := "", false // headed: a title or heading precedes
	before := ""
	out := []byte(r.text)
	for start := 0; start < len(r.text); {
		end := strings.IndexByte(r.text[start:], '\n')
		if end < 0 {
			end = len(r.text)
		} else {
			end += start
		}
		line := r.text[start:end]
		m := targetLine().FindStringSubmatchIndex(line)
		switch {
		case m != nil:
			if head == "" && !headed {
				head = r.headOf(before)
			}
			r.target(head, line[m[2]:m[3]], line[m[4]:m[5]], strings.TrimSpace(line), start+m[4])
			for i := start; i < end; i++ {
				out[i] = ' '
			}
		case strings.TrimSpace(line) != "":
			if h := heading().FindStringSubmatch(strings.TrimSpace(line)); h != nil {
				if len(h[1]) == 1 {
					head = h[2]
				} else if !headed {
					head = ""
				}
				headed = true
			} else if !strings.HasPrefix(strings.TrimSpace(line), "- ") {
				before = line
				if !headed {
					head = ""
				}
			}
		}
		start = end + 1
	}
	r.text = string(out)
}

// headOf returns the first name of a line, the name that the line is, or the user.
func (r *reader) headOf(line string) string {
	line = strings.TrimSpace(line)
	for _, m := range r.rules.finder.FindAll(line, r.turn.Known) {
		if !m.Unsure {
			return m.Name
		}
	}
	if name := strings.TrimRight(line, ":"); name != line && len(name) <= maxName && isName(strings.Fields(name)) {
		return name
	}
	return r.turn.Self
}

// isName reports whether the words before a colon are a name and not a label such as "Todo list for today".
func isName(words []string) bool {
	named := len(words) > 1 && projectNouns[lowerOf(words[len(words)-1])]
	for _, word := range words {
		w := lowerOf(word)
		if prepositions[w] || articles[w] || timeWords[w] {
			return false
		}
		named = named || !everyday(w) && !everydayWord(w)
	}
	return named && len(words) <= 4
}

// maxTargetWords is the maximum length of a relation in a target line, in words.
const maxTargetWords = 5

// ofPeople are relations that a person can have. Without a heading their head is the user.
var ofPeople = set(`uses prefers dislikes likes loves hates wants needs decided_to_use chose works_at works_on works_for
	works_with lives_in located_in based_in knows same_as owns leads manages maintains created built
	assigned_to learned learning interested_in member_of joined left friend_of married_to speaks plays
	reads switched_to reports_to collaborates_with studied_at avoids`)

func (r *reader) target(head, relation, list, quote string, at int) {
	ended := false
	for _, prefix := range []string{"no longer ", "stopped ", "used to "} {
		if rest, ok := strings.CutPrefix(strings.ToLower(relation), prefix); ok {
			relation, ended = rest, true
		}
	}
	name := graph.Snake(relation)
	if head == r.turn.Self && !ofPeople[name] {
		return // the head is unknown
	}
	if name == "" || len(strings.Fields(relation)) > maxTargetWords || len(r.found.Relations) >= maxRelations {
		return
	}
	conf := sure
	if r.turn.Role != memory.RoleUser {
		conf *= reported
	}
	for _, m := range targetName().FindAllStringSubmatchIndex(list, -1) {
		from := at + m[2]
		tail := strings.TrimSpace(list[m[2]:m[3]])
		hk, tk := memory.Canonical(head), memory.Canonical(tail)
		key := hk + "\x00" + name + "\x00" + tk
		if _, ok := r.seen[key]; ok || hk == "" || tk == "" || hk == tk || len(tail) > maxName {
			continue
		}
		r.seen[key] = len(r.found.Relations)
		r.found.Relations = append(r.found.Relations, memory.RelationDraft{
			Head: head, Tail: tail, Relation: name, Fact: Sentence(head, name, tail, ended), Quote: quote,
			Confidence: &conf, Method: memory.MethodRule, Ended: ended, CreateMissing: true,
		})
		r.found.Mentions = append(r.found.Mentions, memory.Mention{Name: tail, Role: mentions.RoleMention, Start: from,
			Stop: from + len(list[m[2]:m[3]])})
		if head == r.turn.Self {
			r.found.Relations[len(r.found.Relations)-1].HeadType = "person"
		}
	}
}
