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

// Default and maximum of --limit in the commands that list.
const (
	listDefault = 50
	listMost    = 10_000
)

func newEntities(a *app) *cobra.Command {
	var types []string
	var limit int
	c := &cobra.Command{
		Use:   "entities [PREFIX]",
		Short: "List entities, the last seen first",
		Long: `entities lists the entities and memories of a namespace, or only those with a name or alias that begins with
PREFIX. The last seen comes first. The columns are type, canonical name, confidence, time last seen, and the number of
active facts. The canonical name is the first name in lower case: with the type, it is the key under which further
mentions find the entity. Times are in the local time zone.`,
		Example: `  memory-graph entities
  memory-graph entities rus --type language,tool
  memory-graph entities --limit 1000 --json`,
		Args: atMostOne("the beginning of a name"),
	}
	c.Flags().StringSliceVar(&types, "type", nil, "only these types, separated by commas")
	c.Flags().IntVar(&limit, "limit", listDefault, "entities to list, 1 to 10,000")
	c.RunE = func(c *cobra.Command, args []string) error {
		if limit < 1 || limit > listMost {
			return usageError(c, "--limit %d is out of range: the range is 1 to 10,000.", limit)
		}
		f := store.EntityFilter{Types: types}
		if len(args) > 0 {
			if f.Prefix = args[0]; memory.Canonical(f.Prefix) == "" {
				return usageError(c, "%q is not the beginning of a name.", args[0])
			}
		}
		return a.withMemory(c, false, func(ctx context.Context, o opened) error { return a.entities(ctx, o, f, limit) })
	}
	return c
}

// entityRow is one entity in the JSON output.
type entityRow struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Canonical   string   `json:"canonical"` // its key, with the type
	Type        string   `json:"type"`
	Description string   `json:"description,omitempty"`
	Aliases     []string `json:"aliases"`
	Confidence  float64  `json:"confidence"` // effective confidence
	ValidFrom   string   `json:"valid_from,omitempty"`
	ValidUntil  string   `json:"valid_until,omitempty"`
	LastSeen    string   `json:"last_seen"`
	Facts       int64    `json:"facts"` // number of active facts
	lastSeen    time.Time
}

type entityList struct {
	Entities []entityRow `json:"entities"`
	More     int64       `json:"more"` // entities beyond the limit
}

func (a *app) entities(ctx context.Context, o opened, f store.EntityFilter, limit int) error {
	n, err := a.status(ctx, o)
	if err != nil {
		return err
	}
	f.Namespace = o.cfg.Namespace
	found, more, err := o.ListEntities(ctx, f, 0, limit)
	if err != nil {
		return err
	}
	ids := make([]int64, len(found))
	for i, e := range found {
		ids[i] = e.ID
	}
	facts, err := o.FactCounts(ctx, f.Namespace, ids)
	if err != nil {
		return err
	}
	list := entityList{Entities: make([]entityRow, len(found))}
	for i, e := range found {
		list.Entities[i] = newEntityRow(e, facts[e.ID], time.Now())
	}
	if more {
		all, err := o.CountEntities(ctx, f)
		if err != nil {
			return err
		}
		list.More = all - int64(len(found))
	}
	return a.print(list, func(w io.Writer) {
		switch {
		case len(found) > 0:
			list.write(w, a.paint)
		case n.Entities+n.Memories == 0:
			fmt.Fprintln(w, nothingYet("entities", n, f.Namespace))
		default:
			fmt.Fprintf(w, "None of the %s matches. Omit PREFIX and --type to list all.\n",
				many(n.Entities+n.Memories, "entity", "entities"))
		}
	})
}

func newEntityRow(e memory.Entity, facts int64, now time.Time) entityRow {
	return entityRow{
		ID: e.Ref().String(), Name: e.Name, Canonical: e.Canonical, Type: e.Type, Description: e.Description,
		Aliases:    append([]string{}, e.Aliases...),
		Confidence: e.ConfidenceAt(now), ValidFrom: memory.RFC3339(e.ValidFrom), ValidUntil: memory.RFC3339(e.ValidUntil),
		LastSeen: memory.RFC3339(e.LastSeenAt), Facts: facts, lastSeen: e.LastSeenAt,
	}
}

func (l entityList) write(w io.Writer, paint func(colour, text string) string) {
	t := table{columns: []column{{title: "ID"}, {title: "NAME"}, {title: "TYPE"}, {title: "CANONICAL NAME"},
		{title: "CONFIDENCE", right: true}, {title: "LAST SEEN"}, {title: "FACTS", right: true}}}
	for _, e := range l.Entities {
		t.add("", e.ID, e.Name, e.Type, e.Canonical,
			fmt.Sprintf("%.2f", e.Confidence), localTime(e.lastSeen), fmt.Sprint(e.Facts))
	}
	t.write(w, paint)
	if l.More > 0 {
		fmt.Fprintf(w, "and %d more: filter with PREFIX or --type, or raise --limit\n", l.More)
	}
}

// atMostOne refuses more than one argument; the parameter what describes the allowed one.
func atMostOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usageError(c, "%s takes %s, but got another argument, %q; put quotes around several words.", c.CommandPath(),
				what, args[1])
		}
		return nil
	}
}
