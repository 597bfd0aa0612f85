// Package communities finds the communities of the stored graph anew, names and summarises those that have changed, and
// saves them. Detection itself is graph.Communities.
package communities

import (
	"cmp"
	"encoding/binary"
	"slices"

	"lukechampine.com/blake3"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// plan is the change of a namespace's communities.
type plan struct {
	namespace string
	unchanged int
	changed   []change
	leave     []int64 // entities that are in no community any more
	drop      []int64 // communities without members
}

// empty reports whether there is nothing to write.
func (p plan) empty() bool { return len(p.changed)+len(p.leave)+len(p.drop) == 0 }

// change is one community that must be written.
type change struct {
	memory.Community         // ID 0 for a new one; Central has the ids
	join             []int64 // entities that become members
	members          []int64 // all members, most central first
	naming           int     // how many of the members make the name
	facts            []store.CommunityEdge
	kept             bool // the fingerprint is unchanged, so name and summary stay
	old              memory.Community
	told             told // what name and summary are made of
}

// nothingNew reports whether the change equals what is stored.
func (c change) nothingNew() bool {
	return len(c.join) == 0 && c.Size == c.old.Size && slices.Equal(c.Fingerprint, c.old.Fingerprint) &&
		c.Name == c.old.Name && c.Summary == c.old.Summary && c.Writer == c.old.Writer
}

// written is the change with some of the entities that join.
func (c change) written(join []int64) store.CommunityWrite {
	w := store.CommunityWrite{Community: c.Community, Join: join, Kept: c.kept}
	for _, f := range c.told.facts {
		w.Told = append(w.Told, f.id)
	}
	for _, m := range c.told.members {
		w.Named = append(w.Named, m.ID)
	}
	return w
}

// group is a community as found in the graph.
type group struct {
	members []int64 // sorted
	edges   []store.CommunityEdge
	degree  map[int64]int // of a member: its neighbours among the members
	print   []byte
}

// newPlan compares the communities of the graph with the stored ones. improves reports whether a stored community with
// an unchanged fingerprint should be summarised again.
func newPlan(namespace string, g *store.CommunityGraph, improves func(memory.Community) bool) plan {
	p := plan{namespace: namespace}
	groups := detect(g)
	current := make(map[int64]int64, len(g.Nodes)) // stored community of each node
	inside := map[int64]int{}                      // nodes of each stored community
	for _, n := range g.Nodes {
		if n.Community != 0 {
			current[n.ID] = n.Community
			inside[n.Community]++
		}
	}
	stored := make(map[int64]memory.Community, len(g.Held))
	for _, c := range g.Held {
		stored[c.ID] = c
	}
	ids := match(groups, current, stored)
	grouped := map[int64]bool{}
	for i, gr := range groups {
		c := change{Community: memory.Community{ID: ids[i], Namespace: namespace}}
		old, known := stored[ids[i]]
		if known {
			c.Community = old
		}
		for _, n := range gr.members {
			grouped[n] = true
			if ids[i] == 0 || current[n] != ids[i] {
				c.join = append(c.join, n)
			}
		}
		same := known && slices.Equal(old.Fingerprint, gr.print)
		c.old, c.kept = old, same && !improves(old)
		if c.kept && len(c.join) == 0 && old.Size == len(gr.members) {
			p.unchanged++
			continue
		}
		c.Size, c.Fingerprint = len(gr.members), gr.print
		c.members, c.facts, c.naming = gr.central(), gr.strongest(), gr.naming()
		p.changed = append(p.changed, c)
	}
	for _, n := range g.Nodes {
		if n.Community != 0 && !grouped[n.ID] {
			p.leave = append(p.leave, n.ID)
		}
	}
	for _, c := range g.Held {
		if !slices.Contains(ids, c.ID) {
			p.drop = append(p.drop, c.ID)
		}
	}
	return p
}

// detect finds the communities of a graph.
func detect(g *store.CommunityGraph) []group {
	at := make(map[int64]int32, len(g.Nodes))
	for i, n := range g.Nodes {
		at[n.ID] = int32(i)
	}
	edges := make([][2]int32, len(g.Edges))
	for i, e := range g.Edges {
		edges[i] = [2]int32{at[e.Head], at[e.Tail]}
	}
	found := graph.Communities(len(g.Nodes), edges)
	groups, of := make([]group, len(found)), make([]int, len(g.Nodes))
	for i, members := range found {
		groups[i].degree = make(map[int64]int, len(members))
		for _, n := range members {
			groups[i].members = append(groups[i].members, g.Nodes[n].ID)
			of[n] = i + 1
		}
	}
	for i, e := range edges {
		if c := of[e[0]]; c > 0 && c == of[e[1]] {
			groups[c-1].edges = append(groups[c-1].edges, g.Edges[i])
		}
	}
	for i := range groups {
		groups[i].finish()
	}
	return groups
}

func (g *group) finish() {
	joined := map[[2]int64]bool{}
	for _, e := range g.edges {
		ends := [2]int64{min(e.Head, e.Tail), max(e.Head, e.Tail)}
		if e.Head != e.Tail && !joined[ends] {
			joined[ends] = true
			g.degree[e.Head]++
			g.degree[e.Tail]++
		}
	}
	g.print = fingerprint(g.members, g.edges)
}

// fingerprint is the BLAKE3 hash of the members' ids and the ids of the facts among them, both sorted: 32 bytes.
func fingerprint(members []int64, edges []store.CommunityEdge) []byte {
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(members)))
	for _, n := range members {
		data = binary.LittleEndian.AppendUint64(data, uint64(n))
	}
	for _, e := range edges {
		data = binary.LittleEndian.AppendUint64(data, uint64(e.ID))
	}
	sum := blake3.Sum256(data)
	return sum[:]
}

