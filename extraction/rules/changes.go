package rules

import (
	"strings"

	"memory-graph/internal/memory"
)

// change states what ends and what takes its place: "switched from A to B", "replaced A with B", "left A and joined B".
// It is tried before the templates. done says that the verb has been understood, whether or not it states anything.
func (r *reader) change(c *clause) (done bool) {
	g := c.group()
	kind := changes[g.lemma]
	if kind == 0 {
		return false
	}
	if g.decided && (kind == changeMoves) {
		return false
	}
	if g.lemma == "replace" || g.lemma == "supersede" {
		if g.form == formS && !g.negated && !g.modal && c.subjects[0].kind == argName {
			return r.replaced(c)
		}
	}
	if kind == changeDrops && (g.lemma == "get" || g.lemma == "give") && !(g.past || g.perfect) {
		return false
	}
	if g.negated || g.modal || g.ing || g.form == formIng || g.ended || !(g.past || g.perfect || g.passive) || c.soon() {
		return kind != changeLeaves && kind != changeMoves || g.ing && !reworks(g) // "is leaving her job", "never left": nothing has happened
	}
	switch kind {
	case changeMoves:
		return r.moved(c)
	case changeReplaces:
		return r.replaced(c)
	case changeSwaps:
		return r.swapped(c)
	case changeDrops:
		return r.dropped(c)
	case changeLeaves:
		return r.left(c)
	case changeResigns:
		return r.resigned(c)
	}
	return false
}

// reworks says whether somebody is at it: who is migrating the search page works on it.
func reworks(g *group) bool {
	return g.present && !g.negated && !g.modal && (g.lemma == "migrate" || g.lemma == "port" || g.lemma == "convert")
}

type changeKind uint8

const (
	changeMoves changeKind = iota + 1
	changeReplaces
	changeSwaps
	changeDrops
	changeLeaves
	changeResigns
)

var changes = func() map[string]changeKind {
	m := map[string]changeKind{}
	for words, kind := range map[string]changeKind{
		`switch move migrate change transition convert port go relocate emigrate jump`: changeMoves,
		`replace supersede`:   changeReplaces,
		`swap trade exchange`: changeSwaps,
		`drop ditch abandon remove retire dump uninstall kill rip scrap sunset decommission cancel deprecate phase discard ax axe shelve nuke purge throw kick get give sell`: changeDrops,
		`leave quit`:      changeLeaves,
		`resign fire lay`: changeResigns,
	} {
		for w := range set(words) {
			m[w] = kind
		}
	}
	return m
}()

// sameName says whether one name stands on both sides of a change.
func (c *clause) sameName(olds, news []arg) bool {
	for _, a := range olds {
		for _, b := range news {
			if x, y := c.s.nameOf(a), c.s.nameOf(b); x != nil && y != nil && memory.Canonical(bare(x.text)) == memory.Canonical(bare(y.text)) {
				return true
			}
		}
	}
	return false
}

// bare gives a name without the version at its end.
func bare(name string) string {
	return strings.TrimRight(name, "0123456789. vV-")
}

// backAgain says whether a change was undone, or made for a while or a part only: "and back", "for one script", "for a day".
func (c *clause) backAgain(k int) bool {
	for i := c.c[k-1].b; i < len(c.s.t); i++ {
		w, next := c.s.word(i), c.s.word(i+1)
		switch {
		case w == "back" && !articles[next], w == "returned", w == "temporarily", w == "briefly":
			return true
		case w == "for" && (next == "one" || next == "a" || next == "an" || next == "this" || next == "that" || next == "some" || next == "my"):
			j := c.s.skip(i+1, "a", "an", "one", "this", "that", "some", "my", "few", "couple", "of", "single", "small", "little", "side")
			if h := c.s.word(j); !(h == "reason" || h == "reasons" || h == "change" || h == "while" && c.s.word(j+1) == "now" || h == "lot" || h == "better") {
				return true
			}
		}
	}
	return false
}

