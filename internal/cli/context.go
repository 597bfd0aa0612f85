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

// longestMessage is the number of bytes read from stdin; the rest of a longer message would not be used.
const longestMessage = 1 << 20

func newContext(a *app) *cobra.Command {
	var session string
	var previous []string
	var window, budget int
	c := &cobra.Command{
		Use:   "context MESSAGE",
		Short: "Show the context block that an agent would get with this message",
		Long: `context does the same as hooks and the tool inject_context: it classifies the message, searches for relevant
turns and facts, and prints the context block as a model would get it. Small talk gets an empty block. With -, the
message is read from stdin.

The class of the message, and the reason if the block is empty, go to stderr.`,
		Example: `  memory-graph context "Where does Ana work now?"
  memory-graph context --context-window 200000 "go on with the migration" --session 4f2a
  git log -1 --format=%B | memory-graph context --json -`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError(c, "context takes one message; put quotes around it.")
			}
			return nil
		},
	}
	c.Flags().StringVar(&session, "session", "",
		"conversation of the message; its turns help to interpret the message and to rank")
	c.Flags().StringArrayVar(&previous, "previous", nil,
		"a turn before the message; repeat the flag for several turns, oldest first")
	countVar(c, &window, "context-window",
		"tokens of the model's context window: the block may use 3% of it; 0: use --budget")
	countVar(c, &budget, "budget", "maximum tokens of the block, 0 for none (default: the setting budget_tokens)")
	c.RunE = func(c *cobra.Command, args []string) error {
		message := args[0]
		if message == "-" {
			b, err := io.ReadAll(io.LimitReader(a.stdin, longestMessage))
			if err != nil {
				return memory.Errorf(memory.Unavailable, "Cannot read the message from stdin: %w.", err)
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

// contextReport is the output of context.
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

// emptyBecause maps the reasons for an empty block to text.
var emptyBecause = map[string]string{
	contextblock.ReasonConversational: "it is small talk",
	contextblock.ReasonEmpty:          "the message is empty",
	contextblock.ReasonNoBudget:       "the budget is 0 tokens",
	contextblock.ReasonNothing:        "nothing relevant is stored",
	contextblock.ReasonNoRoom:         "the findings do not fit into the budget",
}

func (r contextReport) about() string {
	class := "no class is certain"
	if r.Class != "" {
		class = fmt.Sprintf("classified as %s (%.0f%%)", r.Class, 100*r.Confidence)
	}
	if r.Reason != "" {
		return fmt.Sprintf("%s; no context: %s.", class, emptyBecause[r.Reason])
	}
	return fmt.Sprintf("%s; %s match, at most %s.", class, r.Match, many(int64(r.Tokens), "token", "tokens"))
}
