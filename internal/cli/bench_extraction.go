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
		Short: "Compare what the built-in rules find in turns with what a file says they state",
		Long: `extraction reads each turn of a file by itself and compares the entities and relations that the built-in rules find
with those of the file:

  # a remark
  @ user
  I moved from Vim to Helix.
  E Vim|tool
  E Helix|tool
  R User|uses|Helix
  R User|uses|Vim|end

Names are equal in canonical form, types within a family (tool, technology, language; file, config), and what has ended
must have ended. What stands in a relation of the file without being listed as an entity counts neither way.`,
		Example: `  memory-graph bench extraction --data turns.txt
  memory-graph bench extraction --data turns.txt --misses
  memory-graph bench extraction --data turns.txt --json`,
		Args: noArgs,
	}
	c.Flags().StringVar(&data, "data", "", "the file")
	c.Flags().BoolVar(&verbose, "misses", false, "list what was missed or found wrongly, line by line")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if data == "" {
			return usageError(c, "--data is needed.")
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
	fmt.Fprintf(t, "entities\t%.3f\t%.3f\t%d\t%d\t\n", r.Entities.Precision, r.Entities.Recall, r.Entities.Found,
		r.Entities.Expected)
	t.Flush()
	fmt.Fprintf(w, "\ntypes right %.3f\n", r.TypeAccuracy)
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
