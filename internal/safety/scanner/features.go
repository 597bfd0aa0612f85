package scanner

import (
	"math"
	mathbits "math/bits"
	"slices"
	"sync"
)

// The learnt model reads a text as windows of two consecutive sentences, and a window as features: its concepts, the
// concepts in orders, pairs of concepts in one sentence, across the two sentences and in sequence, the rules that
// match, words and pairs of words, and shape (marks, length, position). Each feature is hashed to a bucket of a table
// of weights, so the model stores none of the words it learnt from. All addresses are one word, and so are all numbers.

// Each feature belongs to one of these groups. The value of a feature is 1 / √(number of features of its group), so a
// long window weighs no more than a short one.
const (
	groupConcept uint8 = iota
	groupOrder
	groupPair
	groupCross
	groupSequence
	groupRule
	groupWord
	groupWords
	groupShape
	groups
)

// Buckets is the number of entries in the table of weights.
const Buckets = 1 << bucketBits

const bucketBits = 16

// Feature is one property of a window.
type Feature struct {
	// Bucket is its index in the table of weights, in [0, Buckets).
	Bucket uint32
	// Value is the factor of the bucket's weight, in (0, 1].
	Value float32
	// Word marks a feature of literal words, as opposed to concepts.
	Word bool

	group uint8
	a, b  int16 // the concepts of the feature; a is the rule in groupRule; -1 for none
}

// sequenceReach is the maximal number of tokens between two concepts of a sequence.
const sequenceReach = 3

// extractor makes features. It is not safe for concurrent use.
type extractor struct {
	seen  []uint32 // per bucket, the stamp of the window that last had it
	stamp uint32
	out   []Feature
	count [groups]int
	words []uint64
	list  [2][]int16
}

// extractors reuses extractors: their table is larger than most texts.
var extractors = sync.Pool{New: func() any { return &extractor{seen: make([]uint32, Buckets)} }}

// window returns the features of sentence n and of the sentence before it. They are valid until the next call.
func (e *extractor) window(k *knowledge, r *reading, n int, fired []int16) []Feature {
	e.out, e.count = e.out[:0], [groups]int{}
	if e.stamp++; e.stamp == 0 {
		clear(e.seen)
		e.stamp = 1
	}
	e.list[0] = e.list[0][:0]
	if n > 0 {
		e.sentence(k, r, r.sentences[n-1], 0)
	}
	e.sentence(k, r, r.sentences[n], 1)
	for _, a := range e.list[0] {
		for _, b := range e.list[1] {
			e.put(groupCross, k.hashes[a], k.hashes[b], a, b)
		}
	}
	for _, rule := range fired {
		e.put(groupRule, hashString(k.rules[rule].name), 0, rule, -1)
	}
	e.shape(r, n)
	var scale [groups]float32
	for g, n := range e.count {
		scale[g] = float32(1 / math.Sqrt(float64(max(n, 1))))
	}
	for i := range e.out {
		e.out[i].Value = scale[e.out[i].group]
	}
	return e.out
}

// sentence adds the features of one sentence and stores its concepts in e.list[which].
func (e *extractor) sentence(k *knowledge, r *reading, s sentence, which int) {
	list := e.list[which][:0]
	s.has = concepts{}
	for _, t := range r.tokens[s.from:s.to] {
		if t.flags&cited == 0 {
			s.has = s.has.with(t.has)
		}
	}
	for i := range int16(len(k.hashes)) {
		if s.has[i/64]>>(i%64)&1 == 1 {
			list = append(list, i)
		}
	}
	e.list[which] = list
	for i, a := range list {
		e.put(groupConcept, k.hashes[a], 0, a, -1)
		for _, b := range list[i+1:] {
			e.put(groupPair, k.hashes[a], k.hashes[b], a, b)
		}
	}
	e.words = e.words[:0]
	for i := s.from; i < s.to; i++ {
		t := &r.tokens[i]
		if t.flags&cited != 0 {
			continue
		}
		if !t.has.empty() {
			each(t.has, func(a int16) {
				if t.flags&order != 0 {
					e.put(groupOrder, k.hashes[a], 0, a, -1)
				}
				for j := i + 1; j < s.to && j <= i+1+sequenceReach; j++ {
					if r.tokens[j].flags&cited != 0 {
						continue
					}
					each(r.tokens[j].has, func(b int16) { e.put(groupSequence, k.hashes[a], k.hashes[b], a, b) })
				}
			})
		}
		if t.flags&mark == 0 {
			e.spell(k, r.text, t)
		}
	}
	for i, w := range e.words {
		e.put(groupWord, w, 0, -1, -1)
		if i > 0 {
			e.put(groupWords, e.words[i-1], w, -1, -1)
		}
	}
}

// spell adds the words of a token. An address becomes one word, and so does any word with a digit.
func (e *extractor) spell(k *knowledge, text string, t *token) {
	if t.has.meets(k.marks.dest) && slices.ContainsFunc([]byte(text[t.start:t.stop]),
		func(c byte) bool { return c == '.' || c == '@' }) {
		e.words = append(e.words, hashAddress)
		return
	}
	for i := t.start; i < t.stop; {
		stop := wordEnd(text, i)
		if stop == i {
			i++
			continue
		}
		w := hashString(text[i:stop])
		for _, c := range []byte(text[i:stop]) {
			if '0' <= c && c <= '9' {
				w = hashNumber
				break
			}
		}
		e.words = append(e.words, w)
		i = stop
	}
}

// each calls f for every concept of a set.
func each(c concepts, f func(int16)) {
	for half, bits := range c {
		for ; bits != 0; bits &= bits - 1 {
			f(int16(64*half + mathbits.TrailingZeros64(bits)))
		}
	}
}

// shape adds the marks of sentence n, whether it is the first or the last one, and its length.
func (e *extractor) shape(r *reading, n int) {
	s := r.sentences[n]
	from, to := r.tokens[s.from].start, len(r.text)
	if s.from > 0 {
		from = r.tokens[s.from-1].stop
	}
	if s.to < len(r.tokens) {
		to = r.tokens[s.to].start
	}
	for _, c := range []byte(r.text[from:to]) {
		if c > ' ' && c < 0x80 && !wordByte(c) || c == '\n' {
			e.put(groupShape, uint64(c), 1, -1, -1)
		}
	}
	if n == 0 {
		e.put(groupShape, 0, 2, -1, -1)
	}
	if n == len(r.sentences)-1 {
		e.put(groupShape, 0, 3, -1, -1)
	}
	e.put(groupShape, uint64(min(s.to-s.from, 39)/8), 4, -1, -1)
}

// put adds a feature unless the window already has it.
func (e *extractor) put(group uint8, x, y uint64, a, b int16) {
	h := (x*0x9E3779B97F4A7C15 ^ (y+uint64(group)*0x2545F4914F6CDD1D)*0xD6E8FEB86659FD93)
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	bucket := uint32(h >> (64 - bucketBits))
	if e.seen[bucket] == e.stamp {
		return
	}
	e.seen[bucket] = e.stamp
	e.count[group]++
	e.out = append(e.out, Feature{Bucket: bucket, Word: group == groupWord || group == groupWords, group: group, a: a,
		b: b})
}

var hashAddress, hashNumber = hashString("\x00address"), hashString("\x00number")

// hashString is FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
func hashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
