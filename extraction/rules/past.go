package rules

import "time"

// dated reports whether a change is so old that it is a story and not news: it happened before the previous year.
func (r *reader) dated(from, until time.Time) bool {
	at := from
	if at.IsZero() {
		at = until
	}
	return !at.IsZero() && !r.turn.OccurredAt.IsZero() && at.Year() < r.turn.OccurredAt.Year()-1
}

// goesOn reports whether the current verb describes a state that continues: "have lived in", "live in".
func (r *reader) goesOn() bool {
	if r.verb == nil {
		return false
	}
	g := r.verb.group()
	return !g.past && (g.perfect || g.present || g.form == formBase || g.form == formS)
}

// isNews reports whether the current verb reports the fact as a change: "moved to", "joined", "now lives in", "no
// longer uses". "used to work at" describes the past.
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
	t := r.verb.s.t
	return hasWord(t[max(0, g.a-2):min(len(t), g.b+1)], "now")
}

// usedTo reports whether the verb group contains "used to".
func (r *reader) usedTo(g *group) bool {
	for i := g.a; i < g.b; i++ {
		if r.verb.s.word(i) == "used" && r.verb.s.word(i+1) == "to" {
			return true
		}
	}
	return false
}

var newsworthy = class("newsworthy")
