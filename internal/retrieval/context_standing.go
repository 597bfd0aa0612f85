package retrieval

import (
	"context"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
)

// Standing returns the user's turns whose vectors are nearest to vec, nearest first, at most limit. The score is the
// cosine. It reads the scope, times and At of the request, and no query. Without vectors it returns nothing: standing
// facts rarely share a word with the request that they matter for.
func (r *Retriever) Standing(ctx context.Context, req Request, vec []float32, limit int) ([]FoundEpisode, error) {
	if r.Vectors == nil || len(vec) == 0 || r.Vectors.Ready(ctx) != nil {
		return nil, ctx.Err()
	}
	f := req.filter()
	f.Roles = []memory.Role{memory.RoleUser}
	near, err := r.Vectors.Rank(ctx, embedding.Quantize(vec), f, limit)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(near.Top))
	for i, h := range near.Top {
		ids[i] = h.ID
	}
	episodes, err := r.Episodes.Episodes(ctx, f.Namespace, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]memory.Episode, len(episodes))
	for _, e := range episodes {
		byID[e.ID] = e
	}
	out := make([]FoundEpisode, 0, len(episodes))
	for _, h := range near.Top {
		if e, ok := byID[h.ID]; ok && req.knows(e) {
			out = append(out, FoundEpisode{Episode: e, Score: h.Score})
		}
	}
	return out, r.nameReplaced(ctx, req, out)
}
