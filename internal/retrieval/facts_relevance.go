package retrieval

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval/supersession"
)

// Relevance of facts. The traversal scores a fact by its distance from what the question names, so all facts of one
// person are alike to it. The question ranks them: whether a fact joins two names of the question, how many of its
// other words the fact contains, whether it is similar, and whether it comes from a turn that answers the question.
// search_graph adds the facts of these turns, because a question often names nothing that the graph knows. If the
// question is about the past, it also adds facts that have ended.
//
// The weight of joins is more than that of all other parts together, so that a fact that joins two names comes first.
const (
	judgedFacts = 100 // facts of the traversal that are ranked by relevance; later ones keep their order
	ledTurns    = 20  // first turns of the ranking whose facts are added
	ledFacts    = 60  // most facts that they add

	comparedEntities = 100 // entities whose vectors are most similar to the question's
)

// relevances are the parts of the relevance of a fact. Each value is in 0..1.
var relevances = []struct {
	name   string
	weight float64
	reason string
	value  func(*relevance, FoundRelation) float64
}{
	{"joins", 3, "it joins two names of the question, alone (1) or over one entity", (*relevance).joins},
	{"words", .5, "share of the question's other words that it contains or that ask for its relation", (*relevance).words},
	{"evidence", .25, "the score of the turn that states it / the best turn's", (*relevance).evidence},
	{"similar", 2, "its ends and its relation are similar to the question (mean cosine)", (*relevance).similar},
	{"traversal", .15, "its score from the traversal / the best fact's", (*relevance).traversal},
}

// relevance knows what the relevance of a fact depends on.
type relevance struct {
	asked []string          // stems of the question
	names map[string]bool   // stems of the names that the question contains
	turns map[int64]float64 // score of a turn / the best score, 0..1
	near  map[int64]float64 // the similarity of the facts to the question, by id
	best  float64           // the best score of the traversal

	joined map[int64]bool // as in facts
	link   bool           // the question asks how what it names is connected
}

// overBetween is how far a fact joins two names if it leads over an entity between them and the question does not ask
// for a connection.
const overBetween = 1. / 3

func (x *relevance) joins(f FoundRelation) float64 {
	over, ok := x.joined[f.Relationship.ID]
	switch {
	case !ok:
		return 0
	case over && !x.link:
		return overBetween
	}
	return 1
}

func (x *relevance) words(f FoundRelation) float64 {
	if slices.ContainsFunc(x.asked, func(stem string) bool { return !x.names[stem] }) {
		return share(x.asked, stemsOfFact(f.Relationship), x.names)
	}
	return 0
}

func (x *relevance) evidence(f FoundRelation) float64 {
	best := 0.
	for _, id := range f.Relationship.Evidence {
		best = max(best, x.turns[id])
	}
	return best
}

func (x *relevance) similar(f FoundRelation) float64 {
	return max(0, x.near[f.Relationship.ID])
}

func (x *relevance) traversal(f FoundRelation) float64 {
	if x.best <= 0 || f.Hop == 0 {
		return 0
	}
	return f.Score / x.best
}

// lead is a turn of a ranking that may lead to facts.
type lead struct {
	id    int64
	score float64 // in the ranking / the best score, 0..1
}

func leadsOf(above []scored) []lead {
	var out []lead
	for _, s := range above[:min(len(above), ledTurns)] {
		if best := above[0].score; best > 0 && s.score > 0 {
			out = append(out, lead{s.turn.ID, min(1, s.score/best)})
		}
	}
	return out
}

