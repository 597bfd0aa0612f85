package retrieval_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// turn stores a turn with the facts it states.
func (w world) turn(content string, facts ...[3]string) {
	w.t.Helper()
	in := store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n"}, Role: memory.RoleUser,
		Content: content, Origin: memory.OriginUser, Status: memory.StatusDone}, Caller: memory.Caller{Actor: "test"}}
	for i, f := range facts {
		sure := .95 - .05*float64(i%4)
		in.Relations = append(in.Relations, memory.RelationDraft{Head: f[0], Relation: f[1], Tail: f[2], Confidence: &sure,
			CreateMissing: true, Origin: memory.OriginUser, Method: memory.MethodSupplied})
	}
	if rec, err := w.store.RecordEpisode(w.t.Context(), in); err != nil || len(rec.Errors) > 0 {
		w.t.Fatal(err, rec.Errors)
	}
}

// listed reads the answer to a question in pages of limit: the episodes, facts and entities in order.
func (w world) listed(req retrieval.Request, limit int) (out [3][]string) {
	w.t.Helper()
	for req.Limit, req.Offset = limit, 0; ; req.Offset += limit {
		a := w.ask(req)
		for _, f := range a.Episodes {
			out[0] = append(out[0], memory.EpisodeID(f.Episode.ID).String())
		}
		for _, f := range a.Relations {
			out[1] = append(out[1], f.Relationship.Ref().String())
		}
		for _, f := range a.Entities {
			out[2] = append(out[2], f.Entity.Ref().String())
		}
		if !a.More {
			return out
		}
	}
}

// everyStrategy lists the strategies that rank without vectors.
var everyStrategy = []retrieval.Strategy{retrieval.Auto, retrieval.Text, retrieval.Walk, retrieval.BFS,
	retrieval.Hybrid, retrieval.Synapse}

func TestRetrieve_PagesBringEveryEpisodeOfAHubOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 63 {
		tool := fmt.Sprintf("Tool %03d", i)
		w.turn("Hub uses "+tool, [3]string{"Hub", "uses", tool})
	}
	for _, strategy := range everyStrategy {
		for _, scope := range []*retrieval.GraphScope{nil, {}} {
			for _, limit := range []int{7, 9, 20} {
				list := w.listed(retrieval.Request{Query: "What does Hub use?", Strategy: strategy, Graph: scope}, limit)[0]
				slices.Sort(list)
				if got := len(slices.Compact(slices.Clone(list))); got != 63 || len(list) != 63 {
					t.Errorf("%s by %d, search_graph %v: %d episodes, %d of 63", strategy, limit, scope != nil, len(list), got)
				}
			}
		}
	}
}

func TestRetrieve_PagesAreTheWholeListOfAnyGraph(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 22))
	for range 2 {
		w := newWorld(t)
		size := 8 + r.IntN(12)
		name := func() string { return fmt.Sprintf("Node%02d", r.IntN(size)) }
		for range 45 {
			var told [][3]string
			content := ""
			for range 1 + r.IntN(4) {
				if a, b := name(), name(); a != b {
					told = append(told, [3]string{a, []string{"uses", "knows", "caused_by", "part_of"}[r.IntN(4)], b})
					content += a + " and " + b + ". "
				}
			}
			if content != "" {
				w.turn(content+fmt.Sprint(r.IntN(1e9)), told...)
			}
		}
		for _, strategy := range everyStrategy {
			for _, types := range [][]string{nil, {"unknown"}} {
				req := retrieval.Request{Query: "What do Node01 and Node02 use?", Strategy: strategy,
					Graph: &retrieval.GraphScope{MaxHops: 2}, Types: types}
				want := w.listed(req, 50)
				for _, limit := range []int{3, 8} {
					if diff := cmp.Diff(want, w.listed(req, limit)); diff != "" {
						t.Errorf("%s of types %v by %d (-want +got):\n%s", strategy, types, limit, diff)
					}
				}
				for _, list := range want {
					slices.Sort(list)
					if len(slices.Compact(slices.Clone(list))) != len(list) {
						t.Errorf("%s: something comes twice: %v", strategy, list)
					}
				}
			}
		}
	}
}
