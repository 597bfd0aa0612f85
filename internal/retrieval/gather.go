package retrieval

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"memory-graph/internal/memory"
)

// gather reads the found episodes and, with the fused strategy, the neighbours of the best and the facts that the found
// ones state, in parallel. It runs at most four statements, whatever the size of the file.
func (r *Retriever) gather(ctx context.Context, req Request, f memory.Filter, q *parsedQuestion, found hits,
	s Strategy) ([]*candidate, error) {
	found.vectors.steady()
	pool := newPool(found)
	if err := r.compare(ctx, f.Namespace, pool.all(), found); err != nil {
		return nil, err
	}
	var reading sync.WaitGroup
	var beside []memory.Rankable
	var besideErr, statedErr error
	if s == Fused {
		best := pool.best(r.vectorWeight(), neighboursOf)
		reading.Go(func() { beside, besideErr = r.Episodes.TurnsBeside(ctx, f, best) })
		reading.Go(func() { statedErr = r.compareStated(ctx, req, q, found.vec, pool) })
	}
	turns, err := r.Episodes.Turns(ctx, f.Namespace, pool.ids())
	reading.Wait()
	if err := cmp.Or(err, besideErr, statedErr); err != nil {
		return nil, err
	}
	cs := make([]*candidate, 0, len(turns)+len(beside))
	for _, t := range turns {
		c := pool[t.ID]
		c.turn = t
		cs = append(cs, c)
	}
	var neighbours []*candidate
	for _, t := range beside {
		if pool[t.ID] == nil {
			neighbours = append(neighbours, &candidate{turn: t, neighbour: true})
		}
	}
	if err := r.compare(ctx, f.Namespace, neighbours, found); err != nil {
		return nil, err
	}
	cs = append(cs, neighbours...)
	slices.SortFunc(cs, func(a, b *candidate) int { return cmp.Compare(b.turn.ID, a.turn.ID) })
	if err := r.readLabels(ctx, f.Namespace, cs, q); err != nil {
		return nil, err
	}
	link(cs)
	markEchoes(q, cs, r.now())
	found.vectors.leaveOutEchoes(cs)
	pool.assume()
	connect(cs, q, found.frequencies)
	return cs, nil
}

// readLabels reads the metadata of turns that text search found by no word of theirs: the words are in the metadata.
func (r *Retriever) readLabels(ctx context.Context, namespace string, cs []*candidate, q *parsedQuestion) error {
	q.reader.readAll(cs)
	var silent []int64
	for _, c := range cs {
		if c.textRank > 0 && c.reading.silent() {
			silent = append(silent, c.turn.ID)
		}
	}
	if len(silent) == 0 {
		return nil
	}
	labels, err := r.Episodes.LabelsOf(ctx, namespace, silent)
	for _, c := range cs {
		var words []string
		for _, l := range labels[c.turn.ID] {
			words = append(words, l.Value)
		}
		if len(words) > 0 && c.reading.silent() {
			c.reading.speaker, _ = q.reader.matcher.Find(strings.Join(words, "\n"), nil)
		}
	}
	return err
}

// compare computes the cosines of candidates that the vector ranking did not return.
func (r *Retriever) compare(ctx context.Context, namespace string, cs []*candidate, found hits) error {
	if found.vectors == nil {
		return nil
	}
	var missing []int64
	for _, c := range cs {
		if !c.hasVector {
			missing = append(missing, c.turn.ID)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	cosines, err := r.Vectors.Cosines(ctx, found.vec, namespace, missing)
	if err != nil {
		return err
	}
	for _, c := range cs {
		if cosine, ok := cosines[c.turn.ID]; ok && !c.hasVector {
			c.setCosine(cosine, found.vectors)
		}
	}
	return nil
}

// pool holds the candidates by episode id while they are read.
type pool map[int64]*candidate

func newPool(found hits) pool {
	p := make(pool, len(found.text)+candidatesPerIndex)
	for i, h := range found.text {
		c := p.get(h.ID)
		c.bm25, c.textRank = h.Score, i+1
		if best := found.text[0].Score; best > 0 {
			c.indexed = h.Score / best
			c.text = c.indexed
		}
	}
	if found.vectors != nil {
		for _, h := range found.vectors.Top {
			p.get(h.ID).setCosine(h.Score, found.vectors)
		}
	}
	return p
}

func (p pool) get(id int64) *candidate {
	c := p[id]
	if c == nil {
		c = &candidate{turn: memory.Rankable{ID: id}}
		p[id] = c
	}
	return c
}

func (c *candidate) setCosine(cosine float64, s *Similarities) {
	c.cosine, c.hasVector = cosine, true
	if s.Std > 0 {
		c.z = (cosine - s.Mean) / s.Std
	}
}

// assume sets the z of candidates that text search found and that have no vector yet: the mean z of the others that
// text search found, or the best z if there are none. Otherwise a turn that was just stored would rank too low.
func (p pool) assume() {
	var sum, n, best float64
	for _, c := range p {
		if c.echo {
			continue
		}
		if best = max(best, c.z); c.textRank > 0 && c.hasVector {
			sum += c.z
			n++
		}
	}
	z := best
	if n > 0 {
		z = sum / n
	}
	for _, c := range p {
		if c.textRank > 0 && !c.hasVector {
			c.z = z
		}
	}
}

func (p pool) ids() []int64 {
	ids := make([]int64, 0, len(p))
	for id := range p {
		ids = append(ids, id)
	}
	return ids
}

func (p pool) all() []*candidate {
	cs := make([]*candidate, 0, len(p))
	for _, c := range p {
		cs = append(cs, c)
	}
	return cs
}

// best returns the ids of the n best candidates by text and vector alone.
func (p pool) best(vectorWeight float64, n int) []int64 {
	cs := p.all()
	convex := func(c *candidate) float64 { return c.text + vectorWeight*c.z }
	slices.SortFunc(cs, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(convex(b), convex(a)), cmp.Compare(b.turn.ID, a.turn.ID))
	})
	ids := make([]int64, 0, n)
	for _, c := range cs[:min(len(cs), n)] {
		ids = append(ids, c.turn.ID)
	}
	return ids
}
