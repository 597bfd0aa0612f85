package rules

import (
	"strings"

	"memory-graph/internal/memory"
)

// An idiom is a way of saying a relation that no verb of the table has by itself: "Ana runs point on Lantern", "my Notion
// days are over", "Owner of the billing service: Ana". It is written as the words that it is made of:
//
//	work|works     one of these words
//	for?           it may be missing
//	~use           the verb in the present or as it goes on: "uses", "has been using"; "no longer uses" ends what it states
//	~grab^         what has happened: "grabbed", "has grabbed"
//	~be*           in any tense
//	~use+          the passive: "is used"
//	~run-          denied: "can't run", "doesn't run"
//	p:anyone       a phrase or a list of phrases that fits the slot; p is what the relation calls it
//	p:anyone's     whom the next words belong to
//	#time|days     a phrase without a name, by its noun; my#time with "my", "our", "the user's" before it
//	$              the end of what is said
//
// Adverbs and times may stand between any two. A leading ^ lets it stand at the head of a sentence only, a leading @ in notes
// only. Behind -> stands what it states, "self" for the user.
type idiom struct {
	line   string // as it is written
	head   bool   // at the head of a sentence only
	notes  bool   // in what somebody writes about the user only
	back   bool   // it tells itself what came back, or for whom
	late   bool   // it is of what the verbs of the sentence say first
	parts  []part
	states []stated
}

// part is one element of an idiom.
type part struct {
	kind     partKind
	words    map[string]bool // words, lemmas or nouns
	optional bool
	slot     slot
	tech     bool // a name of software that the lists have
	named    bool // a phrase with a name
	trouble  bool // a phrase that is of an incident
	brand    bool // a name that is neither a person's nor a place's
	ware     bool // a brand with what it makes, in the plural
	somebody bool // a person who is known to be one
	drug     bool // a medicine
	area     bool // what a part of a system is called by what it does
	it       bool // "it", and that is what somebody is said to work on
	built    bool // a project that is called one
	town     bool // a place that the lists have
	whole    bool // a phrase with what stands behind its prepositions
	work     bool // of a project, what people hand to each other as work: by its name, else by what is made and run
	label    byte // what the states call the slot
	mine     bool // of a noun: behind "my"
	tense    byte // of a verb: 0, '^', '*', '+', '-'
}

type partKind uint8

const (
	partWord partKind = iota
	partVerb
	partSlot
	partOwner
	partNoun
	partEnd
)

// stated is one relation of an idiom.
type stated struct {
	head, tail byte // labels, 0 for the user
	relation   string
	ended      bool
	suffix     string // behind the head's name: what came of it is its failure
}

// slotNames are the slots as idioms call them.
var slotNames = map[string]slot{"anyone": anyone, "user": user, "component": component, "employer": employer, "place": place, "town": place, "software": software, "tech": software,
	"needed": needed, "method": method, "project": project, "task": task, "thing": thing, "artefact": artefact, "named": artefact, "trouble": thing, "whole": thing, "work": project, "it": project, "brand": software, "ware": software, "drug": software, "somebody": anyone, "built": project, "area": component}

// parseIdiom adds an idiom and gives the words of which a sentence has one where it can hold the idiom.
func parseIdiom(line string, all *[]idiom) map[string]bool {
	d := idiom{line: line}
	said, states, _ := strings.Cut(line, " -> ")
	for {
		rest, ok := strings.CutPrefix(said, "^")
		if d.head = d.head || ok; ok {
			said = rest
			continue
		}
		if rest, ok = strings.CutPrefix(said, "@"); !ok {
			break
		}
		d.notes, said = true, rest
	}
	var anchor map[string]bool
	best := 0
	for w := range strings.FieldsSeq(said) {
		p := parsePart(w)
		d.late = d.late || p.it
		d.back = d.back || p.kind == partWord && (p.words["back"] || p.words["me"])
		d.parts = append(d.parts, p)
		if rank := anchorRank(p); rank > best || rank > 0 && rank == best && len(p.words) < len(anchor) {
			anchor, best = p.words, rank
		}
	}
	for s := range strings.SplitSeq(states, ";") {
		f := strings.Fields(s)
		st := stated{}
		if f[0] == "not" {
			st.ended, f = true, f[1:]
		}
		head, suffix, _ := strings.Cut(f[0], "+")
		st.head, st.suffix, st.relation, st.tail = label(head), suffix, f[1], label(f[2])
		if suffix != "" {
			st.suffix = " " + suffix
		}
		d.states = append(d.states, st)
	}
	*all = append(*all, d)
	return anchor
}

// anchorRank says how well a part tells that its idiom may be there.
func anchorRank(p part) int {
	switch {
	case p.optional || p.words["$"] || p.kind == partSlot || p.kind == partOwner || p.kind == partEnd:
		return 0
	case p.words["be"] || p.words["have"] || p.words["for"] || p.words["in"] || p.words["of"] || p.words["to"] || p.words["at"] || p.words["a"] || p.words["on"]:
		return 1
	}
	return 2
}

