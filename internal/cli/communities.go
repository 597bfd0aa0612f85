package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/communities"
	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

func newCommunities(a *app) *cobra.Command {
	var limit int
	var refresh bool
	c := &cobra.Command{
		Use:   "communities [NAME]",
		Short: "List the groups of closely connected entities",
		Long: `communities lists the communities of a namespace, the largest first: groups of entities that are closely
connected, each with a name and a summary. With NAME, which is the id or the name of a community or an entity in it, it
shows that community and its members.

A server finds the communities anew after every 100 stored turns (community_refresh_interval). --refresh does it now.`,
		Example: `  memory-graph communities
  memory-graph communities c3
  memory-graph communities Acme --limit 200
  memory-graph communities --refresh --json`,
		Args: atMostOne("the id or the name of one community, or an entity in it"),
	}
	c.Flags().IntVar(&limit, "limit", listDefault, "communities or members to list, 1 to 10,000")
	c.Flags().BoolVar(&refresh, "refresh", false, "find the communities anew first")
	c.RunE = func(c *cobra.Command, args []string) error {
		if limit < 1 || limit > listMost {
			return usageError(c, "--limit %d is out of range: the range is 1 to 10,000.", limit)
		}
		name := strings.TrimSpace(strings.Join(args, ""))
		if len(args) > 0 && name == "" {
			return usageError(c, "The name of the community is empty.")
		}
		var done *refreshReport
		if refresh {
			if err := a.withEngine(c, func(ctx context.Context, cfg *config.Config, e *engine.Engine) error {
				out, err := e.RefreshCommunities(ctx, cfg.Namespace)
				done = newRefreshReport(out)
				return err
			}); err != nil {
				return err
			}
		}
		return a.withMemory(c, false, func(ctx context.Context, o opened) error {
			n, err := a.status(ctx, o)
			if err != nil {
				return err
			}
			if name != "" {
				return a.community(ctx, o, name, limit, done)
			}
			return a.communities(ctx, o, n, limit, done)
		})
	}
	return c
}

// refreshReport is what --refresh did.
type refreshReport struct {
	Changed    int `json:"changed"`
	Unchanged  int `json:"unchanged"`
	Dropped    int `json:"dropped"`
	ModelCalls int `json:"model_calls"`
	Failed     int `json:"failed"`
}

func newRefreshReport(o communities.Outcome) *refreshReport {
	return &refreshReport{o.Changed, o.Unchanged, o.Dropped, o.Calls, o.Failed}
}

func (r *refreshReport) write(w io.Writer) {
	if r == nil {
		return
	}
	fmt.Fprintf(w, "Refreshed: %d changed, %d unchanged, %d dropped; %s to the model", r.Changed, r.Unchanged, r.Dropped,
		many(int64(r.ModelCalls), "call", "calls"))
	if r.Failed > 0 {
		fmt.Fprintf(w, ", %d without an answer", r.Failed)
	}
	fmt.Fprint(w, ".\n\n")
}

// communityRow is one community in the JSON output.
type communityRow struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	Summary   string      `json:"summary"`
	Stale     bool        `json:"stale,omitempty"`  // a fact of it has ended since the summary was written
	Size      int         `json:"size"`             // number of members
	Members   []memberRow `json:"members"`          // the most central ones
	Writer    string      `json:"writer,omitempty"` // the model that wrote name and summary
	UpdatedAt string      `json:"updated_at"`
}

type memberRow struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Type string `json:"type"`
}

func newCommunityRow(c memory.Community) communityRow {
	r := communityRow{ID: c.Ref().String(), Name: c.Name, Summary: c.Summary, Stale: c.Stale(), Size: c.Size,
		Members: []memberRow{}, Writer: c.Writer, UpdatedAt: memory.RFC3339(c.UpdatedAt)}
	for _, n := range c.Central {
		r.Members = append(r.Members, memberRow{n.Ref().String(), n.Name, n.Type})
	}
	return r
}

type communityList struct {
	Communities []communityRow `json:"communities"`
	More        int64          `json:"more"` // communities beyond the limit
	Refreshed   *refreshReport `json:"refreshed,omitempty"`
}

func (a *app) communities(ctx context.Context, o opened, n memory.GraphStats, limit int, done *refreshReport) error {
	f := store.CommunityFilter{Namespace: o.cfg.Namespace}
	found, more, err := o.ListCommunities(ctx, f, 0, limit)
	if err != nil {
		return err
	}
	list := communityList{Communities: make([]communityRow, len(found)), Refreshed: done}
	for i, c := range found {
		list.Communities[i] = newCommunityRow(c)
	}
	if more {
		all, err := o.CountCommunities(ctx, f)
		if err != nil {
			return err
		}
		list.More = all - int64(len(found))
	}
	return a.print(list, func(w io.Writer) {
		done.write(w)
		switch {
		case len(found) > 0:
			list.write(w, a.paint)
		case n.Entities+n.Memories == 0:
			fmt.Fprintln(w, nothingYet("communities", n, f.Namespace))
		default:
			fmt.Fprintln(w, "No communities yet. A server finds them after some turns; --refresh does it now.")
		}
	})
}

func (l communityList) write(w io.Writer, paint func(colour, text string) string) {
	t := table{columns: []column{{title: "ID"}, {title: "NAME"}, {title: "MEMBERS", right: true}, {title: "SUMMARY"}}}
	for _, c := range l.Communities {
		t.add("", c.ID, c.Name, fmt.Sprint(c.Size), c.Summary)
	}
	t.write(w, paint)
	if l.More > 0 {
		fmt.Fprintf(w, "and %d more: raise --limit\n", l.More)
	}
}

// communityReport is one community with its members.
type communityReport struct {
	communityRow
	Entities  []entityRow    `json:"entities"`
	More      int64          `json:"more"` // members beyond the limit
	Refreshed *refreshReport `json:"refreshed,omitempty"`
}

func (a *app) community(ctx context.Context, o opened, name string, limit int, done *refreshReport) error {
	c, err := o.CommunityNamed(ctx, o.cfg.Namespace, name)
	if err != nil {
		return err
	}
	f := store.EntityFilter{Namespace: o.cfg.Namespace, Community: c.ID}
	members, more, err := o.ListEntities(ctx, f, 0, limit)
	if err != nil {
		return err
	}
	ids := make([]int64, len(members))
	for i, e := range members {
		ids[i] = e.ID
	}
	facts, err := o.FactCounts(ctx, f.Namespace, ids)
	if err != nil {
		return err
	}
	r := communityReport{communityRow: newCommunityRow(c), Entities: make([]entityRow, len(members)), Refreshed: done}
	for i, e := range members {
		r.Entities[i] = newEntityRow(e, facts[e.ID], time.Now())
	}
	if more {
		all, err := o.CountEntities(ctx, f)
		if err != nil {
			return err
		}
		r.More = all - int64(len(members))
	}
	return a.print(r, func(w io.Writer) {
		done.write(w)
		fmt.Fprintf(w, "%s %s (%s)\n", r.ID, visible(r.Name), many(int64(r.Size), "member", "members"))
		if r.Summary != "" {
			fmt.Fprintln(w, visible(r.Summary))
		}
		if r.Stale {
			fmt.Fprintln(w, staleSummary)
		}
		fmt.Fprintln(w)
		entityList{Entities: r.Entities}.write(w, a.paint)
		if r.More > 0 {
			fmt.Fprintf(w, "and %d more: raise --limit\n", r.More)
		}
	})
}

const staleSummary = "(A fact of this community has ended since. The next refresh writes the summary anew: --refresh.)"
