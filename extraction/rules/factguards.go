package rules

import (
	"fmt"
	"strings"
	"sync"
)

// factGuard is one line of data/guards.txt: words around a fact that reject it.
type factGuard struct {
	name      string
	words     string   // as in the file
	relations []string // "ended:uses", "works_at", "ended", "any"
	place     string   // where the words stand: "in", "before", "behind", "right" (up to the next conjunction)
	past      bool     // only for events
	open      bool     // only if the words are not a parsed time
	now       bool     // only for states
	short     bool     // not for states that continue until now
	parts     []part
}

// guardsRead loads the guards once. A test checks that the file has no error.
var guardsRead = sync.OnceValues(func() ([]factGuard, error) {
	return parseGuards("guards.txt", "")
})

// parseGuards reads lines "name relations place : words" of a text, or of the embedded file if the text is "".
func parseGuards(file, text string) (out []factGuard, err error) {
	err = eachLine(file, text, func(line string) error {
		spec, words, ok := strings.Cut(line, " : ")
		f := strings.Fields(spec)
		if !ok || len(f) != 3 {
			return fmt.Errorf(`%q is not "name relations place : words"`, line)
		}
		g := factGuard{name: strings.ReplaceAll(f[0], "_", " "), words: words, place: f[2]}
		if !oneOf(g.place, "in before behind right") {
			return fmt.Errorf("there is no place %q", g.place)
		}
		relations, flags, _ := strings.Cut(f[1], "+")
		g.relations = strings.Split(relations, ",")
		known := map[string]*bool{"past": &g.past, "open": &g.open, "now": &g.now, "short": &g.short, "": new(bool)}
		for flag := range strings.SplitSeq(flags, "+") {
			if known[flag] == nil {
				return fmt.Errorf("there is no condition %q", flag)
			}
			*known[flag] = true
		}
		g.parts, err = parseParts(words)
		out = append(out, g)
		return err
	})
	return out, err
}

// guards reports whether the guard applies to the fact.
func (g *factGuard) guards(f *fact) bool {
	for _, name := range g.relations {
		rest, ended := strings.CutPrefix(name, "ended:")
		switch {
		case name == "any", name == "ended" && f.ended, name == "timely" && f.timely(),
			rest == f.relation && ended == f.ended:
			return true
		}
	}
	return false
}

// stopped returns the guard that rejects a fact, and the word at which it matched; "" if none does.
func (r *reader) stopped(s *sentence, f *fact) (name, word string) {
	if why := r.unfit(s, f); why != "" {
		return why, ""
	}
	list, _ := guardsRead()
	end := s.endOf(f)
	for i := range list {
		g := &list[i]
		if !g.guards(f) || g.short && f.since && !f.ended || g.past && !r.happened(f) || g.now && r.happened(f) ||
			g.open && r.turn.OccurredAt.IsZero() {
			continue
		}
		from, to := 0, f.a
		switch g.place {
		case "in":
			from, to = f.a, end
		case "behind":
			from, to = end, s.statementEnd(end, false)
		case "right":
			from, to = end, s.statementEnd(end, true)
		}
		for k := from; k < to; k++ {
			m := match{r: r, s: s, from: k, verb: -1, last: k}
			if _, ok := m.parts(g.parts, k); ok && !(g.open && r.resolved(s.t[k].start)) {
				return g.name, s.word(k) + " (" + g.words + ")"
			}
		}
	}
	if r.narrowed(s, f, end) {
		return "ended in part", s.word(end)
	}
	return "", ""
}

// happened reports whether the fact is an event and not a state.
func (r *reader) happened(f *fact) bool {
	if r.verb == nil {
		return true
	}
	g := r.verb.group()
	return f.ended && (f.news || r.isNews(*f)) || !f.ended && !(g.present && !g.past && !g.perfect && !g.begun)
}

// statementEnd returns the token after i at which another statement begins: at ";", or at "and" before "I" or "we". If
// right is set, any conjunction counts.
func (s *sentence) statementEnd(i int, right bool) int {
	for k := i; k < len(s.t); k++ {
		w := s.t[k].lower
		if w == ";" || conjunctions[w] && (right || k > i && w != "but" && (s.word(k+1) == "i" || s.word(k+1) == "we")) {
			return k
		}
	}
	return len(s.t)
}

// endOf returns the token after the fact's head and tail.
func (s *sentence) endOf(f *fact) int {
	stop := f.tail.stop
	if !f.head.self {
		stop = max(stop, f.head.stop)
	}
	for i := f.a; i < len(s.t); i++ {
		if stop > 0 && s.t[i].start >= stop {
			return i
		}
	}
	return min(f.b, len(s.t))
}

// unfit returns why the head and tail cannot have the relation; "" if they can.
func (r *reader) unfit(s *sentence, f *fact) string {
	switch f.relation {
	case "uses", "decided_to_use", "replaced_by":
		if timeOf(f.tail.text) && r.rules.lists().of(f.tail.text) == 0 {
			return "a time is no tool"
		}
		if r.somebody(f.tail) && (r.verb == nil || r.verb.group().lemma != "use") ||
			f.relation == "replaced_by" && r.somebody(f.head) {
			return "a person is no tool"
		}
	case "works_on", "assigned_to", "works_at":
		if timeOf(f.tail.text) {
			return "a time is no work"
		}
	case "part_of":
		if oneOf(f.tail.typ, "file config location") || f.head.typ == "person" {
			return "a place or a person is no part"
		}
	case "knows", "same_as":
		if f.tail.self || demonyms[f.tail.text] || tongue(f.tail.text) {
			return "no name of somebody else"
		}
	case "caused_by":
		if f.head.self || f.head.typ == "person" {
			return "a person has no cause"
		}
		if last := lastWord(f.tail.text); f.tail.typ == "file" || oneOf(last, "test tests spec") ||
			strings.HasPrefix(f.tail.text, "Test") {
			return "where trouble shows is no cause"
		}
	}
	return ""
}

// narrowed reports whether a fact ended only in part, for one place or one purpose: "no longer use Redis for sessions",
// "left the Acme board". A time, a reason or another statement after it does not narrow it.
func (r *reader) narrowed(s *sentence, f *fact, end int) bool {
	if f.denied { // "didn't move to Bergen for the job"
		return end < len(s.t) && s.kind(end) != signToken && s.word(end) != "yet"
	}
	if !f.ended || end >= len(s.t) || s.kind(end) == signToken || s.t[end].start < f.tail.stop || s.timeAt(end) > end {
		return false
	}
	w, next := s.word(end), s.word(end+1)
	if w == "for" { // "ditched Heroku for Render", "for good reasons"
		return !harmless[next] && s.kind(end+1) != nameToken && s.kind(s.skip(end+1, "a", "an", "the")) != nameToken
	}
	return s.kind(end) == numberToken && !year(w) || s.kind(end) == wordToken && !behindEnds[w] && !tails[w] &&
		!adverbs[w] && !conjunctions[w] && !kindNouns[w] && !projectNouns[w] && !timeUnits[next]
}

var (
	behindEnds = class("behind_ends") // may follow an ended fact without narrowing it
	demonyms   = class("demonyms")    // "I'm German" gives no name
	kindNouns  = class("kind_nouns")
	harmless   = class("harmless") // after "for" they do not narrow: "for good"
)

// timely reports whether a fact needs its time: jobs and homes change, and an end has a date.
func (f *fact) timely() bool {
	return f.relation == "works_at" || f.relation == "located_in" || f.ended
}
