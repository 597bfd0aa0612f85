package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/rivo/uniseg"
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
		Short: "List turns that look like attacks, and release them",
		Long: `A turn that looks like an attack is stored in quarantine. Searches find it, but nothing is extracted from it,
and it is never injected. If the arguments of a tool call look like an attack, they become such a turn, with source
"call". It holds back what the call stored: searches find it, but it does not appear in a context block.

quarantine list shows these turns and why they are suspicious. quarantine release releases turns that are harmless.`,
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

// quarantined is one turn in quarantine.
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
		Long: `list shows the namespace's turns in quarantine, oldest first, with the signs of an attack that were found.
Of the text, it shows the beginning and how much is cut off. Line ends and invisible characters are escaped, such as \n
and \u202e. --json prints the whole text.`,
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
						fmt.Fprintf(w, "No turn of namespace %q is in quarantine.\n", o.cfg.Namespace)
						return
					}
					t := table{columns: []column{{title: "ID"}, {title: "TIME"}, {title: "ROLE"}, {title: "WHY"}, {title: "TEXT"}}}
					for _, q := range list {
						t.add("", q.ID, localTime(q.turn.OccurredAt), q.Role, q.why(), oneLine(q.Content))
					}
					t.write(w, a.paint)
				})
			})
		},
	}
}

// quarantined returns all turns in quarantine.
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

// why returns the score and the findings of the scan as text.
func (q quarantined) why() string {
	var why []string
	for _, r := range q.Reasons {
		if found, ok := strings.CutPrefix(r, episodes.ScanReason); ok {
			why = append(why, found)
		}
	}
	return strings.Join(why, ", ")
}

// oneLine returns the beginning of a text as one line that fits into the last column of a table, and how much is cut
// off. Line ends and invisible characters are escaped.
func oneLine(s string) string {
	const widest = widestLast - len(" … (1,000,000 more characters)")
	var b strings.Builder
	s = strings.TrimSpace(s)
	width := 0
	for i, r := range s {
		shown := string(r)
		switch {
		case r == '\n':
			shown = `\n`
		case r != ' ' && !unicode.IsPrint(r), unicode.Is(unicode.Variation_Selector, r):
			shown = fmt.Sprintf(`\u%04x`, r)
		}
		if width += uniseg.StringWidth(shown); width > widest {
			return fmt.Sprintf("%s … (%s)", strings.TrimSpace(b.String()),
				many(int64(utf8.RuneCountInString(s[i:])), "more character", "more characters"))
		}
		b.WriteString(shown)
	}
	return b.String()
}

// released is one released turn.
type released struct {
	ID         string `json:"id"`
	Extraction string `json:"extraction"` // queued, done, skipped or disabled
	Facts      int    `json:"facts"`      // found by the rules
	CallID     string `json:"call_id"`    // undo with this id returns the turn to quarantine
}

func newQuarantineRelease(a *app) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "release ID...",
		Short: "Release turns from quarantine, and extract facts from them",
		Long: `release makes turns in quarantine normal turns. The rules read them at once; the model, if one is configured,
reads them next. Read the turns first, since the facts that they state become part of the memory. undo with the id of
the call returns a turn to quarantine, and reverts what was extracted from it.`,
		Example: `  memory-graph quarantine release t56 t57
  memory-graph quarantine release --all --json`,
	}
	c.Flags().BoolVar(&all, "all", false, "release all turns of the namespace")
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

// release releases turns one by one. If one fails, it still reports the turns released before.
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
			fmt.Fprintf(w, "No turn of namespace %q is in quarantine.\n", cfg.Namespace)
		}
		for _, r := range out {
			fmt.Fprintf(w, "Released %s: %s%s. To revert: memory-graph undo %s\n", r.ID,
				many(int64(r.Facts), "fact", "facts"), next(r.Extraction), r.CallID)
		}
	}); err != nil {
		return err
	}
	return failed
}

// next returns what happens to a released turn after the rules have read it.
func next(extraction string) string {
	switch extraction {
	case episodes.ExtractionQueued:
		return ", and the model reads it next"
	case episodes.ExtractionDisabled:
		return "; extraction is off, so the turn waits for backfill"
	}
	return ""
}
