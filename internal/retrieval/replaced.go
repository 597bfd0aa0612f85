package retrieval

import (
	"context"
	"slices"
	"sync"

	"memory-graph/internal/memory"
)

// Replacements reads, from the facts, which episodes later ones ended or replaced.
type Replacements interface {
	// Replaced returns the later episodes of the filter that ended or replaced a fact of these episodes, as of an instant.
	// It runs one statement.
	Replaced(ctx context.Context, f memory.Filter, episodes []int64, at memory.AsOf) ([]memory.Replacement, error)
}

// Supersession. A ranking tells what a turn is about, but not whether it is still true, and the older of two turns
// often shares more words with the question. So a superseded turn is placed after the later one, and the later one gets
// the better of both scores. A turn is superseded if a fact that it states has ended, or if package supersession judges
// so from the words of both turns. If the question is about an earlier time (at first, in August, valid_at), the turn
// of that time is placed first. No other turn moves: a preference for new turns would hide turns that are merely old.

// judgedFirst is the number of first turns of a ranking that are judged. Lower ranks hardly matter, and a wrong
// judgement there would move up a turn that does not belong.
const judgedFirst = 10

// replacement is a pair of turns: an earlier one, and a later one that replaced it.
type replacement struct {
	earlier, later int64
	points         float64       // of a judgement by the signals
	why            func() string // explains such a judgement
	fact           int64         // the fact that ended; 0 for a judgement from the words
	moves          bool          // the pair changes the order
	orders         bool          // the pair only changes the order; earlier only says that a fact ended
}

// supersede places superseded turns of a ranking after those that superseded them, and returns the pairs. It runs at
// most three statements.
func (r *Retriever) supersede(ctx context.Context, req Request, f memory.Filter, q *parsedQuestion, found hits, above,
	below []scored, cs []*candidate) ([]scored, []scored, []replacement, error) {
	if len(above) == 0 {
		return above, below, nil, nil
	}
	var beside sync.WaitGroup
	var all []replacement
	var factsErr error
	beside.Go(func() { all, factsErr = r.replacedByFacts(ctx, req, f, q, found.vec, above) })
	judged, err := r.replacedBySubject(ctx, req, q.asked, found, above, cs)
	beside.Wait()
	if err != nil {
		return nil, nil, nil, err
	}
	if factsErr != nil {
		return nil, nil, nil, factsErr
	}
	for _, j := range judged {
		if !slices.ContainsFunc(all, func(p replacement) bool {
			return p.earlier == j.earlier && p.later == j.later && p.moves && !p.orders
		}) {
			all = append(all, j)
		}
	}
	if cs, err = r.withLater(ctx, f, all, cs); err != nil {
		return nil, nil, nil, err
	}
	above, below = reorder(above, below, all, cs, q.asked, ordered(req, above))
	return above, below, all, nil
}

// replacedByFacts reads what replaced the first turns of a ranking and those up to the end of the page. A replacement
// only moves if the question asks for the fact that ended, and not for another fact of the same turn. If it is in the
// ranking itself, it moves ahead of the turn that it replaced. Any other replacement is only added if the question
// shares a word with the fact: with its relation, the words that ask for the relation, or the name or kind of one of
// its ends. If several turns replaced one, a turn that says what is true now precedes a turn that only says that the
// fact ended.
func (r *Retriever) replacedByFacts(ctx context.Context, req Request, f memory.Filter, q *parsedQuestion, vec []int8,
	above []scored) ([]replacement, error) {
	if r.Replacements == nil {
		return nil, nil
	}
	ids := make([]int64, 0, judgedFirst+req.Limit)
	for _, s := range above[:ordered(req, above)] { // a turn of any earlier page may move
		ids = append(ids, s.turn.ID)
	}
	ranked := make(map[int64]bool, len(above))
	for _, s := range above {
		ranked[s.turn.ID] = true
	}
	first := make(map[int64]bool, judgedFirst)
	for _, s := range above[:min(len(above), judgedFirst)] {
		first[s.turn.ID] = true
	}
	list, err := r.Replacements.Replaced(ctx, f, ids, req.At)
	if err != nil {
		return nil, err
	}
	asked, err := r.askedFacts(ctx, req.Scope.Namespace, vec, list, above)
	if err != nil {
		return nil, err
	}
	out := make([]replacement, 0, len(list))
	for i, p := range list {
		said := stemsOfFact(memory.Relationship{Head: memory.Node{Name: p.Head}, Relation: p.Relation,
			Tail: memory.Node{Name: p.Tail}})
		about := slices.ContainsFunc(q.stems, func(stem string) bool { return said[stem] })
		out = append(out, replacement{earlier: p.Earlier, later: p.Later, fact: p.Fact,
			moves: asked[i] && (ranked[p.Later] || about && first[p.Earlier])})
		for j := range list[:i] {
			a, b := list[j], p
			if a.Fact != b.Fact || a.Earlier != b.Earlier || a.Ends == b.Ends {
				continue
			}
			if b.Ends {
				a, b = b, a
			}
			out = append(out, replacement{earlier: a.Later, later: b.Later, fact: p.Fact, moves: out[len(out)-1].moves,
				orders: true})
		}
	}
	if !req.Unassigned {
		return out, nil
	}
	list, err = r.Replacements.Replaced(ctx, req.ending(), ids, req.At)
	for _, p := range list { // the answer says that a turn of another project ended the fact, without showing that turn
		out = append(out, replacement{earlier: p.Earlier, later: p.Later, fact: p.Fact})
	}
	return out, err
}

