package tools

import (
	"context"
	_ "embed"

	"memory-graph/internal/memory"
)

//go:embed status.md
var statusText string

type statusArgs struct{ scopeArgs }

type statusResult struct {
	Namespace         string       `json:"namespace"`
	Episodes          int64        `json:"episodes"`
	Entities          int64        `json:"entities"`
	Memories          int64        `json:"memories"`
	Mentions          int64        `json:"mentions"`
	Relations         int64        `json:"relations"`
	Ended             int64        `json:"ended_relations"`
	ArchivedRelations int64        `json:"archived_relations,omitempty"` // of the ended ones
	ArchivedEntities  int64        `json:"archived_entities,omitempty"`  // not among entities
	Communities       int64        `json:"communities"`
	Types             []countItem  `json:"types"`
	RelationNames     []countItem  `json:"relation_names"`
	OldestEpisode     string       `json:"oldest_episode,omitempty"`
	NewestEpisode     string       `json:"newest_episode,omitempty"`
	MemoryState       memory.State `json:"memory_state"`

	Jobs []memory.KindState `json:"jobs"`
}

type countItem struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

func countItems(list []memory.Count, most int) []countItem {
	out := []countItem{}
	for _, c := range list[:min(most, len(list))] {
		out = append(out, countItem{c.Name, c.N})
	}
	return out
}

func newStatus(mem Memory, o Options) (Tool, error) {
	s := spec{name: "status", title: "How much is stored", description: statusText, readOnly: true, idempotent: true}
	return define(o, s, func(ctx context.Context, in statusArgs) (statusResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return statusResult{}, err
		}
		namespace := o.withDefaults(sc).Namespace
		records, err := mem.Records(ctx)
		if err != nil {
			return statusResult{}, err
		}
		g, err := records.GraphStats(ctx, namespace)
		if err != nil {
			return statusResult{}, err
		}
		st, err := mem.State(ctx, namespace)
		if err != nil {
			return statusResult{}, err
		}
		jobs, err := records.OpenJobs(ctx, namespace)
		if err != nil {
			return statusResult{}, err
		}
		const most = 20 // of each list; the others are the rarest
		return statusResult{
			Namespace: namespace, Episodes: g.Episodes, Entities: g.Entities, Memories: g.Memories, Mentions: g.Mentions,
			Relations: g.ActiveRelationships, Ended: g.EndedRelationships, Communities: g.Communities,
			ArchivedRelations: g.ArchivedRelationships, ArchivedEntities: g.ArchivedEntities,
			Types: countItems(g.EntitiesByType, most), RelationNames: countItems(g.RelationshipsByRelation, most),
			OldestEpisode: memory.RFC3339(g.OldestEpisode), NewestEpisode: memory.RFC3339(g.NewestEpisode), MemoryState: state(
				st), Jobs: noNil(jobs),
		}, nil
	})
}