// left reads "left A", "left A for B", "quit A": employers and towns.
func (r *reader) left(c *clause) bool {
	old, ok := c.object()
	if to, found := c.behind(c.verb+1, "for", false); !ok && found && !c.group().passive { // "left for Zalando"
		if n := c.s.nameOf(to.args[0]); n != nil && n.sort&sortOrganization != 0 && n.sort&(sortTechnical|sortPlace|sortPerson) == 0 && !c.forTheDay(to.end) {
			r.moves(c, r.fitAll(c.s, anyone, c.subjects), r.fitAll(c.s, employer, to.args[:1]), "works_at", false, c.c[to.end-1].b)
		}
		return true
	}
	if !ok || c.group().passive {
		return true
	}
	p := old.args[0]
	if old.end < len(c.c) && (c.c[old.end].kind == phraseChunk || c.c[old.end].kind == wordChunk && oneOf(c.c[old.end].w, "out on off open running alone unanswered as to")) || p.det == "this" {
		return true // "left Skylark a review", "left Slack on"
	}
	n := c.s.nameOf(p)
	heads := r.fitAll(c.s, anyone, c.subjects)
	if n == nil || len(heads) == 0 || p.kind != argName || p.b-1 > p.name || p.det == "the" && n.sort&(sortOrganization|sortPlace) == 0 && !companyName(n) || c.forTheDay(old.end) {
		return true
	}
	end := c.c[old.end-1].b
	state := func(want slot, relation string) bool {
		tails := r.fitAll(c.s, want, old.args[:1])
		if len(tails) == 0 {
			return false
		}
		for _, h := range heads {
			r.emit(c.s, fact{head: h, tail: tails[0], relation: relation, ended: true, hedged: c.hedged, conf: sure, a: c.from, b: end})
		}
		if list, ok := c.behind(old.end, "for", false); ok && list.args[0].kind == argName {
			for _, t := range r.fitAll(c.s, want, list.args[:1]) {
				for _, h := range heads {
					r.emit(c.s, fact{head: h, tail: t, relation: relation, hedged: c.hedged, conf: fair, a: c.from, b: c.c[list.end-1].b})
				}
			}
		}
		return true
	}
	switch {
	case n.sort&sortPlace != 0 && n.sort&(sortOrganization|sortTechnical) == 0 || n.typ == "location":
		state(place, "located_in")
	case n.sort&sortTechnical != 0 && n.sort&sortOrganization == 0 && c.group().lemma == "quit":
		r.used(c, heads, r.fitAll(c.s, software, old.args), true, end)
	case n.sort&sortTechnical != 0 && n.sort&sortOrganization == 0 && !c.employed():
		// who left a tool beside telling what is used now is not employed by it
		if last, ok := r.before(c.s); ok && last.relation == "uses" && !last.ended && r.lastOne.now && memory.Canonical(last.head.text) == memory.Canonical(heads[0].text) {
			r.used(c, heads, r.fitAll(c.s, software, old.args), true, end)
		}
	case memberships[lowerOf(n.text)] && !c.employed():
		// people quit these as users more than as employees
	case n.typ != "person" && !n.shape && n.sort&sortOrganization == 0 && c.s.mayBePerson(n) && c.toTown(old.end):
		state(place, "located_in") // "left Paro for Thimphu"
	case n.typ != "person" && !n.shape && n.sort&sortOrganization == 0 && c.s.mayBePerson(n) && c.placeBehind(old.end):
		// "left Paro and lives in Jakar": a town or an employer
	case n.typ != "person" && !n.shape:
		state(employer, "works_at")
	}
	return true
}

// toTown says whether somebody left for a town of the lists.
func (c *clause) toTown(k int) bool {
	list, ok := c.behind(k, "for", false)
	if !ok {
		return false
	}
	n := c.s.nameOf(list.args[0])
	return n != nil && n.sort&sortPlace != 0 && n.sort&(sortTechnical|sortOrganization) == 0
}

// placeBehind says whether the sentence goes on with where somebody lives.
func (c *clause) placeBehind(k int) bool {
	for ; k < len(c.c); k++ {
		if x := c.c[k]; x.kind == verbChunk && (x.g.lemma == "live" || x.g.lemma == "settle" || x.g.lemma == "relocate" || x.g.lemma == "move" && c.s.word(x.b) != "into") {
			return true
		}
	}
	return false
}

// memberships are services that people join and leave without working there.
var memberships = set(`netflix spotify hulu tidal deezer disney youtube facebook instagram twitter tiktok linkedin reddit whatsapp snapchat pinterest tumblr mastodon bluesky threads twitch discord telegram tinder strava patreon
medium substack vodafone telekom o2 verizon t-mobile orange comcast audible paypal ebay airbnb uber`)

// forTheDay says whether somebody left for the day rather than for good: "left Acme early", "left Acme at five".
func (c *clause) forTheDay(k int) bool {
	for i := c.c[k-1].b; i < len(c.s.t); i++ {
		w, next := c.s.word(i), c.s.word(i+1)
		switch {
		case c.s.kind(i) == signToken && w != ",", conjunctions[w]:
			return false
		case w == "early" && next != "in", w == "late" && next != "in" && next != "last", w == "at" && (c.s.kind(i+1) == numberToken || clockWords[next]), w == "around" && clockWords[next],
			w == "for" && (next == "lunch" || next == "today" || next == "the" && (c.s.word(i+2) == "day" || c.s.word(i+2) == "weekend" || c.s.word(i+2) == "night" || c.s.word(i+2) == "holidays")), w == "to" && next == "catch":
			return true
		}
	}
	return false
}

var clockWords = set(`noon midnight one two three four five six seven eight nine ten eleven twelve half lunch lunchtime dawn dusk closing night`)

// employed says whether another employer stands in the sentence: of "left A and joined B" A is one as well.
func (c *clause) employed() bool {
	for _, t := range c.s.t {
		if t.lower == "joined" || t.lower == "started" || t.lower == "company" || t.lower == "job" || t.lower == "years" {
			return true
		}
	}
	return false
}

// resigned reads "resigned from A".
func (r *reader) resigned(c *clause) bool {
	if c.group().lemma != "resign" && !c.group().passive {
		return true
	}
	list, ok := c.behind(c.verb+1, "from at by", true)
	if !ok {
		return true
	}
	for _, h := range r.fitAll(c.s, anyone, c.subjects) {
		for _, t := range r.fitAll(c.s, employer, list.args[:1]) {
			r.emit(c.s, fact{head: h, tail: t, relation: "works_at", ended: true, hedged: c.hedged, conf: sure, a: c.from, b: c.c[list.end-1].b})
		}
	}
	return true
}
