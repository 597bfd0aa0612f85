package rules

// match is the state of matching a template against a sentence.
type match struct {
	r      *reader
	s      *sentence
	clause *clause // nil unless it is a clause template
	from   int     // first token
	last   int     // token after the last matched part
	verb   int     // first verb; -1 for none
	ended  bool
	denied bool // the verb is negated in the past: "didn't move", "never lived"
	found  map[byte][]endpoint
}

// of returns the phrases in a slot.
func (m *match) of(label byte) []endpoint {
	if label == 0 {
		return []endpoint{m.r.self()}
	}
	return m.found[label]
}

// parts matches the parts from token i on and returns the token after them. Adverbs and times may stand between parts.
func (m *match) parts(list []part, i int) (stop int, ok bool) {
	if len(list) == 0 {
		return m.last, true
	}
	p := &list[0]
	for at, n := i, 0; n < 6; n++ {
		if stop, ok := m.part(p, list, at); ok {
			return stop, true
		}
		next := m.over(p, at)
		if next <= at {
			break
		}
		at = next
	}
	if p.optional {
		return m.parts(list[1:], i)
	}
	return 0, false
}

// over returns the token after what may precede a part: an adverb, a time, and for ">at" also prepositions with their
// phrases, for "..at" any phrase.
func (m *match) over(p *part, at int) int {
	s := m.s
	if at >= len(s.t) {
		return at
	}
	if s.t[at].kind == wordToken && adverbs[s.t[at].lower] && !s.attributive(at) {
		return at + 1
	}
	if at == m.from {
		return at
	}
	if next := s.timeAt(at); next > at {
		return next
	}
	if s.kind(at) == numberToken && p.kind != partSlot {
		return at + 1
	}
	if !p.skips {
		return at
	}
	if q, ok := s.phrases.once(at, s.phraseAt); ok && q.b > at && s.actors(q.b) == 0 && (p.objects || s.noObject(q)) {
		return q.b
	}
	if w := s.word(at); s.kind(at) == wordToken && prepositions[w] && w != "than" && w != "because" {
		return at + 1
	}
	if g, ok := s.verbs.once(at, s.groupAt); ok && g.purpose {
		return g.b
	}
	return at
}

// noObject reports whether a preposition governs a phrase, or the phrase says when or how far. "Over" and its like may
// belong to the verb: "moved over the server".
func (s *sentence) noObject(q arg) bool {
	w := s.word(q.a - 1)
	return prepositions[w] && !oneOf(w, "over on off out up down") || timeUnits[q.head] ||
		oneOf(q.head, "way north south east west")
}

// part matches one part at token i and the rest after it.
func (m *match) part(p *part, list []part, i int) (stop int, ok bool) {
	s := m.s
	m.r.steps++
	rest := func(next int) (int, bool) {
		before := m.last
		m.last = next
		stop, ok := m.parts(list[1:], next)
		if !ok {
			m.last = before
		}
		return stop, ok
	}
	switch p.kind {
	case partEnd:
		if s.ends(i) {
			return rest(i)
		}
	case partWord:
		for _, several := range p.phrases {
			if saying(s.t, i, several...) {
				if stop, ok := rest(i + len(several)); ok {
					return stop, true
				}
			}
		}
		if next := s.special(p, i); next > i {
			return rest(next)
		}
		if i < len(s.t) && p.words[s.t[i].lower] && (s.user || !selfWords[s.t[i].lower]) {
			return rest(i + 1)
		}
		if p.words["$"] && s.ends(i) {
			return rest(i)
		}
	case partVerb:
		return m.verbAt(p, i, rest)
	case partNoun:
		return m.nounAt(p, i, rest)
	case partSlot:
		return m.slotAt(p, i, rest)
	}
	return 0, false
}

