package cli

import (
	"context"
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

// importReport is the output of import. For another program's file, every entity, relation and turn is counted once:
// as new, known, raised, merged, grown, passed or failed.
type importReport struct {
	File     string          `json:"file"`
	Format   string          `json:"format"`
	Trusted  bool            `json:"trusted"`
	Project  string          `json:"project,omitempty"`
	DryRun   bool            `json:"dry_run"` // nothing was written
	Found    *foundReport    `json:"found,omitempty"`
	Lines    int             `json:"lines"`
	New      map[string]int  `json:"new"`     // imported, by kind
	Known    int             `json:"known"`   // existed already
	Raised   int             `json:"raised"`  // existed, and is now trusted
	Merged   int             `json:"merged"`  // entities that existed under a name with another spelling
	Grown    int             `json:"grown"`   // entities that existed, and got more observations
	Changed  int             `json:"changed"` // turns whose text changed since an earlier import, and was replaced
	Ended    int             `json:"ended"`   // facts of earlier imports that ended
	Gone     int             `json:"gone"`    // turns of earlier imports that were withdrawn
	Absent   int             `json:"absent"`  // turns of earlier imports that the file does not have; they stay
	Kept     int             `json:"kept"`    // exists with other content, which was kept
	Passed   map[string]int  `json:"passed"`  // skipped on purpose, by reason
	Noted    int             `json:"noted"`   // notes on imported content
	Failed   int             `json:"failed"`  // could not be imported
	Partial  bool            `json:"partial"` // something was not imported, or was changed
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
	r.Changed, r.Ended, r.Gone, r.Absent = done.Changed, done.Ended, done.Gone, done.Absent
	r.Noted, r.Failed, r.CallID, r.Partial, r.Seconds = done.Noted, done.Failed, done.CallID, done.Failed+done.Lost > 0,
		took.Seconds()
	r.Passed = map[string]int{}
	for why, n := range done.Passed {
		r.Passed[string(why)] = n
	}
}

// notBegun returns the error for an import that failed before its first line. It replaces the context's error.
func notBegun(ctx context.Context, file string, err error) error {
	if ctx.Err() == nil {
		return err
	}
	if file == "-" {
		file = "stdin"
	}
	return memory.Errorf(memory.Unavailable, "The import was interrupted before anything was imported from %s.", file).
		WithHint("Nothing was written. If it waits for a pipe, start the program that writes to the pipe.")
}

// interrupted returns the error for an import that a signal ended; it says how far the import came.
func (r importReport) interrupted() error {
	if r.DryRun {
		return memory.Errorf(memory.Unavailable,
			"The import was interrupted after line %d of the file. Nothing was written.", r.Lines)
	}
	stored := r.news()
	if stored == "" {
		stored = "nothing new"
	}
	return memory.Errorf(memory.Unavailable,
		"The import was interrupted after line %d of the file. Stored so far: %s.", r.Lines, stored).
		WithHint("Run the same import again: it continues, and adds nothing twice.")
}

// importKinds has the names of the kinds, singular and plural.
var importKinds = map[string][2]string{
	"entity": {"entity", "entities"}, "relation": {"relation", "relations"}, "turn": {"turn",
		"turns"}, "observation": {"observation", "observations"},
	"episode": {"turn", "turns"}, "relationship": {"fact", "facts"}, "alias": {"name", "names"}, "event": {"event",
		"events"}, "mention": {"mention", "mentions"},
}

// news lists the new content as text.
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
	case news == "" && r.Changed+r.Ended+r.Gone > 0:
	case news == "":
		fmt.Fprintf(w, "Nothing new in %s (%s).\n", r.File, r.Format)
	case r.DryRun:
		fmt.Fprintf(w, "An import of %s (%s) would add: %s.\n", r.File, r.Format, news)
	default:
		fmt.Fprintf(w, "Imported from %s (%s): %s.\n", r.File, r.Format, news)
	}
	tell := func(n int, one, several string) {
		if n > 0 {
			fmt.Fprintf(w, "%s.\n", many(int64(n), one, several))
		}
	}
	tell(r.Known, "existed already", "existed already")
	is, are, was, were := "is now", "are now", "was", "were"
	end := "ended"
	if r.DryRun {
		is, are, was, were, end = "would be", "would be", "would be", "would be", "would end"
	}
	tell(r.Raised, "existed, and "+is+" trusted", "existed, and "+are+" trusted")
	tell(r.Merged, was+" merged into an entity whose name has another spelling",
		were+" merged into entities whose names have another spelling")
	tell(r.Grown, "entity existed, and got more observations", "entities existed, and got more observations")
	tell(r.Kept, "exists with other content, which was kept", "exist with other content, which was kept")
	tell(r.Changed, "text has changed, and "+was+" replaced", "texts have changed, and "+were+" replaced")
	tell(r.Ended, "fact of an earlier import "+end, "facts of earlier imports "+end)
	tell(r.Gone, "turn of an earlier import "+was+" withdrawn", "turns of earlier imports "+were+" withdrawn")
	tell(r.Absent, "turn of an earlier import is not in the file, and stays; --complete withdraws it",
		"turns of earlier imports are not in the file, and stay; --complete withdraws them")
	for _, why := range slices.Sorted(maps.Keys(r.Passed)) {
		if r.Found == nil { // otherwise it was said before
			tell(r.Passed[why], "was skipped: "+why, "were skipped: "+why)
		}
	}
	tell(r.Failed, "could not be imported; see the line above", "could not be imported; see the lines above")
	tell(r.Noted, "remark on what was imported; see the line above", "remarks on what was imported; see the lines above")
	r.advise(w)
}

// advise prints how the imported content is used, and how to revert the import.
func (r importReport) advise(w io.Writer) {
	if r.news() == "" && r.Known+r.Raised+r.Merged+r.Grown == 0 {
		return
	}
	if !r.Trusted {
		fmt.Fprintf(w,
			"The file is not trusted: searches find its content, but it does not appear in a context block unasked. Run the "+
				"same import with --trusted to vouch for it.\n")
	}
	switch {
	case r.news() == "", r.Format == string(transfer.Own): // its rows have their projects
	case r.Project == "" && r.Found != nil && len(r.Found.Projects) > 0:
		fmt.Fprintf(w, "It belongs to the projects that the file names; --project assigns all of it to one.\n")
	case r.Project == "":
		fmt.Fprintf(w, "It has no project, so every project finds it; --project assigns it to one.\n")
	default:
		fmt.Fprintf(w, "It belongs to the project %s, and does not appear in the context of other projects.\n",
			visible(r.Project))
	}
	if r.CallID != "" {
		fmt.Fprintf(w, "memory-graph undo %s reverts it.\n", r.CallID)
	}
}
