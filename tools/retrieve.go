package tools

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

//go:embed retrieve.md
var retrieveText string

type retrieveArgs struct {
	Query    string   `json:"query,omitempty" jsonschema_description:"Question or keywords"`
	IDs      []string `json:"ids,omitempty" jsonschema_description:"Read these items instead: t56, e12, r34, m7"`
	Strategy string   `json:"strategy,omitempty" unlisted:"true" enum:"auto,text,vector,fused,bfs,hybrid,synapse,walk,hybrid_graph" jsonschema_description:"How to search; default auto"`
	Since    string   `json:"since,omitempty" jsonschema_description:"Said at or after this time: RFC 3339 or a date"`
	Until    string   `json:"until,omitempty" jsonschema_description:"Said before this time"`
	Types    []string `json:"types,omitempty" jsonschema_description:"Only entities of these types: person, project, …"`
	Roles    []string `json:"roles,omitempty" unlisted:"true" enum:"user,assistant,tool,system" jsonschema_description:"Only turns of these roles"`
	readArgs
}

func newRetrieve(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "retrieve", title: "Recall what was said", description: retrieveText, readOnly: true, idempotent: true,
		bounds: o.bounds(o.DefaultLimit, "cursor", "detail"),
	}
	return define(o, s, func(ctx context.Context, in retrieveArgs) (searchResult, error) {
		req, q, err := in.request(o)
		if err != nil {
			return searchResult{}, err
		}
		ans, err := mem.Retrieve(ctx, req)
		if err != nil {
			return searchResult{}, err
		}
		if err := readLabels(ctx, mem, req.Scope.Namespace, in.Detail, ans.Episodes); err != nil {
			return searchResult{}, err
		}
		return o.shapeSearch(q, req, in.Detail, ans, 0)
	})
}

// request checks the arguments and returns the question.
func (in retrieveArgs) request(o Options) (retrieval.Request, callKey, error) {
	query, err := o.query(in.Query)
	if err != nil {
		return retrieval.Request{}, "", err
	}
	if query != "" && len(in.IDs) > 0 {
		return retrieval.Request{}, "", memory.Errorf(memory.InvalidArgument, "query and ids are both given.").
			WithHint("Search with query, or read items with ids.")
	}
	r, err := in.reading(o, o.DefaultLimit)
	if err != nil {
		return retrieval.Request{}, "", err
	}
	req := retrieval.Request{
		Scope: r.scope, Query: query, Strategy: retrieval.Strategy(
			in.Strategy), At: r.at, Limit: r.limit, BudgetTokens: r.budget, Explain: in.Explain,
	}
	if req.Strategy == retrieval.HybridGraph { // there the session is no filter: its turns are the working memory
		req.Scope = o.InSession(req.Scope)
	}
	if req.IDs, err = parseIDs(in.IDs, o.MaxResults); err != nil {
		return req, "", err
	}
	if len(req.IDs) > 0 && in.Limit == nil {
		req.Limit = len(req.IDs)
	}
	for _, role := range words(in.Roles) {
		req.Roles = append(req.Roles, memory.Role(role))
	}
	if req.Types, err = snakes("types", in.Types, graph.MaxRelationBytes); err != nil {
		return req, "", err
	}
	if req.Since, req.Until, err = window(in.Since, in.Until); err != nil {
		return req, "", err
	}
	q := newCallKey("retrieve", req.Scope, query, idStrings(req.IDs), strategyName(req.Strategy),
		memory.Millis(req.Since), memory.Millis(req.Until),
		req.Roles, req.Types, r.asOf())
	req.Offset, err = q.offset(in.Cursor)
	return req, q, err
}

// window parses the bounds of a time; until is exclusive.
func window(since, until string) (from, to time.Time, err error) {
	if from, err = parseTime("since", since); err != nil {
		return from, to, err
	}
	if to, err = parseTime("until", until); err != nil {
		return from, to, err
	}
	if !to.IsZero() && !from.Before(to) {
		return from, to, memory.Errorf(memory.InvalidArgument, "since %s is not before until %s.", memory.RFC3339(from),
			memory.RFC3339(to)).WithHint("until is exclusive: give a later time.")
	}
	return from, to, nil
}

// query checks a question's text. A blank text becomes "".
func (o Options) query(s string) (string, error) {
	s = strings.TrimSpace(s)
	if len(s) > o.MaxQueryBytes {
		return "", memory.Errorf(memory.TooLarge, "query is %d bytes long, more than the %d allowed.", len(s),
			o.MaxQueryBytes).
			WithHint("Shorten it to the words that matter.")
	}
	return s, nil
}

// strategyName returns the strategy for a cursor's hash: auto if none is given.
func strategyName(s retrieval.Strategy) retrieval.Strategy {
	if s == "" {
		return retrieval.Auto
	}
	return s
}

// parseIDs parses ids of any kind. It does not check whether they exist.
func parseIDs(list []string, most int) ([]memory.ID, error) {
	if len(list) > most {
		return nil, memory.Errorf(memory.InvalidArgument, "ids: %d items are too many.",
			len(list)).WithHint("Give at most %d.",
			most)
	}
	var ids []memory.ID
	for _, s := range list {
		id, err := memory.ParseID(strings.TrimSpace(clip(s)))
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func idStrings(list []memory.ID) []string {
	out := make([]string, len(list))
	for i, id := range list {
		out[i] = id.String()
	}
	return out
}
