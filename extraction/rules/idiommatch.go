package rules

// match is an idiom on its way through a sentence.
type match struct {
	r      *reader
	s      *sentence
	chunks []chunk
	from   int // its first token
	last   int // the token behind the last part that was found
	verb   int // its first verb
	ended  bool
	found  map[byte][]endpoint
}

// of gives what stands in a slot.
func (m *match) of(label byte) []endpoint {
	if label == 0 {
		return []endpoint{m.r.self()}
	}
	return m.found[label]
}

// parts finds the parts from token i on, and gives the token behind them.
func (m *match) parts(list []part, i int) (stop int, ok bool) {
	if len(list) == 0 {
		return m.last, true
	}
	p := &list[0]
	for at, n := i, 0; n < 5; n++ {
		if stop, ok := m.part(p, list, at); ok {
			return stop, true
		}
		next := at
		if at < len(m.s.t) && m.s.t[at].kind == wordToken && adverbs[m.s.t[at].lower] {
			next = at + 1
		} else if at > m.from && m.s.kind(at) == numberToken && p.kind != partSlot {
			next = at + 1
		} else if at > m.from || n > 0 {
			if next, _ = m.s.timeAt(at); next == at && m.s.word(at) == "," && m.relative(at+1, p) {
				next = at + 2
			} else if next == at && m.relative(at, p) {
				next = at + 1
			}
		}
		if next <= at || at == m.from && p.kind == partSlot {
			break
		}
		at = next
	}
	if p.optional {
		return m.parts(list[1:], i)
	}
	return 0, false
}

// ends says whether what is said ends before token i.
func (s *sentence) ends(i int) bool {
	for tails[s.word(i)] {
		i++
	}
	return i >= len(s.t) || s.t[i].kind == signToken && s.word(i) != "'" || conjunctions[s.word(i)] || s.word(i) == "because" || s.word(i) == "since"
}

// relative says whether "who" stands at token i, before the verb that is looked for: "Mehmet, who sits next to me".
func (m *match) relative(i int, p *part) bool {
	w := m.s.word(i)
	return p.kind == partVerb && (w == "who" || w == "which") && i > m.from
}

// part finds one part at token i and the rest behind it.
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
		return i, s.ends(i)
	case partWord:
		if i < len(s.t) && p.words[s.t[i].lower] && (s.user || !selfWords[s.t[i].lower]) {
			return rest(i + 1)
		}
		if p.words["$"] && s.ends(i) {
			return rest(i)
		}
	case partVerb:
		g, ok := m.group(p, i)
		if !ok {
			return 0, false
		}
		verb, ended := m.verb, m.ended
		if m.verb < 0 {
			m.verb = g.a
		}
		m.ended = m.ended || g.ended && p.tense != '-'
		if stop, ok := rest(g.b); ok {
			return stop, true
		}
		m.verb, m.ended = verb, ended
	case partNoun:
		if !p.mine && s.kind(i) == wordToken && p.words[s.word(i)] {
			if stop, ok := rest(i + 1); ok {
				return stop, true
			}
		}
		q, ok := s.phraseOnce(i)
		if !ok || q.kind == argNone && (q.det != "vague" || s.word(q.a) == "no" || s.word(q.a) == "neither" || s.word(q.a) == "hardly") || q.name >= 0 && (!p.mine || q.name == q.b-1) || !p.words[q.head] && !p.words[s.word(q.b-1)] || p.mine != (q.det == "my") && (p.mine || q.of != nil) || q.of != nil && q.det != "my" {
			for ; ok && p.mine && q.det == "my" && q.name < 0 && q.b-1 > q.first; q.b-- { // "our logs end" up in
				if p.words[s.word(q.b-2)] {
					return rest(q.b - 1)
				}
			}
			return 0, false
		}
		return rest(q.b)
	case partOwner:
		if s.kind(i) == nameToken && s.word(i+1) == "'s" {
			if one, ok := s.finish(arg{a: i, first: i, name: i}, i+1, 1); ok {
				return m.slot(p, []arg{one}, i+2, rest)
			}
		}
		q, ok := s.phraseOnce(i)
		if !ok || q.of == nil || s.word(q.of.b) != "'s" {
			return 0, false
		}
		return m.slot(p, []arg{*q.of}, q.of.b+1, rest)
	case partSlot:
		args, ends := m.list(p, i)
		if n := len(args); n > 1 && len(list) == 1 {
			n = max(1, n-s.actors(args[n-1].b)) // "hinges on Redis and Tariq owns it": another statement
			args, ends = args[:n], ends[:n]
		}
		for n := len(args); n > 0; n-- { // a list, and where the rest does not follow on it, a shorter one
			if stop, ok := m.slot(p, args[:n], ends[n-1], rest); ok {
				return stop, true
			}
		}
		if len(args) == 0 || len(list) == 1 {
			return 0, false
		}
		all := len(args) - 1
		for q, n := args[all], 0; n < 3 && q.b-1 > q.first && !q.called; n++ { // what was read as part of the phrase may be what is looked for
			q.b--
			if short, ok := s.shorter(q); ok {
				if stop, ok := m.slot(p, append(args[:all:all], short), q.b, rest); ok {
					return stop, true
				}
			}
		}
	}
	return 0, false
}

