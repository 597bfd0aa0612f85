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

// Default and maximum of --limit in undo.
const (
	callsDefault = 10
	callsMost    = 1000
)

func newUndo(a *app) *cobra.Command {
	var list, yes bool
	var limit int
	c := &cobra.Command{
		Use:   "undo [CALL]",
		Short: "Revert what a call changed",
		Long: `undo shows the last calls of hosts and commands that changed entities or facts. It then reverts all changes of
the newest call, or of the one that CALL names: a fact that the call created is retracted, and a fact that it ended is
active again. The history keeps everything. An undo is a call itself: undo with its id restores what it reverted. Each
further undo without CALL reverts the next older call.

The turn that a call stored stays. Imported turns are removed with their import, unless other content depends on them.

undo asks first; --yes skips the question. It fails if something was changed again since, and names that call.`,
		Example: `  memory-graph undo --list
  memory-graph undo
  memory-graph undo 0198f2a1-5c1e-7d30-9f5e-0c7a53d1b2aa --yes`,
		Args: atMostOne("the id of one call"),
	}
	c.Flags().BoolVar(&list, "list", false, "only list the last calls")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	c.Flags().IntVar(&limit, "limit", callsDefault, "calls to list, 1 to 1,000")
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case limit < 1 || limit > callsMost:
			return usageError(c, "--limit %d is out of range: the range is 1 to 1,000.", limit)
		case list && len(args) > 0:
			return usageError(c, "--list cannot be combined with a call.")
		case list && yes:
			return usageError(c, "--list cannot be combined with --yes.")
		case len(args) > 0 && strings.TrimSpace(args[0]) == "":
			return usageError(c, "The id of the call is empty.")
		case list:
			return a.withMemory(c, false, func(ctx context.Context, o opened) error { return a.listCalls(ctx, o, limit) })
		case !yes && !isTerminal(a.stdin):
			return memory.Errorf(memory.InvalidArgument,
				"undo asks before it reverts anything, but there is no terminal.").
				WithHint("Add --yes, or --list to see the calls first.")
		}
		return a.withMemory(c, true, func(ctx context.Context, o opened) error { return a.undo(ctx, o, args, yes, limit) })
	}
	return c
}

// undoReport is the output of undo.
type undoReport struct {
	CallID   string   `json:"call_id"`   // the call that was reverted
	UndoneBy string   `json:"undone_by"` // undo with this id restores the changes
	Action   string   `json:"action"`
	Objects  []string `json:"objects"` // what was reverted
	Changes  []string `json:"changes"` // what became of it: "r2 retracted: Ann works at Acme"
	Stayed   []string `json:"stayed"`  // imported turns that other content depends on
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
		sure, err := a.ask(ctx, fmt.Sprintf("Revert call %s?", visible(id)))
		if err != nil {
			return err
		}
		if !sure {
			fmt.Fprintln(a.stderr, "Nothing was reverted.")
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
		Objects: idTexts(undone.Objects), Stayed: idTexts(undone.Stayed), Changes: append([]string{}, undone.Changes...)}
	return a.print(r, func(w io.Writer) {
		fmt.Fprintf(w, "Reverted %s (%s): %s.\n", r.Action, many(int64(len(r.Objects)), "change", "changes"),
			summary(r.Objects, 10))
		for _, c := range r.Changes {
			fmt.Fprintln(w, "  "+visible(c))
		}
		if len(r.Stayed) > 0 {
			fmt.Fprintf(w, "%s, since other content depends on it: %s.\n",
				many(int64(len(r.Stayed)), "turn stays", "turns stay"), summary(r.Stayed, 10))
		}
		fmt.Fprintf(w, "To restore: memory-graph undo %s\n", r.UndoneBy)
	})
}

// ask asks a yes-or-no question at the terminal; every answer but yes means no.
func (a *app) ask(ctx context.Context, question string) (bool, error) {
	fmt.Fprint(a.stderr, question+" [y/N] ")
	answer := make(chan string, 1)
	go func() { // after Ctrl-C, a pending read ends with the process
		line, _ := bufio.NewReader(a.stdin).ReadString('\n') // the end of the input means no
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

// idTexts returns ids as text, such as "e12".
func idTexts(ids []memory.ID) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = id.String()
	}
	return list
}

// summary joins the first entries of a list, and says how many more there are.
func summary(list []string, most int) string {
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
