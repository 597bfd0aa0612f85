package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// factsReport is the output of facts.
type factsReport struct {
	Entity     entityRow `json:"entity"`
	Facts      []factRow `json:"facts"`      // active facts first
	More       int64     `json:"more"`       // active facts beyond the limit
	MoreEnded  int64     `json:"more_ended"` // ended facts beyond the limit, with --all
	entity     memory.Entity
	at         memory.AsOf
	all        bool
	successors map[int64]string
}

// factRow is one fact in the JSON output, with the same keys as in the tools' answers.
type factRow struct {
	ID               string   `json:"id"`
	Head             string   `json:"head"`
	HeadID           string   `json:"head_id"`
	Relation         string   `json:"relation"`
	Tail             string   `json:"tail"`
	TailID           string   `json:"tail_id"`
	EdgeClass        string   `json:"edge_class"`
	Fact             string   `json:"fact,omitempty"`
	Active           bool     `json:"active"`              // now, or at the requested instant
	Scheduled        bool     `json:"scheduled,omitempty"` // it begins later
	Confidence       float64  `json:"confidence"`          // effective today; for another time, as stored
	StoredConfidence float64  `json:"stored_confidence"`
	Strength         float64  `json:"strength"`
	ValidFrom        string   `json:"valid_from,omitempty"`
	FromInstant      string   `json:"valid_from_instant,omitempty"` // only if valid_from is a month or a year
	ValidUntil       string   `json:"valid_until,omitempty"`
	UntilInstant     string   `json:"valid_until_instant,omitempty"` // only if the end is a month or a year
	ExpiresAt        string   `json:"expires_at,omitempty"`
	SupersededBy     string   `json:"superseded_by,omitempty"`
	Origin           string   `json:"origin"`
	Evidence         []string `json:"evidence"` // ids of episodes
	LastObserved     string   `json:"last_observed,omitempty"`
	CreatedAt        string   `json:"created_at"`
	ExpiredAt        string   `json:"expired_at,omitempty"`
	fact             memory.Relationship
}

// weigher returns a function that makes the row of a fact. The confidence is the effective one today, and the stored
// one if another time was requested.
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
			active = true // at the requested instant, since only such facts were read
		}
		left := f.Confidence
		if at.Now() && active {
			left = graph.EffectiveConfidence(f.Confidence, rates.Of(f.Relation), graph.Days(now.Sub(f.LastObservedAt)))
		}
		row := factRow{
			ID: f.Ref().String(), Head: f.Head.Name, HeadID: f.Head.Ref().
				String(), Relation: f.Relation, Tail: f.Tail.Name, TailID: f.Tail.Ref().String(),
			EdgeClass: f.EdgeClass, Fact: f.Fact, Active: active, Confidence: left, StoredConfidence: f.Confidence,
			Scheduled: at.Now() && active && f.ValidFrom.After(now),
			Strength:  f.Strength,
			ValidFrom: f.FromUnit.Show(f.ValidFrom), FromInstant: f.FromUnit.Instant(f.ValidFrom),
			ValidUntil: f.UntilUnit.Show(f.ValidUntil), ExpiresAt: f.UntilUnit.Show(f.ExpiresAt),
			UntilInstant: f.UntilUnit.Instant(cmp.Or(f.ValidUntil, f.ExpiresAt)),
			Origin:       string(f.Origin), Evidence: make([]string, len(f.Evidence)),
			LastObserved: memory.RFC3339(f.LastObservedAt),
			CreatedAt:    memory.RFC3339(f.CreatedAt), ExpiredAt: memory.RFC3339(f.ExpiredAt), fact: f,
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
	if e.Canonical != "" {
		fmt.Fprintln(w, "canonical name: "+visible(e.Canonical))
	}
	if len(e.Aliases) > 0 {
		fmt.Fprintln(w, "aliases: "+visible(strings.Join(e.Aliases, ", ")))
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
		t.add(colour, f.sentence(r.entity.ID), fmt.Sprintf("%.2f", f.Confidence),
			localTimeOf(f.fact.FromUnit, f.fact.ValidFrom), f.until(), f.ID, r.note(f))
	}
	t.write(w, paint)
	if r.More > 0 {
		fmt.Fprintf(w, "and %d more active facts: raise --limit\n", r.More)
	}
	if r.MoreEnded > 0 {
		fmt.Fprintf(w, "and %d more ended facts: raise --limit\n", r.MoreEnded)
	}
}

func (r *factsReport) none() string {
	if !r.at.Now() {
		return "No facts at that time. Facts with an unknown beginning are only listed without --valid-at " +
			"and --known-at."
	}
	if r.all {
		return "No facts, neither active nor ended."
	}
	return "No active facts. `memory-graph facts " + r.Entity.ID + " --all` lists the ended ones."
}

// sentence returns the fact as text, from the point of view of an entity.
func (f factRow) sentence(entity int64) string {
	if f.fact.Head.ID == entity {
		return "→ " + f.Relation + " " + f.Tail
	}
	return "← " + f.Head + " " + f.Relation
}

// until returns the end or the scheduled end as text.
func (f factRow) until() string {
	if f.fact.ValidUntil.IsZero() {
		return localTimeOf(f.fact.UntilUnit, f.fact.ExpiresAt)
	}
	return localTimeOf(f.fact.UntilUnit, f.fact.ValidUntil)
}

// localTimeOf is localTime, or the month or year if nothing more precise is known.
func localTimeOf(unit memory.Unit, t time.Time) string {
	if unit == "" || t.IsZero() {
		return localTime(t)
	}
	return unit.Show(t)
}

// note returns the text of the last column: the successor, a scheduled end, or a low confidence.
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
	if f.Scheduled {
		notes = append(notes, "scheduled: searches find it from then on")
	}
	if r.at.Now() && f.Active && graph.Hidden(f.Confidence) {
		notes = append(notes, "low confidence: searches do not find it")
	}
	return strings.Join(notes, ", ")
}
