package retrieval

import (
	"cmp"
	"context"
	"slices"

	"memory-graph/memory"
)

// gather reads what was found and, with the fused strategy, the neighbours of the best: two statements whatever the
// size of the file.
func (r *Retriever) gather(ctx context.Context, f memory.Filter, q question, found hits, s Strategy) ([]*candidate, error) {
	pool := newPool(found)
	if err := r.compare(ctx, f.Namespace, pool.all(), found); err != nil {
		return nil, err
	}
	episodes, err := r.Episodes.Episodes(ctx, f.Namespace, pool.ids())
	if err != nil {
		return nil, err
	}
	cs := make([]*candidate, 0, len(episodes)+2*neighboursOf)
	for _, e := range episodes {
		c := pool[e.ID]
		c.episode = e
		cs = append(cs, c)
	}
	if s == Fused {
		neighbours, err := r.neighbours(ctx, f, pool, found)
		if err != nil {
			return nil, err
		}
		cs = append(cs, neighbours...)
	}
	slices.SortFunc(cs, func(a, b *candidate) int { return cmp.Compare(b.episode.ID, a.episode.ID) })
	connect(cs, q)
	return cs, nil
}

// neighbours reads the turns beside the best candidates that no index found.
func (r *Retriever) neighbours(ctx context.Context, f memory.Filter, p pool, found hits) ([]*candidate, error) {
	episodes, err := r.Episodes.Neighbourhood(ctx, f.Namespace, p.best(r.vectorWeight(), neighboursOf))
	if err != nil {
		return nil, err
	}
	var cs []*candidate
	for _, e := range episodes {
		if p[e.ID] == nil && f.Matches(e) {
			cs = append(cs, &candidate{episode: e, neighbour: true})
		}
	}
	return cs, r.compare(ctx, f.Namespace, cs, found)
}

// compare fills the cosines that the ranking of all vectors did not bring.
func (r *Retriever) compare(ctx context.Context, namespace string, cs []*candidate, found hits) error {
	if found.vectors == nil {
		return nil
	}
	var missing []int64
	for _, c := range cs {
		if !c.hasVector {
			missing = append(missing, c.episode.ID)
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
		if cosine, ok := cosines[c.episode.ID]; ok && !c.hasVector {
			c.setCosine(cosine, found.vectors)
		}
	}
	return nil
}

// pool holds candidates by the id of their episode while they are being read.
type pool map[int64]*candidate

func newPool(found hits) pool {
	p := make(pool, len(found.text)+candidatesPerIndex)
	for i, h := range found.text {
		c := p.get(h.ID)
		c.bm25, c.textRank = h.Score, i+1
		if best := found.text[0].Score; best > 0 {
			c.text = h.Score / best
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
		c = &candidate{episode: memory.Episode{ID: id}}
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

// best gives the n best by text and vector alone.
func (p pool) best(vectorWeight float64, n int) []int64 {
	cs := p.all()
	convex := func(c *candidate) float64 { return c.text + vectorWeight*c.z }
	slices.SortFunc(cs, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(convex(b), convex(a)), cmp.Compare(b.episode.ID, a.episode.ID))
	})
	ids := make([]int64, 0, n)
	for _, c := range cs[:min(len(cs), n)] {
		ids = append(ids, c.episode.ID)
	}
	return ids
}
