package tools

import (
	"memory-graph/internal/memory"
)

// communityItem is a community in an answer.
type communityItem struct {
	ID        string       `json:"id"`
	Name      string       `json:"name,omitempty"`
	Summary   string       `json:"summary,omitempty"`
	Truncated bool         `json:"truncated,omitempty"` // summary is cut
	Stale     bool         `json:"stale,omitempty"`     // a fact of it has ended since; the next refresh writes it anew
	Size      int          `json:"size,omitempty"`      // number of members
	Members   []memberItem `json:"members,omitempty"`   // the most central ones
	Origin    string       `json:"origin,omitempty"`    // Origin to UpdatedAt: only with detail full
	Writer    string       `json:"writer,omitempty"`    // the model that wrote name and summary
	UpdatedAt string       `json:"updated_at,omitempty"`
}

// memberItem is a member of a community.
type memberItem struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func newCommunityItem(c memory.Community, s shape) communityItem {
	it := communityItem{ID: c.Ref().String()}
	if s.detail == detailIDs {
		return it
	}
	it.Name, it.Size, it.Stale = c.Name, c.Size, c.Stale()
	it.Summary, it.Truncated = s.cut(c.Summary)
	for _, n := range c.Central {
		name, _ := s.cut(n.Name)
		it.Members = append(it.Members, memberItem{n.Ref().String(), name})
	}
	if s.detail == detailFull {
		it.Origin, it.Writer, it.UpdatedAt = string(c.Origin), c.Writer, instant(c.UpdatedAt)
	}
	return it
}

func communityItems(list []memory.Community, s shape) []communityItem {
	items := make([]communityItem, len(list))
	for i, c := range list {
		items[i] = newCommunityItem(c, s)
	}
	return items
}

// shortened removes the members and cuts excess bytes of JSON from the summary.
func (it communityItem) shortened(excess int) communityItem {
	it.Members, it.Truncated = nil, true
	it.Summary = cutJSON(it.Summary, excess+len(`"truncated":true,`))
	return it
}
