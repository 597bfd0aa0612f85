package rules

import "memory-graph/internal/memory"

// What takes the place of something is often told beside it, without its verb: "Lantern doesn't depend on Redis any more, it's
// Valkey now", "I cancelled Netflix. It's Mubi now", "The newsletter goes out with Listmonk now, Mailchimp is cancelled". Of whom
// or what it is said, and which relation it is, tells the statement before.

// successions reads the places of a sentence at which such a statement can begin.
func (r *reader) successions(s *sentence) {
	for i := range s.t {
		if i > 0 && !s.parts(i-1) {
			continue
		}
		if r.succeeds(s, i) || r.goes(s, i) {
			return
		}
	}
}

// parts says whether a statement may begin behind token i.
func (s *sentence) parts(i int) bool {
	return separates(s.word(i)) || oneOf(s.word(i), "( . ! ; and but so because since")
}

// before gives the fact that was stated last, in this sentence or the one before.
func (r *reader) before(s *sentence) (f fact, ok bool) {
	if r.lastOne.at < 0 || r.lastOne.sentence != s.t[0].start && r.lastOne.sentence != r.sentenceBefore {
		return fact{}, false
	}
	return r.lastOne.f, true
}

// successor is what stands before the name of what took the place of something.
type successor struct {
	s    *sentence
	at   int  // the token that is looked at
	now  bool // "now" stands there
	it   bool // "it is"
	gets bool // "bought a", "put in an"
}

// skip passes over the words.
func (u *successor) skip(words string) {
	for oneOf(u.s.word(u.at), words) {
		u.now = u.now || oneOf(u.s.word(u.at), "now nowadays today instead")
		u.at++
	}
}

// lead reads the words before the name: "it's all", "now it is on", "maps come from", "he's got a". person says whether of somebody.
func (u *successor) lead(person bool) {
	s := u.s
	u.skip("now nowadays today so and but")
	who := person && oneOf(s.word(u.at), "he she i we they")
	if who { // "he's got a Polestar"
		switch next := s.word(u.at + 1); {
		case oneOf(next, "'s 've has have") && oneOf(s.word(u.at+2), "got bought"):
			u.at += 2
		case oneOf(next, "bought got has have"):
			u.at++
		}
	}
	w, next, third := s.word(u.at), s.word(u.at+1), s.word(u.at+2)
	switch {
	case w == "put" && next == "in":
		u.gets, u.at = true, u.at+2
	case oneOf(w, "bought got has have") && articles[next]:
		u.gets, u.at = true, u.at+1
	case s.kind(u.at) == wordToken && pluralNoun(w) && oneOf(next, "come go run live") && oneOf(third, "from through via on to into in"): // "maps come from MapLibre now"
		u.at += 3
	case oneOf(w, "it that this everything") && oneOf(next, "is 's"), who && oneOf(next, "is 's am are 're 'm") && oneOf(third, "now in at on with"):
		u.it, u.at = true, u.at+2
	}
	u.skip("now all just only simply")
	if u.it {
		u.skip("on in at with")
		u.skip("now")
	}
}

// name reads the name, or what an employer is, and what may stand behind it.
func (u *successor) name(last fact, want slot) (arg, bool) {
	p, ok := u.s.phraseAt(u.at)
	switch {
	case !ok, u.gets && p.det != "a", p.kind != argName && (want != employer || p.kind != argNoun):
		return p, false
	case p.kind == argName && (p.det != "" && last.relation != "uses" || p.b-1 != p.name && u.s.t[p.b-1].kind != numberToken):
		return p, false
	}
	u.at = p.b
	for oneOf(u.s.word(u.at), "now instead nowadays today these days again") {
		u.now = true
		u.at++
	}
	if want == employer && u.s.word(u.at) == "in" && u.s.kind(u.at+1) == nameToken { // where it is
		u.at += 2
	}
	if n := u.s.nameOf(p); n != nil && (want == place && n.sort&sortPlace == 0 && n.sort != 0 || n.unsure && p.a == 0) {
		return p, false
	}
	return p, u.s.ends(u.at)
}

// succeeds reads "it's Valkey now", "Valkey now", "now it is on Valkey" from token i on.
func (r *reader) succeeds(s *sentence, i int) bool {
	last, ok := r.before(s)
	want := oustable[last.relation]
	if last.relation == "depends_on" {
		want = needed
	}
	if !ok || !last.ended || want == 0 || want == project {
		return false
	}
	u := successor{s: s, at: i}
	u.lead(last.head.typ == "person" || last.head.self)
	p, ok := u.name(last, want)
	if !ok || !u.now && !u.gets && (!u.it || r.lastOne.sentence != s.t[0].start) {
		return false
	}
	hedged, ok := s.stated(i, u.at)
	tails := r.fitAll(s, want, []arg{p})
	if !ok || len(tails) != 1 || tails[0].typ == "person" {
		return false
	}
	r.emit(s, fact{head: last.head, tail: tails[0], relation: last.relation, news: true, hedged: hedged, conf: fair, a: i, b: u.at})
	return true
}

// goes reads "Mailchimp is cancelled", "the Canon was sold", "Drone got dropped" from token i on, beside what is used now.
func (r *reader) goes(s *sentence, i int) bool {
	last, ok := r.before(s)
	if !ok || last.ended || oustable[last.relation] == 0 || last.relation == "works_on" {
		return false
	}
	gone := 0 // words before the name that say it
	for oneOf(s.word(i+gone), "so then now") {
		gone++
	}
	switch {
	case s.word(i+gone) == "no" && s.word(i+gone+1) == "more":
		gone += 2
	case oneOf(s.word(i+gone), "goodbye bye farewell"):
		gone++
	default:
		gone = 0
	}
	p, ok := s.phraseAt(i + gone)
	if !ok || p.kind != argName || p.det != "" && p.det != "the" && p.det != "my" || p.b-1 != p.name {
		return false
	}
	j := p.b
	if gone > 0 {
		return s.ends(j) && r.went(s, last, p, i, j)
	}
	for oneOf(s.word(j), "is was got has been 's are were finally now") {
		j++
	}
	switch w := s.word(j); {
	case j > p.b && goneWords[w]:
		j++
	case j > p.b && w == "switched" && s.word(j+1) == "off", j > p.b && w == "shut" && s.word(j+1) == "down", w == "went" && oneOf(s.word(j+1), "out away"):
		j += 2
	default:
		return false
	}
	return last.relation == "uses" && r.went(s, last, p, i, j)
}

// went states that what a phrase names has made place for what the fact before tells.
func (r *reader) went(s *sentence, last fact, p arg, i, j int) bool {
	hedged, ok := s.stated(i, min(j, p.b))
	tails := r.fitAll(s, oustable[last.relation], []arg{p})
	if !ok || len(tails) != 1 || r.somebody(tails[0]) || !r.lastOne.now || memory.Canonical(tails[0].text) == memory.Canonical(last.tail.text) {
		return false
	}
	r.emit(s, fact{head: last.head, tail: tails[0], relation: last.relation, ended: true, news: true, hedged: hedged, conf: fair, a: i, b: j})
	return true
}

// goneWords say that something is not used any more.
var goneWords = set(`cancelled canceled gone history retired dropped sold over dead closed uninstalled deleted removed ditched scrapped abandoned decommissioned out`)
