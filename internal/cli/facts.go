package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// factsQuery holds the arguments of facts.
type factsQuery struct {
	name, typ string
	at        memory.AsOf
	all       bool
	limit     int
}

func newFacts(a *app) *cobra.Command {
	var q factsQuery
	var validAt, knownAt string
	c := &cobra.Command{
		Use:   "facts NAME",
		Short: "Show what is known about one entity",
		Long: `facts finds an entity by name, alias or id, ignoring case. If there is no such name, it looks for names with a
word that begins with NAME. It lists the entity's active facts by confidence: → marks facts with the entity as head, ←
facts with the entity as tail. It also lists facts with so little confidence left that searches no longer find them.

--valid-at shows what was true at an instant, --known-at what was believed then. Both accept RFC 3339,
"2026-03-18 09:30:00" or a date, in UTC. Times are shown in the local time zone; dates without a time of day are shown
unchanged.`,
		Example: `  memory-graph facts Ann
  memory-graph facts "New York" --type location --all
  memory-graph facts e12 --valid-at 2026-01-31 --json`,
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if strings.TrimSpace(strings.Join(args, "")) == "" {
			return usageError(c, "facts needs a name or an id.")
		}
		return nil
	}
	c.Flags().StringVar(&q.typ, "type", "", "type of the entity, if several have the name")
	c.Flags().BoolVar(&q.all, "all", false, "also list ended facts, with the facts that superseded them")
	c.Flags().StringVar(&validAt, "valid-at", "", "show what was true at this time")
	c.Flags().StringVar(&knownAt, "known-at", "", "show what was believed at this time")
	c.Flags().IntVar(&q.limit, "limit", listDefault,
		"active facts to list, and with --all ended facts to list, 1 to 10,000 each")
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		q.name = strings.Join(args, " ")
		if q.limit < 1 || q.limit > listMost {
			return usageError(c, "--limit %d is out of range: the range is 1 to 10,000.", q.limit)
		}
		for _, t := range []struct {
			flag, value string
			into        *time.Time
		}{{"valid-at", validAt, &q.at.ValidAt}, {"known-at", knownAt, &q.at.KnownAt}} {
			if c.Flags().Changed(t.flag) {
				if *t.into, err = memory.ParseTime("--"+t.flag, t.value); err != nil {
					return err
				}
			}
		}
		if q.all && !q.at.Now() {
			return usageError(c,
				"--all lists what has ended by now, --valid-at and --known-at show another time: use only one of them.")
		}
		return a.withMemory(c, false, func(ctx context.Context, o opened) error { return a.facts(ctx, o, q) })
	}
	return c
}

func (a *app) facts(ctx context.Context, o opened, q factsQuery) error {
	n, err := a.status(ctx, o)
	if err != nil {
		return err
	}
	e, err := o.entityCalled(ctx, q, n)
	if err != nil {
		return err
	}
	r, err := o.factsOf(ctx, e, q)
	if err != nil {
		return err
	}
	return a.print(r, func(w io.Writer) { r.write(w, a.paint) })
}

// takenBack returns a hint on how to see what undo reverted: undone facts have ended, and undone entities are hidden
// names.
func takenBack(n memory.GraphStats, q factsQuery) string {
	if n.EndedRelationships == 0 || !q.at.KnownAt.IsZero() {
		return ""
	}
	return " To see what was undone, use --known-at with a time before the undo; `memory-graph undo --list` says " +
		"when."
}

// candidatesShown is how many possible entities an error lists.
const candidatesShown = 10

