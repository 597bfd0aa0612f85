package rules

import (
	"slices"
	"strings"

	"memory-graph/extraction/mentions"
)

// epithets blanks the words between a subject and its verb that only tell people of one name apart: "Tom (support)
// lives in York", "Tom the plumber lives in Hull".
func (r *reader) epithets() {
	if !strings.Contains(r.text, " (") && !strings.Contains(r.text, " the ") {
		return
	}
	var out []byte
	for _, n := range r.names {
		if n.typ != "person" && n.sort&sortPerson == 0 {
			continue
		}
		q, ok := mentions.QualifierAt(r.text, n.start, n.stop)
		words := r.text[q.Start:q.Stop]
		if !ok || q.Relation != "works_as" && !strings.HasSuffix(words, ")") && !strings.HasPrefix(words, " from the ") {
			continue
		}
		if out == nil {
			out = []byte(r.text)
		}
		for i := q.Start; i < q.Stop; i++ {
			out[i] = ' '
		}
	}
	if out != nil {
		r.text = string(out)
		r.names = slices.DeleteFunc(r.names, func(n name) bool { return strings.TrimSpace(r.text[n.start:n.stop]) == "" })
	}
}
