package engine

import (
	"context"
	"errors"

	"memory-graph/heartbeat/jobs"
	"memory-graph/internal/embedding"
	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// embedBatch is how many texts are embedded for one transaction: half a second's work of the built-in model for long
// turns, so that a stop need not wait and a lock is rarely taken.
const embedBatch = 16

// embed makes the vectors of a batch of jobs and writes them with the jobs' end in one transaction.
func (s *space) embed(ctx context.Context, b jobs.Batch) error {
	gen, vectors, texts, err := s.read(ctx, b.Jobs)
	if err != nil {
		return err
	}
	vecs, err := s.embedder.Embed(ctx, embedding.Document, texts)
	if err != nil {
		return err
	}
	for i, vec := range vecs {
		vectors[i].Vec = embedding.Quantize(vec)
	}
	activated, err := s.store.SaveVectors(ctx, gen, vectors, b.Held())
	if isConflict(err) {
		return nil // another embedder took over: these jobs are gone
	}
	if activated {
		r := s.ready.Load()
		r.live.Wake()
		r.entities.Wake()
		s.log.Info("everything is embedded anew; search by meaning is back")
		if err := s.links.catchUp(ctx); err != nil {
			s.log.Warn("what is near with the new vectors is not looked for yet", "error", err)
		}
	}
	s.links.poke()
	return err
}

// read gives the texts that jobs are about, and what their vectors are of. Behind those, without a text, stand entities
// that are no longer shown: their vectors are to be taken away.
func (s *space) read(ctx context.Context, list []store.Job) (gen int64, vectors []store.Vector, texts []string,
	err error) {
	byNamespace := map[string]map[memory.Kind][]int64{}
	for _, j := range list {
		g, of, err := store.ParseEmbedSubject(j.Subject)
		if err != nil {
			return 0, nil, nil, err
		}
		gen = g
		if byNamespace[j.Namespace] == nil {
			byNamespace[j.Namespace] = map[memory.Kind][]int64{}
		}
		byNamespace[j.Namespace][of.Kind] = append(byNamespace[j.Namespace][of.Kind], of.Num)
	}
	var hidden []store.Vector
	for namespace, ids := range byNamespace {
		episodes, err := s.store.Episodes(ctx, namespace, ids[memory.KindEpisode])
		if err != nil {
			return 0, nil, nil, err
		}
		for _, e := range episodes {
			vectors, texts = append(vectors, store.Vector{Kind: store.OfEpisodes, ID: e.ID}), append(texts, e.Content)
		}
		entities, err := s.store.EntitiesByID(ctx, namespace, ids[memory.KindEntity], memory.AsOf{})
		if err != nil {
			return 0, nil, nil, err
		}
		shown := map[int64]memory.Entity{}
		for _, e := range entities {
			shown[e.ID] = e
		}
		for _, id := range ids[memory.KindEntity] {
			v := store.Vector{Kind: store.OfEntities, ID: id}
			if e, ok := shown[id]; ok {
				v.Link = s.links.links(e.Kind)
				vectors, texts = append(vectors, v), append(texts, facts.Text(e.Name, e.Description))
			} else {
				hidden = append(hidden, v)
			}
		}
	}
	return gen, append(vectors, hidden...), texts, nil
}

func isConflict(err error) bool {
	var e *memory.Error
	return errors.As(err, &e) && e.Code == memory.Conflict
}
