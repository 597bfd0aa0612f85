package communities

import (
	"fmt"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/prompts"
	"memory-graph/store"
)

// told holds the names and facts of a community that no turn in quarantine holds back, the most central and the
// strongest first.
type told struct {
	members []store.CommunityMember
	facts   []sentence
	origin  memory.Origin
	size    int
	naming  int // how many members make the name
}

// nodesOf returns the nodes whose names the texts of communities may contain.
func nodesOf(list []change) (ids []int64) {
	for _, c := range list {
		ids = append(ids, c.members[:min(len(c.members), candidates)]...)
		for _, f := range c.facts {
			ids = append(ids, f.Head, f.Tail)
		}
	}
	return ids
}

// factsOf returns the facts that the texts of communities may state.
func factsOf(list []change) (ids []int64) {
	for _, c := range list {
		for _, f := range c.facts {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// ownWords names and summarises a community in the program's own words, unless it keeps its words.
func (c *change) ownWords(nodes map[int64]store.CommunityMember, edges map[int64]store.CommunityFact) {
	c.told = newTold(*c, nodes, edges)
	if !c.kept {
		c.Name, c.Summary, c.Writer, c.Origin = c.told.name(), c.told.summary(), "", c.told.origin
	}
	c.Central = c.told.central()
}

// trusted reports whether a fact or a name may stand in a context block.
func trusted(confidence float64, origin memory.Origin) bool {
	return confidence >= memory.ShownConfidence && origin.Trust() > memory.OriginTool.Trust()
}

// newTold chooses the facts and names for a community's texts. If a context block may contain some of its facts,
// newTold uses only these. Otherwise one fact of a file would keep the summary out of all blocks.
func newTold(c change, nodes map[int64]store.CommunityMember, edges map[int64]store.CommunityFact) told {
	t := told{size: c.Size, naming: c.naming}
	for _, only := range []bool{true, false} {
		t.tell(c, nodes, edges, only)
		if len(t.facts) > 0 {
			break
		}
	}
	return t
}

// sameKind is the maximum number of facts of one summary with the same head and relation, or relation and tail.
const sameKind = 2

func (t *told) tell(c change, nodes map[int64]store.CommunityMember, edges map[int64]store.CommunityFact, only bool) {
	t.origin, t.members, t.facts = memory.OriginUser, nil, nil
	least := func(o memory.Origin) {
		if o.Trust() < t.origin.Trust() {
			t.origin = o
		}
	}
	alike, seen := map[string]int{}, map[int64]bool{}
	var rest []sentence
	for _, e := range c.facts {
		f, ok := edges[e.ID]
		head, heads := nodes[e.Head]
		tail, tails := nodes[e.Tail]
		if !ok || !heads || !tails || only && !trusted(f.Confidence, f.Origin) {
			continue
		}
		least(f.Origin)
		seen[f.Head], seen[f.Tail] = true, true
		said := sentence{id: e.ID, head: f.Head, tail: f.Tail, subject: called(head),
			predicate: graph.Phrase(f.Relation, tail.Name), object: called(tail)}
		out, in := fmt.Sprint(f.Head, f.Relation), fmt.Sprint(f.Relation, " ", f.Tail)
		if alike[out] >= sameKind || alike[in] >= sameKind {
			rest = append(rest, said)
			continue
		}
		alike[out]++
		alike[in]++
		t.facts = append(t.facts, said)
	}
	t.facts = append(t.facts, rest...)
	for _, id := range c.members {
		if m, ok := nodes[id]; ok && (seen[id] || !only || trusted(m.Confidence, m.Origin)) {
			least(m.Origin)
			t.members = append(t.members, m)
		}
	}
}

// name joins the names of the most central members.
func (t told) name() string {
	var names []string
	for _, m := range t.members[:min(len(t.members), t.naming)] {
		names = append(names, prompts.Line(40, m.Name))
	}
	return and(names, 0)
}

// central returns the most central of the members in t.
func (t told) central() []memory.Node {
	var nodes []memory.Node
	for _, m := range t.members[:min(len(t.members), memory.CentralMembers)] {
		nodes = append(nodes, m.Node)
	}
	return nodes
}
