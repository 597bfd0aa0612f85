package transfer

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// Found describes the content of a file.
type Found struct {
	Kinds       map[string]int // numbers by kind: entity, relation, turn, or the other program's word
	Facts       int            // relations with times
	Ended       int            // of these, ended by now
	Users       []string       // sorted
	Projects    []string       // sorted
	First, Last time.Time      // of what was said; zero if no time is known
	Passed      map[Passed]int // not imported, by reason
	Problems    int            // cannot be read
	Problem     string         // the first of them, with its line
}

// Scan reads a file and describes its content. read is Read, ReadTables or ReadNotes with their other arguments. A time
// after now counts as unknown.
func Scan(now time.Time, read func(Sink) error) (Found, error) {
	f := Found{Kinds: map[string]int{}, Passed: map[Passed]int{}}
	users, projects := map[string]bool{}, map[string]bool{}
	err := read(Sink{
		Entity:   func(int, memory.ReferenceEntity) error { f.Kinds["entity"]++; return nil },
		Relation: func(int, memory.ReferenceRelation) error { f.Kinds["relation"]++; return nil },
		Turn: func(m Message) error {
			if m.Kind == "" {
				m.Kind = "turn"
			}
			f.Kinds[m.Kind]++
			f.Facts += len(m.Facts)
			if !m.Until.IsZero() && !m.Until.After(now) {
				f.Ended += len(m.Facts)
			}
			users[m.User], projects[m.Project] = true, true
			if m.At.After(now) {
				return nil
			}
			if !m.At.IsZero() && (f.First.IsZero() || m.At.Before(f.First)) {
				f.First = m.At
			}
			if m.At.After(f.Last) {
				f.Last = m.At
			}
			return nil
		},
		Problem: func(line int, reason string) {
			if f.Problems++; f.Problems == 1 {
				f.Problem = fmt.Sprintf("line %d: %s", line, reason)
			}
		},
		Note:   func(int, string) {},
		Passed: func(_ int, why Passed) { f.Passed[why]++ },
		Left:   func(n int, why Passed) { f.Passed[why] += n },
	})
	delete(users, "")
	delete(projects, "")
	f.Users, f.Projects = slices.Sorted(maps.Keys(users)), slices.Sorted(maps.Keys(projects))
	return f, err
}
