package store

import (
	"context"
	"fmt"
	"math"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// fadeChunk is how many rows one step of decay reads. The write lock is free between steps. Tests make it small.
var fadeChunk = 5000

// FadeEntities decays the confidence of idle entities and memories: those neither changed nor named for a week. It
// multiplies the confidence by 0.9 for each of the run's intervals after that week, down to the floor, 0 to 1. It skips
// entities at or below the floor. The stated confidence is kept in unfaded, so this is not a change of meaning, and it
// returns when the entity is changed or named again (docs/decisions.md, "Entities decay in the file"). FadeEntities
// finishes the run and returns the number of changed entities. The error is ErrRunLost if another process has taken
// over the run; that process continues it.
func (s *Store) FadeEntities(ctx context.Context, r *Run, floor float64) (int, error) {
	if !(floor >= 0 && floor <= 1) {
		return 0, memory.Errorf(memory.InvalidArgument, "floor: %v is out of range.",
			floor).WithHint("Use a number from 0 to 1.")
	}
	faded := 0
	return faded, s.stepRun(ctx, r, "fade entities", fadeEntities(ctx, r, floor, &faded))
}

// fadeEntitiesSQL decays the entities of a range of ids. ?3 is when the run began, ?4 one week earlier, ?5 the number
// of intervals, ?6 their length in seconds, ?7 the floor, and ?8 the factor per interval.
var fadeEntitiesSQL = fmt.Sprintf(`UPDATE mg_entities SET unfaded = coalesce(unfaded, confidence), confidence = max(?7,
	round(confidence * pow(?8,
		min(?5, 1 + CAST((unixepoch(?3) - unixepoch(max(updated_at, last_seen_at)) - %d) / ?6 AS INTEGER))), 9))
	WHERE id > ?1 AND id <= ?2 AND kind IN `+shownKinds+` AND merged_into IS NULL AND confidence > ?7
	AND max(updated_at, last_seen_at) <= ?4 AND (valid_until IS NULL OR valid_until > ?3)`, int(graph.IdleTime.Seconds()))

func fadeEntities(ctx context.Context, r *Run, floor float64, faded *int) runStep {
	return func(c *conn, after int64) (int64, bool, error) {
		last, done, err := c.chunkEnd(ctx, "mg_entities", after)
		if err != nil {
			return 0, false, err
		}
		n, err := c.exec(ctx, fadeEntitiesSQL, after, last, memory.Millis(r.At), memory.Millis(r.At.Add(-graph.IdleTime)),
			r.Intervals, r.Every.Seconds(), floor, graph.IdleFactor)
		*faded += int(n)
		return last, done, err
	}
}

// FadeRetrievals multiplies every retrieval count by lambda, above 0 and at most 1, for each of the run's intervals.
// Counts below 0.01 become 0. It finishes the run and returns the number of changed counts. The error is ErrRunLost if
// another process has taken over the run; that process continues it.
func (s *Store) FadeRetrievals(ctx context.Context, r *Run, lambda float64) (int, error) {
	if !(lambda > 0 && lambda <= 1) {
		return 0, memory.Errorf(memory.InvalidArgument, "lambda: %v is out of range.",
			lambda).WithHint("Use a number above 0 and at most 1.")
	}
	if lambda == 1 { // no decay
		return 0, s.FinishRun(ctx, r)
	}
	faded := 0
	return faded, s.stepRun(ctx, r, "fade retrievals", fadeRetrievals(ctx, r, lambda, &faded))
}

func fadeRetrievals(ctx context.Context, r *Run, lambda float64, faded *int) runStep {
	left := math.Pow(lambda, float64(r.Intervals))
	return func(c *conn, after int64) (int64, bool, error) {
		last, done, err := c.chunkEnd(ctx, "mg_relationships", after)
		if err != nil {
			return 0, false, err
		}
		n, err := c.exec(ctx, `UPDATE mg_relationships SET retrieval_count = iif(retrieval_count * ?3 < .01, 0,
			retrieval_count * ?3)
			WHERE id > ?1 AND id <= ?2 AND retrieval_count > 0`, after, last, left)
		*faded += int(n)
		return last, done, err
	}
}

// chunkEnd returns the last id of the next fadeChunk rows of a table after the id after, and whether the table ends
// there.
func (c *conn) chunkEnd(ctx context.Context, table string, after int64) (last int64, done bool, err error) {
	last, _, err = c.int64(ctx, `SELECT max(id) FROM (SELECT id FROM `+table+` WHERE id > ? ORDER BY id LIMIT ?)`, after,
		fadeChunk)
	if err != nil {
		return 0, false, err
	}
	_, more, err := c.int64(ctx, `SELECT 1 FROM `+table+` WHERE id > ? LIMIT 1`, max(last, after))
	return max(last, after), !more, err
}

// unfade restores an entity's stated confidence when the entity is changed or named again.
const unfade = `confidence = coalesce(unfaded, confidence), unfaded = NULL`