func label(s string) byte {
	if s == "self" {
		return 0
	}
	return s[0]
}

func parsePart(w string) part {
	p := part{}
	if rest, ok := strings.CutSuffix(w, "?"); ok && rest != "" {
		p.optional, w = true, rest
	}
	switch {
	case w == "$":
		p.kind = partEnd
		return p
	case w[0] == '~':
		p.kind, w = partVerb, w[1:]
		if last := w[len(w)-1]; strings.IndexByte("^*+-", last) >= 0 {
			p.tense, w = last, w[:len(w)-1]
		}
	case len(w) > 2 && w[1] == ':':
		p.kind, p.label, w = partSlot, w[0], w[2:]
		if rest, ok := strings.CutSuffix(w, "'s"); ok {
			p.kind, w = partOwner, rest
		}
		p.slot, p.tech, p.named, p.trouble = slotNames[w], w == "tech", w == "named", w == "trouble"
		p.whole, p.town, p.work = w == "whole", w == "town", w == "work"
		p.somebody, p.it = w == "somebody", w == "it"
		p.area = w == "area"
		p.brand, p.ware, p.drug, p.built = w == "brand" || w == "ware", w == "ware", w == "drug", w == "built"
		return p
	case strings.HasPrefix(w, "my#"):
		p.kind, p.mine, w = partNoun, true, w[3:]
	case len(w) > 1 && w[0] == '#':
		p.kind, w = partNoun, w[1:]
	}
	p.words = map[string]bool{}
	for x := range strings.SplitSeq(w, "|") {
		p.words[x] = true
	}
	return p
}

// idioms states what the idioms of a sentence say, the late ones or the others, and gives the tokens that they have spoken for.
func (r *reader) idioms(s *sentence, chunks []chunk, clauses []clause, late bool) (spoken [][2]int) {
	known := idiomsRead()
	candidates := known.candidates(s)
	if len(candidates) == 0 {
		return nil
	}
	starts := s.beginnings(chunks)
	for n, at := range starts {
		if n >= maxBeginnings || len(spoken) > 0 && at < spoken[len(spoken)-1][1] {
			continue
		}
		before := s.subjectsOf(at, clauses)
		for _, i := range candidates {
			d := &known.idioms[i]
			if d.head && n > 0 && !s.announced(at) || d.notes && s.user || d.late != late {
				continue
			}
			r.steps++
			m := match{r: r, s: s, chunks: chunks, from: at, verb: -1, last: at}
			stop, ok := m.parts(d.parts, at)
			if !ok && len(before) > 0 && d.parts[0].kind == partSlot {
				stop, ok = m.slot(&d.parts[0], before, at, func(next int) (int, bool) { return m.parts(d.parts[1:], next) })
			}
			if ok && r.states(&m, d, stop) {
				spoken = append(spoken, [2]int{at, stop})
				break
			}
		}
	}
	return spoken
}

// subjectsOf gives whom or what a verb at token i is said of that "and" joins to the one before: "lives in Ipoh and drives a Perodua".
func (s *sentence) subjectsOf(i int, clauses []clause) []arg {
	j := i - 1
	for adverbs[s.word(j)] {
		j--
	}
	if j < 0 || !conjunctions[s.word(j)] && s.word(j) != "," || s.kind(i) != wordToken || verbForms[s.word(i)].forms == formIng {
		return nil
	}
	for n := len(clauses) - 1; n >= 0; n-- {
		if c := &clauses[n]; c.c[c.verb].b <= j {
			if s.phraseBetween(i, c) {
				return nil
			}
			return c.subjects
		}
	}
	return nil
}

// phraseBetween says whether another verb, or the subject of one, stands between the clause's verb and token i.
func (s *sentence) phraseBetween(i int, c *clause) bool {
	for k := c.verb + 1; k < len(c.c) && c.c[k].a < i; k++ {
		if x := c.c[k]; x.kind == verbChunk && !x.g.purpose || x.kind == breakChunk {
			return true
		}
	}
	return false
}

// announced says whether nothing but a short announcement stands before token i: "For context:".
func (s *sentence) announced(i int) bool {
	return i > 1 && i < 6 && (s.word(i-1) == ":" || s.word(i-1) == "—")
}

// maxBeginnings is how many places of a sentence are looked at for idioms.
const maxBeginnings = 24

