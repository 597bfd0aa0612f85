package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"memory-graph/extraction/rules"
	"memory-graph/internal/bench"
)

func newBenchExtraction(a *app) *cobra.Command {
	var data string
	var verbose bool
	c := &cobra.Command{
		Use:   "extraction --data FILE",
		Short: "Measure how many labelled entities and relations the built-in rules find",
		Long: `extraction reads each turn of a file separately, and compares the entities and relations that the built-in
rules find with those that the file lists:

  # a remark
  @ user
  I moved from Vim to Helix.
  E Vim|tool
  E Helix|tool
  R User|uses|Helix
  R User|uses|Vim|end

"@" begins a turn, "E" lists an entity, "R" a relation, and "#" a comment. Names match in canonical form. Types match
within a family (tool, technology, language; file, config). A relation with "end" matches only if it was found as ended.
"/" separates alternatives of a head, a relation or a tail.
The forgiving score ignores articles, and accepts a name that is the whole-word start or end of the expected one.
A name that is used in a relation but not listed as an entity is ignored in the entity scores.`,
		Example: `  memory-graph bench extraction --data turns.txt
  memory-graph bench extraction --data turns.txt --misses
  memory-graph bench extraction --data turns.txt --json`,
		Args: noArgs,
	}
	c.Flags().StringVar(&data, "data", "", "file with labelled turns")
	c.Flags().BoolVar(&verbose, "misses", false, "list what was missed and what was wrongly found, by line")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if data == "" {
			return usageError(c, "--data is required.")
		}
		turns, sum, err := bench.ReadLabelled(data)
		if err != nil {
			return err
		}
		r := bench.Extraction(rules.New(), turns)
		r.Data, r.SHA256 = data, sum
		if !verbose {
			r.Misses = nil
		}
		return a.print(r, func(w io.Writer) { writeExtraction(w, r) })
	}
	return c
}

func writeExtraction(w io.Writer, r bench.ExtractionResult) {
	fmt.Fprintf(w, "%s (sha256 %.12s…), %d turns, built-in rules\n\n", r.Data, r.SHA256, r.N)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tprecision\trecall\tfound\texpected\t")
	fmt.Fprintf(t, "relations\t%.3f\t%.3f\t%d\t%d\t\n", r.Relations.Precision, r.Relations.Recall, r.Relations.Found,
		r.Relations.Expected)
	fmt.Fprintf(t, "relations, forgiving\t%.3f\t%.3f\t%d\t%d\t\n", r.Forgiving.Precision, r.Forgiving.Recall,
		r.Forgiving.Found, r.Forgiving.Expected)
	fmt.Fprintf(t, "entities\t%.3f\t%.3f\t%d\t%d\t\n", r.Entities.Precision, r.Entities.Recall, r.Entities.Found,
		r.Entities.Expected)
	t.Flush()
	fmt.Fprintf(w, "\ntype accuracy %.3f\n", r.TypeAccuracy)
	for _, m := range r.Misses {
		fmt.Fprintf(w, "\n%d: %s\n", m.Line, m.Text)
		relations(w, "missed", m.MissedRelations)
		relations(w, "wrong ", m.WrongRelations)
		labels(w, "missed", m.MissedEntities)
		labels(w, "wrong ", m.WrongEntities)
		labels(w, "typed ", m.WrongTypes)
	}
}

func relations(w io.Writer, what string, list []bench.LabelledRelation) {
	for _, r := range list {
		end := ""
		if r.Ended {
			end = " (ended)"
		}
		fmt.Fprintf(w, "  %s  %s → %s → %s%s\n", what, r.Head, r.Relation, r.Tail, end)
	}
}

func labels(w io.Writer, what string, list []bench.LabelledEntity) {
	for _, e := range list {
		fmt.Fprintf(w, "  %s  %s (%s)\n", what, e.Name, e.Type)
	}
}
