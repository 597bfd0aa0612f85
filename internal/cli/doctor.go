package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"memory-graph/internal/memory"
)

func newDoctor(a *app) *cobra.Command {
	var quick bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check everything, and say what is wrong and what to do",
		Long: `doctor shows the files and directories, the versions, the content of the database and the pending work. It
checks the integrity of the whole database, and says how to fix each problem that it finds. It changes nothing, and can
run while hosts use the database. The exit code is 1 if something is broken.`,
		Example: `  memory-graph doctor
  memory-graph doctor --quick --json`,
		Args: noArgs,
	}
	c.Flags().BoolVar(&quick, "quick", false, "skip the integrity check and the request to the language model's endpoint")
	c.RunE = func(c *cobra.Command, _ []string) error {
		r := a.examine(c.Context(), c, quick)
		if err := c.Context().Err(); err != nil {
			return err
		}
		if err := a.print(r, func(w io.Writer) { r.write(w, a.paint) }); err != nil {
			return err
		}
		if !r.OK {
			return errSilent
		}
		return nil
	}
	return c
}

// report is the output of doctor.
type report struct {
	OK       bool           `json:"ok"`       // nothing is broken
	Findings []finding      `json:"findings"` // worst first
	Places   places         `json:"places"`
	Versions versions       `json:"versions"`
	Embedder embedderReport `json:"embedder"`
	Model    modelReport    `json:"language_model"`
	Database databaseReport `json:"database"`
	Hooks    spoolReport    `json:"hooks"` // turns that wait in the spool
}

// finding is a problem or a warning, with what to do about it.
type finding struct {
	Severity string `json:"severity"` // problem (broken) or warning
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
}

// places are the files and directories; "" for none.
type places struct {
	Database   string `json:"database"`
	ConfigFile string `json:"config_file"`
	Token      string `json:"token"`       // path of the file, even if it does not exist
	TokenState string `json:"token_state"` // whether the file is used, or which setting is used instead
	Data       string `json:"data"`
	Config     string `json:"config"`
	Cache      string `json:"cache"`
	Log        string `json:"log"`      // "" for stderr
	HookLog    string `json:"hook_log"` // log of hooks, even if it does not exist
}

type versions struct {
	Program   build  `json:"program"`
	Runtime   string `json:"runtime,omitempty"` // version of wazero, which runs SQLite; "" if the build does not record it
	SQLite    string `json:"sqlite,omitempty"`  // this and SQLiteVec are set once a database is open
	SQLiteVec string `json:"sqlite_vec,omitempty"`
	Schema    int64  `json:"schema"` // schema version of this program
}

type embedderReport struct {
	Provider   string `json:"provider"`
	Model      string `json:"model,omitempty"`
	Dimensions int    `json:"dimensions,omitempty"`
	Kernel     string `json:"kernel"` // avx512, avx2 or scalar: instructions for embeddings and vector comparison
	State      string `json:"state"`  // works, does not work, or not tried
}

// databaseReport is the state of the database file: missing (the first start creates it), ok, damaged or unusable.
// A count is -1 if the damage prevents counting.
type databaseReport struct {
	State     string `json:"state"`
	Bytes     int64  `json:"bytes"`      // including the write-ahead log
	FreeBytes int64  `json:"free_bytes"` // on its disk; -1 for unknown
	Schema    int64  `json:"schema,omitempty"`
	// the schema is older than the program's; the next start that may write upgrades it
	Outdated  bool     `json:"outdated"`
	Integrity string   `json:"integrity,omitempty"` // sound, damaged or not checked
	Damage    []string `json:"damage,omitempty"`    // lines of the integrity check
	// whether the invariants of the graph hold: sound, broken or not checked
	Graph         string       `json:"graph,omitempty"`
	Episodes      int64        `json:"episodes"`
	Entities      int64        `json:"entities"`
	Relationships int64        `json:"relationships"`
	Vectors       int64        `json:"vectors"`
	Namespaces    int64        `json:"namespaces"`
	Generations   []generation `json:"generations"`
	Queue         []queueRow   `json:"queue"`
	Upkeep        []upkeepRow  `json:"upkeep"`
}

// generation is an embedding generation: a set of vectors and the model that made them.
type generation struct {
	Provider   string `json:"provider"`
	Model      string `json:"model"`
	Dimensions int    `json:"dimensions"`
	State      string `json:"state"`
}

type queueRow struct {
	Kind   string `json:"kind"`
	Status string `json:"status"`
	N      int64  `json:"n"`
}

func (r *report) problem(message, hint string) {
	r.OK = false
	r.Findings = append(r.Findings, finding{"problem", message, hint})
}

func (r *report) warning(message, hint string) {
	r.Findings = append(r.Findings, finding{"warning", message, hint})
}

// fault adds an error as a problem.
func (r *report) fault(err error) {
	e := memory.AsError(err)
	r.problem(e.Message, e.Hint)
}