// askedFacts reports of each ended fact whether the question may ask for it: none of the facts that the turn states and
// that hold is more similar to the question. Facts without a vector may all be asked for.
func (r *Retriever) askedFacts(ctx context.Context, namespace string, vec []int8, list []memory.Replacement,
	above []scored) ([]bool, error) {
	ended := make([]memory.Triple, len(list))
	for i, p := range list {
		ended[i] = memory.Triple{Head: p.HeadID, Relation: p.Relation, Tail: p.TailID}
	}
	similar, err := r.similarities(ctx, namespace, vec, ended)
	if err != nil {
		return nil, err
	}
	holds := make(map[int64]float64, len(above))
	for _, s := range above {
		holds[s.turn.ID] = s.fact
	}
	asked := make([]bool, len(list))
	for i, p := range list {
		asked[i] = similar[i] == 0 || similar[i] >= holds[p.Earlier]
	}
	return asked, nil
}

// ordered returns how many turns of a ranking are ordered: the first judgedFirst, or all up to the end of the page.
func ordered(req Request, above []scored) int {
	return min(len(above), max(judgedFirst, req.Offset+req.Limit))
}

// askedAs lists words that ask for a relation without being part of its name.
var askedAs = map[string]string{
	"works_at":    "job employer employed company firm office workplace",
	"located_in":  "live home city town country address based move reside",
	"lives_in":    "home city town country address based move reside",
	"assigned_to": "responsible owner task",
	"has_status":  "state progress",
	"uses":        "tool software",
	"prefers":     "favourite favorite",
	"married_to":  "wife husband spouse partner",
	"same_as":     "name call who",
	"reports_to":  "manager boss lead",
	"works_on":    "responsible project task",
}

// withLater adds the replacing turns that are not candidates yet.
func (r *Retriever) withLater(ctx context.Context, f memory.Filter, all []replacement, cs []*candidate) ([]*candidate,
	error) {
	known := make(map[int64]bool, len(cs))
	for _, c := range cs {
		known[c.turn.ID] = true
	}
	var missing []int64
	for _, p := range all {
		if p.moves && !known[p.later] {
			known[p.later] = true
			missing = append(missing, p.later)
		}
	}
	if len(missing) == 0 {
		return cs, nil
	}
	turns, err := r.Episodes.Turns(ctx, f.Namespace, missing)
	if err != nil {
		return nil, err
	}
	cs = slices.Clone(cs)
	for _, t := range turns {
		c := &candidate{turn: t, replaces: true}
		c.readContent()
		cs = append(cs, c)
	}
	return cs, nil
}

// supersededBy returns, by episode, the ids of the episodes that replaced it, sorted and without duplicates. It only
// counts facts that ended. A judgement from the words is good enough to order two turns, but not to call a statement
// replaced.
func supersededBy(all []replacement) map[int64][]int64 {
	if len(all) == 0 {
		return nil
	}
	by := map[int64][]int64{}
	for _, p := range all {
		if p.fact != 0 && !p.orders && !slices.Contains(by[p.earlier], p.later) {
			by[p.earlier] = append(by[p.earlier], p.later)
		}
	}
	for _, later := range by {
		slices.Sort(later)
	}
	return by
}

// nameReplaced sets SupersededBy of episodes that were read without ranking.
func (r *Retriever) nameReplaced(ctx context.Context, req Request, found []FoundEpisode) error {
	if r.Replacements == nil || len(found) == 0 {
		return nil
	}
	ids := make([]int64, len(found))
	for i, f := range found {
		ids[i] = f.Episode.ID
	}
	list, err := r.Replacements.Replaced(ctx, req.ending(), ids, req.At)
	if err != nil {
		return err
	}
	all := make([]replacement, len(list))
	for i, p := range list {
		all[i] = replacement{earlier: p.Earlier, later: p.Later, fact: p.Fact}
	}
	by := supersededBy(all)
	for i := range found {
		found[i].SupersededBy = by[found[i].Episode.ID]
	}
	return nil
}
