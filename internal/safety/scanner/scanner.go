// Package scanner detects prompt injection and memory poisoning in a message. It recognises the usual wording of such
// texts, so an attack worded like an ordinary request passes. Its verdict is a signal, not a security border: the
// memory is protected by the origin of each text and by the way it is rendered (docs/decisions.md, "Trust" and
// "Rendered memory is data"). The scanner keeps obvious attacks out of extraction ("Scan before extraction").
package scanner

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Verdict is the result of a scan.
type Verdict struct {
	// Score is 0 for an ordinary message. It is the higher of the rules' score, to which each family of attacks found
	// usually adds up to 3, and the model's score. The model scores 2 where other speakers' messages should be held back,
	// 3 where the user's should, and at most 9.
	Score float64
	// Reasons names the findings, the weightiest first; nil if there are none.
	Reasons []string
}

// Options configures a scanner.
type Options struct {
	// Without names rules to skip.
	Without []string
	// RulesAlone disables the learnt model.
	RulesAlone bool
}

// Scanner scans messages. It is safe for concurrent use.
type Scanner struct {
	without    []string
	rulesAlone bool
	load       func() *knowledge
}

// knowledge is the parsed data of a scanner.
type knowledge struct {
	lexicon *lexicon
	marks   marks
	rules   []rule
	points  []rule   // rules that point at an agent or its memory; alone they are no sign of an attack
	hashes  []uint64 // of the concepts' names
	weights *Weights // nil if only the rules judge
}

// New returns a scanner with the built-in rules. It reads them on the first scan.
func New(o Options) *Scanner {
	s := &Scanner{without: slices.Clone(o.Without), rulesAlone: o.RulesAlone}
	s.load = sync.OnceValue(s.read)
	return s
}

// read parses the data. A test checks that the embedded data is valid.
func (s *Scanner) read() *knowledge {
	l, _ := builtinLexicon()
	k := &knowledge{lexicon: l, marks: marks{dest: l.concept("dest"), open: l.concept("leaky").with(l.concept("param")),
		lead: l.concept("lead").with(l.concept("hail"))}}
	for _, name := range l.names {
		k.hashes = append(k.hashes, hashString(name))
	}
	if !s.rulesAlone {
		k.weights, _ = builtinWeights()
	}
	all, _ := builtinRules()
	for _, r := range all {
		switch {
		case r.family == familyPoints:
			k.points = append(k.points, r)
		case !slices.Contains(s.without, r.name):
			k.rules = append(k.rules, r)
		}
	}
	return k
}

// Scan judges a text in time linear in its length, regardless of the speaker. The caller sets the score from which a
// message is held back. Scan also reads the text behind invisible characters, look-alike letters, spelled-out,
// misspelled, reversed and leetspeak words, ROT13, Base64, hexadecimal digits and percent-encoding.
func (s *Scanner) Scan(text string) Verdict {
	k := s.load()
	if k.weights == nil {
		return k.look(text, nil, nil).verdict()
	}
	learnt := suspicion{weights: k.weights, k: k}
	return learnt.join(k.look(text, learnt.see, &learnt).verdict())
}

// Windows calls see with each window of a text, for training. A window is valid only during the call.
func (s *Scanner) Windows(text string, see func(Window)) {
	s.load().look(text, see, nil)
}

// look judges the text and every promising view of it. A non-nil learnt scales the weights of the rules.
func (k *knowledge) look(text string, see func(Window), learnt *suspicion) hits {
	f := fold(text)
	e, _ := extractors.Get().(*extractor)
	defer extractors.Put(e)
	hits := hits{}
	k.judge(f.text, hits, e, see)
	for _, view := range f.views() {
		before := len(hits)
		k.judge(view.text, hits, e, see)
		hits.note(view.family, view.name, view.weight, len(hits) > before)
	}
	for _, inner := range decoded(text) {
		before := len(hits)
		k.judge(fold(inner).text, hits, e, see)
		hits.note("disguise", "encoded", 1, len(hits) > before)
	}
	hits.scale(learnt.believed())
	f.signs(hits)
	return hits
}

// judge adds the rules that match in one view of the text and passes its windows to see.
func (k *knowledge) judge(text string, h hits, e *extractor, see func(Window)) {
	r := k.lexicon.tokens(text, k.marks)
	size := 0
	if see != nil {
		cite(&r)
		size = countWords(text)
	}
	done := make([]bool, len(k.rules))
	talk := sync.OnceValue(func() bool { return talksAbout(text) })
	var fired []int16
	pointed := false // a rule of at least pointingWeight outside the tame families matched in this sentence or before
	for n, s := range r.sentences {
		part := s // with the sentence before: the target and the order are often in separate sentences
		if n > 0 {
			part.from, part.has = r.sentences[n-1].from, part.has.with(r.sentences[n-1].has)
		}
		fired = fired[:0]
		for i := range k.rules {
			rule := &k.rules[i]
			if done[i] {
				continue
			}
			if !part.has.meets(rule.needs) {
				continue
			}
			at, ok := rule.find(r.tokens[part.from:part.to], part.has)
			if !ok {
				continue
			}
			weight := rule.weight
			if talk() && quoted(text, r.tokens[part.from+at].start) {
				weight *= quotedFactor
			}
			h.add(rule.family, rule.name, weight)
			done[i] = weight == rule.weight
			if done[i] {
				fired = append(fired, int16(i))
				pointed = pointed || weight >= pointingWeight && !tame[rule.family]
			}
		}
		if see != nil {
			see(Window{Features: e.window(k, &r, n, fired), Words: size, points: func() bool {
				return pointed || slices.ContainsFunc(k.points, func(p rule) bool {
					_, ok := p.find(r.tokens[part.from:part.to], part.has)
					return ok
				})
			}})
		}
	}
}

// hits are the weights found, by family and name.
type hits map[string]map[string]float64

func (h hits) add(family, name string, weight float64) {
	if h[family] == nil {
		h[family] = map[string]float64{}
	}
	h[family][name] = max(h[family][name], weight)
}

// scale multiplies all weights.
func (h hits) scale(by float64) {
	for _, family := range h {
		for name := range family {
			family[name] *= by
		}
	}
}

// note adds a sign that counts only together with other findings.
func (h hits) note(family, name string, weight float64, beside bool) {
	if beside && weight > 0 {
		h.add(family, name, weight)
	}
}

// Speaking to an agent adds at most this much, because the user does it all day.
const (
	familyAddress = "address"
	mostAddress   = 2
)

// verdict adds up the families: the best finding of each, and a quarter of the sum of its others.
func (h hits) verdict() Verdict {
	type named struct {
		name   string
		weight float64
	}
	var all []named
	var v Verdict
	for _, family := range slices.Sorted(maps.Keys(h)) {
		best, sum := 0.0, 0.0
		for _, name := range slices.Sorted(maps.Keys(h[family])) {
			weight := h[family][name]
			all = append(all, named{name, weight})
			best, sum = max(best, weight), sum+weight
		}
		score := best + (sum-best)/4
		if family == familyAddress {
			score = min(score, mostAddress)
		}
		v.Score += score
	}
	slices.SortFunc(all, func(a, b named) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.name, b.name))
	})
	for _, n := range all {
		v.Reasons = append(v.Reasons, n.name)
	}
	return v
}