// special returns the token after token i if that matches "<number>", "<year>", "<date>" or "<name>" of the part; else
// i.
func (s *sentence) special(p *part, i int) int {
	if !p.special || i >= len(s.t) {
		return i
	}
	w := s.t[i].lower
	switch {
	case p.words["<number>"] && s.kind(i) == numberToken, p.words["<year>"] && s.kind(i) == numberToken && len(w) == 4,
		p.words["<date>"] && s.kind(i) == numberToken && len(w) >= 8, p.words["<name>"] && s.kind(i) == nameToken:
		return i + 1
	}
	return i
}

func (m *match) verbAt(p *part, i int, rest func(int) (int, bool)) (int, bool) {
	g, ok := m.s.verbs.once(i, m.s.groupAt)
	if !ok || !p.words[g.lemma] || !m.inTense(p.tense, &g) {
		return 0, false
	}
	verb, ended := m.verb, m.ended
	if m.verb < 0 {
		m.verb = g.a
	}
	m.ended = m.ended || (g.ended || g.negated) && p.tense != '-'
	if stop, ok := rest(g.b); ok {
		return stop, true
	}
	m.verb, m.ended = verb, ended
	return 0, false
}

// inTense reports whether a verb has the tense of a part:
//
//	none  it is so, or it is so no longer: "uses", "is using", "has used since", "no longer uses"
//	^     it happened: "joined", "has joined"
//	<     it was so: "worked"
//	*     any tense
//	+ =   passive, in any tense or of now
//	-     denied
//	!     decided: "decided to use", "let's use"
func (m *match) inTense(tense byte, g *group) bool {
	if g.purpose {
		return false
	}
	if tense == '!' {
		return g.decided && !g.negated || g.lets
	}
	if tense == '-' {
		return g.negated && !g.past && !g.passive
	}
	if g.negated && !m.anymore(*g) || g.lets || g.modal && !(g.will && g.lemma == "need") || g.decided && tense != '*' {
		return false
	}
	if passive := tense == '+' || tense == '='; g.passive != passive && !g.copula && tense != '*' {
		return false
	}
	switch tense {
	case '^':
		return (g.past || g.perfect) && !g.ing && !g.ended
	case '<':
		return g.past && !g.perfect && !g.ing
	case '*', '+':
		return true
	case '=':
		return !g.past
	}
	switch {
	case g.present && !g.past && (!g.perfect || g.ing), g.perfect && g.ing && !g.past, g.ended && !g.past, g.begun,
		g.negated && !g.past:
		return true
	case g.copula:
		return (g.present || g.perfect) && !g.past
	}
	return g.perfect && !g.past && m.lasting(g.b)
}

// lasting reports whether "since" or "for" with a time follows token i: "I've worked at Acme since 2020".
func (m *match) lasting(i int) bool {
	for ; i < len(m.s.t); i++ {
		if w := m.s.word(i); (w == "since" || w == "for") && m.s.timeAt(i) > i {
			return true
		}
	}
	return false
}

// anymore reports whether a negated verb means that something no longer holds.
func (m *match) anymore(g group) bool {
	for i := g.b; i < len(m.s.t); i++ {
		w := m.s.t[i].lower
		if w == "anymore" || w == "any" && oneOf(m.s.word(i+1), "more longer") {
			return true
		}
	}
	return m.clause != nil && m.clause.deniedNow()
}

// nounAt matches a phrase by its noun.
func (m *match) nounAt(p *part, i int, rest func(int) (int, bool)) (int, bool) {
	s := m.s
	if !p.mine && s.kind(i) == wordToken && p.words[s.word(i)] {
		if stop, ok := rest(i + 1); ok {
			return stop, true
		}
	}
	q, ok := s.phrases.once(i, s.phraseAt)
	switch {
	case !ok, p.mine != (q.det == "my") && (p.mine || q.of != nil), q.of != nil && q.det != "my":
		return 0, false
	}
	for b := q.b; b > q.first; b-- { // the phrase may be too long: "our logs end up in"
		if p.words[s.word(b-1)] && q.name < 0 {
			return rest(b)
		}
	}
	return 0, false
}

