package engine

import (
	"context"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Release releases a turn from quarantine, and reads it like a new one. The error is NotFound, or Conflict for a turn
// that is not in quarantine.
func (e *Engine) Release(ctx context.Context, namespace string, id int64, by memory.Caller) (memory.Released, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return memory.Released{}, err
	}
	release := store.Release{Namespace: namespace, Episode: id, Status: memory.StatusDone}
	out := memory.Released{ID: memory.EpisodeID(id)}
	turns, err := s.store.Episodes(ctx, namespace, []int64{id})
	if err != nil {
		return memory.Released{}, err
	}
	if len(turns) > 0 && turns[0].Source == store.CallSource {
		release.Status, out.Extraction = memory.StatusSkipped, episodes.ExtractionSkipped // from a call
	} else if len(turns) > 0 {
		o := s.reading.reader.Outcome(ctx, turns[0])
		release.Status, release.Reading, out.Extraction = o.Status, o.Reading, o.Extraction
	}
	written, err := s.store.ReleaseTurn(ctx, release, by) // reports an invalid id
	if err != nil {
		return memory.Released{}, err
	}
	out.Relations = written.Relations
	return out, nil
}
