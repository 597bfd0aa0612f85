package main

import (
	"math"
	"math/rand/v2"

	"memory-graph/internal/safety/scanner"
)

// window is the features of a scanner.Window.
type window struct {
	bucket []uint32
	value  []float32
	points bool // at an agent or its memory
}

// example is a labelled text with its features.
type example struct {
	*text
	windows []window
	words   map[uint32]bool // buckets of literal words among the features
	size    int             // words of the longest view of the text
	rules   float64         // the score of the rules
}

// model is a logistic model over the features.
type model struct {
	bias    float32
	weights []float32
}

func (m *model) logit(w *window) float32 {
	sum := m.bias
	for i, b := range w.bucket {
		sum += m.weights[b] * w.value[i]
	}
	return sum
}

// best returns the index and the logit of the window that looks most like an attack; -1 if there are none.
func (m *model) best(e *example) (int, float32) {
	at, most := -1, float32(math.Inf(-1))
	for i := range e.windows {
		if l := m.logit(&e.windows[i]); l > most {
			at, most = i, l
		}
	}
	return at, most
}

// see extracts the features of a text.
func see(s *scanner.Scanner, t *text) example {
	e := example{text: t, words: map[uint32]bool{}}
	s.Windows(t.content, func(seen scanner.Window) {
		w := window{make([]uint32, len(seen.Features)), make([]float32, len(seen.Features)), seen.Points()}
		e.size = max(e.size, seen.Words)
		for i, f := range seen.Features {
			w.bucket[i], w.value[i] = f.Bucket, f.Value
			if f.Word {
				e.words[f.Bucket] = true
			}
		}
		e.windows = append(e.windows, w)
	})
	e.rules = s.Scan(t.content).Score
	return e
}

// options of a training run.
type options struct {
	rounds, epochs int
	rate, l2       float64
	attack, hard   float64 // weights of attacks, and of ordinary texts that look like attacks
	talk           float64 // weight of ordinary talk
	minTexts       int     // minimal number of texts that have a feature
	minOrdinary    int     // minimal number of ordinary texts that have a word
	seed           uint64
}

// fit trains the model by multiple-instance learning (Andrews, Tsochantaridis and Hofmann, "Support Vector Machines for
// Multiple-Instance Learning", 2002). Labels belong to whole texts. Every window of an ordinary text counts as
// ordinary. The first round takes all windows of an attack as attacks, later rounds only the most suspicious one.
func fit(examples []*example, o options) *model {
	m := &model{weights: make([]float32, scanner.Buckets), bias: -3}
	usable := usable(examples, o)
	sum := make([]float32, scanner.Buckets) // squared gradients, for AdaGrad
	for i := range sum {
		sum[i] = 1e-4
	}
	biasSum := float32(1)
	type item struct {
		w      *window
		attack bool
		weight float32
	}
	for round := range o.rounds {
		var items []item
		for _, e := range examples {
			switch {
			case e.attack && round == 0:
				for i := range e.windows {
					items = append(items, item{&e.windows[i], true, float32(o.attack) / float32(len(e.windows))})
				}
			case e.attack:
				if i, _ := m.best(e); i >= 0 {
					items = append(items, item{&e.windows[i], true, float32(o.attack)})
				}
			default:
				weight := float32(1)
				if e.talk {
					weight = float32(o.talk)
				}
				if e.hard {
					weight = float32(o.hard)
				}
				for i := range e.windows {
					if round > 0 && m.logit(&e.windows[i]) < -9 {
						continue
					}
					items = append(items, item{&e.windows[i], false, weight})
				}
			}
		}
		r := rand.New(rand.NewPCG(o.seed, uint64(round)))
		decay := float32(o.l2)
		for range o.epochs {
			r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
			for _, it := range items {
				p := float32(1 / (1 + math.Exp(-float64(m.logit(it.w)))))
				g := p
				if it.attack {
					g = p - 1
				}
				g *= it.weight
				if g < 1e-4 && g > -1e-4 {
					continue
				}
				biasSum += g * g
				m.bias -= float32(o.rate) * g / float32(math.Sqrt(float64(biasSum)))
				for i, b := range it.w.bucket {
					if !usable[b] {
						continue
					}
					d := g*it.w.value[i] + decay*m.weights[b]
					sum[b] += d * d
					m.weights[b] -= float32(o.rate) * d / float32(math.Sqrt(float64(sum[b])))
				}
			}
		}
	}
	return m
}

// usable returns which features are common enough to learn from. A word that ordinary texts lack is only a habit of the
// attacks' writer, or a word of another language.
func usable(examples []*example, o options) []bool {
	texts, ordinary := make([]int, scanner.Buckets), make([]int, scanner.Buckets)
	word := make([]bool, scanner.Buckets)
	for _, e := range examples {
		seen := map[uint32]bool{}
		for _, w := range e.windows {
			for _, b := range w.bucket {
				if !seen[b] {
					seen[b] = true
					texts[b]++
					if !e.attack {
						ordinary[b]++
					}
				}
			}
		}
		for b := range e.words {
			word[b] = true
		}
	}
	out := make([]bool, scanner.Buckets)
	for b := range out {
		out[b] = texts[b] >= o.minTexts && (!word[b] || ordinary[b] >= o.minOrdinary)
	}
	return out
}