// entityCalled finds an entity by id, name or alias, and otherwise by the beginning of a word of its name. The error is
// NotFound, or Ambiguous with the candidates.
func (o opened) entityCalled(ctx context.Context, q factsQuery, n memory.GraphStats) (memory.Entity, error) {
	e, notThere := o.ResolveEntity(ctx, o.cfg.Namespace, q.name, q.typ, q.at)
	if notThere != nil {
		switch failed := memory.AsError(notThere); {
		case failed.Code == memory.Ambiguous && q.typ == "":
			return e, failed.WithHint("Give its id, or its --type.")
		case failed.Code == memory.NotFound && len(failed.Candidates) > 0:
			return e, failed.WithHint("Give the id of the entity with that name, or omit --type.")
		case failed.Code != memory.NotFound:
			return e, notThere
		}
	} else {
		return e, nil
	}
	unknown := memory.Errorf(memory.NotFound, "There is no entity named %q in namespace %q.", q.name, o.cfg.Namespace)
	if n.Entities+n.Memories == 0 {
		return e, unknown.WithHint("%s%s", nothingYet("entities", n, o.cfg.Namespace), takenBack(n, q))
	}
	var types []string
	if q.typ != "" {
		types = memory.TypeFamily(q.typ)
	}
	hits, err := o.SearchEntities(ctx, o.cfg.Namespace, strings.Fields(q.name), types, candidatesShown)
	if err != nil {
		return e, err
	}
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	near, err := o.EntitiesByID(ctx, o.cfg.Namespace, ids, q.at)
	switch {
	case err != nil:
		return e, err
	case len(near) == 0 && !q.at.KnownAt.IsZero():
		return e, unknown.WithHint("It may have become known after --known-at; omit --known-at to search what is known now.")
	case len(near) == 0:
		if id, err := memory.ParseID(q.name); err == nil && id.Kind == memory.KindCommunity {
			return e, memory.AsError(notThere).WithHint("`memory-graph communities %s` shows its members.", id)
		}
		return e, unknown.WithHint("`memory-graph entities` lists all entities.%s", takenBack(n, q))
	case len(near) == 1:
		return near[0], nil
	}
	several := memory.Errorf(memory.Ambiguous, "There is no entity named %q in namespace %q.", q.name, o.cfg.Namespace).
		WithHint("Give the name or the id of one of these.")
	for _, c := range near {
		several.Candidates = append(several.Candidates, memory.Candidate{ID: c.Ref().String(), Name: c.Name, Type: c.Type})
	}
	return e, several
}

// factsOf reads an entity's active facts, and with q.all also its ended facts.
func (o opened) factsOf(ctx context.Context, e memory.Entity, q factsQuery) (*factsReport, error) {
	ns, now := o.cfg.Namespace, time.Now()
	held, more, err := o.LinksOf(ctx, memory.EdgeQuery{Namespace: ns, Nodes: []int64{e.ID}, At: q.at},
		memory.Filter{Namespace: ns}, 0, q.limit)
	if err != nil {
		return nil, err
	}
	r := &factsReport{Facts: make([]factRow, 0, len(held)), entity: e, at: q.at, all: q.all}
	f := store.RelationshipFilter{Namespace: ns, Entity: e.ID, At: q.at}
	if more {
		all, err := o.CountRelationships(ctx, f)
		if err != nil {
			return nil, err
		}
		r.More = all - int64(len(held))
	}
	if q.at.Now() {
		f.Scheduled = true
		scheduled, _, err := o.ListRelationships(ctx, f, 0, q.limit)
		if err != nil {
			return nil, err
		}
		held, f.Scheduled = append(held, scheduled...), false
	}
	if q.all {
		f.Ended = true
		ended, more, err := o.ListRelationships(ctx, f, 0, q.limit)
		if err != nil {
			return nil, err
		}
		if more {
			all, err := o.CountRelationships(ctx, f)
			if err != nil {
				return nil, err
			}
			r.MoreEnded = all - int64(len(ended))
		}
		held = append(held, ended...)
	}
	weigh, err := o.weigher(ctx, q.at, now)
	if err != nil {
		return nil, err
	}
	active := r.More
	for _, h := range held {
		row := weigh(h)
		r.Facts = append(r.Facts, row)
		if row.Active {
			active++
		}
	}
	r.Entity = newEntityRow(e, active, now)
	return r, o.nameSuccessors(ctx, r)
}

// nameSuccessors reads the facts that superseded others, to show them as text instead of an id.
func (o opened) nameSuccessors(ctx context.Context, r *factsReport) error {
	var ids []int64
	for _, f := range r.Facts {
		if f.fact.SupersededBy != 0 {
			ids = append(ids, f.fact.SupersededBy)
		}
	}
	list, err := o.Relationships(ctx, o.cfg.Namespace, ids, memory.AsOf{})
	if err != nil {
		return err
	}
	r.successors = map[int64]string{}
	for _, s := range list {
		r.successors[s.ID] = fmt.Sprintf("%s %s", s.Relation, s.Tail.Name)
		if s.Tail.ID == r.entity.ID {
			r.successors[s.ID] = fmt.Sprintf("%s %s", s.Head.Name, s.Relation)
		}
	}
	return nil
}
