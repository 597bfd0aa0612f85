package rules

import "time"

// dated says whether a change is told with so old a time that it is a story and no news: one before the last year.
func (r *reader) dated(from, until time.Time) bool {
	at := from
	if at.IsZero() {
		at = until
	}
	return !at.IsZero() && !r.turn.OccurredAt.IsZero() && at.Year() < r.turn.OccurredAt.Year()-1
}

// goesOn says whether the verb that is being read tells what has gone on until now: "have lived in", "live in".
func (r *reader) goesOn() bool {
	if r.verb == nil {
		return false
	}
	g := r.verb.group()
	return !g.past && (g.perfect || g.present || g.form == formBase || g.form == formS)
}

// isNews says whether the verb that is being read tells the fact as a change: "moved to", "joined", "now lives in", "no
// longer uses". "used to work at" tells of what was.
func (r *reader) isNews(f fact) bool {
	if r.verb == nil {
		return false
	}
	g := r.verb.group()
	switch {
	case g.begun, newsworthy[g.lemma] && (g.past || g.perfect || g.passive):
		return true
	case f.ended:
		return (g.ended || g.negated) && !r.usedTo(g)
	}
	for i := max(0, g.a-2); i < len(r.verb.s.t) && i < g.b+1; i++ {
		if r.verb.s.t[i].lower == "now" {
			return true
		}
	}
	return false
}

// usedTo says whether an end is told as what once was.
func (r *reader) usedTo(g *group) bool {
	for i := g.a; i < g.b; i++ {
		if r.verb.s.word(i) == "used" && r.verb.s.word(i+1) == "to" {
			return true
		}
	}
	return false
}

var newsworthy = class("newsworthy")
