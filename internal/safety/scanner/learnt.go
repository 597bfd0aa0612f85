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

// Weights is what the model learnt from attacks and ordinary texts (see train/): how strongly each feature of a window
// indicates an attack. The most suspicious window decides about a text. So an attack inside a long text counts, and
// length alone adds nothing.
type Weights struct {
	// Bias is the logit of a window without features.
	Bias float32
	// Scale is the value of one step of Table.
	Scale float32
	// Other and User are the logits from which a text is held back: User for the user's turns, Other for all others. They
	// score as much as the default thresholds of the rules. Findings of the rules count in full from Other on, less below
	// it, and least at Low.
	Other, User, Low float32
	// Table holds the weight of each bucket, in steps of Scale.
	Table [Buckets]int8
}

//go:generate go run -C ../../.. ./internal/safety/scanner/train

//go:embed data/weights.bin
var weightsFile string

const (
	weightsMagic = "MGS1"
	weightsHead  = len(weightsMagic) + 5*4
)

// builtinWeights reads the data on first use.
var builtinWeights = sync.OnceValues(func() (*Weights, error) { return DecodeWeights([]byte(weightsFile)) })

// DecodeWeights reads the output of Encode. It fails if the length or the magic number is wrong.
func DecodeWeights(b []byte) (*Weights, error) {
	if len(b) != weightsHead+Buckets || string(b[:len(weightsMagic)]) != weightsMagic {
		return nil, fmt.Errorf("%d bytes are not weights of this scanner", len(b))
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

// Encode writes the weights in little-endian order: magic number, the five numbers, the table.
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

// Logit returns the log odds, estimated from the training texts, that a window is part of an attack.
func (w *Weights) Logit(features []Feature) float32 {
	var sum float32
	for i := range features {
		sum += float32(w.Table[features[i].Bucket]) * features[i].Value
	}
	return w.Bias + w.Scale*sum
}

// The scores of the logits Other and User, the least score that is reported, and the highest score.
const (
	scoreOther = 2
	scoreUser  = 3
	scoreLeast = 1
	scoreMost  = 9
)

// unbelieved is the factor of the rules' weights in a text that otherwise does not look like an attack.
const unbelieved = .4

// Believed returns the factor of the rules' weights in a text, given the logit of its most suspicious window. It rises
// linearly from unbelieved at Low to 1 at Other.
func (w *Weights) Believed(logit float32) float64 {
	share := float64(logit-w.Low) / float64(w.Other-w.Low)
	return unbelieved + (1-unbelieved)*max(0, min(1, share))
}

// ShortText is the number of words below which the model alone never holds a text back: a shorter text is too little
// evidence.
const ShortText = 6

// The highest scores of a window of a short text, and of a window that does not point (see Window.Points). The user's
// turns are held back only above both.
const (
	mostShort   = scoreOther - .1
	mostAimless = scoreUser - .1
)

// score converts the logit of a window to a score.
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
	logit   float32   // the highest so far
	score   float64   // the highest so far
	why     []Feature // the features that raise the score, the strongest first
	any     bool
}

// see adds one window.
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
		return // the score is too low to be reported
	}
	for _, f := range w.Features {
		if s.weights.Table[f.Bucket] > 0 {
			f.Value *= float32(s.weights.Table[f.Bucket])
			s.why = append(s.why, f)
		}
	}
	slices.SortStableFunc(s.why, func(a, b Feature) int { return cmp.Compare(b.Value, a.Value) })
}

// believed returns the factor of the rules' weights in the text.
func (s *suspicion) believed() float64 {
	if s == nil || !s.any {
		return 1
	}
	return s.weights.Believed(s.logit)
}

// join merges the verdict of the rules with the model's: the higher score, and the reasons of both.
func (s *suspicion) join(v Verdict) Verdict {
	if !s.any || s.score < scoreLeast {
		return v
	}
	v.Reasons = append(v.Reasons, s.reason())
	v.Score = max(v.Score, s.score)
	return v
}

// told is the maximal number of features that a reason names.
const told = 3

// reason describes in words why the text looks like an attack.
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
		default: // rules report their own names; words are not stored
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

// label returns the readable name of a concept.
func (k *knowledge) label(concept int16) string {
	name := k.lexicon.names[concept]
	if l, ok := builtinLabels()[name]; ok {
		return l
	}
	return name
}

//go:embed data/labels.txt
var labelsFile string

// builtinLabels reads lines "concept: label".
var builtinLabels = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(labelsFile) {
		if name, label, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && name[0] != '#' {
			out[name] = label
		}
	}
	return out
})
