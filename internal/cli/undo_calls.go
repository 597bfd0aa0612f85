package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// callRow is one call that changed something.
type callRow struct {
	ID      string       `json:"call_id"`
	At      string       `json:"at"`
	Actor   string       `json:"actor"`
	Client  string       `json:"client,omitempty"`
	Action  string       `json:"action"`
	Reason  string       `json:"reason,omitempty"`
	Undone  bool         `json:"undone"`  // reverted by an undo
	Objects []callObject `json:"objects"` // in the order of their changes
	at      time.Time
	seen    map[memory.ID]bool
}

// callObject is an entity, a memory or a fact that a call changed, with its current name. The name is absent if the
// object no longer exists.
type callObject struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	id   memory.ID
}

// callList holds the last calls, newest first.
type callList struct {
	Calls []*callRow `json:"calls"`
	More  bool       `json:"more"` // there are older calls
}

func (a *app) listCalls(ctx context.Context, o opened, limit int) error {
	n, err := a.status(ctx, o)
	if err != nil {
		return err
	}
	calls, err := o.lastCalls(ctx, limit)
	if err != nil {
		return err
	}
	return a.print(calls, func(w io.Writer) {
		if len(calls.Calls) == 0 {
			fmt.Fprintln(w, nothingYet("changes of entities and facts", n, o.cfg.Namespace))
			return
		}
		calls.write(w, a.paint)
	})
}

// lastCalls reads the last calls of the namespace that changed something.
func (o opened) lastCalls(ctx context.Context, limit int) (callList, error) {
	const page = 500 // events
	list := callList{Calls: []*callRow{}}
	for offset, more := 0, true; more && !list.More; offset += page {
		var events []memory.Event
		var err error
		if events, more, err = o.Changes(ctx, o.cfg.Namespace, time.Time{}, time.Time{}, 0, offset, page); err != nil {
			return list, err
		}
		for _, e := range events {
			if last := len(list.Calls) - 1; last < 0 || e.CallID == "" || list.Calls[last].ID != e.CallID {
				if list.More = len(list.Calls) == limit; list.More {
					break
				}
				list.Calls = append(list.Calls, &callRow{ID: e.CallID, At: memory.RFC3339(e.At), Actor: e.Actor, Client: e.Client,
					Action: e.Action, Reason: e.Reason, at: e.At, Objects: []callObject{}, seen: map[memory.ID]bool{}})
			}
			list.Calls[len(list.Calls)-1].add(e)
		}
	}
	for _, c := range list.Calls {
		slices.Reverse(c.Objects)
	}
	return list, o.nameObjects(ctx, list)
}

// add adds the object of an event to the call, each object once. Events come newest first.
func (c *callRow) add(e memory.Event) {
	c.Undone = c.Undone || e.UndoneBy != ""
	if !c.seen[e.Object] {
		c.seen[e.Object] = true
		c.Objects = append(c.Objects, callObject{ID: e.Object.String(), id: e.Object})
	}
}

// nameObjects reads the names of the objects of calls.
func (o opened) nameObjects(ctx context.Context, list callList) error {
	var nodes, facts []int64
	for _, c := range list.Calls {
		for _, object := range c.Objects {
			switch object.id.Kind {
			case memory.KindEntity, memory.KindMemory:
				nodes = append(nodes, object.id.Num)
			case memory.KindRelationship:
				facts = append(facts, object.id.Num)
			}
		}
	}
	names := map[string]string{}
	entities, err := o.EntitiesByID(ctx, o.cfg.Namespace, nodes, memory.AsOf{})
	if err != nil {
		return err
	}
	for _, e := range entities {
		names[e.Ref().String()] = e.Name
	}
	relationships, err := o.Relationships(ctx, o.cfg.Namespace, facts, memory.AsOf{})
	if err != nil {
		return err
	}
	for _, r := range relationships {
		names[r.Ref().String()] = r.Head.Name + " → " + r.Relation + " → " + r.Tail.Name
	}
	for _, c := range list.Calls {
		for i := range c.Objects {
			c.Objects[i].Name = names[c.Objects[i].ID]
		}
	}
	return nil
}

func (l callList) write(w io.Writer, paint func(colour, text string) string) {
	t := table{columns: []column{{title: "TIME"}, {title: "CALL"}, {title: "ACTION"}, {title: "BY"}, {title: "CHANGED"}}}
	for _, c := range l.Calls {
		colour, action, by := "", c.Action, c.Client
		if c.Undone {
			colour, action = "2", action+" (reverted)"
		}
		if by == "" {
			by = c.Actor
		}
		var objects []string
		turns := 0
		for _, o := range c.Objects {
			if o.id.Kind == memory.KindEpisode {
				turns++ // shown only if the call changed nothing else
				continue
			}
			objects = append(objects, strings.TrimSpace(o.ID+" "+o.Name))
		}
		if len(objects) == 0 && turns > 0 {
			objects = []string{many(int64(turns), "turn", "turns")}
		}
		t.add(colour, localTime(c.at), c.ID, action, by, summary(objects, 3))
	}
	t.write(w, paint)
	if l.More {
		fmt.Fprintln(w, "and older calls: raise --limit")
	}
}