// group finds the verb of a part at token i.
func (m *match) group(p *part, i int) (group, bool) {
	if i >= len(m.s.t) {
		return group{}, false
	}
	g, ok := m.s.groupOnce(i)
	if p.words["be"] && (!ok || !p.words[g.lemma]) {
		g, ok = m.s.copulaAt(i)
	}
	if !ok || !p.words[g.lemma] || g.purpose {
		return g, false
	}
	if p.tense == '-' {
		return g, g.negated && !g.past
	}
	if g.negated && !m.anymore(g) || g.modal && !(g.will && p.words["need"]) || g.lets || g.passive != (p.tense == '+') && !g.copula {
		return g, false
	}
	if g.negated {
		g.ended = true
	}
	switch p.tense {
	case '^':
		return g, (g.past || g.perfect) && !g.ing && !g.ended
	case '*', '+':
		return g, !g.decided
	}
	return g, (g.present || g.perfect || g.ended) && !g.past && !g.decided
}

// anymore says whether "anymore" stands behind a verb that is denied.
func (m *match) anymore(g group) bool {
	for i := g.b; i < len(m.s.t) && i < g.b+8; i++ {
		if w := m.s.t[i].lower; w == "anymore" || w == "any" && (m.s.word(i+1) == "more" || m.s.word(i+1) == "longer") {
			return true
		}
	}
	return false
}

// list reads the phrases that "and" and commas join from token i on; ends has the token behind each.
func (m *match) list(p *part, i int) (args []arg, ends []int) {
	for len(args) < maxList {
		q, ok := m.s.phraseOnce(i)
		if !ok || q.kind == argNone && !(p.slot == component && q.det == "other" && q.of != nil) {
			break
		}
		for q.b-1 > q.first && particles[m.s.word(q.b-1)] {
			q.b--
			q, _ = m.s.shorter(q)
		}
		for n := 0; p.whole && n < 2 && oneOf(m.s.word(q.b), "in of on with between"); n++ { // "a typo in the cron expression"
			if more, ok := m.s.phraseOnce(q.b + 1); ok && more.kind != argNone && more.kind != argSelf && more.kind != argPronoun {
				q.b = more.b
			}
		}
		args, ends = append(args, q), append(ends, q.b)
		i = q.b
		sep := false
		for n := 0; n < 2; n++ {
			if w := m.s.word(i); w == "," && n == 0 || w == "and" || w == "&" || w == "plus" || w == "+" {
				i, sep = i+1, true
			}
		}
		if w := m.s.word(i); (w == "or" || m.s.word(ends[len(ends)-1]) == "or") && !above[m.s.word(i+1)] {
			return nil, nil // it is not said which
		}
		if !sep {
			break
		}
	}
	return args, ends
}

// actors gives how many of the phrases before token i are the subject of a verb that begins there: none where none does, two where it
// can only go with several.
func (s *sentence) actors(i int) int {
	for adverbs[s.word(i)] || negations[s.word(i)] {
		i++
	}
	if i >= len(s.t) || s.t[i].kind != wordToken {
		return 0
	}
	g, ok := s.groupOnce(i)
	switch {
	case !ok || g.purpose || g.form == formIng || g.form == formDone && g.plain:
		return 0
	case g.bare:
		return 2
	}
	return 1
}

// shorter gives the phrase without its last words, which were cut off before token p.b.
func (s *sentence) shorter(p arg) (arg, bool) {
	if p.of != nil && p.of.b >= p.b {
		return p, false
	}
	p.name = -1
	for i := p.first; i < p.b; i++ {
		if s.t[i].kind == nameToken {
			p.name = i
		}
	}
	p.role = ""
	return s.finish(p, p.b, p.b-p.first)
}

// copulaAt reads a form of "be" alone at token i: what follows it is part of the idiom.
func (s *sentence) copulaAt(i int) (group, bool) {
	g := group{a: i, lemma: "be", copula: true}
	w := s.word(i)
	if w == "has" || w == "have" || w == "'ve" || w == "had" {
		g.perfect, g.past, i = true, w == "had", i+1
		for adverbs[s.word(i)] {
			i++
		}
		if s.word(i) != "been" {
			return g, false
		}
		w = "been"
	}
	switch w {
	case "am", "is", "are", "'s", "'re", "'m":
		g.present = true
	case "was", "were":
		g.past = true
	case "been":
	default:
		return g, false
	}
	for i++; i < len(s.t); i++ {
		switch w := s.word(i); {
		case w == "not" || w == "never":
			g.negated = true
		case w == "no" && s.word(i+1) == "longer":
			g.ended = true
			i++
		case !adverbs[w]:
			g.b = i
			return g, true
		}
	}
	return g, false
}

var (
	// tails may stand behind what is said without changing it.
	tails = set(`here there now though btw too again anyway already today nowadays currently please`)
	// selfWords are the user in the user's own words only.
	selfWords = set(`i me my mine we us our ours`)
	// above go on with a version: "Java 21 or newer".
	above = set(`newer later above higher better greater up more`)
	// particles end verbs, not phrases.
	particles = set(`back down up out off over away in on`)
	// verdicts are what is told behind a colon, and no component.
	verdicts = set(`verdict decision choice winner pick result outcome conclusion agreement option options candidate candidates alternative alternatives question note problem
issue idea todo plan next proposal tip warning info update reminder news answer summary example status`)
)

// phraseOnce is phraseAt, read once for all idioms.
func (s *sentence) phraseOnce(i int) (arg, bool) {
	if r, ok := s.phrases[i]; ok {
		return r.p, r.ok
	}
	p, ok := s.phraseAt(i)
	if s.phrases == nil {
		s.phrases = map[int]phraseRead{}
	}
	s.phrases[i] = phraseRead{p, ok}
	return p, ok
}

// groupOnce is groupAt, read once for all idioms.
func (s *sentence) groupOnce(i int) (group, bool) {
	if r, ok := s.verbs[i]; ok {
		return r.g, r.ok
	}
	g, ok := s.groupAt(i)
	if s.verbs == nil {
		s.verbs = map[int]verbRead{}
	}
	s.verbs[i] = verbRead{g, ok}
	return g, ok
}
