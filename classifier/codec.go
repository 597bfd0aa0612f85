package classifier

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memory-graph/internal/embedding"
)

// A model is kept as lines of fields with tabs between, weights by name and in the order of the classes: people can read
// why, and a hook, which starts a process for each message, reads it in a millisecond.
//
//	source    digest of exemplars and lexicon
//	identity  of the embedder
//	classes   their names
//	scale     of the probabilities
//	bias      a weight for each class, for particular and for personal, as all that follow
//	signal    a name first
//	like      of the cosines with the centroids and the last turn
//	vector    of the vector's components, in order
//	centroid  int8 components in base64
//	requests  the same, the middle of the requests that depend on the user
//	kind      a name first, then the same twice: of its requests, and of what users tell for them
//	term      a term first
//	end       how many lines stand before it, so that a file that was cut is known
const (
	lineSource, lineIdentity, lineClasses, lineScale, lineBias        = "source", "identity", "classes", "scale", "bias"
	lineSignal, lineLike, lineVector, lineCentroid, lineTerm, lineEnd = "signal", "like", "vector", "centroid", "term", "end"
	lineRequests, lineKind                                            = "requests", "kind"
)

func encode(m *model) []byte {
	var b bytes.Buffer
	line := func(kind string, fields ...string) {
		b.WriteString(kind)
		for _, f := range fields {
			b.WriteString("\t" + f)
		}
		b.WriteByte('\n')
	}
	weights := func(w [outputs]float32, before ...string) []string {
		for _, x := range w {
			before = append(before, strconv.FormatFloat(float64(x), 'g', -1, 32))
		}
		return before
	}
	line(lineSource, source())
	line(lineIdentity, m.identity)
	line(lineClasses, classNames[:]...)
	line(lineScale, strconv.FormatFloat(m.scale, 'g', -1, 64))
	line(lineBias, weights(m.bias)...)
	rest := m.weights
	for i, name := range m.signals {
		line(lineSignal, weights(rest[i], name)...)
	}
	rest = rest[len(m.signals):]
	if m.dimensions > 0 {
		for _, w := range rest[:len(m.centroids)+1] {
			line(lineLike, weights(w)...)
		}
		rest = rest[len(m.centroids)+1:]
		for _, w := range rest[:m.dimensions] {
			line(lineVector, weights(w)...)
		}
		rest = rest[m.dimensions:]
		for _, c := range m.centroids {
			line(lineCentroid, writeCentroid(c))
		}
		line(lineRequests, writeCentroid(m.requests))
		for _, k := range m.kinds {
			line(lineKind, k.name, writeCentroid(k.asked), writeCentroid(k.about))
		}
	}
	for _, t := range slices.Sorted(maps.Keys(m.vocabulary)) {
		line(lineTerm, weights(rest[m.vocabulary[t]], t)...)
	}
	line(lineEnd, strconv.Itoa(bytes.Count(b.Bytes(), []byte("\n"))))
	return b.Bytes()
}

// decode reads a model, and refuses one that is not of these signals and classes. The caller compares its source.
func decode(raw string) (*model, error) {
	names := signalsOf(Message{}, nil).names
	lines := strings.Count(raw, "\n")
	m := &model{signals: names, vocabulary: make(map[string]int, lines)}
	var signals, like, vector [][outputs]float32
	terms := make([][outputs]float32, 0, lines)
	whole := false
	n := 0
	for text := range strings.Lines(raw) {
		n++
		kind, rest, _ := strings.Cut(strings.TrimSuffix(text, "\n"), "\t")
		var err error
		var w [outputs]float32
		switch kind {
		case lineSource:
			m.source = rest
		case lineIdentity:
			m.identity = rest
		case lineClasses:
			if rest != strings.Join(classNames[:], "\t") {
				err = fmt.Errorf("it is of the classes %q", rest)
			}
		case lineScale:
			m.scale, err = strconv.ParseFloat(rest, 64)
		case lineBias:
			m.bias, err = readWeights(rest)
		case lineSignal:
			name, list, _ := strings.Cut(rest, "\t")
			if len(signals) >= len(names) || names[len(signals)] != name {
				return nil, fmt.Errorf("its signal %q is not known", name)
			}
			w, err = readWeights(list)
			signals = append(signals, w)
		case lineLike:
			w, err = readWeights(rest)
			like = append(like, w)
		case lineVector:
			w, err = readWeights(rest)
			vector = append(vector, w)
		case lineCentroid:
			var c []float32
			c, err = readCentroid(rest)
			m.centroids = append(m.centroids, c)
		case lineRequests:
			m.requests, err = readCentroid(rest)
		case lineKind:
			var k requestKind
			k, err = readKind(rest)
			m.kinds = append(m.kinds, k)
		case lineTerm:
			term, list, _ := strings.Cut(rest, "\t")
			w, err = readWeights(list)
			m.vocabulary[term] = len(terms)
			terms = append(terms, w)
		case lineEnd:
			whole = rest == strconv.Itoa(n-1)
		default:
			err = fmt.Errorf("%q is unknown", kind)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	m.dimensions = len(vector)
	switch {
	case !whole:
		return nil, fmt.Errorf("it was cut")
	case !(m.scale > 0):
		return nil, fmt.Errorf("it has no scale")
	case len(signals) != len(names):
		return nil, fmt.Errorf("it has %d signals and not %d", len(signals), len(names))
	case len(terms) != len(m.vocabulary):
		return nil, fmt.Errorf("it has a term twice")
	case m.dimensions > 0 && (len(m.centroids) != int(classes) || len(like) != len(m.centroids)+1):
		return nil, fmt.Errorf("it has %d centroids", len(m.centroids))
	}
	middles := slices.Clone(m.centroids)
	if m.dimensions > 0 {
		middles = append(middles, m.requests)
	}
	for _, k := range m.kinds {
		middles = append(middles, k.asked, k.about)
	}
	for _, c := range middles {
		if len(c) != m.dimensions {
			return nil, fmt.Errorf("a centroid has %d components and not %d", len(c), m.dimensions)
		}
	}
	m.weights = slices.Concat(signals, like, vector, terms)
	return m, nil
}

// readWeights reads one weight an output.
func readWeights(list string) (w [outputs]float32, err error) {
	for i := range w {
		field, rest, _ := strings.Cut(list, "\t")
		x, err := strconv.ParseFloat(field, 32)
		if err != nil {
			return w, err
		}
		w[i], list = float32(x), rest
	}
	if list != "" {
		return w, fmt.Errorf("%q stands behind the weights", list)
	}
	return w, nil
}

func writeCentroid(c []float32) string {
	raw := make([]byte, len(c))
	for i, x := range embedding.Quantize(c) {
		raw[i] = byte(x)
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func readKind(text string) (k requestKind, err error) {
	name, rest, _ := strings.Cut(text, "\t")
	asked, about, _ := strings.Cut(rest, "\t")
	k.name = name
	if k.asked, err = readCentroid(asked); err != nil {
		return k, err
	}
	k.about, err = readCentroid(about)
	return k, err
}

func readCentroid(text string) ([]float32, error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	q := make([]int8, len(raw))
	for i, b := range raw {
		q[i] = int8(b)
	}
	return unpack(q), nil
}
