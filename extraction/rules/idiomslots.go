package rules

// slot tries the phrases in a slot.
func (m *match) slot(p *part, args []arg, next int, rest func(int) (int, bool)) (int, bool) {
	var ends []endpoint
	for _, q := range args {
		n := m.s.nameOf(q)
		if p.slot == component && (kinships[q.head].states == "uses" && q.kind == argNoun || verdicts[q.head] && q.kind == argNoun) || p.slot == project && n != nil && (ticket(n.text) || n.sort&sortTechnical != 0 && !projectNouns[q.head]) {
			return 0, false
		}
		if p.slot == thing && q.kind == argNoun && (unexplained[q.head] || q.det == "this") {
			return 0, false
		}
		if p.work && n == nil && q.kind == argNoun && q.det == "" && q.b-q.first == 1 && m.s.unheardOf(q.head) { // "handed bellows over to Tom"
			t := m.s.t[q.first]
			ends = append(ends, endpoint{text: m.s.text[t.start:t.stop], typ: "project", stop: t.stop})
			continue
		}
		if p.work && q.kind != argPronoun && (q.det == "a" || n == nil && !projectNouns[q.head] && (q.b-q.first < 2 || belongings[q.head]) || n != nil && (n.typ == "person" || n.sort&(sortPerson|sortPlace) != 0) && !projectNouns[q.head]) {
			return 0, false
		}
		if p.somebody && n != nil && n.typ != "person" && n.sort&sortPerson == 0 && q.role == "" || p.somebody && q.kind == argNoun {
			return 0, false
		}
		if p.it { // what somebody was just said to work on
			last, ok := m.r.before(m.s)
			if !ok || q.pronoun != "it" || last.relation != "works_on" {
				return 0, false
			}
			last.tail.stop = m.s.stopOf(q)
			ends = append(ends, last.tail)
			continue
		}
		if p.area && (q.kind != argNoun || q.det != "" || !areas[q.head] || q.b-q.first > 1) {
			return 0, false
		}
		if p.drug && (n != nil || !drug(q.head)) || p.built && !oneOf(q.head, "project team app service library repo") {
			return 0, false
		}
		if p.brand && (n == nil || !q.called && n.sort&^sortWord&(sortPerson|sortPlace) != 0 || n.typ == "person" || n.typ == "location" || n.shape || timeOf(n.text) || n.sort&sortTechnical == 0 && everyday(n.text) || departments[firstWord(n.text)] || tongue(n.text) || q.b-1 > q.name && !m.s.made(q) || p.ware && !pluralNoun(lastWord(n.text)) && !m.s.made(q)) {
			return 0, false
		}
		if p.town && (n == nil || n.sort&sortPlace == 0) {
			return 0, false
		}
		if p.named && n != nil && (departments[firstWord(n.text)] || n.unsure && q.a == m.from || n.sort&(sortTechnical|sortPlace) != 0 && q.b-q.first == 1) || p.trouble && !incidents[q.head] {
			return 0, false
		}
		if p.tech && (n == nil || n.sort&sortTechnical == 0 || n.sort&(sortPerson|sortPlace) != 0 && q.b-q.first > 1) || p.named && n == nil {
			return 0, false
		}
		e := m.r.fitAll(m.s, p.slot, []arg{q})
		if len(e) != 1 || p.slot != anyone && p.slot != user && e[0].self {
			return 0, false
		}
		ends = append(ends, e[0])
	}
	if len(ends) == 0 {
		return 0, false
	}
	before, had := m.found[p.label]
	if m.found == nil {
		m.found = map[byte][]endpoint{}
	}
	m.found[p.label] = ends
	if stop, ok := rest(next); ok {
		return stop, true
	}
	if delete(m.found, p.label); had {
		m.found[p.label] = before
	}
	return 0, false
}