// rankFacts adds the facts of the turns that lead the ranking, and sorts the facts by relevance. It runs one statement.
func (r *Retriever) rankFacts(ctx context.Context, req Request, q *parsedQuestion, leads []lead, f *facts) error {
	x := &relevance{asked: q.stems, names: map[string]bool{}, turns: map[int64]float64{},
		near: map[int64]float64{}, joined: f.joined, link: q.asksForLink()}
	for _, s := range f.seeds {
		if s.Score == 1 {
			for stem := range stemsOf(s.Entity.Name + " " + strings.Join(s.Entity.Aliases, " ")) {
				x.names[stem] = true
			}
		}
	}
	ids := make([]int64, 0, len(leads))
	for _, l := range leads {
		x.turns[l.id] = l.score
		ids = append(ids, l.id)
	}
	if req.Graph != nil {
		if err := r.addLed(ctx, req, ids, q.asked.When != supersession.Now, f); err != nil {
			return err
		}
	}
	n := min(len(f.ranked), judgedFacts+ledFacts)
	triples := make([]memory.Triple, n)
	for i, fact := range f.ranked[:n] {
		x.best = max(x.best, fact.Score)
		m := fact.Relationship
		triples[i] = memory.Triple{Head: m.Head.ID, Relation: m.Relation, Tail: m.Tail.ID}
	}
	similar, err := r.similarities(ctx, req.Scope.Namespace, r.questionVector(ctx, q.raw), triples)
	if err != nil {
		return err
	}
	for i, fact := range f.ranked[:n] {
		x.near[fact.Relationship.ID] = similar[i]
	}
	for i := range f.ranked[:n] {
		f.ranked[i] = x.judge(f.ranked[i], req.Explain)
	}
	slices.SortStableFunc(f.ranked[:n], func(a, b FoundRelation) int { return cmp.Compare(b.Score, a.Score) })
	f.cut(req)
	return nil
}

// judge sets the score of a fact to its relevance.
func (x *relevance) judge(f FoundRelation, explain bool) FoundRelation {
	var why []Feature
	sum := 0.
	for _, part := range relevances {
		v := part.value(x, f)
		sum += part.weight * v
		if explain && v != 0 {
			why = append(why, Feature{Name: part.name, Value: v, Weight: part.weight, Reason: part.reason})
		}
	}
	f.Score = sum
	if explain {
		f.Why = &Why{Strategy: f.Why.Strategy, MatchedBy: f.Why.MatchedBy, Features: why}
	}
	return f
}

// addLed adds the facts that these turns state and the traversal did not find: with ended, also facts that have ended.
func (r *Retriever) addLed(ctx context.Context, req Request, turns []int64, ended bool, f *facts) error {
	if len(turns) == 0 {
		return nil
	}
	led, err := r.Graph.RelationshipsEvidenced(ctx, req.edges(nil, 0), req.scope(), turns, ended, ledFacts)
	if err != nil {
		return err
	}
	known := make(map[int64]bool, len(f.ranked))
	for _, fact := range f.ranked {
		known[fact.Relationship.ID] = true
	}
	w, err := r.scale(ctx, req.Scope.Namespace, req.At)
	if err != nil {
		return err
	}
	var added []FoundRelation
	for _, fact := range led {
		c := w.confidence(fact)
		if known[fact.ID] || fact.Method == memory.MethodSimilarity || graph.Hidden(c) {
			continue
		}
		found := FoundRelation{Relationship: fact, Confidence: c}
		if req.Explain {
			found.Why = &Why{Strategy: f.strategy, MatchedBy: []string{"evidence"}}
		}
		added = append(added, found)
	}
	at := min(len(f.ranked), judgedFacts)
	f.ranked = slices.Insert(f.ranked, at, added...)
	return r.addLabelled(ctx, req, added, w, f)
}

// addLabelled adds the memories that share a label with the turns of the ranking to the first page of entities.
func (r *Retriever) addLabelled(ctx context.Context, req Request, added []FoundRelation, w scale, f *facts) error {
	var ids []int64
	for _, fact := range added {
		m := fact.Relationship
		if m.Method == memory.MethodMetadata && !slices.Contains(f.nodes, m.Head.ID) && !slices.Contains(ids, m.Head.ID) {
			ids = append(ids, m.Head.ID)
		}
	}
	room := req.Limit - len(f.entities)
	if len(ids) == 0 || room <= 0 || req.Offset > 0 || len(req.Types) > 0 {
		return nil
	}
	list, err := r.Graph.EntitiesByID(ctx, req.Scope.Namespace, ids[:min(len(ids), room)], req.At)
	for _, e := range list {
		found := FoundEntity{Entity: e, Confidence: w.entity(e), Depth: labelDepth}
		if req.Explain {
			found.Why = &Why{Strategy: f.strategy, MatchedBy: []string{"metadata"}, Features: []Feature{}}
		}
		f.entities = append(f.entities, found)
	}
	return err
}

// labelDepth is the distance of two memories with a label in common.
const labelDepth = 2
