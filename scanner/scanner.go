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
	// Without are names of patterns that are not looked for.
	Without []string
}

// Scanner scans messages. It is safe for concurrent use.
type Scanner struct {
	patterns []pattern
	index    index
}

// New gives a scanner of the built-in patterns.
func New(o Options) *Scanner {
	s := &Scanner{}
	for _, p := range builtin() {
		if !slices.Contains(o.Without, p.name) {
			s.patterns = append(s.patterns, p)
		}
	}
	s.index = indexOf(s.patterns)
	return s
}

// Scan judges a text, whoever speaks, in time linear in its length: some hundredths of a millisecond for most messages, about
// one for a paragraph about users and assistants, some tens for 256 KiB. From which score a message is held back is the caller's to say. Invisible characters, look-alike letters, spaced,
// swapped and misspelled words and Base64 are read as what they stand for.
func (s *Scanner) Scan(text string) Verdict {
	f := fold(text)
	hits := hits{}
	s.read(f.text, hits)
	for _, view := range f.views() {
		before := len(hits)
		s.read(view.text, hits)
		hits.note(view.family, view.name, view.weight, len(hits) > before)
	}
	for _, inner := range decoded(text) {
		before := len(hits)
		s.read(fold(inner).text, hits)
		hits.note("disguise", "encoded", 1, len(hits) > before)
	}
	f.signs(hits)
	return hits.verdict()
}

// read adds what the patterns find in one view of the text.
func (s *Scanner) read(text string, h hits) {
	talk := sync.OnceValue(func() bool { return talksAbout(text) })
	for i, windows := range s.index.windows(text) {
		p := &s.patterns[i]
		for _, w := range windows {
			if !p.near(text[w.start:w.stop]) {
				continue
			}
			at := p.re().FindStringIndex(text[w.start:w.stop])
			if at == nil {
				continue
			}
			weight := p.weight
			if after := text[w.start+at[1] : bound(text, w.start+at[1]+reach)]; p.unless != nil && p.unless().MatchString(after) {
				weight /= 2
			}
			if talk() && quoted(text, w.start+at[0]) {
				weight *= quotedFactor
			}
			h.add(p.family, p.name, weight)
			if weight >= p.weight {
				break
			}
		}
	}
}

// near says whether a part of the text has what a pattern needs beside its trigger.
func (p *pattern) near(part string) bool {
	for _, group := range p.beside {
		if !slices.ContainsFunc(group, func(s string) bool { return strings.Contains(part, s) }) {
			return false
		}
	}
	return true
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
