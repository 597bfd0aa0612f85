package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
)

// importReport is what import did. Of what another program has kept, every entity, relation and turn of the file is
// counted once: new, known, raised, merged, grown, passed or failed.
type importReport struct {
	File     string          `json:"file"`
	Format   string          `json:"format"`
	Trusted  bool            `json:"trusted"`
	Project  string          `json:"project,omitempty"`
	DryRun   bool            `json:"dry_run"` // nothing was written
	Lines    int             `json:"lines"`
	New      map[string]int  `json:"new"`     // by kind
	Known    int             `json:"known"`   // was there
	Raised   int             `json:"raised"`  // was there, and is vouched for now
	Merged   int             `json:"merged"`  // entities that were there under a name in other letters
	Grown    int             `json:"grown"`   // entities that were there, and have more observations now
	Kept     int             `json:"kept"`    // another one here, and left as it is
	Passed   map[string]int  `json:"passed"`  // to be left out, by the reason
	Noted    int             `json:"noted"`   // remarks on what was taken
	Failed   int             `json:"failed"`  // could not be taken
	Partial  bool            `json:"partial"` // something was not taken, or not as it stands
	Reported int             `json:"reported"`
	Problems []importProblem `json:"problems"` // the first 100
	CallID   string          `json:"call_id,omitempty"`
	Seconds  float64         `json:"seconds"`
}

type importProblem struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

func (r *importReport) fill(done engine.ImportReport, took time.Duration) {
	r.Lines, r.New, r.Known, r.Raised, r.Merged, r.Grown, r.Kept = done.Lines, done.New, done.Known, done.Raised,
		done.Merged, done.Grown, done.Kept
	r.Noted, r.Failed, r.CallID, r.Partial, r.Seconds = done.Noted, done.Failed, done.CallID, done.Failed+done.Lost > 0,
		took.Seconds()
	r.Passed = map[string]int{}
	for why, n := range done.Passed {
		r.Passed[string(why)] = n
	}
}

// interrupted says how far an import came that a signal ended.
func (r importReport) interrupted() error {
	if r.DryRun {
		return memory.Errorf(memory.Unavailable,
			"The import was interrupted behind line %d of the file. Nothing was written.", r.Lines)
	}
	stored := r.news()
	if stored == "" {
		stored = "nothing new"
	}
	return memory.Errorf(memory.Unavailable,
		"The import was interrupted behind line %d of the file. Stored until there: %s.", r.Lines, stored).
		WithHint("Run the same import again: it goes on from there, and adds nothing twice.")
}

// importKinds words what the kinds are called, one and several.
var importKinds = map[string][2]string{
	"entity": {"entity", "entities"}, "relation": {"relation", "relations"}, "turn": {"turn",
		"turns"}, "observation": {"observation", "observations"},
	"episode": {"turn", "turns"}, "relationship": {"fact", "facts"}, "alias": {"name", "names"}, "event": {"event",
		"events"}, "mention": {"mention", "mentions"},
}

// news lists what is new.
func (r importReport) news() string {
	var parts []string
	others := 0
	for _, kind := range slices.Sorted(maps.Keys(r.New)) {
		if words, ok := importKinds[kind]; ok {
			parts = append(parts, many(int64(r.New[kind]), words[0], words[1]))
		} else {
			others += r.New[kind]
		}
	}
	if others > 0 {
		parts = append(parts, many(int64(others), "other row", "other rows"))
	}
	return strings.Join(parts, ", ")
}

func (r importReport) write(w io.Writer) {
	news := r.news()
	switch {
	case news == "":
		fmt.Fprintf(w, "Nothing new in %s (%s).\n", r.File, r.Format)
	case r.DryRun:
		fmt.Fprintf(w, "New in %s (%s) would be: %s.\n", r.File, r.Format, news)
	default:
		fmt.Fprintf(w, "New from %s (%s): %s.\n", r.File, r.Format, news)
	}
	tell := func(n int, one, several string) {
		if n > 0 {
			fmt.Fprintf(w, "%s.\n", many(int64(n), one, several))
		}
	}
	tell(r.Known, "was there already", "were there already")
	tell(r.Raised, "was there, and is vouched for now", "were there, and are vouched for now")
	tell(r.Merged, "went to an entity whose name differs in letters alone",
		"went to entities whose names differ in letters alone")
	tell(r.Grown, "entity was there, and has more observations now", "entities were there, and have more observations now")
	tell(r.Kept, "is another one here, and was left as it is", "are others here, and were left as they are")
	for _, why := range slices.Sorted(maps.Keys(r.Passed)) {
		tell(r.Passed[why], "was left out: "+why, "were left out: "+why)
	}
	tell(r.Failed, "could not be taken; its line is above", "could not be taken; their lines are above")
	tell(r.Noted, "note on what was taken is above", "notes on what was taken are above")
	r.advise(w)
}

// advise says what it takes that what was imported is of use, and how to take it back.
func (r importReport) advise(w io.Writer) {
	if r.news() == "" && r.Known+r.Raised+r.Merged+r.Grown == 0 {
		return
	}
	if !r.Trusted {
		fmt.Fprintf(w,
			"Nobody has vouched for it: it is found by asking, and stands before no turn by itself. The same import with "+
				"--trusted vouches for it.\n")
	}
	switch {
	case r.news() == "", r.Format == string(transfer.Own): // its rows say where they belong
	case r.Project == "":
		fmt.Fprintf(w, "It belongs to no project, and so to all; --project gives what is imported to one.\n")
	default:
		fmt.Fprintf(w, "It belongs to the project %s, and stands before no other project's turns.\n", visible(r.Project))
	}
	if r.CallID != "" {
		fmt.Fprintf(w, "memory-graph undo %s takes it back.\n", r.CallID)
	}
}
