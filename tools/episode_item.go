package tools

import (
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// episodeItem is an episode in an answer.
type episodeItem struct {
	ID           string              `json:"id"`
	Role         string              `json:"role,omitempty"`
	Speaker      string              `json:"speaker,omitempty"`
	Content      string              `json:"content,omitempty"`
	Truncated    bool                `json:"truncated,omitempty"` // content is cut
	OccurredAt   string              `json:"occurred_at,omitempty"`
	SessionID    string              `json:"session_id,omitempty"`
	Status       string              `json:"status,omitempty"`
	SupersededBy []string            `json:"superseded_by,omitempty"` // later episodes that ended or replaced its content
	Source       string              `json:"source,omitempty"`        // Source to CreatedAt: only with detail full
	Project      string              `json:"project,omitempty"`
	User         string              `json:"user,omitempty"`
	Origin       string              `json:"origin,omitempty"`
	CreatedAt    string              `json:"created_at,omitempty"`
	Memory       string              `json:"memory,omitempty" unlisted:"true"`   // the memory whose text it is
	Metadata     map[string][]string `json:"metadata,omitempty" unlisted:"true"` // by key; only with detail full
	Score        *float64            `json:"score,omitempty"`                    // absent without a query
	Tier         string              `json:"tier,omitempty"`                     // of the baseline of hybrid_graph

	Graph *retrieval.Expansion `json:"graph,omitempty"` // how hybrid_graph reached it
	Why   *retrieval.Why       `json:"why,omitempty"`
}

func newEpisodeItem(f retrieval.FoundEpisode, s shape) episodeItem {
	e := f.Episode
	it := episodeItem{ID: memory.EpisodeID(e.ID).String(), Why: f.Why, Score: s.score(f.Score),
		Tier: string(f.Tier), Graph: shownExpansion(f.Expanded)}
	for _, later := range f.SupersededBy {
		it.SupersededBy = append(it.SupersededBy, memory.EpisodeID(later).String())
	}
	if s.detail == detailIDs {
		return it
	}
	it.Role, it.Speaker, it.SessionID, it.Status = string(e.Role), e.Speaker, e.Scope.SessionID, e.Status
	if e.TextOf != 0 {
		it.Memory = memory.NodeID(memory.NodeMemory, e.TextOf).String()
	}
	it.OccurredAt = memory.RFC3339(e.OccurredAt)
	if s.detail == detailFull {
		it.Content = e.Content
		it.Source, it.Project, it.User, it.Origin = e.Source, e.Scope.Project, e.Scope.User, string(e.Origin)
		it.CreatedAt = memory.RFC3339(e.CreatedAt)
		it.Metadata = metadataOf(f.Labels)
		return it
	}
	if it.Content, it.Truncated = s.cut(e.Content); it.Truncated { // show the part that answers the question
		it.Content, _ = s.cut(f.Quote())
	}
	return it
}

// shortened cuts excess bytes of JSON from the content.
func (it episodeItem) shortened(excess int) episodeItem {
	it.Content, it.Truncated = cutJSON(it.Content, excess+len(`"truncated":true,`)), true
	return it
}
