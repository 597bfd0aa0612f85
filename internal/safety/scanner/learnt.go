package scanner

import (
	"cmp"
	_ "embed" // the weights are data
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// Weights is what was learnt from attacks and ordinary texts (see train/): how much each feature of a window speaks for
// an attack. The most suspicious window judges a text, so that an attack in the middle of a long one counts, and a long
// one does not add up.
type Weights struct {
	// Bias is the logit of a window without features.
	Bias float32
	// Scale is what one step of Table is worth.
	Scale float32
	// Other and User are the logits from which a text is held back, by who speaks: they score as much as the rules need
	// for that by default. From Other on the rules are believed; below it what they find counts less, and at Low the
	// least.
	Other, User, Low float32
	// Table is the weights by bucket.
	Table [Buckets]int8
}

//go:generate go run -C ../../.. ./internal/safety/scanner/train

//go:embed data/weights.bin
var weightsFile string

const (
	weightsMagic = "MGS1"
	weightsHead  = len(weightsMagic) + 5*4
)

// builtinWeights reads the data once, when the first text is scanned.
var builtinWeights = sync.OnceValues(func() (*Weights, error) { return DecodeWeights([]byte(weightsFile)) })

// DecodeWeights reads what Encode wrote.
func DecodeWeights(b []byte) (*Weights, error) {
	if len(b) != weightsHead+Buckets || string(b[:len(weightsMagic)]) != weightsMagic {
		return nil, fmt.Errorf("weights of %d bytes: not of this scanner", len(b))
	}
	var w Weights
	for i, f := range []*float32{&w.Bias, &w.Scale, &w.Other, &w.User, &w.Low} {
		*f = math.Float32frombits(binary.LittleEndian.Uint32(b[len(weightsMagic)+4*i:]))
	}
	for i, c := range b[weightsHead:] {
		w.Table[i] = int8(c)
	}
	return &w, nil
}

// Encode writes the weights in little-endian order: a mark, the five numbers, the table.
func (w *Weights) Encode() []byte {
	b := []byte(weightsMagic)
	for _, f := range []float32{w.Bias, w.Scale, w.Other, w.User, w.Low} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	for _, c := range w.Table {
		b = append(b, byte(c))
	}
	return b
}

// Logit gives how much a window looks like a part of an attack: the logarithm of the odds among what was learnt from.
func (w *Weights) Logit(features []Feature) float32 {
	var sum float32
	for i := range features {
		sum += float32(w.Table[features[i].Bucket]) * features[i].Value
	}
	return w.Bias + w.Scale*sum
}

// The scores that the logits Other and User stand for, and the least that is told.
const (
	scoreOther = 2
	scoreUser  = 3
	scoreLeast = 1
	scoreMost  = 9
)

// unbelieved is what the weights of the rules are multiplied by in a text that otherwise looks like nothing.
const unbelieved = .4

// Believed is what the weights of the rules are multiplied by in a text whose most suspicious window has a logit: from
// unbelieved at Low to 1 at Other, in a straight line.
func (w *Weights) Believed(logit float32) float64 {
	share := float64(logit-w.Low) / float64(w.Other-w.Low)
	return unbelieved + (1-unbelieved)*max(0, min(1, share))
}

// What was learnt holds back no text of fewer words than ShortText by itself: so little is not enough to tell by.
const ShortText = 6

// What a window scores at most of a text that is too short, and one that does not point (see Window.Points): the user's
// turns are held back from more than that.
const (
	mostShort   = scoreOther - .1
	mostAimless = scoreUser - .1
)

// score gives what a window scores by what was learnt.
func (w *Weights) score(logit float32, seen *Window) float64 {
	score := min(scoreMost, scoreOther+float64(logit-w.Other)*(scoreUser-scoreOther)/float64(w.User-w.Other))
	if score > mostShort && seen.Words < ShortText {
		return mostShort
	}
	if score > mostAimless && !seen.Points() {
		return mostAimless
	}
	return score
}

// suspicion is the window that looks most like an attack.
type suspicion struct {
	weights *Weights
	k       *knowledge
	logit   float32   // the highest
	score   float64   // the highest
	why     []Feature // what speaks for it the most
	any     bool
}

// see takes one more window into account.
func (s *suspicion) see(w Window) {
	logit := s.weights.Logit(w.Features)
	if !s.any || logit > s.logit {
		s.logit = logit
	}
	score := s.weights.score(logit, &w)
	if s.any && score <= s.score {
		return
	}
	s.any, s.score = true, score
	s.why = s.why[:0]
	if score < scoreLeast {
		return // nothing will be told
	}
	for _, f := range w.Features {
		if s.weights.Table[f.Bucket] > 0 {
			f.Value *= float32(s.weights.Table[f.Bucket])
			s.why = append(s.why, f)
		}
	}
	slices.SortStableFunc(s.why, func(a, b Feature) int { return cmp.Compare(b.Value, a.Value) })
}

// believed is what the rules count in the text.
func (s *suspicion) believed() float64 {
	if s == nil || !s.any {
		return 1
	}
	return s.weights.Believed(s.logit)
}

// join gives the verdict of the rules and the weights together: the higher score, and the reasons of both.
func (s *suspicion) join(v Verdict) Verdict {
	if !s.any || s.score < scoreLeast {
		return v
	}
	v.Reasons = append(v.Reasons, s.reason())
	v.Score = max(v.Score, s.score)
	return v
}

// told is how many features a reason names.
const told = 3

// reason says what speaks for an attack, in words.
func (s *suspicion) reason() string {
	var parts []string
	for _, f := range s.why {
		part := ""
		switch f.group {
		case groupConcept:
			part = s.k.label(f.a)
		case groupOrder:
			part = "an order: " + s.k.label(f.a)
		case groupPair, groupCross:
			part = s.k.label(f.a) + " + " + s.k.label(f.b)
		case groupSequence:
			part = s.k.label(f.a) + " … " + s.k.label(f.b)
		default: // rules name themselves; words are not kept
			continue
		}
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
		if len(parts) == told {
			break
		}
	}
	if len(parts) == 0 {
		return "worded like an attack"
	}
	return "worded like an attack: " + strings.Join(parts, "; ")
}

// label gives what a concept is called for people.
func (k *knowledge) label(concept int16) string {
	name := k.lexicon.names[concept]
	if l, ok := builtinLabels()[name]; ok {
		return l
	}
	return name
}

//go:embed data/labels.txt
var labelsFile string

// builtinLabels reads lines "concept: what it is called".
var builtinLabels = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(labelsFile) {
		if name, label, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && name[0] != '#' {
			out[name] = label
		}
	}
	return out
})
