package store

import (
	"context"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// Relate creates the relations of the reference toolset, which are between names. An existing relation stays, and no
// relation ends another. A node may be related to itself. An unknown name becomes a node without notes. The evidence of
// new relations is a turn that states them. The results are in the order of the list.
func (s *Store) Relate(ctx context.Context, scope memory.Scope, list []memory.ReferenceRelation, o ReferenceCall,
	by memory.Caller) ([]memory.ReferenceWrite, error) {
	var out []memory.ReferenceWrite
	err := s.writeGraph(ctx, "create relations", o.Action, scope, by, func(ctx context.Context, w *writing) error {
		out = make([]memory.ReferenceWrite, len(list))
		r := relating{w: w, o: o, nodes: map[string]node{}}
		for i, d := range list {
			err := w.holding(ctx, d.Suspicion, o.Origin, func() (err error) {
				out[i], err = r.relate(ctx, d)
				return err
			})
			if err != nil {
				if out[i].Mistake, err = o.mistake(err); err != nil {
					return err
				}
			}
			if len(r.made) == relationsATurn {
				if err := r.say(ctx); err != nil {
					return err
				}
			}
		}
		return r.say(ctx)
	})
	return out, err
}

// relationsATurn is how many relations one turn states: few enough to be readable.
const relationsATurn = 50

// relating holds the relations of one call.
type relating struct {
	w     *writing
	o     ReferenceCall
	nodes map[string]node // the ends that were found or created, by the name as given
	made  []assertion     // new facts, with their ids
	lines []string        // what they say
}

func (r *relating) relate(ctx context.Context, d memory.ReferenceRelation) (out memory.ReferenceWrite, err error) {
	relation := relationWord(d.Type)
	if relation == "" {
		return out, memory.Errorf(memory.InvalidArgument, "relationType: %q is not a verb of 1 to %d bytes.", clip(d.Type),
			graph.MaxRelationBytes).
			WithHint("Use words, such as works_at.")
	}
	for _, name := range []string{d.From, d.To} { // before anything is made
		if memory.Canonical(name) == "" {
			return out, emptyName(name)
		}
	}
	head, err := r.end(ctx, d.From)
	if err != nil {
		return out, err
	}
	tail, err := r.end(ctx, d.To)
	if err != nil {
		return out, err
	}
	w := r.w
	stored := graph.Store(relation, head.typ, tail.typ)
	said := []node{head, tail} // in the order in which the caller names them
	if relation = stored.Relation; stored.Swap {
		head, tail = tail, head
	}
	live, err := w.activeOn(ctx, `r.namespace = ? AND r.head_id = ? AND r.relation = ? AND r.tail_id = ?`,
		w.scope.Namespace, head.id, relation, tail.id)
	if err != nil {
		return out, err
	}
	if len(live) > 0 {
		return r.again(ctx, d, live[0])
	}
	a := assertion{label: d.Type, class: graph.Lookup(relation).Class, headType: head.typ, said: memory.Seconds(w.now),
		fact: fact{head: head.id, tail: tail.id, relation: relation,
			confidence: memory.Capped(nil, r.o.Origin, memory.MethodSupplied),
			origin:     r.o.Origin, method: memory.MethodSupplied, validFrom: memory.Seconds(w.now)}}
	if a.id, err = w.insertFact(ctx, a); err != nil {
		return out, err
	}
	if w.held != 0 {
		return memory.ReferenceWrite{Created: true}, r.evidence(ctx, w.held, []assertion{a})
	}
	from, err := w.spelled(ctx, said[0])
	if err != nil {
		return out, err
	}
	to, err := w.spelled(ctx, said[1])
	if err != nil {
		return out, err
	}
	r.made = append(r.made, a)
	r.lines = append(r.lines, from+" "+strings.ReplaceAll(d.Type, "_", " ")+" "+to)
	out.Created = true
	return out, nil
}

// again handles a relation that exists already.
func (r *relating) again(ctx context.Context, d memory.ReferenceRelation, live fact) (out memory.ReferenceWrite,
	err error) {
	w := r.w
	label, err := w.c.text(ctx, `SELECT label FROM mg_relationships WHERE id = ?`, live.id)
	if err != nil {
		return out, err
	}
	if label == live.relation { // otherwise the first spelling that was given stays
		label = d.Type
	}
	a := live
	if out.Raised = r.o.Raise && live.origin.Trust() < r.o.Origin.Trust(); out.Raised {
		a.origin, a.method = r.o.Origin, memory.MethodSupplied
		a.confidence = max(live.confidence, memory.Capped(nil, a.origin, a.method))
	}
	return out, w.change(ctx, live.id, causeUpdated, `label = ?2, origin = ?3, method = ?4, confidence = ?5`, label,
		string(a.origin), string(a.method), a.confidence)
}

// say records the turn that is the evidence of the new relations.
func (r *relating) say(ctx context.Context) error {
	if len(r.made) == 0 {
		return nil
	}
	w := r.w
	in := NewEpisode{Episode: memory.Episode{Scope: w.scope, Role: roleOf(r.o.Origin), Source: r.o.Source,
		Content: strings.Join(r.lines, "\n"), Origin: r.o.Origin, Status: memory.StatusSkipped},
		Imported: r.o.Action == importAction}
	said, err := w.recordEpisode(ctx, in, prepareEpisode(in))
	if err != nil {
		return err
	}
	if err := r.evidence(ctx, said.Episode.ID, r.made); err != nil {
		return err
	}
	r.made, r.lines = nil, nil
	return nil
}

// evidence makes an episode the evidence of the facts.
func (r *relating) evidence(ctx context.Context, episode int64, made []assertion) error {
	w := r.w
	defer func(old int64) { w.episode = old }(w.episode)
	w.episode = episode
	linked := idSet{}
	for _, a := range made {
		if err := w.addEvidence(ctx, a.id, a); err != nil {
			return err
		}
		for _, n := range []int64{a.head, a.tail} {
			if linked.add(n) {
				if err := linkEntity(ctx, w.c, w.episode, n); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// end returns the node of a name, and creates it if there is none.
func (r *relating) end(ctx context.Context, name string) (node, error) {
	if n, ok := r.nodes[name]; ok {
		return n, nil
	}
	n, ok, err := r.w.nodeOf(ctx, name, true)
	if err != nil {
		return n, err
	}
	if !ok {
		n = node{kind: memory.NodeEntity, name: memory.Shown(name), typ: memory.DefaultType, typing: typeAssumed}
		if n.id, err = r.w.newEntity(ctx, memory.EntityDraft{Name: name, Origin: r.o.Origin,
			Method: memory.MethodSupplied}); err != nil {
			return n, err
		}
	}
	r.nodes[name] = n
	return n, nil
}

// Unrelate ends relations of the reference toolset, in any spelling of their verb. It skips unknown ones.
func (s *Store) Unrelate(ctx context.Context, scope memory.Scope, list []memory.ReferenceRelation, o ReferenceCall,
	by memory.Caller) error {
	return s.writeGraph(ctx, "delete relations", o.Action, scope, by, func(ctx context.Context, w *writing) error {
		for _, d := range list {
			head, ok, err := w.nodeOf(ctx, d.From, true)
			if err != nil {
				return err
			}
			tail, there, err := w.nodeOf(ctx, d.To, true)
			if err != nil {
				return err
			}
			if !ok || !there {
				continue
			}
			live, err := w.named(ctx, head, tail, d.Type)
			if err != nil {
				return err
			}
			for _, f := range live {
				if err := w.endAt(ctx, f, w.present().after(f.begin()), f.supersededBy, causeEnded); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// named returns the active facts between two nodes that a caller of the reference toolset means by a verb: those that
// were given with it, and those that are stored under it.
func (w *writing) named(ctx context.Context, head, tail node, verb string) ([]fact, error) {
	stored := graph.Store(relationWord(verb), head.typ, tail.typ)
	if stored.Swap {
		head, tail = tail, head
	}
	return w.activeOn(ctx, `r.namespace = ? AND r.head_id = ? AND r.tail_id = ? AND (r.label = ? OR r.relation = ?)`,
		w.scope.Namespace, head.id, tail.id, verb, stored.Relation)
}

// relationWord returns the verb under which a relation is stored: the given one in snake_case, or related_to if it
// contains no word. It returns "" if given is empty or too long.
func relationWord(given string) string {
	switch word := graph.Snake(given); {
	case strings.TrimSpace(given) == "" || len(word) > graph.MaxRelationBytes:
		return ""
	case word == "":
		return "related_to"
	default:
		return word
	}
}

// typeAsGiven is the type of a node e as it was written.
const typeAsGiven = `coalesce(e.type_label, e.type)`

// ReferenceEntities visits the entities of the namespace as the reference toolset shows them, in order of creation. It
// skips nodes that only facts name: the toolset knows them as ends of relations. If the description says more than the
// notes, the rest is the first note. visit must not call the store.
func (s *Store) ReferenceEntities(ctx context.Context, namespace string,
	visit func(memory.ReferenceEntity) error) error {
	return s.readOne(ctx, "read entities", func(c *conn) error {
		return c.query(ctx, `SELECT e.name, e.type, e.type_label, e.description, `+notesOf+` FROM mg_entities e
			WHERE e.namespace = ? AND e.kind = 'entity' AND e.merged_into IS NULL
			AND (e.type_assumed <> 1 OR e.description <> '') ORDER BY e.id`,
			func(row cursor) error {
				notes, err := parseNotes(row.text(4))
				if err != nil {
					return err
				}
				typ, label := row.text(1), row.text(2)
				if word, _ := typeWord(label); !row.null(2) && word == typ {
					typ = label
				}
				return visit(memory.ReferenceEntity{Name: row.text(0), Type: typ,
					Observations: shownNotes(row.text(3), notes)})
			}, namespace)
	})
}

// ReferenceRelations visits the active relations of the namespace as the reference toolset shows them, in order of
// creation. visit must not call the store.
func (s *Store) ReferenceRelations(ctx context.Context, namespace string,
	visit func(memory.ReferenceRelation) error) error {
	holding := factsHolding(memory.AsOf{}, s.now())
	return s.readOne(ctx, "read relations", func(c *conn) error {
		return c.query(ctx, `SELECT h.name, t.name, r.label, r.relation FROM mg_relationships r
			JOIN mg_entities h ON h.id = r.head_id
			JOIN mg_entities t ON t.id = r.tail_id
			WHERE r.namespace = ? AND `+holding.where+` AND h.kind = 'entity' AND t.kind = 'entity' ORDER BY r.id`,
			func(row cursor) error {
				o := memory.ReferenceRelation{From: row.text(0), To: row.text(1), Type: row.text(2)}
				if turned, _ := graph.Reads(graph.Snake(o.Type), row.text(3)); turned {
					o.From, o.To = o.To, o.From
				}
				return visit(o)
			}, append([]any{namespace}, holding.args...)...)
	})
}

// shownNotes returns a node's notes as the reference toolset shows them. If the description says more than the notes,
// the rest is the first note.
func shownNotes(description string, notes []string) []string {
	out := make([]string, 0, len(notes)+1)
	if own := ownWords(description, notes); own != "" {
		out = append(out, own)
	}
	return append(out, notes...)
}
