package retrieval

import (
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// byID returns the items with the requested ids, each kind in its own list, in the order of the request and without
// duplicates. A merged id returns the item that it was merged into. Items that did not hold or were not known at the
// requested time are left out. The error is NotFound for ids that do not exist.
func (r *Retriever) byID(ctx context.Context, req Request) (Answer, error) {
	answer := Answer{Strategy: ByID, Match: Strong}
	w, err := r.scale(ctx, req.Scope.Namespace, req.At)
	if err != nil {
		return Answer{}, err
	}
	missing := map[memory.ID]bool{}
	byKind := map[memory.Kind][]int64{}
	for _, id := range req.IDs {
		kind := id.Kind
		if kind == memory.KindMemory { // entities and memories share one table
			kind = memory.KindEntity
		}
		if !missing[id] {
			byKind[kind] = append(byKind[kind], id.Num)
		}
		missing[id] = true
	}
	if err := r.episodeItems(ctx, req, byKind[memory.KindEpisode], &answer, missing); err != nil {
		return Answer{}, err
	}
	if err := r.communityItems(ctx, req, byKind[memory.KindCommunity], &answer, missing); err != nil {
		return Answer{}, err
	}
	if r.Graph != nil {
		if err := r.entityItems(ctx, req, w, &answer, missing); err != nil {
			return Answer{}, err
		}
		if err := r.factItems(ctx, req, byKind[memory.KindRelationship], w, &answer, missing); err != nil {
			return Answer{}, err
		}
		if len(missing) > 0 && !req.At.Now() { // an item that exists today is not missing; it is left out
			today, leftOut := req, Answer{}
			today.At = memory.AsOf{}
			if err := r.entityItems(ctx, today, w, &leftOut, missing); err != nil {
				return Answer{}, err
			}
			if err := r.factItems(ctx, today, byKind[memory.KindRelationship], w, &leftOut, missing); err != nil {
				return Answer{}, err
			}
		}
	}
	if len(missing) > 0 {
		var unknown []string
		for _, id := range req.IDs {
			if missing[id] && !slices.Contains(unknown, id.String()) {
				unknown = append(unknown, id.String())
			}
		}
		return Answer{}, memory.Errorf(memory.NotFound, "ids: %s not found in namespace %q.", strings.Join(unknown, ", "),
			req.Scope.Namespace).
			WithHint("Remove these ids, or search with a query instead of ids.")
	}
	if len(answer.Episodes)+len(answer.Entities)+len(answer.Relations)+len(answer.Communities) == 0 {
		answer.Match = None
	}
	answer = answer.page(req)
	return answer, r.nameReplaced(ctx, req, answer.Episodes)
}

func (r *Retriever) episodeItems(ctx context.Context, req Request, nums []int64, answer *Answer,
	missing map[memory.ID]bool) error {
	if len(nums) == 0 {
		return nil
	}
	episodes, err := r.Episodes.Episodes(ctx, req.Scope.Namespace, nums)
	if err != nil {
		return err
	}
	byNum := make(map[int64]memory.Episode, len(episodes))
	for _, e := range episodes {
		byNum[e.ID] = e
	}
	for _, n := range nums {
		e, ok := byNum[n]
		if ok {
			delete(missing, memory.EpisodeID(n))
		}
		if ok && req.knows(e) {
			answer.Episodes = append(answer.Episodes, FoundEpisode{Episode: e})
		}
	}
	return nil
}

// entityItems reads entities and memories. It compares complete ids, since e7 and m7 have the same number.
func (r *Retriever) entityItems(ctx context.Context, req Request, w scale, answer *Answer,
	missing map[memory.ID]bool) error {
	var ids []memory.ID
	var nums []int64
	for _, id := range req.IDs {
		if id.Kind == memory.KindEntity || id.Kind == memory.KindMemory {
			ids, nums = append(ids, id), append(nums, id.Num)
		}
	}
	if len(nums) == 0 {
		return nil
	}
	list, err := r.Graph.EntitiesByID(ctx, req.Scope.Namespace, nums, req.At)
	if err != nil {
		return err
	}
	byRef := make(map[memory.ID]memory.Entity, len(list))
	for _, e := range list {
		byRef[e.Ref()] = e
	}
	for _, id := range ids {
		e, ok := byRef[id]
		if !ok && !hasNum(list, id.Num) { // merged into another, or missing
			if e, err = r.Graph.ResolveEntity(ctx, req.Scope.Namespace, id.String(), "", req.At); err != nil {
				if memory.AsError(err).Code == memory.NotFound {
					continue
				}
				return err
			}
			ok = true
		}
		if ok {
			delete(missing, id)
		}
		if ok && !slices.ContainsFunc(answer.Entities, func(f FoundEntity) bool { return f.Entity.ID == e.ID }) {
			answer.Entities = append(answer.Entities, FoundEntity{Entity: e, Confidence: w.entity(e)})
		}
	}
	return nil
}

func hasNum(list []memory.Entity, num int64) bool {
	return slices.ContainsFunc(list, func(e memory.Entity) bool { return e.ID == num })
}

func (r *Retriever) factItems(ctx context.Context, req Request, nums []int64, w scale, answer *Answer,
	missing map[memory.ID]bool) error {
	if len(nums) == 0 {
		return nil
	}
	list, err := r.Graph.Relationships(ctx, req.Scope.Namespace, nums, req.At)
	if err != nil {
		return err
	}
	byNum := make(map[int64]memory.Relationship, len(list))
	for _, f := range list {
		byNum[f.ID] = f
	}
	for _, n := range nums {
		if f, ok := byNum[n]; ok {
			delete(missing, f.Ref())
			answer.Relations = append(answer.Relations, FoundRelation{Relationship: f, Confidence: w.confidence(f)})
		}
	}
	return nil
}

// page cuts each list by the offset and the limit of the request.
func (a Answer) page(req Request) Answer {
	a.Episodes = cutPage(a.Episodes, req, &a.More)
	a.Entities = cutPage(a.Entities, req, &a.More)
	a.Relations = cutPage(a.Relations, req, &a.More)
	a.Communities = cutPage(a.Communities, req, &a.More)
	return a
}

func cutPage[T any](list []T, req Request, more *bool) []T {
	list = list[min(req.Offset, len(list)):]
	if len(list) > req.Limit {
		list, *more = list[:req.Limit], true
	}
	return list
}
