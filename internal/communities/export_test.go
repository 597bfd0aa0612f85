package communities

import (
	"errors"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// PromptBytes returns the length of the longest form of a question with these names, and with facts between each two.
func PromptBytes(names []string) (int, error) {
	t := told{}
	for i, n := range names {
		t.members = append(t.members, store.CommunityMember{Node: memory.Node{Name: n}})
		t.facts = append(t.facts, sentence{subject: n, predicate: "knows", object: names[(i+1)%len(names)]})
	}
	q, err := question(t)
	if err != nil {
		return 0, err
	}
	return q.PromptBytes(new(description))
}

// Summary summarises a community of some size by facts of the form "head relation tail".
func Summary(size int, facts ...string) string {
	ids, c := map[string]int64{}, change{Community: memory.Community{Size: size}}
	nodes, edges := map[int64]store.CommunityMember{}, map[int64]store.CommunityFact{}
	id := func(name string) int64 {
		if ids[name] == 0 {
			n := int64(len(ids) + 1)
			m := store.CommunityMember{Node: memory.Node{ID: n, Name: name}, Origin: memory.OriginUser, Confidence: 1}
			if name == "User" {
				m.Type = "person"
			}
			ids[name], nodes[n], c.members = n, m, append(c.members, n)
		}
		return ids[name]
	}
	for i, f := range facts {
		w := strings.SplitN(f, " ", 3)
		e := store.CommunityEdge{ID: int64(i), Head: id(w[0]), Tail: id(w[2])}
		c.facts = append(c.facts, e)
		edges[e.ID] = store.CommunityFact{ID: e.ID, Head: e.Head, Tail: e.Tail, Relation: w[1], Confidence: 1,
			Origin: memory.OriginUser}
	}
	return newTold(c, nodes, edges).summary()
}

// Fill sets a model's answer.
func Fill(into any, name, summary string) error {
	d, ok := into.(*description)
	if !ok {
		return errors.New("not a description")
	}
	d.Name, d.Summary = name, summary
	return nil
}
