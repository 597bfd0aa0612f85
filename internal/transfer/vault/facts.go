package vault

import (
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// facts finds the changes of a page's facts.
func (v *viewing) facts(l *leaf) {
	was := slices.Clone(l.base.Page.Facts)
	is := slices.Clone(l.page.Facts)
	pairs := v.pair(l, was, is)
	paired := make([]bool, len(was))
	for i, at := range pairs {
		switch {
		case at >= 0:
			paired[at] = true
			l.page.Facts[i].ID = was[at].ID
			v.fact(l, was[at], is[i])
		case at == isMerged:
		default:
			if is[i].backwards() {
				v.problem(l.file, is[i].Line, "the fact would end before it began")
				l.bad = true
				continue
			}
			is[i].ID, l.page.Facts[i].ID = 0, 0 // a copied line is another fact
			v.change(&Change{Kind: FactAdded, File: l.file, Line: is[i].Line, Name: l.name(), Is: is[i].words(),
				id: l.base.Page.ID, is: is[i], within: l})
		}
	}
	for at, f := range was {
		switch {
		case paired[at] || f.ID != 0 && l.page.Unread[f.ID]:
		case l.page.Unsure:
			v.problem(l.file, 0, "the fact "+f.words()+" is missing, but a line of the page cannot be read: it stays")
			l.bad = true
		default:
			v.change(&Change{Kind: FactRemoved, File: l.file, Name: l.name(), Was: f.words(), id: l.base.Page.ID, was: f,
				within: l})
		}
	}
}

// What pair returns for a line without a counterpart.
const (
	isNew    = -1
	isMerged = -2 // it comes with a page that is merged into this one
)

// pair finds the earlier version of each line of a page: by its id, else by its whole content, else by its content
// without dates.
func (v *viewing) pair(l *leaf, was, is []Fact) []int {
	pairs, used := make([]int, len(is)), make([]bool, len(was))
	for i := range is {
		pairs[i] = isNew
	}
	find := func(i int, same func(a, b Fact) bool) {
		if pairs[i] != isNew {
			return
		}
		for at, f := range was {
			if !used[at] && same(f, is[i]) {
				pairs[i], used[at] = at, true
				return
			}
		}
	}
	for i, f := range is {
		if f.ID == 0 {
			continue
		}
		find(i, func(a, b Fact) bool { return a.ID == b.ID })
		if owner := v.owner[f.ID]; pairs[i] == isNew && owner != nil && v.into[owner.Key] == l.base.Key {
			pairs[i] = isMerged
		}
	}
	for i := range is {
		find(i, func(a, b Fact) bool {
			return a.same(b) && a.Since == b.Since && a.Until == b.Until && a.Ended == b.Ended
		})
	}
	for i, f := range is {
		if f.ID == 0 {
			find(i, Fact.same)
		}
	}
	return pairs
}

// same reports whether two lines are equal except for their dates.
func (f Fact) same(o Fact) bool {
	if f.Relation != o.Relation {
		return false
	}
	if f.To != "" && o.To != "" {
		return f.To == o.To
	}
	return fold(f.Target) == fold(o.Target)
}

// fact finds what changed in a line.
func (v *viewing) fact(l *leaf, was, is Fact) {
	is.ID = was.ID
	c := &Change{File: l.file, Line: is.Line, Name: l.name(), Was: was.words(), Is: is.words(), id: l.base.Page.ID,
		was: was, is: is, within: l}
	target := is
	if into := v.into[was.To]; into != "" && into == is.To { // the target is merged into the one that the line now names
		target.To = was.To
	}
	dated := was.Since != is.Since || was.Until != is.Until
	switch {
	case dated && is.backwards():
		v.problem(l.file, is.Line, "the fact would end before it began")
		l.bad = true
		return
	case !was.same(target):
		c.Kind = FactCorrected
	case !was.Ended && is.Ended:
		c.Kind = FactEnded
	case !was.Ended && is.Until != was.Until && v.past(is.Until):
		c.Kind, c.is.Ended = FactEnded, true
	case was.Ended && !is.Ended && is.Until != "":
		v.problem(l.file, is.Line, "the fact stands among those that hold, but has an end: remove `until`, or move it back")
		l.bad = true
		return
	case was.Ended && !is.Ended:
		c.Kind = FactReopened
	case dated:
		c.Kind = FactRedated
	default:
		return
	}
	v.change(c)
}

// past reports whether a time of a line is not in the future.
func (r *Reading) past(when string) bool {
	t, _, err := memory.ParsePeriod("until", when)
	return when != "" && err == nil && !t.After(r.at)
}

// backwards reports whether a fact would end before it began.
func (f Fact) backwards() bool {
	since, until, _, _ := f.times()
	return f.Since != "" && f.Until != "" && until.Before(since) && !strings.HasPrefix(f.Since, f.Until)
}

// times returns the dates of a line; a zero time is none.
func (f Fact) times() (since, until time.Time, from, to memory.Unit) {
	since, from, _ = memory.ParsePeriod("since", f.Since) // checked when the line was read; "" is none
	until, to, _ = memory.ParsePeriod("until", f.Until)
	return since, until, from, to
}
