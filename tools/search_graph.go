package tools

import (
	"context"
	_ "embed"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

//go:embed search_graph.md
var searchGraphText string

type searchGraphArgs struct {
	Query       string   `json:"query" jsonschema_description:"Question that names people or things"`
	MaxHops     *int     `json:"max_hops,omitempty" jsonschema_description:"How far from what the question names; default by strategy"`
	Relations   []string `json:"relations,omitempty" alias:"edge_types,edgeTypes" jsonschema_description:"Follow only these: works_at, uses"`
	EdgeClasses []string `json:"edge_classes,omitempty" unlisted:"true" enum:"causal,temporal,semantic,co_occurrence,hierarchical" jsonschema_description:"Follow only facts of these classes"`
	Strategy    string   `json:"strategy,omitempty" unlisted:"true" enum:"auto,text,vector,fused,bfs,hybrid,synapse,walk,hybrid_graph" jsonschema_description:"Default auto: walk for turns, bfs for facts"`
	Types       []string `json:"types,omitempty" unlisted:"true" jsonschema_description:"Only entities of these types"`
	Since       string   `json:"since,omitempty" unlisted:"true" jsonschema_description:"Said at or after this time: RFC 3339 or a date"`
	Until       string   `json:"until,omitempty" unlisted:"true" jsonschema_description:"Said before this time"`
	readArgs
}

type searchGraphResult struct {
	Seeds []entityItem `json:"seeds"`
	searchResult
}

func newSearchGraph(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "search_graph", title: "Search through connections", description: searchGraphText, readOnly: true,
		idempotent: true,
		bounds:     o.bounds(o.DefaultLimit, "cursor"),
	}
	s.ranges["max_hops"] = span{min: 1, max: o.MaxSearchHops}
	return define(o, s, func(ctx context.Context, in searchGraphArgs) (searchGraphResult, error) {
		req, q, err := in.request(o)
		if err != nil {
			return searchGraphResult{}, err
		}
		ans, err := mem.Retrieve(ctx, req)
		if err != nil {
			return searchGraphResult{}, err
		}
		if err := readLabels(ctx, mem, req.Scope.Namespace, in.Detail, ans.Episodes); err != nil {
			return searchGraphResult{}, err
		}
		seeds, taken := o.shapeSeeds(ans.Seeds, in.Detail)
		res, err := o.shapeSearch(q, req, in.Detail, ans, taken)
		return searchGraphResult{seeds, res}, err
	})
}

// request checks the arguments and returns the question.
func (in searchGraphArgs) request(o Options) (retrieval.Request, callKey, error) {
	query, err := o.query(in.Query)
	if err != nil {
		return retrieval.Request{}, "", err
	}
	if query == "" {
		return retrieval.Request{}, "", memory.Errorf(memory.InvalidArgument, "query is empty.").
			WithHint("Ask a question; for the newest turns call retrieve without a query.")
	}
	r, err := in.reading(o, o.DefaultLimit)
	if err != nil {
		return retrieval.Request{}, "", err
	}
	scope := &retrieval.GraphScope{EdgeClasses: words(in.EdgeClasses)}
	if in.MaxHops != nil {
		scope.MaxHops = *in.MaxHops
	}
	req := retrieval.Request{
		Scope: r.scope, Query: query, Strategy: retrieval.Strategy(
			in.Strategy), At: r.at, Graph: scope, Limit: r.limit, BudgetTokens: r.budget,
		Explain: in.Explain,
	}
	if scope.Relations, err = snakes("relations", in.Relations, graph.MaxRelationBytes); err != nil {
		return req, "", err
	}
	if req.Types, err = snakes("types", in.Types, graph.MaxRelationBytes); err != nil {
		return req, "", err
	}
	if req.Since, req.Until, err = window(in.Since, in.Until); err != nil {
		return req, "", err
	}
	q := newCallKey("search_graph", req.Scope, query, strategyName(req.Strategy), memory.Millis(req.Since),
		memory.Millis(req.Until), req.Types, scope, r.asOf())
	req.Offset, err = q.offset(in.Cursor)
	return req, q, err
}

// shapeSeeds returns the seeds of a search, in at most an eighth of the answer, and their size in bytes. Only very long
// descriptions can drop a seed here; the seed is still among the entities.
func (o Options) shapeSeeds(found []retrieval.FoundEntity, detail string) (seeds []entityItem, taken int) {
	if detail == detailFull {
		detail = "" // the entities have the full descriptions
	}
	seeds = entityItems(found, shape{detail: detail, runes: o.SummaryRunes, scored: true})
	c, err := newColumn(seeds, entityItem.shortened)
	if err != nil {
		return []entityItem{}, len(`"seeds":[],`)
	}
	rows, dropped := fit(o.answerBytes(detail)/8, c)
	seeds = head(seeds, rows, dropped[0])
	return seeds, sizeOf(seeds) + len(`"seeds":,`)
}
