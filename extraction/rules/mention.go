package rules

import (
	"cmp"
	"slices"
	"strings"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// mention collects the names of the whole text, with types from the lists and the relations.
func (r *reader) mention() {
	own := map[string]name{}
	for _, n := range r.names {
		if k := memory.Canonical(n.text); k != "" {
			if have, ok := own[k]; !ok || have.typ == "" || have.unsure {
				own[k] = n
			}
		}
	}
	added := r.found.Mentions
	var out []memory.Mention
	ok := false
	if r.text == r.turn.Text { // nothing was scrubbed, so the names are known
		out, ok = r.rules.finder.Distinct(r.seenNames)
	}
	if !ok {
		out = r.rules.finder.Find(r.turn.Text, r.turn.Known)
	}
	have := map[string]bool{}
	for i := range out {
		m := &out[i]
		*m = r.rules.trimmed(r.turn.Text, *m)
		k := memory.Canonical(m.Name)
		have[k] = true
		n, ok := own[k]
		if !ok {
			n = r.rules.fromMention(r.turn.Text, *m)
		}
		m.Type, m.Unsure = n.typ, n.unsure
		if t := r.types[k]; t != "" {
			m.Type, m.Unsure = t, false
		}
		m.Unsure = m.Unsure || generic[m.Name] || r.inner[k] || tongue(m.Name)
	}
	for k, n := range own {
		if !have[k] {
			have[k] = true
			typ := n.typ
			if t := r.types[k]; t != "" {
				typ = t
			}
			out = append(out, memory.Mention{Name: n.text, Type: typ, Role: mentions.RoleMention, Unsure: n.unsure,
				Start: n.start, Stop: n.stop})
		}
	}
	for _, m := range added {
		if k := memory.Canonical(m.Name); !have[k] {
			have[k] = true
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b memory.Mention) int { return cmp.Compare(a.Start, b.Start) })
	for i := range out {
		out[i].Name = mentions.Visible(out[i].Name)
	}
	r.found.Mentions = out
}

// tongue reports whether a name consists of languages and nationalities: "British English".
func tongue(name string) bool {
	for w := range strings.FieldsSeq(name) {
		if !tongues[w] {
			return false
		}
	}
	return true
}

var tongues = class("tongues")

// generic are acronyms that are no proper names.
var generic = class("generic_names")
