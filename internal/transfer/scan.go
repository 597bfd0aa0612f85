package transfer

import (
	"maps"
	"slices"
	"time"

	"memory-graph/internal/memory"
)

// Found says what a file has.
type Found struct {
	Kinds       map[string]int // numbers by kind: entity, relation, turn, or the other program's word
	Facts       int            // relations with times
	Ended       int            // of these, ended
	Users       []string       // sorted
	Projects    []string       // sorted
	First, Last time.Time      // of what was said; zero if no time is known
	Passed      map[Passed]int // not imported, by reason
	Problems    int            // cannot be imported
}

// Scan reads a file and says what it has. read is Read, ReadTables or ReadNotes with their other arguments.
func Scan(read func(Sink) error) (Found, error) {
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
			if !m.Until.IsZero() {
				f.Ended += len(m.Facts)
			}
			users[m.User], projects[m.Project] = true, true
			if !m.At.IsZero() && (f.First.IsZero() || m.At.Before(f.First)) {
				f.First = m.At
			}
			if m.At.After(f.Last) {
				f.Last = m.At
			}
			return nil
		},
		Problem: func(int, string) { f.Problems++ },
		Note:    func(int, string) {},
		Passed:  func(_ int, why Passed) { f.Passed[why]++ },
		Left:    func(n int, why Passed) { f.Passed[why] += n },
	})
	delete(users, "")
	delete(projects, "")
	f.Users, f.Projects = slices.Sorted(maps.Keys(users)), slices.Sorted(maps.Keys(projects))
	return f, err
}
