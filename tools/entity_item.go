package tools

import (
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// entityItem is an entity or a memory in an answer.
type entityItem struct {
	ID          string         `json:"id"`
	Name        string         `json:"name,omitempty"`
	Type        string         `json:"type,omitempty"`
	Description string         `json:"description,omitempty"`
	Truncated   bool           `json:"truncated,omitempty"` // description is cut
	Aliases     *[]string      `json:"aliases,omitempty"`
	Confidence  *float64       `json:"confidence,omitempty"`
	ValidFrom   string         `json:"valid_from,omitempty"`
	ValidUntil  string         `json:"valid_until,omitempty"`
	LastSeen    string         `json:"last_seen,omitempty"`
	Parent      string         `json:"parent,omitempty"`
	Layer       *int           `json:"layer,omitempty"`
	Canonical   string         `json:"canonical,omitempty"` // Canonical to UpdatedAt: only with detail full
	Kind        string         `json:"kind,omitempty"`
	Origin      string         `json:"origin,omitempty"`
	Observed    int64          `json:"observations,omitempty"`
	MergedInto  string         `json:"merged_into,omitempty"`
	CreatedAt   string         `json:"created_at,omitempty"`
	UpdatedAt   string         `json:"updated_at,omitempty"`
	Depth       int            `json:"depth,omitempty"` // hops from the start of a traversal
	Score       *float64       `json:"score,omitempty"`
	Why         *retrieval.Why `json:"why,omitempty"`
	Tier        string         `json:"tier,omitempty"` // of the baseline of hybrid_graph

	Graph *retrieval.Expansion `json:"graph,omitempty"` // how hybrid_graph reached it
}

func newEntityItem(f retrieval.FoundEntity, s shape) entityItem {
	e := f.Entity
	it := entityItem{ID: e.Ref().String(), Depth: f.Depth, Score: s.score(f.Score), Why: f.Why,
		Tier: string(f.Tier), Graph: shownExpansion(f.Expanded)}
	if s.detail == detailIDs {
		return it
	}
	aliases := noNil(e.Aliases)
	it.Name, it.Type, it.Aliases, it.Confidence = e.Name, e.Type, &aliases, rounded(f.Confidence)
	it.Description, it.Truncated = s.cut(e.Description)
	it.ValidFrom, it.ValidUntil, it.LastSeen = memory.RFC3339(e.ValidFrom), memory.RFC3339(e.ValidUntil), memory.RFC3339(
		e.LastSeenAt)
	it.Layer = e.Layer
	if parent, ok := e.Parent(); ok {
		it.Parent = parent.String()
	}
	if s.detail == detailFull {
		it.Canonical, it.Kind, it.Origin, it.Observed = e.Canonical, string(e.Kind), string(e.Origin), e.Observations
		it.CreatedAt, it.UpdatedAt = instant(e.CreatedAt), instant(e.UpdatedAt)
		if e.MergedInto != 0 {
			it.MergedInto = memory.NodeID(e.Kind, e.MergedInto).String()
		}
	}
	return it
}

// storedEntity returns the entity of a write's answer.
func storedEntity(e memory.Entity, runes int) entityItem {
	return newEntityItem(retrieval.FoundEntity{Entity: e, Confidence: e.Confidence}, shape{runes: runes})
}

func entityItems(list []retrieval.FoundEntity, s shape) []entityItem {
	items := make([]entityItem, len(list))
	for i, f := range list {
		items[i] = newEntityItem(f, s)
	}
	return items
}

// shortened cuts excess bytes of JSON from the description, and removes the aliases if that is not enough.
func (it entityItem) shortened(excess int) entityItem {
	excess += len(`"truncated":true,`)
	it.Truncated = true
	if room := jsonLen(it.Description); room < excess && it.Aliases != nil {
		it.Aliases = &[]string{}
	}
	it.Description = cutJSON(it.Description, excess)
	return it
}
