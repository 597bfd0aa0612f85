package rules

import "memory-graph/memory"

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
	now := false
	j := i
	skip := func(words string) (any bool) {
		for oneOf(s.word(j), words) {
			now = now || oneOf(s.word(j), "now nowadays today instead")
			any = true
			j++
		}
		return any
	}
	skip("now nowadays today so and but")
	it, got := false, false
	if next := s.word(j + 1); (last.head.typ == "person" || last.head.self) && oneOf(s.word(j), "he she i we they") { // "he's got a Polestar"
		switch {
		case oneOf(next, "'s 've has have") && oneOf(s.word(j+2), "got bought"):
			j += 2
		case oneOf(next, "bought got has have"):
			j++
		}
	}
	if w, next := s.word(j), s.word(j+1); w == "put" && next == "in" {
		got, j = true, j+2
	} else if oneOf(w, "bought got has have") && articles[next] {
		got, j = true, j+1
	}
	if s.kind(j) == wordToken && pluralNoun(s.word(j)) && oneOf(s.word(j+1), "come go run live") && oneOf(s.word(j+2), "from through via on to into in") { // "maps come from MapLibre now"
		j += 3
	}
	if oneOf(s.word(j), "it that this everything") && oneOf(s.word(j+1), "is 's") {
		it, j = true, j+2
	} else if (last.head.typ == "person" || last.head.self) && oneOf(s.word(j), "he she i we they") && oneOf(s.word(j+1), "is 's am are 're 'm") && oneOf(s.word(j+2), "now in at on with") {
		it, j = true, j+2
	}
	skip("now all just only simply")
	if it {
		skip("on in at with")
		skip("now")
	}
	p, ok := s.phraseAt(j)
	if !ok || p.kind != argName && (want != employer || p.kind != argNoun) || p.kind == argName && p.det != "" && last.relation != "uses" || got && p.det != "a" || p.kind == argName && p.b-1 != p.name && s.t[p.b-1].kind != numberToken {
		return false
	}
	j = p.b
	for oneOf(s.word(j), "now instead nowadays today these days again") {
		now = true
		j++
	}
	if want == employer && s.word(j) == "in" && s.kind(j+1) == nameToken { // where it is
		j += 2
	}
	if !now && !got && (!it || r.lastOne.sentence != s.t[0].start) || !s.ends(j) {
		return false
	}
	hedged, ok := s.stated(i, j)
	tails := r.fitAll(s, want, []arg{p})
	if !ok || len(tails) != 1 || tails[0].typ == "person" {
		return false
	}
	if n := s.nameOf(p); n != nil && (want == place && n.sort&sortPlace == 0 && n.sort != 0 || n.unsure && p.a == 0) {
		return false
	}
	r.emit(s, fact{head: last.head, tail: tails[0], relation: last.relation, news: true, hedged: hedged, conf: fair, a: i, b: j})
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
