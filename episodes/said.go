package episodes

import (
	"context"
	"slices"
	"sync"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// said marks the supplied facts that the turn itself tells as a change, and those that the user states in it. When such
// a fact ends another one, it has the user's trust, because the agent only structured what the user said
// (docs/facts.md).
func (r *Reader) said(ctx context.Context, e memory.Episode, relations []memory.RelationDraft) {
	r.qualify(ctx, e, relations)
	self := memory.Canonical(r.self(e))
	for i, d := range relations {
		if d.HeadType == "" && memory.Canonical(d.Head) == self {
			relations[i].HeadType = "person"
		}
		if d.TailType == "" && memory.Canonical(d.Tail) == self {
			relations[i].TailType = "person"
		}
	}
	if e.Role == memory.RoleUser && r.o.Told != nil {
		for i, d := range relations {
			relations[i].News = d.News || !d.Ended && r.o.Told(e.Content, d)
			if r.o.Nominal != nil && !d.Ended && r.o.Nominal(e.Content, d) { // too little to end another fact
				weak := min(confidence(d), nominal)
				relations[i].Confidence = &weak
			}
		}
	}
	if e.Role != memory.RoleUser || e.Origin != memory.OriginUser || len(relations) == 0 || r.o.Hear == nil {
		return
	}
	input := r.words(e)
	heard := r.o.Hear(input, relations)
	asSelf := heard
	if named := r.asSelf(ctx, e, relations); named != nil {
		asSelf = r.o.Hear(input, named)
	}
	for i := range relations {
		if heard[i] || asSelf[i] {
			relations[i].SaidBy = e.Origin
			relations[i].NamesSpeaker = r.ownName(e, relations[i])
		}
	}
}

// nominal is the highest confidence of a fact that holds by name only ("on paper").
const nominal = .6

// asSelf returns the facts with the speaker's own names replaced by the name for "I": agents write names instead of I.
// It returns nil if no name is replaced.
func (r *Reader) asSelf(ctx context.Context, e memory.Episode,
	relations []memory.RelationDraft) []memory.RelationDraft {
	own, self := r.own(ctx, e), r.self(e)
	var out []memory.RelationDraft
	replace := func(i int, name string, is memory.Qualifier, end func(*memory.RelationDraft) *string) {
		if slices.Contains(own, memory.Canonical(name)) && (is.Text == "" || is.Known) && name != self {
			if out == nil {
				out = slices.Clone(relations)
			}
			*end(&out[i]) = self
		}
	}
	for i, d := range relations {
		replace(i, d.Head, d.HeadIs, func(d *memory.RelationDraft) *string { return &d.Head })
		replace(i, d.Tail, d.TailIs, func(d *memory.RelationDraft) *string { return &d.Tail })
	}
	return out
}

// own returns the names by which the graph knows the speaker of a user's turn, in canonical form.
func (r *Reader) own(ctx context.Context, e memory.Episode) []string {
	if e.Role != memory.RoleUser || r.o.Names == nil {
		return nil
	}
	return r.o.Names.Others(ctx, e.Scope.Namespace, r.self(e))
}

// qualify records which of several people of one name the words of a turn mean: "Tom from support". "My friend Ann",
// said by Ann, means another Ann. "My brother Tom" means the brother, if one is known.
func (r *Reader) qualify(ctx context.Context, e memory.Episode, relations []memory.RelationDraft) {
	if r.o.Qualify == nil || len(relations) == 0 {
		return
	}
	text, self := beginning(e.Content, r.o.MaxBytes), memory.Canonical(r.self(e))
	own := sync.OnceValue(func() []string { return r.own(ctx, e) })
	of := func(name, typ, quote string) memory.Qualifier {
		if typ != "" && !memory.IsPerson(typ) || memory.Canonical(name) == self {
			return memory.Qualifier{}
		}
		kin := r.o.Kin(text, name)
		if kin.Text != "" && slices.Contains(own(), memory.Canonical(name)) {
			kin.Besides = self
			return kin
		}
		if q := r.o.Qualify(text, quote, name); q.Text != "" {
			return q
		}
		kin.Known = true
		return kin
	}
	for i, d := range relations {
		relations[i].HeadIs = of(d.Head, d.HeadType, d.Quote)
		relations[i].TailIs = of(d.Tail, d.TailType, d.Quote)
	}
}

// ownName reports whether a fact states the speaker's own name. Only a user's turn counts.
func (r *Reader) ownName(e memory.Episode, d memory.RelationDraft) bool {
	return e.Role == memory.RoleUser && e.Origin == memory.OriginUser && graph.Snake(d.Relation) == "same_as" &&
		!d.Ended && (d.TailType == "" || memory.IsPerson(d.TailType)) &&
		memory.Canonical(d.Head) == memory.Canonical(r.self(e))
}

// instead adds to a statement of the speaker's name the name that the speaker denies: "Anna, not Ann".
func (r *Reader) instead(e memory.Episode, list []memory.RelationDraft) []memory.RelationDraft {
	denied := slices.IndexFunc(list, func(d memory.RelationDraft) bool {
		d.Ended = !d.Ended
		return r.ownName(e, d)
	})
	stated := slices.IndexFunc(list, func(d memory.RelationDraft) bool { return d.NamesSpeaker })
	if denied < 0 || stated < 0 {
		return list
	}
	list[stated].Instead = list[denied].Tail
	return slices.Delete(list, denied, denied+1)
}
