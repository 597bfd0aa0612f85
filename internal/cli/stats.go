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
		Short: "Count entities, facts and turns, and the work that waits",
		Long: `stats counts the entities, facts and turns of a namespace, in all its projects and for all its users. It also
shows the pending work, the embedder, the progress of extraction, and the calls and cost of the language model.`,
		Example: `  memory-graph stats
  memory-graph stats --namespace work --json`,
		Args: noArgs,
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		return a.withFile(c, false, false, func(ctx context.Context, o opened) error {
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

// statsReport is the output of stats.
type statsReport struct {
	Database  string `json:"database"`
	Bytes     int64  `json:"bytes"` // of the file, including the write-ahead log
	Namespace string `json:"namespace"`
	// The following counts are those of the namespace.
	Entities  int64        `json:"entities"`
	Memories  int64        `json:"memories"`
	Mentions  int64        `json:"mentions"` // names that are not entities
	Facts     factCounts   `json:"relationships"`
	Archived  int64        `json:"archived_entities"` // not among entities
	Episodes  int64        `json:"episodes"`
	Oldest    string       `json:"oldest_episode,omitempty"`
	Newest    string       `json:"newest_episode,omitempty"`
	Groups    int64        `json:"communities"`
	Types     []countRow   `json:"entities_by_type"`
	Relations []countRow   `json:"relationships_by_relation"` // active facts
	State     memory.State `json:"memory_state"`
	// The following fields are those of the whole file.
	Namespaces int64            `json:"namespaces"` // namespaces with turns
	Queue      []queueRow       `json:"queue"`
	Embedder   statsEmbedder    `json:"embedder"`
	Extraction extractionReport `json:"extraction"`
	Hooks      spoolReport      `json:"hooks"`             // turns in the spool, which are not counted above
	Archive    *store.Evicted   `json:"archive,omitempty"` // the last run of the archiving task
	stats      memory.GraphStats
}

type factCounts struct {
	Active   int64 `json:"active"`
	Ended    int64 `json:"ended"`
	Archived int64 `json:"archived"` // of the ended ones
}

type countRow struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// statsEmbedder is the configured embedder and the existing vectors.
type statsEmbedder struct {
	Provider    string       `json:"provider"`
	Vectors     int64        `json:"vectors"` // turns with a vector of the active embedding generation
	Generations []generation `json:"generations"`
}

func readStats(ctx context.Context, o opened, n memory.GraphStats) (*statsReport, error) {
	r := &statsReport{
		Database: o.Path(), Bytes: fileBytes(o.Path()), Namespace: o.cfg.Namespace, stats: n,
		Entities: n.Entities, Memories: n.Memories, Mentions: n.Mentions, Facts: factCounts{n.ActiveRelationships,
			n.EndedRelationships, n.ArchivedRelationships}, Archived: n.ArchivedEntities,
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
	if last, ok, err := o.LastEviction(ctx); err != nil {
		return nil, err
	} else if ok {
		r.Archive = &last
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

// openJobs returns the numbers of pending, running and failed jobs by kind.
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

// fileBytes returns the size of the database and its write-ahead log; a file that cannot be accessed counts as 0.
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
	if r.Archived+r.Facts.Archived > 0 {
		row("archive", "%s, and %d of the ended facts", many(r.Archived, "entity", "entities"), r.Facts.Archived)
	}
	if r.Episodes > 0 {
		row("turns", "%d, from %s to %s", r.Episodes, localTime(r.stats.OldestEpisode), localTime(r.stats.NewestEpisode))
	} else {
		row("turns", "0")
	}
	row("communities", "%d", r.Groups)
	row("names seen", "%d that are not entities yet", r.Mentions)
	row("waiting", "%s", waiting(r.State))
	row("hooks", "%s", r.Hooks.line())
	row("embedder", "%s", r.Embedder.line())
	r.Extraction.write(row)
	if r.Archive != nil {
		row("archiving", "%s", archiving(*r.Archive))
	}
	row("file", "%s, %s with turns", size(r.Bytes), many(r.Namespaces, "namespace", "namespaces"))
	writeCounts(w, paint, "TYPE", "ENTITIES", r.Types)
	writeCounts(w, paint, "RELATION", "ACTIVE FACTS", r.Relations)
	if r.Entities+r.Memories == 0 {
		fmt.Fprintln(w, "\n"+nothingYet("entities", r.stats, r.Namespace))
	}
}

// archiving says what the last run of the archiving task did, over all namespaces.
func archiving(e store.Evicted) string {
	did := "archived"
	if e.Reported {
		did = "after an upgrade it only reports: the next run archives"
	}
	line := fmt.Sprintf("%s: %s %s and %s", localTime(e.At), did, many(e.Facts, "fact", "facts"),
		many(e.Entities, "entity", "entities"))
	if e.Over > 0 {
		line += fmt.Sprintf("; %s above max_entities may not go", many(e.Over, "entity", "entities"))
	}
	return line
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

// countsShown is how many types or relations the text output has; --json has all.
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
