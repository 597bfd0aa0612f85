package store_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Half of many facts are archived, and random reads at other times give the same answers as before.
// MEMORY_GRAPH_FACTS=100000 and MEMORY_GRAPH_READS=1000 make the file large. BenchmarkReadsAtOtherTimes says what the
// reads cost.
func TestEvict_HalfOfManyFactsChangesNoReadAtAnotherTime(t *testing.T) {
	t.Parallel()
	facts, reads := fromEnvironment("MEMORY_GRAPH_FACTS", 3000), fromEnvironment("MEMORY_GRAPH_READS", 200)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := open(t, filepath.Join(t.TempDir(), "memory.db"),
		store.Options{Synchronous: "off", Now: func() time.Time { return now }})
	nodes := max(20, facts/50)
	manyFacts(t, s, facts, nodes)

	before := readsAtOtherTimes(t, s, reads, nodes)
	if out := evict(t, s, store.Eviction{}); out.Facts != int64(facts/2) {
		t.Errorf("%+v", out)
	}
	after := readsAtOtherTimes(t, s, reads, nodes)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

func fromEnvironment(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// manyFacts writes facts with their versions and evidence. Every second one ended in 2024, and was known to until then.
// A tenth of the facts have the first node as their head.
func manyFacts(t testing.TB, s *store.Store, facts, nodes int) {
	t.Helper()
	g := sqlGraph{t, s}
	for id := 1; id <= nodes; id++ {
		g.node(int64(id), fmt.Sprint("Node ", id), "tool")
	}
	g.exec(`INSERT INTO mg_episodes (id, namespace, seq, role, occurred_at, created_at, origin, content_hash, content)
		VALUES (1, 'default', 0, 'user', '2023-01-01 00:00:00', '2023-01-01 00:00:00.000', 'user', x'00', 'all of it')`)
	g.exec(`INSERT INTO mg_relationships (id, namespace, head_id, relation, tail_id, label, edge_class, fact, confidence,
			origin, method, valid_from, valid_until, created_at, expired_at, last_observed_at)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %[1]d)
		SELECT i, 'default', iif(i %% 10 = 0, 1, 1 + i * 7919 %% %[2]d), 'uses_' || i, 1 + i * 104729 %% %[2]d, 'uses',
			'semantic', 'Fact ' || i, .5 + (i * 31 %% 50) / 100.0, 'agent', 'supplied',
			datetime('2023-01-01', (i %% 300) || ' days'), iif(i %% 2, NULL, datetime('2024-01-01', (i %% 300) || ' days')),
			'2023-01-01 00:00:00.000', NULL, '2023-01-01 00:00:00.000' FROM n`, facts, nodes)
	g.exec(`INSERT INTO mg_evidence (relationship_id, episode_id, method, confidence, created_at)
		SELECT id, 1, 'supplied', .9, created_at FROM mg_relationships`)
	g.exec(`INSERT INTO mg_relationship_versions (relationship_id, namespace, head_id, relation, tail_id, edge_class, fact,
			confidence, strength, valid_from, valid_until, origin, method, created_at, expired_at, cause)
		SELECT id, namespace, head_id, relation, tail_id, edge_class, fact, confidence, strength, valid_from, NULL, origin,
			method, created_at, valid_until || '.000', 'created' FROM mg_relationships
		UNION ALL SELECT id, namespace, head_id, relation, tail_id, edge_class, fact, confidence, strength, valid_from,
			valid_until, origin, method, valid_until || '.000', NULL, 'ended' FROM mg_relationships
			WHERE valid_until IS NOT NULL`)
}

// The kinds of reads at other times that are compared before and after an eviction.
var otherTimes = []string{"links valid_at", "links known_at", "among valid_at", "among known_at", "edge history",
	"history"}

// readAtOtherTime is a random read of a kind. A tenth of them are about the first node, the hub. It returns the answer.
func readAtOtherTime(t testing.TB, s *store.Store, kind string, rng *rand.Rand, nodes int) (list any) {
	t.Helper()
	at := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rng.IntN(1000))
	node, other := int64(1+rng.IntN(nodes)), int64(1+rng.IntN(nodes))
	if rng.IntN(10) == 0 {
		node = 1
	}
	ctx, of := t.Context(), memory.EdgeQuery{Namespace: "default", Nodes: []int64{node}, At: memory.AsOf{ValidAt: at}}
	if strings.HasSuffix(kind, "known_at") {
		of.At = memory.AsOf{KnownAt: at}
	}
	var err error
	switch what, _, _ := strings.Cut(kind, " "); what {
	case "links":
		list, _, err = s.LinksOf(ctx, of, memory.Filter{}, 0, 20)
	case "among":
		of.Nodes = []int64{node, other, 1}
		list, _, err = s.RelationshipsAmong(ctx, of, memory.Filter{}, 20)
	case "edge":
		list, _, err = s.EdgeHistory(ctx, "default", node, "", "", 0, 20)
	case "history":
		list, _, err = s.History(ctx, "default", memory.RelationshipID(other), 0, 20)
	}
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	return list
}

// readsAtOtherTimes returns the answers of random reads of all kinds in turn.
func readsAtOtherTimes(t testing.TB, s *store.Store, reads, nodes int) (answers []string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range reads {
		kind := otherTimes[i%len(otherTimes)]
		text, err := json.Marshal(readAtOtherTime(t, s, kind, rng, nodes))
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, kind+" "+string(text))
	}
	return answers
}