// write prints the report as text.
func (r *report) write(w io.Writer, paint func(colour, text string) string) {
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	section := func(name string) { fmt.Fprintln(w, name) }
	orNone := func(s, none string) string {
		if s == "" {
			return none
		}
		return s
	}

	section("Places")
	row("database", "%s", orNone(r.Places.Database, "unknown: the settings cannot be read"))
	row("config file", "%s", orNone(r.Places.ConfigFile, "none: defaults, flags and environment"))
	row("HTTP token", "%s (%s)", orNone(r.Places.Token, "no file"), orNone(r.Places.TokenState, "unknown"))
	row("data", "%s", r.Places.Data)
	row("config", "%s", r.Places.Config)
	row("cache", "%s", r.Places.Cache)
	row("log", "%s", orNone(r.Places.Log, "stderr"))

	section("Versions")
	row("program", "%s", r.Versions.Program)
	if r.Versions.Runtime != "" {
		row("runtime", "wazero %s", r.Versions.Runtime)
	}
	if r.Versions.SQLite != "" {
		row("SQLite", "%s with sqlite-vec %s", r.Versions.SQLite, r.Versions.SQLiteVec)
	}
	row("schema", "%d", r.Versions.Schema)

	section("Embedder")
	switch e := r.Embedder; e.Provider {
	case "":
		row("provider", "unknown: the settings cannot be read")
	case "none":
		row("provider", "none: text search only")
	default:
		row("provider", "%s, %s, %d dimensions: %s", e.Provider, e.Model, e.Dimensions, e.State)
	}
	row("kernel", "%s", r.Embedder.Kernel)

	section("Language model")
	r.Model.write(row)

	section("Database")
	r.Database.write(row)

	section("Hooks")
	row("waiting", "%s", r.Hooks.line())
	row("log", "%s", orNone(r.Places.HookLog, "none"))

	fmt.Fprintln(w)
	for _, f := range r.Findings {
		mark := paint("33", "warning:")
		if f.Severity == "problem" {
			mark = paint("31", "PROBLEM:")
		}
		fmt.Fprintln(w, strings.TrimSpace(mark+" "+f.Message+" "+f.Hint))
	}
	switch {
	case !r.OK:
	case r.Database.Integrity == "not checked":
		fmt.Fprintln(w,
			paint("32",
				"No problem was seen, but the integrity of the database was not checked; run without --quick to check it."))
	default:
		fmt.Fprintln(w, paint("32", "No problem found."))
	}
}

func (d *databaseReport) write(row func(name, format string, args ...any)) {
	free := "an unknown amount"
	if d.FreeBytes >= 0 {
		free = size(d.FreeBytes)
	}
	switch d.State {
	case "missing":
		row("state", "does not exist yet: the first start creates it")
		row("disk", "%s free", free)
		return
	case "ok", "damaged":
		if d.Schema == 0 { // too damaged to open
			row("state", "damaged")
			break
		}
		row("state", "schema %d, integrity %s, graph %s", d.Schema, d.Integrity, d.Graph)
		if d.Outdated {
			row("", "older than this program: the next start upgrades it")
		}
	default:
		row("state", "%s", d.State)
	}
	row("disk", "%s used, %s free", size(d.Bytes), free)
	for i, line := range d.Damage[:min(damageShown, len(d.Damage))] {
		row(first(i, "integrity"), "%s", line)
	}
	if more := len(d.Damage) - damageShown; more > 0 {
		row("", "and %d more; --json lists them", more)
	}
	if d.Schema == 0 { // too damaged to open
		return
	}
	row("holds", "%s, %s, %s in %s", many(d.Episodes, "episode", "episodes"), many(d.Entities, "entity", "entities"),
		many(d.Relationships, "relationship", "relationships"), many(d.Namespaces, "namespace", "namespaces"))
	if d.Vectors < 0 {
		row("vectors", "unknown, and so is the queue")
		return
	}
	row("vectors", "%d of %s", d.Vectors, many(d.Episodes, "episode", "episodes"))
	for _, g := range d.Generations {
		row("", "%s: %s %s, %d dimensions", g.State, g.Provider, g.Model, g.Dimensions)
	}
	if len(d.Queue) == 0 {
		row("queue", "empty")
	}
	for i, q := range d.Queue {
		row(first(i, "queue"), "%s %s: %d", q.Kind, q.Status, q.N)
	}
	for i, u := range d.Upkeep {
		row(first(i, "upkeep"), "%s: %s", u.Task, u.text)
	}
}

func (d *databaseReport) unknownCounts() {
	d.Episodes, d.Entities, d.Relationships, d.Vectors, d.Namespaces = -1, -1, -1, -1, -1
}

// first returns name for the first row of several, and "" for the others.
func first(i int, name string) string {
	if i > 0 {
		return ""
	}
	return name
}

// many returns a count with its noun; a negative count is unknown.
func many(n int64, one, more string) string {
	switch {
	case n < 0:
		return "an unknown number of " + more
	case n == 1:
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// size returns a number of bytes as text, such as "1.5 MiB".
func size(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	f, i := float64(n)/unit, 0
	for f >= unit && i < 4 {
		f, i = f/unit, i+1
	}
	return fmt.Sprintf("%.1f %ciB", f, "KMGTP"[i])
}
