package classifier

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"memory-graph/internal/embedding"
	"memory-graph/internal/text"
)

// personalFiles hold requests by kind (food, travel …): those whose best answer depends on who the user is, those whose
// answer is the same for everybody, and what users say of themselves that matters for the kind.
const personalFiles = "exemplars/personal/*.txt"

// The marks of these files.
const (
	markFits = "[fits]"
	markSame = "[same]"
	markTold = "[told]"
)

// Files of requests in general. They teach the output, but are no kind of their own.
var generalKinds = []string{"talk", "chatty"}

// personalLine is a line of these files.
type personalLine struct {
	text, kind, mark string
}

// personalLines reads all files, in order of their names.
func personalLines() ([]personalLine, error) {
	names, err := fs.Glob(exemplarFiles, personalFiles)
	if err != nil {
		return nil, err
	}
	var list []personalLine
	for _, name := range names {
		text, err := fs.ReadFile(exemplarFiles, name)
		if err != nil {
			return nil, err
		}
		if list, err = readPersonal(list, name, string(text)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// readPersonal reads the lines of one file; lines that begin with # are comments.
func readPersonal(list []personalLine, name, text string) ([]personalLine, error) {
	mark, n := "", 0
	for line := range strings.Lines(text) {
		n++
		switch line = strings.TrimSpace(line); {
		case line == "" || strings.HasPrefix(line, "#"):
		case line == markFits || line == markSame || line == markTold:
			mark = line
		case mark == "":
			return nil, fmt.Errorf("read exemplars: %s:%d stands below no mark: %q", name, n, line)
		default:
			list = append(list, personalLine{line, strings.TrimSuffix(path.Base(name), ".txt"), mark})
		}
	}
	return list, nil
}

// advice matches requests for advice. Anybody could answer them, but the best answer may still depend on the user.
var advice = text.Pattern(`(?i)^(?:recommend|suggest|empfiehl)\b|\b(?:ideas|tips)\b`)

// requestKind is a kind of request, with the middle of its requests and of what users tell for it.
type requestKind struct {
	name         string
	asked, about []float32 // of length 1
}

// learnPersonal adds the weights of the output personal, and for an embedder the kinds and the middle of all requests
// that depend on the user. Questions that anybody could answer are examples of requests that do not.
func (m *model) learnPersonal(ctx context.Context, emb embedding.Embedder) error {
	lines, err := personalLines()
	if err != nil {
		return err
	}
	general, err := asks()
	if err != nil {
		return err
	}
	var exemplars []Exemplar
	for _, l := range lines {
		exemplars = append(exemplars, Exemplar{Text: l.text})
	}
	for _, a := range general {
		if !a.particular && !strings.HasSuffix(a.file, "/talk.txt") && !advice().MatchString(a.Text) {
			exemplars = append(exemplars, a.Exemplar)
		}
	}
	examples, err := read(ctx, emb, exemplars)
	if err != nil {
		return err
	}
	var requests []example
	var are []bool
	for i, e := range examples {
		if i < len(lines) && lines[i].mark == markTold {
			continue
		}
		requests, are = append(requests, e), append(are, i < len(lines) && lines[i].mark == markFits)
	}
	m.fitBinary(personal, requests, are)
	if m.dimensions > 0 {
		m.learnKinds(lines, examples)
	}
	return nil
}

// learnKinds sets the kinds and the middle of the requests that depend on the user.
func (m *model) learnKinds(lines []personalLine, examples []example) {
	asked, about, fits := map[string][]float32{}, map[string][]float32{}, make([]float32, m.dimensions)
	for i, l := range lines {
		v := examples[i].vector
		if l.mark == markFits {
			sum(fits, v)
		}
		if slices.Contains(generalKinds, l.kind) {
			continue
		}
		to := asked
		if l.mark == markTold {
			to = about
		}
		if to[l.kind] == nil {
			to[l.kind] = make([]float32, m.dimensions)
		}
		sum(to[l.kind], v)
	}
	m.requests = unpack(embedding.Quantize(fits))
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		m.kinds = append(m.kinds, requestKind{name, unpack(embedding.Quantize(asked[name])),
			unpack(embedding.Quantize(about[name]))})
	}
}

func sum(to, v []float32) {
	for i, x := range v {
		to[i] += x
	}
}
