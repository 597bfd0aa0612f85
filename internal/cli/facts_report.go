package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// factsReport is what facts shows.
type factsReport struct {
	Entity     entityRow `json:"entity"`
	Facts      []factRow `json:"facts"`      // active ones first
	More       int64     `json:"more"`       // active facts that the limit left out
	MoreEnded  int64     `json:"more_ended"` // with --all
	entity     memory.Entity
	at         memory.AsOf
	all        bool
	successors map[int64]string
}

// factRow is one fact as --json gives it, in the words of the tools.
type factRow struct {
	ID               string   `json:"id"`
	Head             string   `json:"head"`
	HeadID           string   `json:"head_id"`
	Relation         string   `json:"relation"`
	Tail             string   `json:"tail"`
	TailID           string   `json:"tail_id"`
	EdgeClass        string   `json:"edge_class"`
	Fact             string   `json:"fact,omitempty"`
	Active           bool     `json:"active"`     // now, or at the instant that was asked for
	Confidence       float64  `json:"confidence"` // what is left of it today; of the past as it was stored
	StoredConfidence float64  `json:"stored_confidence"`
	Strength         float64  `json:"strength"`
	ValidFrom        string   `json:"valid_from,omitempty"`
	ValidUntil       string   `json:"valid_until,omitempty"`
	ExpiresAt        string   `json:"expires_at,omitempty"`
	SupersededBy     string   `json:"superseded_by,omitempty"`
	Origin           string   `json:"origin"`
	Evidence         []string `json:"evidence"` // episodes
	LastObserved     string   `json:"last_observed,omitempty"`
	CreatedAt        string   `json:"created_at"`
	ExpiredAt        string   `json:"expired_at,omitempty"`
	fact             memory.Relationship
}

// weigher gives what makes rows of facts. What holds now has faded since it was last observed (decision 16); what is
// past is as it was stored.
func (o opened) weigher(ctx context.Context, at memory.AsOf, now time.Time) (func(memory.Relationship) factRow, error) {
	rates := graph.Rates{Default: o.cfg.RelationDecayRate}
	if at.Now() {
		set, err := o.RelationRates(ctx, o.cfg.Namespace)
		if err != nil {
			return nil, err
		}
		rates.Set = set
	}
	return func(f memory.Relationship) factRow {
		active := f.Active(now)
		if !at.Now() {
			active = true // then: nothing else was asked for
		}
		left := f.Confidence
		if at.Now() && active {
			left = graph.EffectiveConfidence(f.Confidence, rates.Of(f.Relation), graph.Days(now.Sub(f.LastObservedAt)))
		}
		row := factRow{
			ID: f.Ref().String(), Head: f.Head.Name, HeadID: f.Head.Ref().
				String(), Relation: f.Relation, Tail: f.Tail.Name, TailID: f.Tail.Ref().String(),
			EdgeClass: f.EdgeClass, Fact: f.Fact, Active: active, Confidence: left, StoredConfidence: f.Confidence,
			Strength:  f.Strength,
			ValidFrom: memory.RFC3339(f.ValidFrom), ValidUntil: memory.RFC3339(f.ValidUntil), ExpiresAt: memory.RFC3339(
				f.ExpiresAt),
			Origin: string(f.Origin), Evidence: make([]string, len(f.Evidence)), LastObserved: memory.RFC3339(f.LastObservedAt),
			CreatedAt: memory.RFC3339(f.CreatedAt), ExpiredAt: memory.RFC3339(f.ExpiredAt), fact: f,
		}
		if f.SupersededBy != 0 {
			row.SupersededBy = memory.RelationshipID(f.SupersededBy).String()
		}
		for i, e := range f.Evidence {
			row.Evidence[i] = memory.EpisodeID(e).String()
		}
		return row
	}, nil
}

func (r *factsReport) write(w io.Writer, paint func(colour, text string) string) {
	e := r.Entity
	head := fmt.Sprintf("%s (%s, %s)", visible(e.Name), visible(e.Type), e.ID)
	if e.Description != "" {
		head += ": " + visible(e.Description)
	}
	fmt.Fprintln(w, paint("1", head))
	if len(e.Aliases) > 0 {
		fmt.Fprintln(w, "also called "+visible(strings.Join(e.Aliases, ", ")))
	}
	fmt.Fprintln(w)
	if len(r.Facts) == 0 {
		fmt.Fprintln(w, r.none())
		return
	}
	t := table{columns: []column{{title: "FACT"}, {title: "CONFIDENCE", right: true}, {title: "SINCE"}, {title: "UNTIL"},
		{title: "ID"}, {title: "NOTE"}}}
	for _, f := range r.Facts {
		colour := ""
		if !f.Active {
			colour = "2"
		}
		t.add(colour, f.sentence(r.entity.ID), fmt.Sprintf("%.2f", f.Confidence), localTime(f.fact.ValidFrom), f.until(),
			f.ID, r.note(f))
	}
	t.write(w, paint)
	if r.More > 0 {
		fmt.Fprintf(w, "and %d more that hold: raise --limit\n", r.More)
	}
	if r.MoreEnded > 0 {
		fmt.Fprintf(w, "and %d more that have ended: raise --limit\n", r.MoreEnded)
	}
}

func (r *factsReport) none() string {
	if !r.at.Now() {
		return "No facts of that time. Those of unknown beginning are not among those of an instant; without --valid-at " +
			"and --known-at they are."
	}
	if r.all {
		return "No facts yet, and none that have ended."
	}
	return "No facts that hold. `memory-graph facts " + r.Entity.ID + " --all` lists those that have ended."
}

// sentence is the fact as seen from an entity.
func (f factRow) sentence(entity int64) string {
	if f.fact.Head.ID == entity {
		return "→ " + f.Relation + " " + f.Tail
	}
	return "← " + f.Head + " " + f.Relation
}

// until is the end, or the end that is planned.
func (f factRow) until() string {
	if f.fact.ValidUntil.IsZero() {
		return localTime(f.fact.ExpiresAt)
	}
	return localTime(f.fact.ValidUntil)
}

// note says what the columns before it do not.
func (r *factsReport) note(f factRow) string {
	var notes []string
	if r.at.Now() && !f.Active {
		notes = append(notes, "ended")
	}
	if by := f.fact.SupersededBy; by != 0 {
		text := "superseded by " + f.SupersededBy
		if name := r.successors[by]; name != "" {
			text += " (" + name + ")"
		}
		notes = append(notes, text)
	}
	if r.at.Now() && f.Active && !f.fact.ExpiresAt.IsZero() {
		notes = append(notes, "will end")
	}
	if r.at.Now() && f.Active && graph.Hidden(f.Confidence) {
		notes = append(notes, "faded: questions do not find it")
	}
	return strings.Join(notes, ", ")
}
