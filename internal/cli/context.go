package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/contextblock"
)

// longestMessage of stdin is read, in bytes: what is behind it would not be looked at anyway.
const longestMessage = 1 << 20

func newContext(a *app) *cobra.Command {
	var session string
	var previous []string
	var window, budget int
	c := &cobra.Command{
		Use:   "context MESSAGE",
		Short: "Show what would stand before a turn with this message",
		Long: `context goes the way that hooks and inject_context go before a turn: the message is classified, what fits is looked for, and
the block is printed as a model would get it, nothing for small talk. - reads the message from stdin.

What the message was taken for, and why the block is empty where it is, goes to stderr.`,
		Example: `  memory-graph context "Where does Ana work now?"
  memory-graph context --context-window 200000 "go on with the migration" --session 4f2a
  git log -1 --format=%B | memory-graph context --json -`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError(c, "context takes one message; write it between quotes.")
			}
			return nil
		},
	}
	c.Flags().StringVar(&session, "session", "",
		"the conversation that the message is of: its turns explain the message, and weigh by its class")
	c.Flags().StringArrayVar(&previous, "previous", nil,
		"a turn before the message, oldest first; may be given several times")
	countVar(c, &window, "context-window",
		"tokens of the model's context window: the block takes 3 % of it; 0 goes by --budget")
	countVar(c, &budget, "budget", "tokens of the block, 0 for none; otherwise budget_tokens of the settings")
	c.RunE = func(c *cobra.Command, args []string) error {
		message := args[0]
		if message == "-" {
			b, err := io.ReadAll(io.LimitReader(a.stdin, longestMessage))
			if err != nil {
				return memory.Errorf(memory.Unavailable, "The message cannot be read from stdin: %w.", err)
			}
			message = string(b)
		}
		return a.withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
			req := contextblock.Request{Message: message, Previous: previous, ContextWindow: window, Budget: cfg.BudgetTokens,
				Scope: memory.Scope{Namespace: cfg.Namespace, Project: cfg.Project, User: cfg.User, SessionID: session}}
			if c.Flags().Changed("budget") {
				req.Budget = budget
			}
			got, err := e.ContextBlock(ctx, req)
			if err != nil {
				return err
			}
			r := newContextReport(got)
			if !a.json {
				fmt.Fprintln(a.stderr, r.about())
			}
			return a.print(r, func(w io.Writer) { fmt.Fprint(w, r.Context) })
		})
	}
	return c
}

// contextReport is what context shows.
type contextReport struct {
	Context    string   `json:"context"`
	Tokens     int      `json:"tokens"`
	Reason     string   `json:"reason,omitempty"` // why the block is empty
	Class      string   `json:"class,omitempty"`
	Confidence float64  `json:"class_confidence,omitempty"`
	Match      string   `json:"match,omitempty"`
	Corrects   []string `json:"corrects"`
}

func newContextReport(got contextblock.Decision) contextReport {
	r := contextReport{Context: got.Block, Tokens: got.Tokens, Reason: got.Reason, Match: string(got.Answer.Match),
		Corrects: []string{}}
	if got.Classified() {
		r.Class, r.Confidence = got.Class.Class.String(), got.Class.Confidence
	}
	for _, f := range got.Corrected {
		r.Corrects = append(r.Corrects, f.Ref().String())
	}
	return r
}

// emptyBecause words the reasons for people.
var emptyBecause = map[string]string{
	contextblock.ReasonConversational: "it is small talk",
	contextblock.ReasonEmpty:          "nothing was said",
	contextblock.ReasonNoBudget:       "the budget is 0 tokens",
	contextblock.ReasonNothing:        "nothing stored is about it",
	contextblock.ReasonNoRoom:         "what was found is longer than the budget",
}

func (r contextReport) about() string {
	class := "taken for anything (no class is sure)"
	if r.Class != "" {
		class = fmt.Sprintf("taken for %s (%.0f %%)", r.Class, 100*r.Confidence)
	}
	if r.Reason != "" {
		return fmt.Sprintf("%s; nothing is put before it: %s.", class, emptyBecause[r.Reason])
	}
	return fmt.Sprintf("%s; %s match, at most %s.", class, r.Match, many(int64(r.Tokens), "token", "tokens"))
}
