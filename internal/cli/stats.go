package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func newStats(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "stats",
		Short: "Count what is remembered",
		Long: `stats counts the entities, facts and turns of a namespace, whatever their project and user, and says what still waits to be
done, who makes the vectors, how far extraction has come, and what the language model was asked for and cost.`,
		Example: `  memory-graph stats
  memory-graph stats --namespace work --json`,
		Args: noArgs,
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.withMemory(c, false, func(ctx context.Context, o opened) error {
			n, err := a.status(ctx, o)
			if err != nil {
				return err
			}
			r, err := readStats(ctx, o, n)
			if err != nil {
				return err
			}
			return a.print(r, func(w io.Writer) { r.write(w, a.paint) })
		})
	}
	return c
}

// statsReport is what stats shows.
type statsReport struct {
	Database  string `json:"database"`
	Bytes     int64  `json:"bytes"` // of the file, with the write-ahead log
	Namespace string `json:"namespace"`
	// The counts below are the namespace's.
	Entities  int64        `json:"entities"`
	Memories  int64        `json:"memories"`
	Mentions  int64        `json:"mentions"` // names that were only seen
	Facts     factCounts   `json:"relationships"`
	Episodes  int64        `json:"episodes"`
	Oldest    string       `json:"oldest_episode,omitempty"`
	Newest    string       `json:"newest_episode,omitempty"`
	Groups    int64        `json:"communities"`
	Types     []countRow   `json:"entities_by_type"`
	Relations []countRow   `json:"relationships_by_relation"` // of active facts
	State     memory.State `json:"memory_state"`
	// The rest is the whole file's.
	Namespaces int64            `json:"namespaces"` // with turns
	Queue      []queueRow       `json:"queue"`
	Embedder   statsEmbedder    `json:"embedder"`
	Extraction extractionReport `json:"extraction"`
	Hooks      spoolReport      `json:"hooks"` // turns that are not counted above, since they are not stored yet
	stats      memory.GraphStats
}

type factCounts struct {
	Active int64 `json:"active"`
	Ended  int64 `json:"ended"`
}

type countRow struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// statsEmbedder is the provider that is configured and the vectors that there are.
type statsEmbedder struct {
	Provider    string       `json:"provider"`
	Vectors     int64        `json:"vectors"` // turns with a vector of the active generation
	Generations []generation `json:"generations"`
}

func readStats(ctx context.Context, o opened, n memory.GraphStats) (*statsReport, error) {
	r := &statsReport{
		Database: o.Path(), Bytes: fileBytes(o.Path()), Namespace: o.cfg.Namespace, stats: n,
		Entities: n.Entities, Memories: n.Memories, Mentions: n.Mentions, Facts: factCounts{n.ActiveRelationships,
			n.EndedRelationships},
		Episodes: n.Episodes, Oldest: memory.RFC3339(n.OldestEpisode), Newest: memory.RFC3339(
			n.NewestEpisode), Groups: n.Communities,
		Types: countRows(n.EntitiesByType), Relations: countRows(n.RelationshipsByRelation),
		Embedder: statsEmbedder{Provider: o.cfg.Embedder, Generations: []generation{}}, Queue: []queueRow{},
	}
	var err error
	if r.State, err = o.State(ctx, o.cfg.Namespace); err != nil {
		return nil, err
	}
	counts, err := o.Counts(ctx)
	if err != nil {
		return nil, err
	}
	if r.Extraction, err = readExtraction(ctx, o); err != nil {
		return nil, err
	}
	r.Hooks = readSpool(o.cfg.DB)
	r.Namespaces, r.Embedder.Vectors, r.Queue = counts.Namespaces, counts.Vectors, openJobs(counts)
	live, err := o.Generations(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range live {
		r.Embedder.Generations = append(r.Embedder.Generations, generation{g.Provider, g.Model, g.Dimensions, g.State})
	}
	return r, nil
}

// openJobs are the kinds of jobs that wait, run or failed.
func openJobs(n store.Counts) []queueRow {
	rows := []queueRow{}
	for _, j := range n.Jobs {
		if j.Status != "done" {
			rows = append(rows, queueRow{j.Kind, j.Status, j.N})
		}
	}
	return rows
}

func countRows(counts []memory.Count) []countRow {
	rows := make([]countRow, len(counts))
	for i, c := range counts {
		rows[i] = countRow{c.Name, c.N}
	}
	return rows
}

// fileBytes is the size of the database with its write-ahead log, as far as both can be looked at.
func fileBytes(path string) (n int64) {
	for _, p := range []string{path, path + "-wal"} {
		if info, err := os.Stat(p); err == nil {
			n += info.Size()
		}
	}
	return n
}

func (r *statsReport) write(w io.Writer, paint func(colour, text string) string) {
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-12s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("entities", "%d", r.Entities)
	row("memories", "%d", r.Memories)
	row("facts", "%d active, %d ended", r.Facts.Active, r.Facts.Ended)
	if r.Episodes > 0 {
		row("turns", "%d, from %s to %s", r.Episodes, localTime(r.stats.OldestEpisode), localTime(r.stats.NewestEpisode))
	} else {
		row("turns", "0")
	}
	row("communities", "%d", r.Groups)
	row("names seen", "%d that are no entities yet", r.Mentions)
	row("waiting", "%s", waiting(r.State))
	row("hooks", "%s", r.Hooks.line())
	row("embedder", "%s", r.Embedder.line())
	r.Extraction.write(row)
	row("file", "%s, %s with turns", size(r.Bytes), many(r.Namespaces, "namespace", "namespaces"))
	writeCounts(w, paint, "TYPE", "ENTITIES", r.Types)
	writeCounts(w, paint, "RELATION", "ACTIVE FACTS", r.Relations)
	if r.Entities+r.Memories == 0 {
		fmt.Fprintln(w, "\n"+nothingYet("entities", r.stats, r.Namespace))
	}
}

func waiting(s memory.State) string {
	if s.Pending == 0 && s.Failed == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s pending, %d failed", many(int64(s.Pending), "job", "jobs"), s.Failed)
}

func (e statsEmbedder) line() string {
	line := e.Provider
	if e.Provider == "none" {
		line += ": text search only"
	}
	for _, g := range e.Generations {
		line += fmt.Sprintf("; %s: %s %s, %d dimensions", g.State, g.Provider, g.Model, g.Dimensions)
	}
	if e.Vectors == 0 {
		return line + "; no vectors yet"
	}
	return line + fmt.Sprintf("; vectors of %s", many(e.Vectors, "turn", "turns"))
}

// countsShown is how many types or relations a person is shown; --json has all.
const countsShown = 15

func writeCounts(w io.Writer, paint func(colour, text string) string, name, n string, counts []countRow) {
	if len(counts) == 0 {
		return
	}
	t := table{columns: []column{{title: name}, {title: n, right: true}}}
	for _, c := range counts[:min(countsShown, len(counts))] {
		t.add("", c.Name, fmt.Sprint(c.N))
	}
	fmt.Fprintln(w)
	t.write(w, paint)
	if more := len(counts) - countsShown; more > 0 {
		fmt.Fprintf(w, "and %d more; --json lists them\n", more)
	}
}
