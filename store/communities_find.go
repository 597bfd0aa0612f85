package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// CommunitiesOf returns the communities with these ids, then those of these entities, each once and in this order.
func (s *Store) CommunitiesOf(ctx context.Context, namespace string, ids, members []int64) ([]memory.Community, error) {
	if len(members) > 0 {
		of, err := s.CommunityOf(ctx, namespace, members)
		if err != nil {
			return nil, err
		}
		ids = slices.Clone(ids)
		for _, m := range members {
			if c := of[m]; c != 0 {
				ids = append(ids, c)
			}
		}
	}
	if len(ids) == 0 {
		return []memory.Community{}, nil
	}
	list, _, err := s.ListCommunities(ctx, CommunityFilter{Namespace: namespace, IDs: ids}, 0, len(ids))
	slices.SortFunc(list, func(a, b memory.Community) int {
		return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID))
	})
	return list, err
}

// LargestCommunities returns the communities with most members.
func (s *Store) LargestCommunities(ctx context.Context, namespace string, limit int) ([]memory.Community, error) {
	list, _, err := s.ListCommunities(ctx, CommunityFilter{Namespace: namespace}, 0, limit)
	return list, err
}

// CommunityOf returns the communities of entities, without those that are in none.
func (s *Store) CommunityOf(ctx context.Context, namespace string, entities []int64) (map[int64]int64, error) {
	of := map[int64]int64{}
	err := s.readOne(ctx, "read the communities of entities", func(c *conn) error {
		return c.query(ctx, `SELECT e.id, e.community_id FROM json_each(?1) j CROSS JOIN mg_entities e ON e.id = j.value
			WHERE e.namespace = ?2 AND e.community_id IS NOT NULL AND e.merged_into IS NULL`, func(row cursor) error {
			of[row.int64(0)] = row.int64(1)
			return nil
		}, idList(entities), namespace)
	})
	return of, err
}

// CommunityNamed returns the community that an id or a name means, or the community of the entity that it names.
// Errors: NotFound, and Ambiguous for a name that several communities have.
func (s *Store) CommunityNamed(ctx context.Context, namespace, ref string) (memory.Community, error) {
	none := func() error {
		return memory.Errorf(memory.NotFound, "There is no community %q in namespace %q.", clip(ref), namespace).
			WithHint("communities lists them; they are found anew after some turns, or by refresh_communities.")
	}
	if id, err := memory.ParseID(strings.TrimSpace(ref)); err == nil && id.Kind == memory.KindCommunity {
		list, err := s.CommunitiesOf(ctx, namespace, []int64{id.Num}, nil)
		if err == nil && len(list) == 0 {
			err = none()
		}
		if err != nil {
			return memory.Community{}, err
		}
		return list[0], nil
	}
	list, _, err := s.ListCommunities(ctx, CommunityFilter{Namespace: namespace, Name: ref}, 0, ambiguousShown)
	switch {
	case err != nil:
		return memory.Community{}, err
	case len(list) == 1:
		return list[0], nil
	case len(list) > 1:
		ids := make([]string, len(list))
		for i, c := range list {
			ids[i] = c.Ref().String()
		}
		return memory.Community{}, memory.Errorf(memory.Ambiguous, "%q is the name of several communities: %s.", clip(ref),
			strings.Join(ids, ", ")).WithHint("Give one of these ids.")
	}
	e, err := s.ResolveEntity(ctx, namespace, ref, "", memory.AsOf{})
	if err != nil {
		if memory.AsError(err).Code == memory.NotFound {
			err = none()
		}
		return memory.Community{}, err
	}
	if list, err = s.CommunitiesOf(ctx, namespace, nil, []int64{e.ID}); err != nil || len(list) > 0 {
		return append(list, memory.Community{})[0], err
	}
	return memory.Community{}, memory.Errorf(memory.NotFound, "%s is in no community.", e.Ref()).
		WithHint("An entity without a neighbour in a community is in none. refresh_communities looks again.")
}

// ambiguousShown is the maximum number of communities that an error names.
const ambiguousShown = 5
