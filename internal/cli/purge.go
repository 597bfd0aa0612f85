package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// purgeMostDays is the maximum of --older-than in purge, 100 years.
const purgeMostDays = 36525

func newPurge(a *app) *cobra.Command {
	var days int
	var session, source string
	var yes bool
	c := &cobra.Command{
		Use:   "purge",
		Short: "Delete turns for good, with everything that rests only on them",
		Long: `purge deletes the turns of a namespace that match all given conditions, and everything that is derived only
from them: facts, entities, versions, index entries and vectors. A fact with other evidence stays and loses this
evidence. Nothing restores what was purged, except a copy of the database.

--project and --namespace are conditions if they are given here, and not only in a setting. With --namespace alone,
everything in the namespace is deleted, also its event log.

Without --yes, purge only counts what it would delete.`,
		Example: `  memory-graph purge --older-than 730
  memory-graph purge --project rollout --yes
  memory-graph purge --session 0198f2a1-5c1e --yes
  memory-graph purge --source import:mem0 --older-than 30
  memory-graph purge --namespace demo --yes`,
		Args: noArgs,
	}
	c.Flags().IntVar(&days, "older-than", 0, "turns that were said more than this many days ago, 1 to 36,525")
	c.Flags().StringVar(&session, "session", "", "turns of this session")
	c.Flags().StringVar(&source, "source", "", "turns of this source, such as call or import:mem0")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "delete; otherwise only count")
	c.RunE = func(c *cobra.Command, _ []string) error {
		given := func(flag string) bool { return c.Flags().Changed(flag) }
		switch {
		case given("older-than") && (days < 1 || days > purgeMostDays):
			return usageError(c, "--older-than %d is out of range: the range is 1 to 36,525 days.", days)
		case given("session") && session == "", given("source") && source == "":
			return usageError(c, "--session and --source need a value.")
		case !given("older-than") && !given("session") && !given("source") && !given("project") && !given("namespace"):
			return usageError(c,
				"purge needs at least one of --older-than, --project, --session, --source and --namespace.")
		}
		return a.withMemory(c, yes, func(ctx context.Context, o opened) error {
			p := store.Purge{Namespace: o.cfg.Namespace, SessionID: session, Source: source}
			if given("project") {
				if p.Project = o.cfg.Project; p.Project == "" {
					return usageError(c, "--project needs a value.")
				}
			}
			if days > 0 {
				p.Before = time.Now().Add(-time.Duration(days) * 24 * time.Hour)
			}
			return a.purge(ctx, o, p, yes)
		})
	}
	return c
}

// purgeReport is the output of purge.
type purgeReport struct {
	DryRun    bool     `json:"dry_run"`
	Namespace string   `json:"namespace"`
	Turns     int      `json:"episodes"`
	Facts     int      `json:"relations"`
	Entities  int      `json:"entities"`
	Objects   []string `json:"objects"` // up to 100 of them
	// EndsTakenBack are facts that stay and lose their end, because only deleted turns support it.
	EndsTakenBack []string `json:"ends_taken_back,omitempty"`
	// Superseded are facts that end because one of EndsTakenBack holds again.
	Superseded []string `json:"superseded,omitempty"`
}

func (a *app) purge(ctx context.Context, o opened, p store.Purge, yes bool) error {
	by := memory.Caller{Actor: "cli", Client: "memory-graph " + buildInfo().Version}
	n, err := o.Purge(ctx, p, yes, by)
	if err != nil {
		return err
	}
	r := purgeReport{DryRun: n.DryRun, Namespace: p.Namespace, Turns: n.Episodes, Facts: n.Relationships,
		Entities: n.Entities, Objects: idTexts(n.Objects), EndsTakenBack: idTexts(n.EndsTakenBack),
		Superseded: idTexts(n.Superseded)}
	return a.print(r, func(w io.Writer) {
		what := fmt.Sprintf("%s, %s and %s of namespace %q", many(int64(r.Turns), "turn", "turns"),
			many(int64(r.Facts), "fact", "facts"), many(int64(r.Entities), "entity", "entities"), r.Namespace)
		if len(r.EndsTakenBack) > 0 {
			what += ", with the ends of " + summary(r.EndsTakenBack, 10)
		}
		if len(r.Superseded) > 0 {
			what += ", which ends " + summary(r.Superseded, 10)
		}
		switch {
		case r.Turns+r.Facts+r.Entities == 0:
			fmt.Fprintf(w, "Nothing in namespace %q matches.\n", r.Namespace)
		case r.DryRun:
			fmt.Fprintf(w, "purge would delete %s.\nNothing was deleted. --yes deletes it for good.\n", what)
		default:
			fmt.Fprintf(w, "Deleted %s.\n", what)
		}
	})
}
