package bench

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Labelled is a turn with its expected entities and relations, from a file for `bench extraction`.
type Labelled struct {
	Line      int // line of its text in the file
	Role      memory.Role
	Said      time.Time // the day after the role; zero if there is none
	Text      string
	Entities  []LabelledEntity
	Relations []LabelledRelation
}

// LabelledEntity is a line "E name|type".
type LabelledEntity struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// LabelledRelation is a line "R head|relation|tail", with "|end" for an ended fact, "|from=2026-03" and
// "|until=2026-03-18" for its times.
type LabelledRelation struct {
	Head     string `json:"head"`
	Relation string `json:"relation"`
	Tail     string `json:"tail"`
	Ended    bool   `json:"ended,omitempty"`
	From     string `json:"from,omitempty"` // YYYY, YYYY-MM or YYYY-MM-DD; only `bench model` scores times
	Until    string `json:"until,omitempty"`
	// Or are other names of the relation that are right too, from a line "R Ann|lives_in/located_in|Ghent". A head or a
	// tail with "/" may also be found by one of its parts: "R Ann Moe/Ann|speaks|Dutch".
	Or []string `json:"or,omitempty"`
}

// ReadLabelled reads a file for `bench extraction`:
//
//	# a remark
//	@ user
//	I moved from Vim to Helix.
//	E Vim|tool
//	R User|uses|Vim|end
//
// Errors name the line. sum is the SHA-256, in hex.
func ReadLabelled(name string) (turns []Labelled, sum string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, "", memory.Errorf(memory.InvalidArgument, "%s cannot be read: %w.", name, err)
	}
	defer f.Close()
	h := sha256.New()
	turns, err = parseLabelled(name, io.TeeReader(f, h))
	if err != nil {
		return nil, "", err
	}
	return turns, fmt.Sprintf("%x", h.Sum(nil)), nil
}

// roles are the valid roles of a turn.
var roles = []memory.Role{memory.RoleUser, memory.RoleAssistant, memory.RoleTool, memory.RoleSystem}

func parseLabelled(name string, r io.Reader) ([]Labelled, error) {
	var turns []Labelled
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	n := 0
	bad := func(format string, args ...any) error {
		return memory.Errorf(memory.InvalidArgument, "%s:%d: %s.", name, n, fmt.Sprintf(format, args...)).
			WithHint(
				"A turn is a line \"@ role\", a line of text, then lines \"E name|type\" and \"R head|relation|tail\", with " +
					"\"|end\" for an ended fact and \"|from=2026-03\" or \"|until=2026-03-18\" for its times.")
	}
	open := false // a role was read, but no text yet
	for lines.Scan() {
		n++
		line := strings.TrimRight(lines.Text(), "\r")
		switch {
		case open && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "@ "):
			turns[len(turns)-1].Text, turns[len(turns)-1].Line = line, n
			open = false
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "@ "):
			if open {
				return nil, bad("the previous turn has no text")
			}
			word, day, dated := strings.Cut(strings.TrimSpace(line[2:]), " ")
			role := memory.Role(word)
			if !slices.Contains(roles, role) {
				return nil, bad("%q is not a role", role)
			}
			said, err := time.Parse(time.DateOnly, strings.TrimSpace(day))
			if dated && err != nil {
				return nil, bad("%q is not a day such as 2026-03-18", day)
			}
			turns = append(turns, Labelled{Role: role, Said: said})
			open = true
		case len(turns) == 0:
			return nil, bad("the first turn has no line \"@ role\"")
		case strings.HasPrefix(line, "E "):
			parts := strings.Split(line[2:], "|")
			if len(parts) != 2 || memory.Canonical(parts[0]) == "" {
				return nil, bad("%q is not \"E name|type\"", line)
			}
			if !slices.Contains(memory.EntityTypes, parts[1]) {
				return nil, bad("%q is not a type; use one of %s", parts[1], strings.Join(memory.EntityTypes, ", "))
			}
			t := &turns[len(turns)-1]
			t.Entities = append(t.Entities, LabelledEntity{parts[0], parts[1]})
		case strings.HasPrefix(line, "R "):
			r, ok := labelledRelation(line[2:])
			if !ok {
				return nil, bad("%q is not \"R head|relation|tail\" or \"R head|relation|tail|end\"", line)
			}
			for _, name := range append([]string{r.Relation}, r.Or...) {
				if graph.Snake(name) != name || name == "" {
					return nil, bad("the relation %q is not in snake_case", name)
				}
			}
			t := &turns[len(turns)-1]
			t.Relations = append(t.Relations, r)
		default:
			return nil, bad("%q is neither a role, an entity nor a relation", line)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "%s cannot be read after line %d: %w.", name, n, err)
	}
	if open {
		return nil, bad("the last turn has no text")
	}
	if len(turns) == 0 {
		return nil, memory.Errorf(memory.InvalidArgument, "%s has no turns.", name)
	}
	return turns, nil
}

// labelledRelation reads a relation line without its "R ".
func labelledRelation(line string) (r LabelledRelation, ok bool) {
	parts := strings.Split(line, "|")
	if len(parts) < 3 || memory.Canonical(parts[0]) == "" || memory.Canonical(parts[2]) == "" {
		return r, false
	}
	names := strings.Split(parts[1], "/")
	r = LabelledRelation{Head: parts[0], Relation: names[0], Tail: parts[2], Or: names[1:]}
	if len(r.Or) == 0 {
		r.Or = nil
	}
	for _, part := range parts[3:] {
		switch name, value, _ := strings.Cut(part, "="); {
		case part == "end":
			r.Ended = true
		case name == "from" && isDay(value):
			r.From = value
		case name == "until" && isDay(value):
			r.Until = value
		default:
			return r, false
		}
	}
	return r, true
}

// isDay reports whether a text is YYYY, YYYY-MM or YYYY-MM-DD.
func isDay(s string) bool {
	return slices.ContainsFunc([]string{"2006", "2006-01", time.DateOnly}, func(form string) bool {
		_, err := time.Parse(form, s)
		return err == nil
	})
}
