package tools

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"memory-graph/memory"
	"memory-graph/retrieval"
)

//go:embed retrieve.md
var retrieveText string

type retrieveArgs struct {
	Query    string   `json:"query,omitempty" jsonschema_description:"Question or keywords"`
	IDs      []string `json:"ids,omitempty" jsonschema_description:"Read these items (t56) instead of searching"`
	Strategy string   `json:"strategy,omitempty" enum:"auto,text,vector,fused" jsonschema_description:"How to search; default auto"`
	Since    string   `json:"since,omitempty" jsonschema_description:"Said at or after this time: RFC 3339 or a date"`
	Until    string   `json:"until,omitempty" jsonschema_description:"Said before this time"`
	Roles    []string `json:"roles,omitempty" enum:"user,assistant,tool,system" jsonschema_description:"Only turns of these roles"`
	scopeArgs
	Limit        *int   `json:"limit,omitempty" jsonschema_description:"Most episodes to return"`
	Cursor       string `json:"cursor,omitempty" jsonschema_description:"next_cursor of the last answer, with the same arguments, for what follows"`
	Detail       string `json:"detail,omitempty" enum:"ids,summary,full" jsonschema_description:"How much of each item; default summary cuts long content"`
	BudgetTokens *int   `json:"budget_tokens,omitempty" jsonschema_description:"Size of context, in tokens; 0 for none"`
	Explain      bool   `json:"explain,omitempty" jsonschema_description:"Say why each item was chosen"`
}

type retrieveResult struct {
	Strategy       string        `json:"strategy"`
	Match          string        `json:"match"`
	Episodes       []episodeItem `json:"episodes"`
	Entities       []any         `json:"entities"`
	Relations      []any         `json:"relations"`
	Context        string        `json:"context"`
	BelowThreshold int           `json:"below_threshold"`
	BestBelow      *float64      `json:"best_below,omitempty"`
	NextCursor     string        `json:"next_cursor,omitempty"`
	MemoryState    memory.State  `json:"memory_state"`
}

func newRetrieve(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "retrieve", title: "Recall what was said", description: retrieveText, readOnly: true, idempotent: true,
		ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}, "budget_tokens": {0, o.MaxBudgetTokens, o.BudgetTokens}},
	}
	return define(o, s, func(ctx context.Context, in retrieveArgs) (retrieveResult, error) {
		req, err := in.request(o)
		if err != nil {
			return retrieveResult{}, err
		}
		ans, err := mem.Retrieve(ctx, req)
		if err != nil {
			return retrieveResult{}, err
		}
		return in.result(o, req, ans)
	})
}

// request checks the arguments and gives the question.
func (in retrieveArgs) request(o Options) (retrieval.Request, error) {
	var req retrieval.Request
	query := strings.TrimSpace(in.Query)
	if query != "" && len(in.IDs) > 0 {
		return req, memory.Errorf(memory.InvalidArgument, "query and ids are both given.").WithHint("Search with query, or read items with ids.")
	}
	if len(query) > o.MaxQueryBytes {
		return req, memory.Errorf(memory.TooLarge, "query is %d bytes long, more than the %d allowed.", len(query), o.MaxQueryBytes).
			WithHint("Ask with the words that matter.")
	}
	sc, err := in.scope(o)
	if err != nil {
		return req, err
	}
	req = retrieval.Request{
		Scope: o.withDefaults(sc), Query: query, Strategy: retrieval.Strategy(in.Strategy), Limit: o.DefaultLimit,
		BudgetTokens: o.BudgetTokens, Explain: in.Explain,
	}
	if req.IDs, err = parseIDs(in.IDs, o.MaxResults); err != nil {
		return req, err
	}
	if len(req.IDs) > 0 {
		req.Limit = len(req.IDs)
	}
	if in.Limit != nil {
		req.Limit = *in.Limit
	}
	if in.BudgetTokens != nil {
		req.BudgetTokens = *in.BudgetTokens
	}
	for _, r := range in.Roles {
		if r != "" {
			req.Roles = append(req.Roles, memory.Role(r))
		}
	}
	if req.Since, err = parseTime("since", in.Since); err != nil {
		return req, err
	}
	if req.Until, err = parseTime("until", in.Until); err != nil {
		return req, err
	}
	if !req.Until.IsZero() && !req.Since.Before(req.Until) {
		return req, memory.Errorf(memory.InvalidArgument, "since %s is not before until %s.", memory.RFC3339(req.Since), memory.RFC3339(req.Until)).
			WithHint("until is not included: give a later one.")
	}
	req.Offset, err = offset(in.Cursor, req)
	return req, err
}

// parseIDs reads ids of any kind; which of them exist is for the engine to say.
func parseIDs(list []string, most int) ([]memory.ID, error) {
	if len(list) > most {
		return nil, memory.Errorf(memory.InvalidArgument, "ids: %d are too many.", len(list)).WithHint("Give at most %d.", most)
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

// result words an answer and cuts it to the size that answers may have.
func (in retrieveArgs) result(o Options, req retrieval.Request, ans retrieval.Answer) (retrieveResult, error) {
	most := o.AnswerBytes
	if in.Detail == detailFull {
		most = o.FullAnswerBytes
	}
	res := retrieveResult{
		Strategy: string(ans.Strategy), Match: string(ans.Match), Episodes: []episodeItem{}, Entities: []any{}, Relations: []any{},
		Context: trimBlock(ans.Context, most/2), BelowThreshold: ans.BelowThreshold, MemoryState: state(ans.State),
		NextCursor: cursor(req, maxOffset), // the longest there can be, so that its bytes are counted
	}
	if ans.BelowThreshold > 0 {
		best := round(ans.BestBelow)
		res.BestBelow = &best
	}
	envelope, err := json.Marshal(res)
	if err != nil {
		return res, fmt.Errorf("encode answer: %w", err)
	}
	items := make([]episodeItem, len(ans.Episodes))
	for i, f := range ans.Episodes {
		items[i] = newEpisodeItem(f, in.Detail, o.SummaryRunes, req.Query != "")
	}
	if res.Episodes, err = fit(items, most-1-len(envelope)); err != nil { // -1: an answer stays under its cap
		return res, err
	}
	res.NextCursor = ""
	if next := req.Offset + len(res.Episodes); len(res.Episodes) > 0 && next < maxOffset && (ans.More || len(res.Episodes) < len(items)) {
		res.NextCursor = cursor(req, next)
	}
	return res, nil
}
