package communities

import (
	"context"
	"slices"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Reader reads communities through a filter.
type Reader struct{ *store.Store }

// CommunitiesWithin returns the communities with these ids, in this order. A filter that restricts more than the
// namespace sees only facts that its episodes state. A community that it sees whole is returned as stored. For a
// community that it sees in part, it gets a name and a summary in the program's own words, made of these facts alone.
// Communities without such facts are left out.
func (r Reader) CommunitiesWithin(ctx context.Context, f memory.Filter, ids []int64) ([]memory.Community, error) {
	stored, err := r.CommunitiesOf(ctx, f.Namespace, ids, nil)
	if err != nil || !f.Narrow() || len(stored) == 0 {
		return stored, err
	}
	views, err := r.CommunityViews(ctx, f, ids)
	if err != nil {
		return nil, err
	}
	out := make([]memory.Community, 0, len(stored))
	var part []change
	for _, c := range stored {
		v := views[c.ID]
		if v.Whole && c.Fingerprint != nil {
			out = append(out, c)
			continue
		}
		if len(v.Edges) > 0 {
			part = append(part, seen(c, v.Edges))
			out = append(out, memory.Community{ID: c.ID})
		}
	}
	if err := r.tell(ctx, f.Namespace, part); err != nil {
		return nil, err
	}
	for _, c := range part {
		at := slices.IndexFunc(out, func(o memory.Community) bool { return o.ID == c.ID })
		out[at] = c.Community
	}
	return slices.DeleteFunc(out, func(c memory.Community) bool { return c.Summary == "" }), nil
}

// seen returns the community that some of its facts form.
func seen(c memory.Community, edges []store.CommunityEdge) change {
	g := group{edges: edges, degree: map[int64]int{}}
	for _, e := range edges {
		for _, n := range []int64{e.Head, e.Tail} {
			if _, ok := g.degree[n]; !ok {
				g.degree[n] = 0
				g.members = append(g.members, n)
			}
		}
	}
	slices.Sort(g.members)
	g.finish()
	return change{Community: memory.Community{ID: c.ID, Namespace: c.Namespace, Size: len(g.members),
		Fingerprint: g.print, UpdatedAt: c.UpdatedAt}, members: g.central(), facts: g.strongest(), naming: g.naming()}
}

// tell names and summarises communities in the program's own words.
func (r Reader) tell(ctx context.Context, namespace string, list []change) error {
	if len(list) == 0 {
		return nil
	}
	nodes, edges, err := r.CommunityTexts(ctx, namespace, nodesOf(list), factsOf(list))
	for i := range list {
		list[i].ownWords(nodes, edges)
	}
	return err
}
