package tools

import (
	"encoding/json"
	"fmt"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// searchResult is the answer of retrieve and, together with the seeds, of search_graph.
type searchResult struct {
	Strategy       string          `json:"strategy"`
	Match          string          `json:"match"`
	Episodes       []episodeItem   `json:"episodes"`
	Entities       []entityItem    `json:"entities"`
	Relations      []relationItem  `json:"relations"`
	Communities    []communityItem `json:"communities,omitempty" unlisted:"true"`
	Context        string          `json:"context"`
	BelowThreshold int             `json:"below_threshold"`
	BestBelow      *float64        `json:"best_below,omitempty"`
	Fallback       string          `json:"fallback,omitempty"`  // why the answer is the baseline
	Truncated      bool            `json:"truncated,omitempty"` // a limit cut the answer
	NextCursor     string          `json:"next_cursor,omitempty"`
	MemoryState    memory.State    `json:"memory_state"`
}

// shapeSearch builds an answer and cuts it to its maximum size. taken is the number of bytes that the caller adds.
func (o Options) shapeSearch(q callKey, req retrieval.Request, detail string, ans retrieval.Answer,
	taken int) (searchResult, error) {
	most := o.answerBytes(detail)
	res := searchResult{
		Strategy: string(ans.Strategy), Match: string(
			ans.Match), Episodes: []episodeItem{}, Entities: []entityItem{}, Relations: []relationItem{},
		Context: trimBlock(ans.Context, (most-taken)/2), BelowThreshold: ans.BelowThreshold, MemoryState: state(ans.State),
		Fallback:   string(ans.Fallback),
		Truncated:  true,                // Truncated and NextCursor reserve
		NextCursor: q.cursor(maxOffset), // their maximum length
	}
	if ans.BelowThreshold > 0 {
		res.BestBelow = rounded(ans.BestBelow)
	}
	envelope, err := json.Marshal(res)
	if err != nil {
		return res, fmt.Errorf("encode answer: %w", err)
	}
	s := shape{detail: detail, runes: o.SummaryRunes, scored: req.Query != "", full: o.FullConfidence}
	if req.Graph != nil {
		s.relations = req.Graph.Relations
	}
	episodes := make([]episodeItem, len(ans.Episodes))
	for i, f := range ans.Episodes {
		episodes[i] = newEpisodeItem(f, s)
	}
	relations, entities := relationItems(ans.Relations, s), entityItems(ans.Entities, s)
	groups := communityItems(ans.Communities, s)
	// -1: an answer stays below its maximum
	rows, dropped, err := fitLists(most-1-len(envelope)-taken, relations, entities, episodes,
		groups)
	if err != nil {
		return res, err
	}
	res.Relations, res.Entities, res.Episodes = head(relations, rows, dropped[0]), head(entities, rows,
		dropped[1]), head(episodes, rows, dropped[2])
	res.Communities = head(groups, rows, dropped[3])
	longest := max(len(relations), len(entities), len(episodes), len(groups))
	res.Truncated = ans.Truncated || dropped[0] || dropped[1] || dropped[2] || dropped[3]
	res.NextCursor = q.next(leaf{req.Offset, req.Limit, longest, rows, ans.More})
	return res, nil
}

// fitLists fits facts, entities, turns and communities into room bytes.
func fitLists(room int, relations []relationItem, entities []entityItem, episodes []episodeItem,
	groups []communityItem) (rows int, dropped []bool, err error) {
	r, err := newColumn(relations, relationItem.shortened)
	if err != nil {
		return 0, nil, err
	}
	e, err := newColumn(entities, entityItem.shortened)
	if err != nil {
		return 0, nil, err
	}
	t, err := newColumn(episodes, episodeItem.shortened)
	if err != nil {
		return 0, nil, err
	}
	c, err := newColumn(groups, communityItem.shortened)
	if err != nil {
		return 0, nil, err
	}
	if len(groups) == 0 {
		rows, dropped = fit(room, r, e, t)
		return rows, append(dropped, false), nil
	}
	rows, dropped = fit(room-len(`"communities":[],`), r, e, t, c)
	return rows, dropped, nil
}
