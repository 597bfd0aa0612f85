package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"memory-graph/internal/memory"
)

// The bounds of undo's --limit.
const (
	callsDefault = 10
	callsMost    = 1000
)

func newUndo(a *app) *cobra.Command {
	var list, yes bool
	var limit int
	c := &cobra.Command{
		Use:   "undo [CALL]",
		Short: "Take back what a call changed",
		Long: `undo shows the last calls of hosts and commands that changed entities or facts, and takes the newest back as a whole, or the
one that CALL names: a fact that it made ends where it began, one that it ended holds again. Nothing is overwritten:
everything stays in the history, and undo is such a call itself, so that its own id takes it back. Undo after undo goes back
call by call. The turn that a call stored stays too; the turns that an import brought go with it, as far as nothing that
came from elsewhere stands on them.

It asks first, or takes --yes for an answer. It refuses where something was changed again since, and says by which call.`,
		Example: `  memory-graph undo --list
  memory-graph undo
  memory-graph undo 0198f2a1-5c1e-7d30-9f5e-0c7a53d1b2aa --yes`,
		Args: atMostOne("the id of one call"),
	}
	c.Flags().BoolVar(&list, "list", false, "only show the last calls")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	c.Flags().IntVar(&limit, "limit", callsDefault, "calls to show, 1 to 1,000")
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case limit < 1 || limit > callsMost:
			return usageError(c, "--limit %d is out of range: it takes 1 to 1,000.", limit)
		case list && len(args) > 0:
			return usageError(c, "--list takes no call.")
		case list && yes:
			return usageError(c, "--list takes nothing back, and --yes does.")
		case len(args) > 0 && strings.TrimSpace(args[0]) == "":
			return usageError(c, "An empty call names none.")
		case list:
			return a.withMemory(c, false, func(ctx context.Context, o opened) error { return a.listCalls(ctx, o, limit) })
		case !yes && !isTerminal(a.stdin):
			return memory.Errorf(memory.InvalidArgument,
				"undo asks before it takes anything back, and nobody is at the terminal.").
				WithHint("Add --yes, or --list to look first.")
		}
		return a.withMemory(c, true, func(ctx context.Context, o opened) error { return a.undo(ctx, o, args, yes, limit) })
	}
	return c
}

// undoReport is what undo did.
type undoReport struct {
	CallID   string   `json:"call_id"`   // what was taken back
	UndoneBy string   `json:"undone_by"` // give this to undo to have it again
	Action   string   `json:"action"`
	Objects  []string `json:"objects"` // that changed back
	Stayed   []string `json:"stayed"`  // imported turns that others stand on
}

func (a *app) undo(ctx context.Context, o opened, args []string, yes bool, limit int) error {
	if _, err := a.status(ctx, o); err != nil {
		return err
	}
	id := strings.TrimSpace(strings.Join(args, ""))
	if id == "" {
		var err error
		if id, err = o.NewestCall(ctx, o.cfg.Namespace); err != nil {
			return err
		}
		if !yes {
			calls, err := o.lastCalls(ctx, limit)
			if err != nil {
				return err
			}
			calls.write(a.stderr, func(_, text string) string { return text })
			fmt.Fprintln(a.stderr)
		}
	}
	if !yes {
		sure, err := a.ask(ctx, fmt.Sprintf("Take back call %s?", visible(id)))
		if err != nil {
			return err
		}
		if !sure {
			fmt.Fprintln(a.stderr, "Nothing was taken back.")
			return errSilent
		}
	}
	self, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("make a call id: %w", err)
	}
	by := memory.Caller{Actor: "cli", Client: "memory-graph " + buildInfo().Version, CallID: self.String()}
	undone, err := o.Undo(ctx, o.cfg.Namespace, id, by)
	if err != nil {
		return err
	}
	r := undoReport{CallID: undone.CallID, UndoneBy: undone.UndoneBy, Action: undone.Action,
		Objects: idTexts(undone.Objects), Stayed: idTexts(undone.Stayed)}
	return a.print(r, func(w io.Writer) {
		fmt.Fprintf(w, "Took back %s (%s): %s.\n", r.Action, many(int64(len(r.Objects)), "change", "changes"),
			summary(r.Objects, 10))
		if len(r.Stayed) > 0 {
			fmt.Fprintf(w, "%s, since what others said stands on it: %s.\n",
				many(int64(len(r.Stayed)), "turn stays", "turns stay"), summary(r.Stayed, 10))
		}
		fmt.Fprintf(w, "To have it again: memory-graph undo %s\n", r.UndoneBy)
	})
}

// ask puts a question to the person at the terminal; the answer is no unless it is yes.
func (a *app) ask(ctx context.Context, question string) (bool, error) {
	fmt.Fprint(a.stderr, question+" [y/N] ")
	answer := make(chan string, 1)
	go func() { // a read that Ctrl-C leaves behind ends with the process
		line, _ := bufio.NewReader(a.stdin).ReadString('\n') // an end of input is a no
		answer <- line
	}()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case line := <-answer:
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return true, nil
		}
		return false, nil
	}
}

// idTexts writes ids as people give them.
func idTexts(ids []memory.ID) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = id.String()
	}
	return list
}

// summary joins the first few of a list and says how many are left out.
func summary(list []string, most int) string {
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
