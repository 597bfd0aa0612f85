package tools

import (
	"cmp"
	"slices"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// summaryEvidence is the maximum number of episodes that a fact shows as evidence, newest first kept, except with
// detail full. A fact that is repeated every day would otherwise fill an answer with ids.
const summaryEvidence = 10

// relationItem is a fact in an answer.
type relationItem struct {
	ID            string         `json:"id"`
	Head          string         `json:"head,omitempty"`
	HeadID        string         `json:"head_id,omitempty"`
	Relation      string         `json:"relation,omitempty"`
	Tail          string         `json:"tail,omitempty"`
	TailID        string         `json:"tail_id,omitempty"`
	EdgeClass     string         `json:"edge_class,omitempty"`
	Fact          string         `json:"fact,omitempty"`
	Truncated     bool           `json:"truncated,omitempty"`  // fact is cut
	Confidence    *float64       `json:"confidence,omitempty"` // effective confidence
	Raw           bool           `json:"raw,omitempty"`        // the stored confidence is below confidence_threshold
	ValidFrom     string         `json:"valid_from,omitempty"`
	FromInstant   string         `json:"valid_from_instant,omitempty"` // only if valid_from is a month or a year
	ValidUntil    string         `json:"valid_until,omitempty"`
	UntilInstant  string         `json:"valid_until_instant,omitempty"` // only if the end is a month or a year
	ExpiresAt     string         `json:"expires_at,omitempty"`          // a scheduled end
	SupersededBy  string         `json:"superseded_by,omitempty"`
	Origin        string         `json:"origin,omitempty"`
	Evidence      []string       `json:"evidence"`
	EvidenceCount int            `json:"evidence_count,omitempty"`    // only if some evidence is not shown
	Stored        *float64       `json:"stored_confidence,omitempty"` // Stored to LastObserved: only with detail full
	Strength      *float64       `json:"strength,omitempty"`
	Method        string         `json:"method,omitempty"`
	CreatedAt     string         `json:"created_at,omitempty"`
	ExpiredAt     string         `json:"expired_at,omitempty"`
	LastObserved  string         `json:"last_observed,omitempty"`
	Score         *float64       `json:"score,omitempty"`
	Hop           int            `json:"hop,omitempty"`
	Path          []string       `json:"path,omitempty"`
	Why           *retrieval.Why `json:"why,omitempty"`

	Graph *retrieval.Expansion `json:"graph,omitempty"` // how hybrid_graph reached it
}

func newRelationItem(f retrieval.FoundRelation, s shape) relationItem {
	r := s.inWords(f.Relationship)
	it := relationItem{ID: r.Ref().String(), Score: s.score(f.Score), Hop: f.Hop, Why: f.Why,
		Graph: shownExpansion(f.Expanded)}
	shown := r.Evidence
	if len(shown) > summaryEvidence && s.detail != detailFull {
		shown, it.EvidenceCount = shown[len(shown)-summaryEvidence:], len(r.Evidence)
	}
	it.Evidence = ids(memory.KindEpisode, shown)
	if s.detail == detailIDs {
		return it
	}
	it.Head, it.HeadID, it.Relation = r.Head.Name, r.Head.Ref().String(), r.Relation
	it.Tail, it.TailID, it.EdgeClass = r.Tail.Name, r.Tail.Ref().String(), r.EdgeClass
	it.Fact, it.Truncated = s.cut(r.Fact)
	it.Confidence, it.Origin, it.Path = rounded(f.Confidence), string(r.Origin), ids(memory.KindRelationship, f.Path)
	it.ValidFrom, it.FromInstant = r.FromUnit.Show(r.ValidFrom), r.FromUnit.Instant(r.ValidFrom)
	it.ValidUntil, it.ExpiresAt = r.UntilUnit.Show(r.ValidUntil), r.UntilUnit.Show(r.ExpiresAt)
	it.UntilInstant = r.UntilUnit.Instant(cmp.Or(r.ValidUntil, r.ExpiresAt))
	if r.SupersededBy != 0 {
		it.SupersededBy = memory.RelationshipID(r.SupersededBy).String()
	}
	it.Raw = r.Confidence < s.full
	if s.detail == detailFull {
		it.Stored, it.Strength, it.Method = rounded(r.Confidence), rounded(r.Strength), string(r.Method)
		it.CreatedAt, it.ExpiredAt = instant(r.CreatedAt), instant(r.ExpiredAt)
		it.LastObserved = memory.RFC3339(r.LastObservedAt)
	}
	return it
}

// inWords returns a fact under the name that the call asked for: works_at as employs, with head and tail exchanged.
func (s shape) inWords(r memory.Relationship) memory.Relationship {
	if slices.Contains(s.relations, r.Relation) {
		return r
	}
	for _, name := range s.relations {
		if swap, ok := graph.Reads(name, r.Relation); ok {
			if r.Relation = name; swap {
				r.Head, r.Tail = r.Tail, r.Head
			}
			return r
		}
	}
	return r
}

// storedRelation returns the fact of a write's answer, without decay.
func storedRelation(r memory.Relationship, runes int) relationItem {
	return newRelationItem(retrieval.FoundRelation{Relationship: r, Confidence: r.Confidence}, shape{runes: runes})
}

func relationItems(list []retrieval.FoundRelation, s shape) []relationItem {
	items := make([]relationItem, len(list))
	for i, f := range list {
		items[i] = newRelationItem(f, s)
	}
	return items
}

// shortened cuts excess bytes of JSON from the fact, and from the evidence if that is not enough.
func (it relationItem) shortened(excess int) relationItem {
	excess += len(`"truncated":true,"evidence_count":1000000,`)
	it.Truncated = true
	over := excess - jsonLen(it.Fact)
	for over > 0 && len(it.Evidence) > 1 {
		it.EvidenceCount = max(it.EvidenceCount, len(it.Evidence))
		over -= len(it.Evidence[0]) + len(`"",`)
		it.Evidence = it.Evidence[1:]
	}
	it.Fact = cutJSON(it.Fact, excess)
	return it
}

// conflictItem is a fact that contradicts the stored fact and was not ended by it.
type conflictItem struct {
	ID     string `json:"id"`
	Fact   string `json:"fact"`
	Reason string `json:"reason"`
}

func conflictItems(list []memory.FactConflict) []conflictItem {
	items := make([]conflictItem, len(list))
	for i, c := range list {
		items[i] = conflictItem{memory.RelationshipID(c.ID).String(), c.Fact, c.Reason}
	}
	return items
}
