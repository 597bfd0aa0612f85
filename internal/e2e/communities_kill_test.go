package e2e_test

import (
	"fmt"
	"testing"

	"memory-graph/extraction/llm/llmtest"
)

// Killed while a model writes the summaries: what was saved stays and is not asked for again, and every entity is in
// one community.
func TestKill_InTheMiddleOfCommunities(t *testing.T) {
	t.Parallel()
	const groups, before = 6, 3 // summaries before the kill
	held, release := make(chan struct{}, 1), make(chan struct{})
	s := llmtest.New(t, llmtest.OpenAI, func(q llmtest.Request) (string, bool) {
		if q.N == before+1 {
			held <- struct{}{}
			<-release
		}
		return fmt.Sprintf(`{"name":"Group %d","summary":"Summary %d."}`, q.N, q.N), true
	})
	settings := append(withModel(s), "MEMORY_GRAPH_TOOLSETS=all", "MEMORY_GRAPH_COMMUNITY_SUMMARY_CONCURRENCY=1",
		"MEMORY_GRAPH_HEARTBEAT_ENABLED=false")
	db := newDB(t)
	h := start(t, db, settings...)
	h.initialize()
	for g := range groups {
		var relations []arguments
		for _, ends := range [][2]int{{0, 1}, {1, 2}, {2, 0}} {
			relations = append(relations, arguments{"head": fmt.Sprintf("Node %d%c", g, 'a'+ends[0]), "relation": "knows",
				"tail": fmt.Sprintf("Node %d%c", g, 'a'+ends[1])})
		}
		h.store(arguments{"content": fmt.Sprint("Group ", g), "role": "system", "relations": relations})
	}
	h.begin(make(chan reply, 1), "refresh_communities", arguments{})
	<-held
	h.kill()
	close(release)
	saved := peek(t, db, `SELECT count(*) FROM mg_communities WHERE fingerprint IS NOT NULL AND writer <> ''`)
	if saved != before {
		t.Errorf("%d communities are saved, want %d", saved, before)
	}
	execRaw(t, db, `UPDATE mg_leases SET held_until = '2020-01-01 00:00:00.000' WHERE name = 'communities'`) // later
	again := start(t, db, settings...)
	again.initialize()
	for range 2 {
		if _, err := again.call("refresh_communities", arguments{}); err != nil {
			t.Fatal(err)
		}
	}
	again.stop()
	if n := s.Calls(); n != groups+1 {
		t.Errorf("%d questions, want one for each community and the one that was cut off", n)
	}
	for what, q := range map[string]struct {
		sql  string
		want int
	}{
		"communities":          {`SELECT count(*) FROM mg_communities WHERE size = 3 AND summary <> ''`, groups},
		"communities of any":   {`SELECT count(*) FROM mg_communities`, groups},
		"summaries, each once": {`SELECT count(DISTINCT summary) FROM mg_communities`, groups},
		"members":              {`SELECT count(*) FROM mg_entities WHERE community_id IS NOT NULL`, 3 * groups},
		"communities with three": {`SELECT count(*) FROM (SELECT 1 FROM mg_entities e JOIN mg_communities c ON
			c.id = e.community_id GROUP BY c.id HAVING count(*) = 3)`, groups},
	} {
		if n := peek(t, db, q.sql); n != q.want {
			t.Errorf("%d %s; want %d", n, what, q.want)
		}
	}
	checkFile(t, db)
}
