package engine

import (
	"context"
	"errors"
	"strings"

	"memory-graph/heartbeat/jobs"
	"memory-graph/internal/embedding"
	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// embedBatch is how many texts are embedded per transaction. For long turns this is half a second of work for the
// built-in model, so a stop waits briefly and write locks are rare.
const embedBatch = 16

// embed computes the vectors of a batch of jobs, and saves them and completes the jobs in one transaction.
func (s *space) embed(ctx context.Context, b jobs.Batch) error {
	gen, vectors, texts, err := s.read(ctx, b.Jobs)
	if err != nil {
		return err
	}
	if err := s.embedRelations(ctx, gen); err != nil {
		return err
	}
	vecs, err := s.embedder.Embed(ctx, embedding.Document, texts)
	if err != nil {
		return err
	}
	s.measure(ctx, gen) // now that the embedder answers, and before anything compares these vectors
	for i, vec := range vecs {
		vectors[i].Vec = embedding.Quantize(vec)
	}
	activated, err := s.store.SaveVectors(ctx, gen, vectors, b.Held())
	if isConflict(err) {
		return nil // another embedder took over and deleted these jobs
	}
	if activated {
		r := s.ready.Load()
		r.live.Wake()
		r.entities.Wake()
		s.log.Info("re-embedding is complete; vector search works again")
		if err := s.links.catchUp(ctx); err != nil {
			s.log.Warn("queueing relinks after re-embedding failed", "error", err)
		}
	}
	s.links.poke()
	return err
}

// embedRelations makes the missing vectors of the relations of all facts. New ones are few, so they have no jobs: each
// batch of turns or entities makes them too.
func (s *space) embedRelations(ctx context.Context, gen int64) error {
	for {
		list, err := s.store.RelationsToEmbed(ctx, gen, embedBatch)
		if err != nil || len(list) == 0 {
			return err
		}
		texts := make([]string, len(list))
		for i, v := range list {
			texts[i] = strings.ReplaceAll(v.Relation, "_", " ")
		}
		vecs, err := s.embedder.Embed(ctx, embedding.Document, texts)
		if err != nil {
			return err
		}
		for i, vec := range vecs {
			list[i].Vec = embedding.Quantize(vec)
		}
		if err := s.store.SaveRelationVectors(ctx, gen, list); err != nil {
			return err
		}
	}
}

// read returns the texts of the jobs, and a vector record for each text. Records without a text follow at the end, for
// entities that are no longer shown: their vectors are deleted.
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
			v := store.Vector{Kind: store.OfEpisodes, ID: e.ID, Link: s.links.linksTurn(e)}
			vectors, texts = append(vectors, v), append(texts, e.Content)
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
