package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/extraction"
	"memory-graph/extraction/rules"
	"memory-graph/internal/memory"
)

// extracted is the answer of `extract`.
type extracted struct {
	Facts     []extractedFact   `json:"facts"`
	Sentences []rules.Explained `json:"sentences,omitempty"` // with --explain
}

// extractedFact is a fact that the rules take from the text.
type extractedFact struct {
	Head       string  `json:"head"`
	Relation   string  `json:"relation"`
	Tail       string  `json:"tail"`
	Ended      bool    `json:"ended,omitempty"`
	Confidence float64 `json:"confidence"`
	Quote      string  `json:"quote"`
}

func newExtract(a *app) *cobra.Command {
	var explain bool
	var role string
	c := &cobra.Command{
		Use:   "extract TEXT",
		Short: "Show which facts the built-in rules take from a text",
		Long: `extract reads a text as the built-in rules read a turn, and lists the facts that they take from it. It opens no
database, so it knows no names and no earlier turns. With --explain it also shows for each sentence which template
matched, and which guard rejected what.`,
		Example: `  memory-graph extract "I moved from Vim to Helix."
  memory-graph extract --explain "Bob said we use Redis. We use Valkey."
  memory-graph extract --role assistant --json "User prefers pnpm."`,
	}
	c.Flags().BoolVar(&explain, "explain", false, "show what matched in each sentence, and what was rejected")
	c.Flags().StringVar(&role, "role", string(memory.RoleUser), "who says the text: user or assistant")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
			return usageError(c, "extract needs one text, in quotes.")
		}
		if r := memory.Role(role); r != memory.RoleUser && r != memory.RoleAssistant {
			return usageError(c, "--role is %q; it must be user or assistant.", role)
		}
		turn := extraction.Input{Role: memory.Role(role), Text: args[0], Self: extraction.DefaultSelf, OccurredAt: time.Now()}
		ex := rules.New()
		out := extracted{Facts: []extractedFact{}}
		for _, d := range ex.Extract(turn).Relations {
			out.Facts = append(out.Facts, extractedFact{d.Head, d.Relation, d.Tail, d.Ended, *d.Confidence, d.Quote})
		}
		if explain {
			out.Sentences = ex.Explain(turn)
		}
		return a.print(out, func(w io.Writer) { writeExtracted(w, out) })
	}
	return c
}

func writeExtracted(w io.Writer, out extracted) {
	for _, s := range out.Sentences {
		fmt.Fprintf(w, "%s\n", s.Sentence)
		if len(s.Steps) == 0 {
			fmt.Fprintln(w, "  no template matches")
		}
		for _, step := range s.Steps {
			if step.Matched != "" {
				fmt.Fprintf(w, "  matched   %s\n            %s\n", step.Matched, step.Fact)
				continue
			}
			fmt.Fprintf(w, "  rejected  %s\n            %s\n", step.Rejected, step.Guard)
		}
		fmt.Fprintln(w)
	}
	if len(out.Facts) == 0 {
		fmt.Fprintln(w, "The rules take no fact from this text.")
	}
	for _, f := range out.Facts {
		ended := ""
		if f.Ended {
			ended = " (ended)"
		}
		fmt.Fprintf(w, "%s → %s → %s%s, confidence %.2f\n", f.Head, f.Relation, f.Tail, ended, f.Confidence)
	}
}
