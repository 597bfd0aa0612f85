// Package scanner looks for prompt injection and memory poisoning in a message (Z14, decision 34). It is a signal: it
// knows how such texts are usually put, and an attack that is worded like an ordinary request goes by. What keeps
// memory safe is where a text came from and how it is rendered (decisions 29 and 35); the scanner keeps the obvious
// from being read for facts at all.
package scanner

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Verdict is what a scan found.
type Verdict struct {
	// Score is 0 for an ordinary message. It is the higher of what the rules find, where each family of attacks that was
	// recognised adds up to 3, and what was learnt says: 2 and 3 where others' and the user's messages are to be held
	// back, 9 at most.
	Score float64
	// Reasons are the names of what was recognised, the weightiest first; nil for nothing.
	Reasons []string
}

// Options chooses what a scanner looks for.
type Options struct {
	// Without are names of rules that are not looked for.
	Without []string
	// RulesAlone leaves out what was learnt.
	RulesAlone bool
}

// Scanner scans messages. It is safe for concurrent use.
type Scanner struct {
	without    []string
	rulesAlone bool
	load       func() *knowledge
}

// knowledge is what a scanner has read from its data.
type knowledge struct {
	lexicon *lexicon
	marks   marks
	rules   []rule
	points  []rule   // what points at an agent or at what it remembers, of itself no sign of an attack
	hashes  []uint64 // of the concepts' names
	weights *Weights // nil: the rules judge alone
}

// New gives a scanner of the built-in rules. They are read when the first text comes.
func New(o Options) *Scanner {
	s := &Scanner{without: slices.Clone(o.Without), rulesAlone: o.RulesAlone}
	s.load = sync.OnceValue(s.read)
	return s
}

// read takes the data in. That it can be read is what a test is for.
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

// Scan judges a text, whoever speaks, in time linear in its length. From which score a message is held back is the
// caller's to say. Invisible characters, look-alike letters, spaced, swapped and misspelled words and Base64 are read
// as what they stand for.
func (s *Scanner) Scan(text string) Verdict {
	k := s.load()
	if k.weights == nil {
		return k.look(text, nil, nil).verdict()
	}
	learnt := suspicion{weights: k.weights, k: k}
	return learnt.join(k.look(text, learnt.see, &learnt).verdict())
}

// Windows calls see with each window of a text, for who learns weights from them. It is valid during the call.
func (s *Scanner) Windows(text string, see func(Window)) {
	s.load().look(text, see, nil)
}

// look reads a text in all the ways that are worth a try. What was learnt, if any, weighs what the rules find.
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

// judge adds what the rules find in one view of the text, and shows its windows.
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
	pointed := false // a rule of some weight holds, here or before, that is not of what users do all day
	for n, s := range r.sentences {
		part := s // and the sentence before: what is said of somebody and what is wanted often stand apart
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

// note adds a sign that means something beside others only.
func (h hits) note(family, name string, weight float64, beside bool) {
	if beside && weight > 0 {
		h.add(family, name, weight)
	}
}

// That an agent is spoken to counts this much at most, in however many ways: the user speaks to one all day.
const (
	familyAddress = "address"
	mostAddress   = 2
)

// verdict adds the best of each family, and a quarter of what else there is of it.
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