// central returns the members, those with most neighbours in the community first.
func (g *group) central() []int64 {
	return slices.SortedFunc(slices.Values(g.members), func(a, b int64) int {
		return cmp.Or(cmp.Compare(g.degree[b], g.degree[a]), cmp.Compare(a, b))
	})
}

// naming returns how many of the most central members make the name: up to three with at least half as many neighbours
// as the first one. So a star is named after its centre.
func (g *group) naming() int {
	central := g.central()
	n := 1
	for n < min(3, len(central)) && 2*g.degree[central[n]] >= g.degree[central[0]] {
		n++
	}
	return n
}

// candidates is how many facts of a community may be told to a model.
const candidates = 80

// strongest returns the facts to tell first: those with the highest confidence, then those of the most central members.
func (g *group) strongest() []store.CommunityEdge {
	edges := slices.Clone(g.edges)
	slices.SortFunc(edges, func(a, b store.CommunityEdge) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence),
			cmp.Compare(g.degree[b.Head]+g.degree[b.Tail], g.degree[a.Head]+g.degree[a.Tail]), cmp.Compare(a.ID, b.ID))
	})
	return edges[:min(len(edges), candidates)]
}

// match gives each group the id of the stored community with which it shares most members, so that a community keeps
// its id while it changes. Groups with the most members in common choose first; the others are new and get 0.
func match(groups []group, current map[int64]int64, stored map[int64]memory.Community) []int64 {
	type pair struct {
		group  int
		id     int64
		common int
	}
	var pairs []pair
	for i, g := range groups {
		common := map[int64]int{}
		for _, n := range g.members {
			if _, ok := stored[current[n]]; ok {
				common[current[n]]++
			}
		}
		for id, n := range common {
			pairs = append(pairs, pair{i, id, n})
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.common, a.common), cmp.Compare(a.id, b.id), cmp.Compare(a.group, b.group))
	})
	ids, taken := make([]int64, len(groups)), map[int64]bool{}
	for _, p := range pairs {
		if ids[p.group] == 0 && !taken[p.id] {
			ids[p.group], taken[p.id] = p.id, true
		}
	}
	return ids
}
