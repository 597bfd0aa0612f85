package retrieval

import (
	"context"
	"fmt"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Communities reads the communities of the graph.
type Communities interface {
	// CommunitiesWithin returns the communities with these ids, in this order, as far as the filter lets see them.
	CommunitiesWithin(ctx context.Context, f memory.Filter, ids []int64) ([]memory.Community, error)
	// LargestCommunities returns the communities with most members.
	LargestCommunities(ctx context.Context, namespace string, limit int) ([]memory.Community, error)
	// NewestCommunities returns the ids of the communities that the filter's newest facts are in, the newest first.
	NewestCommunities(ctx context.Context, f memory.Filter) ([]int64, error)
	// CommunityOf returns the communities of entities, without those that are in none.
	CommunityOf(ctx context.Context, namespace string, entities []int64) (map[int64]int64, error)
}

// communityItems adds the requested communities to an answer by ids.
func (r *Retriever) communityItems(ctx context.Context, req Request, nums []int64, answer *Answer,
	missing map[memory.ID]bool) error {
	if len(nums) == 0 || r.Communities == nil {
		return nil
	}
	found, err := r.Communities.CommunitiesWithin(ctx, memory.Filter{Namespace: req.Scope.Namespace}, nums)
	for _, c := range found {
		delete(missing, c.Ref())
	}
	answer.Communities = found
	return err
}

// communityShare is the largest share of a block for the summaries of communities.
const communityShare = 1. / 3

// communityLines returns "- name (12 members): summary" for communities whose summary rests on nothing that only tools
// or files say.
func communityLines(list []memory.Community) []string {
	var lines []string
	for _, c := range list {
		name, summary := inLine(c.Name, maxNameRunes), inLine(c.Summary, maxLineRunes)
		if name != "" && summary != "" && c.Origin.Trust() > memory.OriginTool.Trust() {
			lines = append(lines, fmt.Sprintf("- %s (%d members): %s\n", name, c.Size, summary))
		}
	}
	return lines
}

// communitiesOfSeeds sets the communities of seeds, unless no community can have more than limit seeds.
func (r *Retriever) communitiesOfSeeds(ctx context.Context, namespace string, seeds []graph.Seed, limit int) error {
	if r.Communities == nil || limit <= 0 || len(seeds) <= limit {
		return nil
	}
	nodes := make([]int64, len(seeds))
	for i, s := range seeds {
		nodes[i] = s.Node
	}
	of, err := r.Communities.CommunityOf(ctx, namespace, nodes)
	for i := range seeds {
		seeds[i].Community = of[seeds[i].Node]
	}
	return err
}