// beginnings gives the tokens that a statement can begin with: the head of the sentence, what stands behind a sign or a
// conjunction, and what stands behind "in spring" and "at home" at such a place.
func (s *sentence) beginnings(chunks []chunk) []int {
	var out []int
	open, governed := true, false
	for _, x := range chunks {
		if x.kind == wordChunk && len(out) == 0 && (openers[x.w] && x.w != "no" || x.w == "\"" || x.w == "*") || x.kind == breakChunk && len(out) == 0 {
			continue
		}
		if open && !governed && x.kind != commaChunk && x.kind != breakChunk {
			out = append(out, x.a)
		}
		switch {
		case x.kind == commaChunk || x.kind == breakChunk:
			open, governed = true, false
		case x.kind == timeChunk, x.kind == wordChunk && adverbs[x.w]:
		case x.kind == wordChunk && (conjunctions[x.w] && x.w != "or" && x.w != "nor" || x.w == "because" || x.w == "since" || x.w == "that"):
			open, governed = true, false
		case x.kind == wordChunk && openers[x.w]:
		case open && x.kind == wordChunk && prepositions[x.w]:
			governed = true
		case governed && x.kind == phraseChunk:
			governed = false
		default:
			open = false
		}
	}
	return out
}

// states emits what an idiom says of what stands in its slots; false where a guard stops it.
func (r *reader) states(m *match, d *idiom, stop int) bool {
	s := m.s
	hedged, ok := s.stated(m.from, stop)
	if !ok {
		return false
	}
	if d.head && m.verb < 0 && verbForms[s.word(m.from)].forms == formIng { // "Using Redis would help" is no report
		for k := stop; k < len(s.t) && s.t[k].kind != signToken; k++ { // "using Redis for caching helps"
			if before := s.word(k - 1); verbForms[s.word(k)].forms&formS != 0 && s.kind(k) == wordToken && k > stop && !prepositions[before] && !articles[before] && !possessives[before] && before != "my" && before != "our" {
				return false
			}
		}
		for _, x := range m.chunks {
			if x.a >= stop && (x.kind == commaChunk || x.kind == breakChunk) {
				break
			}
			if x.a >= stop && x.kind == verbChunk && !x.g.purpose {
				return false
			}
		}
	}
	if m.verb >= 0 {
		k := (&clause{s: s, c: m.chunks}).chunkFrom(m.verb)
		if k < len(m.chunks) && m.chunks[k].kind == verbChunk {
			defer func(before *clause) { r.verb = before }(r.verb)
			r.verb = &clause{s: s, c: m.chunks, verb: k, from: m.from, hedged: hedged}
		}
	}
	news := false // what ends something, or puts something in its place, tells of a change
	for _, st := range d.states {
		news = news || st.ended
	}
	for _, st := range d.states {
		for _, h := range m.of(st.head) {
			for _, t := range m.of(st.tail) {
				if st.relation == "part_of" && (t.typ == "file" || t.typ == "config" || t.typ == "location") {
					continue // where it lies is not what it is part of
				}
				if st.relation == "part_of" && r.rules.lists().of(t.text)&^sortWord == sortPlace && r.verb != nil && dwelling[r.verb.group().lemma] {
					return false // "Skylark lives in Berlin" is not of two projects
				}
				if st.relation == "part_of" && r.verb != nil && dwelling[r.verb.group().lemma] && r.dwells(s, h, t) {
					return false
				}
				h.text += st.suffix
				if st.suffix != "" {
					h.typ = ""
				}
				if st.relation == "replaced_by" {
					h.typ, t.typ = r.successors(h, t)
				}
				r.emit(s, fact{head: h, tail: t, relation: st.relation, ended: st.ended || m.ended, news: news || m.ended, hedged: hedged, conf: fair, a: m.from, b: stop, read: d.back})
				if h.typ == "project" {
					r.talk.topic(h.text, h.typ, m.from)
				}
			}
		}
	}
	if st := d.states[0]; len(d.states) == 1 && !st.ended && !m.ended {
		c := r.verb
		if c == nil {
			c = &clause{s: s, c: m.chunks, from: m.from, hedged: hedged}
		}
		r.ousted(c, st.relation, m.of(st.head), m.of(st.tail), c.chunkFrom(stop))
	}
	return true
}

// dwells says whether one name that no list has is said to live in another: a person in a town.
func (r *reader) dwells(s *sentence, h, t endpoint) bool {
	bare := func(e endpoint) bool {
		n := name{text: e.text, sort: r.rules.lists().of(e.text)}
		return hasUpper(e.text[:1]) && s.mayBePerson(&n) && r.types[memory.Canonical(e.text)] == ""
	}
	return bare(h) && bare(t) && !r.worldly()
}

// dwelling verbs are said of people in towns as of modules in packages.
var dwelling = set(`live reside sit`)

// stated says whether what stands from token i to token j is said here and now, and whether it is hedged.
func (s *sentence) stated(i, j int) (hedged, ok bool) {
	c := clause{s: s, from: i}
	for k := range i {
		if s.t[k].kind == wordToken && (c.doubtful(k) || blocking[s.t[k].lower] && k == i-1) {
			return false, false
		}
	}
	if !c.holdsBehind(j) {
		return false, false
	}
	return c.opines(j), true
}
