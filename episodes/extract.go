package episodes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Values of Result.Extraction (docs/extraction.md).
const (
	ExtractionQueued   = "queued"   // a model reads the turn later
	ExtractionDone     = "done"     // every configured extractor has read it
	ExtractionSkipped  = "skipped"  // its role is never read, or it is quarantined
	ExtractionDisabled = "disabled" // extraction is off, or no extractor is configured
)

// Quarantine decides which turns look like attacks.
type Quarantine struct {
	Scan  func(text string) (score float64, reasons []string) // nil: no turn is quarantined
	User  float64                                             // minimum score to quarantine a turn of origin user
	Other float64                                             // minimum score for all other turns
}

// ScanReason is the prefix of the reasons why a turn was quarantined.
const ScanReason = "scan: "

// Suspects returns the reasons to quarantine a turn, nil for none. Turns of role system come from the host itself and
// are never quarantined.
func (q Quarantine) Suspects(text string, role memory.Role, origin memory.Origin) []string {
	if q.Scan == nil || role == memory.RoleSystem || text == "" {
		return nil
	}
	limit := q.Other
	if origin == memory.OriginUser {
		limit = q.User
	}
	score, patterns := q.Scan(text)
	if score < limit {
		return nil
	}
	reasons := []string{fmt.Sprintf(ScanReason+"score %.1f of %.1f", score, limit)}
	for _, p := range patterns {
		reasons = append(reasons, ScanReason+p)
	}
	return reasons
}

// extract scans and reads a turn before it is stored, sets its status and its reading, and returns the value for
// Result.Extraction.
func (r *Recorder) extract(ctx context.Context, turn *store.NewEpisode) string {
	role := turn.Role
	if turn.Caller.Actor == importActor && role == memory.RoleSystem { // the role comes from the file, not from the host
		role = memory.RoleTool
	}
	suspicious := r.opts.Quarantine.Suspects(turn.Content, role, turn.Origin)
	if suspicious == nil { // context blocks show speaker, source and project, too
		suspicious = r.opts.Quarantine.Suspects(names(turn), role, turn.Origin)
	}
	if suspicious != nil {
		turn.Reasons = append(slices.Clip(turn.Reasons), suspicious...)
		turn.Status = memory.StatusQuarantined
		return ExtractionSkipped
	}
	said := turn.Episode
	if said.OccurredAt.IsZero() { // the store will set the time, but the reader needs one now
		said.OccurredAt = r.opts.Now()
	}
	r.opts.Reader.said(ctx, said, turn.Relations)
	o := r.opts.Reader.Outcome(ctx, said)
	turn.Status, turn.Reading = o.Status, o.Reading
	tellNews(turn.Relations, turn.Found.Relations)
	turn.Found.Relations = slices.DeleteFunc(turn.Found.Relations,
		func(d memory.RelationDraft) bool { return mistaken(d, turn.Relations) })
	return o.Extraction
}

// tellNews marks supplied facts with what the rules read about them in the turn: told as a change ("I moved to Bruges
// last week" with lives_in), never true, or still true. An end that the rules read too has the trust of the turn.
func tellNews(supplied, found []memory.RelationDraft) {
	stored := func(d memory.RelationDraft) string {
		return graph.Store(graph.Snake(d.Relation), d.HeadType, d.TailType).Relation
	}
	for i, d := range supplied {
		for _, f := range found {
			if !memory.IsPerson(f.TailType) || memory.Canonical(f.Tail) != memory.Canonical(d.Tail) {
				continue
			}
			d.TailType = cmp.Or(d.TailType, f.TailType) // "my boss Jonas" says that a Jonas without a type is a person
			if f.Relation == "reports_to" && slices.Contains(employed, graph.Snake(d.Relation)) &&
				memory.Canonical(f.Head) == memory.Canonical(d.Head) { // who works for a person reports to them
				d.Relation = f.Relation
			}
			supplied[i].TailType, supplied[i].Relation = d.TailType, d.Relation
		}
		d.HeadType = cmp.Or(d.HeadType, "person")
		for _, f := range found {
			if f.Ended != d.Ended || memory.Canonical(f.Tail) != memory.Canonical(d.Tail) ||
				memory.Canonical(f.Head) != memory.Canonical(d.Head) {
				continue
			}
			if stored(f) != stored(d) { // what it still uses it still runs on
				supplied[i].Still = supplied[i].Still || f.Still && slices.Contains(graph.UsedAs(f.Relation), stored(d))
				continue
			}
			supplied[i].News = supplied[i].News || f.News && !f.Ended
			supplied[i].Denied, supplied[i].Still = f.Denied, f.Still
			if f.Ended && (f.Confidence == nil || *f.Confidence >= memory.StrongConfidence) {
				supplied[i].SaidBy = f.Origin
			}
			supplied[i].Handed, supplied[i].Unnamed = f.Handed, f.Unnamed
		}
	}
}

