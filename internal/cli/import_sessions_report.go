package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
)

// keptReport is the output of import --from.
type keptReport struct {
	Host     string        `json:"host"`
	Dirs     []string      `json:"dirs"`
	Files    int           `json:"files"`
	Bytes    int64         `json:"bytes"`
	Sessions int           `json:"sessions"` // files with turns
	Turns    int           `json:"turns"`
	New      int           `json:"new"`    // turns that were not stored before
	Raises   int           `json:"raises"` // turns that were stored before, and that --trusted vouches for
	Projects []keptProject `json:"projects"`
	DryRun   bool          `json:"dry_run"`
	Trusted  bool          `json:"trusted"`

	Imported int    `json:"imported"`
	Held     int    `json:"quarantined"` // of the imported turns
	Raised   int    `json:"raised"`      // known, and now trusted
	Known    int    `json:"known"`
	Refused  int    `json:"refused"`
	Long     int    `json:"long_lines"` // skipped
	Broken   int    `json:"broken_lines"`
	CallID   string `json:"call_id,omitempty"`

	Problems []string `json:"problems"` // the first 100
	name     string
	more     int // further problems
}

// keptProject is what a host has kept of a project.
type keptProject struct {
	Namespace string    `json:"namespace"`
	Project   string    `json:"project,omitempty"`
	Sessions  int       `json:"sessions"`
	Turns     int       `json:"turns"`
	New       int       `json:"new"`
	First     time.Time `json:"first"`
	Last      time.Time `json:"last"`
}

func (r *keptReport) problem(text string) {
	if len(r.Problems) >= problemsKept {
		r.more++
		return
	}
	r.Problems = append(r.Problems, text)
}

// found adds up the files by project.
func (r *keptReport) found(files []engine.SessionFile) {
	for _, f := range files {
		if f.Turns == 0 {
			continue
		}
		i := slices.IndexFunc(r.Projects, func(p keptProject) bool {
			return p.Namespace == f.Scope.Namespace && p.Project == f.Scope.Project
		})
		if i < 0 {
			i = len(r.Projects)
			r.Projects = append(r.Projects, keptProject{Namespace: f.Scope.Namespace, Project: f.Scope.Project,
				First: f.First, Last: f.Last})
		}
		p := &r.Projects[i]
		p.Sessions, p.Turns, p.New = p.Sessions+1, p.Turns+f.Turns, p.New+f.New
		if f.First.Before(p.First) {
			p.First = f.First
		}
		if f.Last.After(p.Last) {
			p.Last = f.Last
		}
		r.Sessions, r.Turns, r.New = r.Sessions+1, r.Turns+f.Turns, r.New+f.New
		r.Raises += f.Raised
	}
	slices.SortFunc(r.Projects, func(a, b keptProject) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Project, b.Project))
	})
}

// what returns a sentence on what an import would do.
func (r *keptReport) what() string {
	text := many(int64(r.New), "turn", "turns")
	if r.Raises > 0 {
		text += fmt.Sprintf(", and vouch for %d more", r.Raises)
	}
	return text
}

func (r *keptReport) fill(done engine.SessionsReport) {
	r.Imported, r.Held, r.Raised, r.Known, r.Refused = done.New, done.Held, done.Raised, done.Known, done.Refused
	r.CallID = done.CallID
}

// stopped returns the error for an import that a signal ended; nil if none did.
func (r *keptReport) stopped(ctx context.Context, so string) error {
	if ctx.Err() == nil {
		return nil
	}
	return memory.Errorf(memory.Unavailable, "The import was interrupted. %s", so).
		WithHint("Run the same import again: it continues, and stores nothing twice.")
}

// writeFound prints what the host has kept.
func (r *keptReport) writeFound(w io.Writer) {
	fmt.Fprintf(w, "%s has kept %s with %s (%.1f MB).\n", r.name, many(int64(r.Sessions), "session", "sessions"),
		many(int64(r.Turns), "turn", "turns"), float64(r.Bytes)/1e6)
	if r.Turns == 0 {
		return
	}
	t := table{columns: []column{{title: "PROJECT"}, {title: "NAMESPACE"}, {title: "SESSIONS"}, {title: "TURNS"},
		{title: "NEW"}, {title: "FIRST"}, {title: "LAST"}}}
	for _, p := range r.Projects {
		t.add("", cmp.Or(p.Project, "–"), p.Namespace, fmt.Sprint(p.Sessions), fmt.Sprint(p.Turns), fmt.Sprint(p.New),
			p.First.Format(time.DateOnly), p.Last.Format(time.DateOnly))
	}
	t.write(w, func(_, text string) string { return visible(text) })
}

func (r *keptReport) write(w io.Writer) {
	switch {
	case r.Files == 0:
		fmt.Fprintf(w, "%s has kept no sessions in %s.\n", r.name, strings.Join(r.Dirs, ", "))
		return
	case r.New+r.Raises == 0:
		fmt.Fprintln(w, "All of it is stored already: there is nothing to import.")
	case r.DryRun:
		fmt.Fprintf(w, "An import would add %s.\n", r.what())
	default:
		fmt.Fprintf(w, "Imported %s.\n", many(int64(r.Imported), "turn", "turns"))
	}
	tell := func(n int, one, several string) {
		if n > 0 {
			fmt.Fprintf(w, "%s.\n", many(int64(n), one, several))
		}
	}
	tell(r.Held, "of them is in quarantine: memory-graph quarantine lists it",
		"of them are in quarantine: memory-graph quarantine lists them")
	tell(r.Raised, "was stored already, and is now trusted", "were stored already, and are now trusted")
	tell(r.Known, "was stored already", "were stored already")
	tell(r.Long, "line was skipped, because it is longer than 8 MiB",
		"lines were skipped, because they are longer than 8 MiB")
	tell(r.Broken, "line was skipped, because it is not an entry of a session",
		"lines were skipped, because they are not entries of a session")
	for _, p := range r.Problems {
		fmt.Fprintln(w, visible(p))
	}
	tell(r.more, "more problem", "more problems")
	if r.CallID == "" {
		return
	}
	if !r.Trusted {
		fmt.Fprintln(w, "The sessions are not trusted: searches find them, but they do not appear in a context block "+
			"unasked. Run the same import with --trusted to vouch for them.")
	}
	fmt.Fprintf(w, "Searches by words find them now. A server makes their vectors in the background, the newest first.\n"+
		"memory-graph undo %s reverts the import.\n", r.CallID)
}