// slotAt fills a slot with the list of phrases at token i, or with a shorter list.
func (m *match) slotAt(p *part, i int, rest func(int) (int, bool)) (int, bool) {
	s := m.s
	args, ends := m.list(i)
	if n := len(args); n > 1 {
		n = max(1, n-s.actors(args[n-1].b)) // "uses Redis and Tariq owns it": the last name begins another statement
		args, ends = args[:n], ends[:n]
	}
	for n := len(args); n > 0; n-- {
		if stop, ok := m.fill(p, args[:n], ends[n-1], rest); ok {
			return stop, true
		}
	}
	return 0, false
}

// maxList is the maximum number of phrases in a list.
const maxList = 12

// list returns the phrases from token i on that "and" and commas join, and the token after each. For "A or B" it
// returns nothing.
func (m *match) list(i int) (args []arg, ends []int) {
	s := m.s
	and := false
	for len(args) < maxList {
		q, ok := s.phrases.once(i, s.phraseAt)
		if !ok || q.kind == argNone && !(q.det == "other" && q.of != nil) {
			break
		}
		if len(args) > 0 && (q.kind == argSelf || q.kind == argPronoun || q.role != "" && args[0].role == "") {
			break
		}
		args, ends = append(args, q), append(ends, q.b)
		i = s.purposeOf(q.b)
		sep := false
		for n := 0; n < 2; n++ {
			if w := s.word(i); w == "," && n == 0 || oneOf(w, "and & plus") {
				i, sep, and = i+1, true, and || w != ","
			}
		}

		if w := s.word(i); w == "or" && !above[s.word(i+1)] {
			return nil, nil
		}
		for sep && adverbs[s.word(i)] && s.kind(i) == wordToken {
			i++
		}
		if !sep {
			break
		}
	}
	if len(args) > 1 && !and && m.clause != nil {
		return args[:1], ends[:1] // in "I no longer use Vim, Helix now" another statement follows
	}
	return args, ends
}

// purposeOf skips the purpose of a list item: "Redis for caching and Postgres for everything else".
func (s *sentence) purposeOf(i int) int {
	if w := s.word(i); w != "for" && w != "as" {
		return i
	}
	if q, ok := s.phrases.once(i+1, s.phraseAt); ok && s.word(q.b) == "and" {
		return q.b
	}
	return i
}

// fill puts phrases into a slot and matches the rest after them.
func (m *match) fill(p *part, args []arg, next int, rest func(int) (int, bool)) (int, bool) {
	ends := m.r.fitAll(m.s, p.slot, args)
	if len(ends) < len(args) || len(ends) == 0 {
		return 0, false
	}
	if m.found == nil {
		m.found = map[byte][]endpoint{}
	}
	m.found[p.label] = ends
	if stop, ok := rest(next); ok {
		return stop, true
	}
	delete(m.found, p.label)
	return 0, false
}

// ends reports whether the statement ends before token i.
func (s *sentence) ends(i int) bool {
	for tails[s.word(i)] {
		i++
	}
	return i >= len(s.t) || s.t[i].kind == signToken && s.word(i) != "'" || conjunctions[s.word(i)]
}

// actors returns how many phrases before token i are the subject of a verb there: 0 without a verb, 2 if the verb needs
// a plural subject, else 1.
func (s *sentence) actors(i int) int {
	for negations[s.word(i)] {
		i++
	}
	if i >= len(s.t) {
		return 0
	}
	g, ok := s.verbs.once(i, s.groupAt)
	switch {
	case !ok || g.purpose:
		return 0
	case g.bare:
		return 2
	}
	return 1
}

var (
	selfWords = set(`i me my mine we us our ours`)                     // the user, only in a user turn
	above     = set(`newer later above higher better greater up more`) // continue a version: "Java 21 or newer"
)
