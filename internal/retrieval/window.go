package retrieval

import (
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// windowed reports whether a question is narrowed to a time.
func (req Request) windowed() bool { return !req.Since.IsZero() || !req.Until.IsZero() }

// inWindow removes the entities of which nothing was said between Since and Until: no turn of that time mentions them,
// no fact of the answer is theirs, and they were not last seen then. Facts need no check, since their evidence is read
// with these bounds.
func (r *Retriever) inWindow(ctx context.Context, req Request, a *Answer) error {
	if !req.windowed() || strings.TrimSpace(req.Query) == "" {
		return nil
	}
	defer func() {
		if req.Offset == 0 && len(a.Entities)+len(a.Relations)+len(a.Episodes) == 0 {
			a.Match = None // what the question names is known, and nothing was said of it then
		}
	}()
	if len(a.Entities) == 0 {
		return nil
	}
	told := map[int64]bool{}
	for _, f := range a.Relations {
		told[f.Relationship.Head.ID], told[f.Relationship.Tail.ID] = true, true
	}
	var others []int64
	for _, f := range a.Entities {
		seen := f.Entity.LastSeenAt
		if !seen.IsZero() && !seen.Before(req.Since) && (req.Until.IsZero() || seen.Before(req.Until)) {
			told[f.Entity.ID] = true
		}
		if !told[f.Entity.ID] {
			others = append(others, f.Entity.ID)
		}
	}
	if len(others) > 0 && r.Mentions != nil {
		f := memory.Filter{Namespace: req.Scope.Namespace, Since: wholeSecond(req.Since), Until: wholeSecond(req.Until)}
		edges, err := r.Mentions.EpisodesOf(ctx, f, others, 1)
		if err != nil {
			return err
		}
		for _, e := range edges {
			told[e.Node] = true
		}
	}
	a.Entities = slices.DeleteFunc(slices.Clone(a.Entities), func(f FoundEntity) bool { return !told[f.Entity.ID] })
	return nil
}
