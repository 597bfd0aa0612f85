package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"memory-graph/episodes"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// shellSource is the source of a turn that a person stored with remember.
const shellSource = "cli"

func newRemember(a *app) *cobra.Command {
	var session, at string
	c := &cobra.Command{
		Use:   "remember TEXT",
		Short: "Store a note, as if you had said it to an agent",
		Long: `remember stores a text as a turn of the user, with the trust of the user's own words, and takes the facts that
it states. It does what the tool store_episode does: keys are masked, and a text that looks like an attack is kept in
quarantine. With -, the text is read from stdin. Every project finds the note, unless --project assigns it to one.

undo with the id of the call reverts the facts; forget deletes the note.`,
		Example: `  memory-graph remember "I prefer tabs in Go, and the billing service uses Postgres."
  memory-graph remember "The launch moved to May" --project acme/shop --at 2026-03-18
  git log -1 --format=%B | memory-graph remember - --json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 || strings.TrimSpace(args[0]) == "" {
				return usageError(c, "remember takes one text; put quotes around it.")
			}
			return nil
		},
	}
	c.Flags().StringVar(&session, "session", "", "conversation that the note belongs to")
	c.Flags().StringVar(&at, "at", "", "when it was said: RFC 3339 or a date; default: now")
	c.RunE = func(c *cobra.Command, args []string) error {
		cfg, _, err := a.config(c)
		if err != nil {
			return err
		}
		text := args[0]
		if text == "-" {
			b, err := io.ReadAll(io.LimitReader(a.stdin, int64(cfg.Limits.ContentBytes)+1)) // one more: it is too long
			if err != nil {
				return memory.Errorf(memory.Unavailable, "Cannot read the text from stdin: %w.", err)
			}
			if text = string(b); len(b) > cfg.Limits.ContentBytes {
				return memory.Errorf(memory.InvalidArgument, "The text on stdin is longer than %d bytes.",
					cfg.Limits.ContentBytes).WithHint("Store it in parts.")
			}
		}
		turn := store.NewEpisode{Episode: memory.Episode{Content: text, Role: memory.RoleUser, Source: shellSource,
			Scope: memory.Scope{Namespace: cfg.Namespace, Project: cfg.Project, User: cfg.User, SessionID: session}}}
		if c.Flags().Changed("at") {
			if turn.OccurredAt, err = memory.ParseTime("--at", at); err != nil {
				return err
			}
		}
		if turn.Caller, err = person(); err != nil {
			return err
		}
		return a.startEngine(c, cfg, engine.As(engine.Command), func(ctx context.Context, _ *config.Config,
			e *engine.Engine) error {
			done, err := e.StoreEpisode(ctx, turn)
			if err != nil {
				return err
			}
			r := newRemembered(done, turn)
			return a.print(r, func(w io.Writer) { r.write(w, a.paint) })
		})
	}
	return c
}

// remembered is the output of remember.
type remembered struct {
	ID         string           `json:"episode_id"`
	Namespace  string           `json:"namespace"`
	Status     string           `json:"status"`     // stored, duplicate or quarantined
	Extraction string           `json:"extraction"` // queued, done, skipped or disabled
	Reasons    []string         `json:"reasons"`
	Facts      []rememberedFact `json:"relations"`
	CallID     string           `json:"call_id"` // for undo
}

// rememberedFact is a fact that the text states.
type rememberedFact struct {
	ID       string `json:"id"`
	Head     string `json:"head"`
	Relation string `json:"relation"`
	Tail     string `json:"tail"`
	Status   string `json:"status"` // created, reinforced, superseding or ended
}

func newRemembered(done episodes.Result, turn store.NewEpisode) remembered {
	r := remembered{ID: done.EpisodeID.String(), Namespace: turn.Scope.Namespace, Status: done.Status,
		Extraction: done.Extraction, Reasons: append([]string{}, done.Reasons...), Facts: []rememberedFact{},
		CallID: turn.Caller.CallID}
	for _, w := range done.Relations {
		f := w.Relationship
		r.Facts = append(r.Facts, rememberedFact{f.Ref().String(), f.Head.Name, f.Relation, f.Tail.Name,
			string(w.Status)})
	}
	return r
}

func (r remembered) write(w io.Writer, paint func(colour, text string) string) {
	switch r.Status {
	case episodes.Duplicate:
		fmt.Fprintf(w, "It is already stored, as %s in namespace %q.\n", r.ID, r.Namespace)
	case episodes.Quarantined:
		fmt.Fprintf(w, "Stored as %s in namespace %q, in quarantine: %s.\nIf it is harmless: memory-graph quarantine "+
			"release %s\n", r.ID, r.Namespace, visible(strings.Join(r.Reasons, ", ")), r.ID)
		return
	default:
		fmt.Fprintf(w, "Stored as %s in namespace %q%s.\n", r.ID, r.Namespace, next(r.Extraction))
	}
	for _, reason := range r.Reasons {
		fmt.Fprintln(w, "  "+visible(reason))
	}
	if len(r.Facts) == 0 {
		return
	}
	t := table{columns: []column{{title: "ID"}, {title: "FACT"}, {title: "STATUS"}}}
	for _, f := range r.Facts {
		t.add("", f.ID, f.Head+" → "+f.Relation+" → "+f.Tail, f.Status)
	}
	t.write(w, paint)
	if r.Status == episodes.Stored {
		fmt.Fprintf(w, "To revert the facts: memory-graph undo %s\n", r.CallID)
	}
}
