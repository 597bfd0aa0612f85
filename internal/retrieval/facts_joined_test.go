package retrieval_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/retrieval"
)

func TestSearchGraph_WhatJoinsTwoNamesComesFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var many [][3]string
	for i := range 260 { // more than are read of one node
		many = append(many, [3]string{"Xavier", "uses", fmt.Sprintf("Gadget%d", i)})
	}
	for i := range 40 {
		many = append(many, [3]string{fmt.Sprintf("Gadget%d", i), "made_by", fmt.Sprintf("Maker%d", i)})
	}
	w.bulk(many)
	w.fact("Zed", "knows", "Yara")
	for _, strategy := range []retrieval.Strategy{retrieval.Auto, retrieval.BFS, retrieval.Hybrid, retrieval.Synapse,
		retrieval.Walk, retrieval.Text} {
		for _, c := range []struct {
			query string
			want  []string
			match retrieval.Match
		}{
			{"How is Xavier related to Gadget3?", []string{"Xavier uses Gadget3"}, retrieval.Strong},
			{"How is Gadget255 related to Xavier?", []string{"Xavier uses Gadget255"}, retrieval.Strong},
			{"How is Xavier related to Maker7?", []string{"Gadget7 created_by Maker7", "Xavier uses Gadget7"},
				retrieval.Strong},
			{"What connects Maker8 and Xavier?", []string{"Gadget8 created_by Maker8", "Xavier uses Gadget8"},
				retrieval.Strong},
			{"How is Xavier related to Yara?", nil, retrieval.Weak}, // nothing joins them
		} {
			a := w.ask(retrieval.Request{Query: c.query, Strategy: strategy, Graph: &retrieval.GraphScope{}, Limit: 9})
			got := said(a.Relations[:len(c.want)])
			if len(got) == 2 && got[0] > got[1] { // the order of the two steps is the strategy's
				got[0], got[1] = got[1], got[0]
			}
			if diff := cmp.Diff(c.want, got); len(c.want) > 0 && diff != "" {
				t.Errorf("%s, %q (-want +got):\n%s", strategy, c.query, diff)
			}
			if a.Match != c.match {
				t.Errorf("%s, %q: match %s, want %s", strategy, c.query, a.Match, c.match)
			}
		}
	}
}

func TestSearchGraph_PagesOfJoinedFactsAreTheWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var many [][3]string
	for i := range 30 {
		many = append(many, [3]string{"Xavier", "uses", fmt.Sprintf("Gadget%d", i)},
			[3]string{"Yvonne", "owns", fmt.Sprintf("Gadget%d", i%20)})
	}
	w.bulk(many)
	for _, strategy := range []retrieval.Strategy{retrieval.BFS, retrieval.Hybrid, retrieval.Synapse, retrieval.Auto} {
		req := retrieval.Request{Query: "How is Xavier related to Yvonne?", Strategy: strategy,
			Graph: &retrieval.GraphScope{}, Limit: 48}
		whole := said(w.ask(req).Relations)
		var paged []string
		for req.Limit = 6; req.Offset < 48; req.Offset += 6 {
			paged = append(paged, said(w.ask(req).Relations)...)
		}
		if diff := cmp.Diff(whole, paged); diff != "" {
			t.Errorf("%s (-whole +pages):\n%s", strategy, diff)
		}
	}
}
