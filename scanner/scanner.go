// Package scanner looks for prompt injection and memory poisoning in a message (Z14, decision 34). It is a signal: it
// knows how such texts are usually put, and an attack that is worded like an ordinary request goes by. What keeps memory
// safe is where a text came from and how it is rendered (decisions 29 and 35); the scanner keeps the obvious from being
// read for facts at all.
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
	// Score is 0 for an ordinary message; each family of attacks that was recognised adds .5 to 3.
	Score float64
	// Reasons are the names of what was recognised, the weightiest first; nil for nothing.
	Reasons []string
}

// Options chooses what a scanner looks for.
type Options struct {
	// Without are names of rules that are not looked for.
	Without []string
}

// Scanner scans messages. It is safe for concurrent use.
type Scanner struct {
	without []string
	load    func() knowledge
}

// knowledge is what a scanner has read from its data.
type knowledge struct {
	lexicon *lexicon
	marks   marks
	rules   []rule
}

// New gives a scanner of the built-in rules. They are read when the first text comes.
func New(o Options) *Scanner {
	s := &Scanner{without: slices.Clone(o.Without)}
	s.load = sync.OnceValue(s.read)
	return s
}

// read takes the data in. That it can be read is what a test is for.
func (s *Scanner) read() knowledge {
	l, _ := builtinLexicon()
	k := knowledge{lexicon: l, marks: marks{dest: l.concept("dest"), open: l.concept("leaky").with(l.concept("param")), lead: l.concept("lead").with(l.concept("hail"))}}
	all, _ := builtinRules()
	for _, r := range all {
		if !slices.Contains(s.without, r.name) {
			k.rules = append(k.rules, r)
		}
	}
	return k
}

// Scan judges a text, whoever speaks, in time linear in its length. From which score a message is held back is the caller's
// to say. Invisible characters, look-alike letters, spaced, swapped and misspelled words and Base64 are read as what they stand for.
func (s *Scanner) Scan(text string) Verdict {
	k := s.load()
	f := fold(text)
	hits := hits{}
	k.judge(f.text, hits)
	for _, view := range f.views() {
		before := len(hits)
		k.judge(view.text, hits)
		hits.note(view.family, view.name, view.weight, len(hits) > before)
	}
	for _, inner := range decoded(text) {
		before := len(hits)
		k.judge(fold(inner).text, hits)
		hits.note("disguise", "encoded", 1, len(hits) > before)
	}
	f.signs(hits)
	return hits.verdict()
}

// judge adds what the rules find in one view of the text.
func (k *knowledge) judge(text string, h hits) {
	r := k.lexicon.tokens(text, k.marks)
	done := make([]bool, len(k.rules))
	talk := sync.OnceValue(func() bool { return talksAbout(text) })
	for n, s := range r.sentences {
		part := s // and the sentence before: what is said of somebody and what is wanted often stand apart
		if n > 0 {
			part.from, part.has = r.sentences[n-1].from, part.has.with(r.sentences[n-1].has)
		}
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

// note adds a sign that means something beside others only.
func (h hits) note(family, name string, weight float64, beside bool) {
	if beside && weight > 0 {
		h.add(family, name, weight)
	}
}

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
		v.Score += best + (sum-best)/4
	}
	slices.SortFunc(all, func(a, b named) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.name, b.name))
	})
	for _, n := range all {
		v.Reasons = append(v.Reasons, n.name)
	}
	return v
}