// employed are relations that callers use for somebody's boss.
var employed = []string{"works_for", "works_at", "employed_by"}

// names returns the names of the turn's metadata as a text; "" if there are none.
func names(turn *store.NewEpisode) string {
	list := []string{turn.Speaker, turn.Source, turn.Scope.User, turn.Scope.Project, turn.Scope.SessionID}
	for _, l := range turn.Labels {
		list = append(list, l.Value)
	}
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), "\n")
}

// mistaken reports whether the rules found a name to be a place, and the caller supplied it as something else: "Ann
// moved to Initech" with works_at. The caller has read the same words, so the supplied type wins.
func mistaken(found memory.RelationDraft, supplied []memory.RelationDraft) bool {
	tail := memory.Canonical(found.Tail)
	return found.TailType == placeType && slices.ContainsFunc(supplied, func(d memory.RelationDraft) bool {
		return memory.Canonical(d.Tail) == tail && d.TailType != placeType && !placing[d.Relation]
	})
}

const placeType = "location"

// placing are relations whose tail is a place.
var placing = map[string]bool{"located_in": true, "lives_in": true, "based_in": true, "born_in": true}

// Outcome is the result of reading a turn with the rules, and the decision whether a model reads it later.
type Outcome struct {
	Status     string // one of memory.StatusPending, StatusDone and StatusSkipped
	Extraction string // value for Result.Extraction
	store.Reading
}

// Outcome reads a turn with the rules, and decides whether a model reads it later (docs/extraction.md).
func (r *Reader) Outcome(ctx context.Context, e memory.Episode) Outcome {
	switch {
	case e.Role == memory.RoleSystem:
		return Outcome{Status: memory.StatusSkipped, Extraction: ExtractionSkipped}
	case !r.On():
		return Outcome{Status: memory.StatusPending, Extraction: ExtractionDisabled} // for backfill, once extraction is on
	}
	t := r.Input(ctx, e)
	o := Outcome{Status: memory.StatusDone, Extraction: ExtractionDone,
		Reading: store.Reading{RulesRead: r.Rules(), Found: r.Read(ctx, e, t)}}
	switch {
	case !r.States(e.Role):
		o.Status, o.Extraction = memory.StatusSkipped, ExtractionSkipped
	case !r.Rules() && !r.Model():
		o.Status, o.Extraction = memory.StatusPending, ExtractionDisabled // finding names is not reading facts
	case r.Asks(t, len(o.Found.Mentions)):
		o.Status, o.Extraction, o.Jobs = memory.StatusPending, ExtractionQueued, []string{store.KindExtract}
	}
	return o
}

// already returns Result.Extraction for a duplicate, from the status of the stored turn. A duplicate is not read again.
func (r *Recorder) already(status string) string {
	switch status {
	case memory.StatusDone:
		return ExtractionDone
	case memory.StatusPending, memory.StatusFailed:
		if r.opts.Reader.Model() {
			return ExtractionQueued
		}
		return ExtractionDisabled
	}
	return ExtractionSkipped
}

// together merges the supplied and the found entities without duplicates.
func together(supplied, found []memory.EntityWrite) []memory.EntityWrite {
	out := slices.Clip(supplied)
	for _, f := range found {
		if !slices.ContainsFunc(out, func(w memory.EntityWrite) bool { return w.Entity.ID == f.Entity.ID }) {
			out = append(out, f)
		}
	}
	return out
}

// alsoFound merges the supplied and the found facts. A supplied fact that was found again is listed twice only if
// finding it ended a fact or conflicts with one.
func alsoFound(supplied, found []memory.RelationWrite) []memory.RelationWrite {
	out := slices.Clip(supplied)
	for _, f := range found {
		same := slices.ContainsFunc(out, func(w memory.RelationWrite) bool { return w.Relationship.ID == f.Relationship.ID })
		if !same || len(f.Superseded)+len(f.Conflicts) > 0 {
			out = append(out, f)
		}
	}
	return out
}
