package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"memory-graph/episodes"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

func newQuarantine(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "quarantine",
		Short: "Show turns that look like attacks, and let them out",
		Long: `A turn that looks like an attack is stored and found by asking, and otherwise left alone: nothing is taken from it, and it never
stands in an injected context. Arguments of a call that look so are such a turn, of source "call", and hold back what came with
them. quarantine list shows such turns and why; quarantine release lets one out that is none.`,
		Example: `  memory-graph quarantine list
  memory-graph quarantine release t56`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return usageError(c, "quarantine needs one of: list, release.")
		},
	}
	c.AddCommand(newQuarantineList(a), newQuarantineRelease(a))
	return c
}

// quarantined is a turn in quarantine.
type quarantined struct {
	ID         string   `json:"id"`
	OccurredAt string   `json:"occurred_at"`
	Role       string   `json:"role"`
	Origin     string   `json:"origin"`
	Speaker    string   `json:"speaker,omitempty"`
	Source     string   `json:"source,omitempty"`
	SessionID  string   `json:"session_id,omitempty"`
	Reasons    []string `json:"reasons"`
	Content    string   `json:"content"`

	turn store.QuarantinedTurn
}

func newQuarantineList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the turns in quarantine and why they are there",
		Long: `list shows the turns of the namespace that are in quarantine, oldest first, with what was recognised in them. Characters that
nobody sees are written as what they are, such as \u202e. With --json the whole text is there.`,
		Example: `  memory-graph quarantine list
  memory-graph quarantine list --json`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withMemory(c, false, func(ctx context.Context, o opened) error {
				list, err := o.quarantined(ctx)
				if err != nil {
					return err
				}
				return a.print(map[string]any{"namespace": o.cfg.Namespace, "turns": list}, func(w io.Writer) {
					if len(list) == 0 {
						fmt.Fprintf(w, "Nothing is in quarantine in namespace %q.\n", o.cfg.Namespace)
						return
					}
					t := table{columns: []column{{title: "ID"}, {title: "TIME"}, {title: "ROLE"}, {title: "WHY"}, {title: "TEXT"}}}
					for _, q := range list {
						t.add("", q.ID, localTime(q.turn.OccurredAt), q.Role, q.why(), escaped(firstLine(q.Content)))
					}
					t.write(w, a.paint)
				})
			})
		},
	}
}

// quarantined gives all turns in quarantine.
func (o opened) quarantined(ctx context.Context) ([]quarantined, error) {
	list := []quarantined{}
	for after := int64(0); ; {
		turns, err := o.QuarantinedTurns(ctx, o.cfg.Namespace, after, 200)
		if err != nil || len(turns) == 0 {
			return list, err
		}
		for _, t := range turns {
			after = t.ID
			list = append(list, quarantined{ID: memory.EpisodeID(t.ID).String(), OccurredAt: memory.RFC3339(t.OccurredAt),
				Role: string(t.Role), Origin: string(t.Origin),
				Speaker: t.Speaker, Source: t.Source, SessionID: t.Scope.SessionID, Reasons: t.Reasons, Content: t.Content,
				turn: t})
		}
	}
}

// why gives what the scan found in a turn.
func (q quarantined) why() string {
	var why []string
	for _, r := range q.Reasons {
		if found, ok := strings.CutPrefix(r, episodes.ScanReason); ok {
			why = append(why, found)
		}
	}
	return strings.Join(why, ", ")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// escaped writes what cannot be seen as what it is.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == ' ' || unicode.IsPrint(r) && !unicode.Is(unicode.Variation_Selector, r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// released is a turn that was let out.
type released struct {
	ID         string `json:"id"`
	Extraction string `json:"extraction"` // queued, done, skipped or disabled
	Facts      int    `json:"facts"`      // that the rules found
	CallID     string `json:"call_id"`    // give this to undo to put it back
}

func newQuarantineRelease(a *app) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "release ID...",
		Short: "Let turns out of quarantine, and read them",
		Long: `release makes turns in quarantine turns like any other: the rules read them at once, and the model next where one is
configured. Look at them first: what they say of people and things becomes part of the memory. undo with the call's id puts a
turn back, with what was taken from it.`,
		Example: `  memory-graph quarantine release t56 t57
  memory-graph quarantine release --all --json`,
	}
	c.Flags().BoolVar(&all, "all", false, "all turns in the namespace's quarantine")
	c.RunE = func(c *cobra.Command, args []string) error {
		if all == (len(args) > 0) {
			return usageError(c, "release takes the ids of turns, or --all.")
		}
		ids, err := turnIDs(c, args)
		if err != nil {
			return err
		}
		return a.withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
			if all {
				st, err := e.Store(ctx)
				if err != nil {
					return err
				}
				list, err := opened{st, cfg}.quarantined(ctx)
				if err != nil {
					return err
				}
				for _, q := range list {
					ids = append(ids, q.turn.ID)
				}
			}
			return a.release(ctx, cfg, e, ids)
		})
	}
	return c
}

func turnIDs(c *cobra.Command, args []string) ([]int64, error) {
	var ids []int64
	for _, arg := range args {
		id, err := memory.ParseID(strings.TrimSpace(arg))
		if err != nil || id.Kind != memory.KindEpisode {
			return nil, usageError(c, "%q is not the id of a turn, such as t56.", arg)
		}
		ids = append(ids, id.Num)
	}
	return ids, nil
}

// release lets turns out one by one; what was let out before one that cannot be is told all the same.
func (a *app) release(ctx context.Context, cfg *config.Config, e *engine.Engine, ids []int64) error {
	out := []released{}
	var failed error
	for _, id := range ids {
		by := memory.Caller{Actor: "cli", Client: "memory-graph " + buildInfo().Version, CallID: uuid.NewString()}
		r, err := e.Release(ctx, cfg.Namespace, id, by)
		if err != nil {
			failed = err
			break
		}
		out = append(out, released{r.ID.String(), r.Extraction, len(r.Relations), by.CallID})
	}
	if failed != nil && len(out) == 0 {
		return failed
	}
	if err := a.print(map[string]any{"released": out}, func(w io.Writer) {
		if len(out) == 0 {
			fmt.Fprintf(w, "Nothing is in quarantine in namespace %q.\n", cfg.Namespace)
		}
		for _, r := range out {
			fmt.Fprintf(w, "%s is released: %s%s. To put it back: memory-graph undo %s\n", r.ID,
				many(int64(r.Facts), "fact", "facts"), next(r.Extraction), r.CallID)
		}
	}); err != nil {
		return err
	}
	return failed
}

// next says what happens to a released turn from here.
func next(extraction string) string {
	switch extraction {
	case episodes.ExtractionQueued:
		return ", and the model reads it next"
	case episodes.ExtractionDisabled:
		return "; extraction is off, so it waits for backfill"
	}
	return ""
}
