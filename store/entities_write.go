package store

import (
	"cmp"
	"context"
	"slices"

	"memory-graph/internal/memory"
)

// CreateEntity creates an entity or a memory, or observes the existing one (docs/facts.md). Errors: InvalidArgument for
// values out of range, Ambiguous for a name, NotFound for a parent, and Conflict for a parent below the node itself and
// for an alias that is another person's name.
func (s *Store) CreateEntity(ctx context.Context, scope memory.Scope, d memory.EntityDraft,
	by memory.Caller) (memory.EntityWrite, error) {
	var out memory.EntityWrite
	err := s.writeGraph(ctx, "create entity", "create_entity", scope, by, func(ctx context.Context, w *writing) error {
		var err error
		out, err = w.createEntity(ctx, d)
		return err
	})
	return out, err
}

func (w *writing) createEntity(ctx context.Context, d memory.EntityDraft) (out memory.EntityWrite, err error) {
	if err := checkEntity(d); err != nil {
		return out, err
	}
	err = w.holding(ctx, d.Suspicion, d.Origin, func() error {
		out, err = w.makeEntity(ctx, d)
		return err
	})
	return out, err
}

func (w *writing) makeEntity(ctx context.Context, d memory.EntityDraft) (memory.EntityWrite, error) {
	n, found, err := w.sameEntity(ctx, d)
	if err != nil {
		return memory.EntityWrite{}, err
	}
	id := n.id
	if !found {
		n.typ, n.typing = d.Type, typingOf(d.Type, d.Method)
	}
	if !d.Method.Extracted() {
		if err := w.noOthersName(ctx, n, d.Aliases); err != nil {
			return memory.EntityWrite{}, err
		}
	}
	if found {
		if err = w.observeEntity(ctx, n, d); err == nil {
			err = w.addNotes(ctx, id, d)
		}
	} else {
		d.Aliases = slices.Concat(d.Aliases, w.alsoCalled(d.Name, d.Type))
		id, err = w.newEntity(ctx, d)
	}
	if err != nil {
		return memory.EntityWrite{}, err
	}
	if !d.Method.Extracted() {
		w.means(d.Name, id)
	}
	e, err := w.entity(ctx, id)
	return memory.EntityWrite{Entity: e, Created: !found}, err
}

// addNotes adds the observations of a draft to an existing entity. A trusted draft vouches for those that it has.
func (w *writing) addNotes(ctx context.Context, id int64, d memory.EntityDraft) error {
	if len(d.Notes) == 0 {
		return nil
	}
	before, is, err := w.snapshots(ctx, id)
	if err != nil {
		return err
	}
	have := shownNotes(is.Desc, is.Notes)
	to := is.said()
	for _, n := range notesBy(d.Origin, d.Notes) {
		if !slices.Contains(have, n.text) {
			to.notes, have = append(to.notes, n), append(have, n.text)
		}
	}
	var by vouched
	if d.Origin.Trust() > memory.OriginTool.Trust() {
		by = to.vouch(memory.ReferenceEntity{Type: d.Type}, d.Notes, d.Origin)
	} else if len(to.notes) == len(is.Notes) {
		return nil
	}
	_, err = w.rewrite(ctx, before, is, to, by)
	return err
}

// sameEntity returns the existing entity that a draft means.
func (w *writing) sameEntity(ctx context.Context, d memory.EntityDraft) (node, bool, error) {
	if d.SameAs != 0 {
		if n, ok, err := w.nodeByID(ctx, memory.NodeID(memory.NodeEntity, d.SameAs)); err != nil || ok {
			return n, ok, err
		}
	}
	found, err := w.nodesCalled(ctx, memory.Canonical(d.Name))
	if err != nil {
		return node{}, false, err
	}
	kind := d.KindOr()
	found = slices.DeleteFunc(found, func(n node) bool { // the given "Tom" is not "Tom (support)"
		return n.kind != kind || n.namesake && !d.Method.Extracted()
	})
	return settle(ctx, w.c, w.now, d.Name, pickSame(d.Type, d.Method, found))
}

// newEntity creates a node. If a hidden mention node has its name, that node becomes the entity.
func (w *writing) newEntity(ctx context.Context, d memory.EntityDraft) (int64, error) {
	canonical, kind, typ := memory.Canonical(d.Name), d.KindOr(), d.Type
	id, err := int64(0), error(nil)
	if kind == memory.NodeEntity {
		if id, err = w.mentionNode(ctx, canonical); err != nil {
			return 0, err
		}
	}
	known := typingOf(typ, d.Method)
	typ = cmp.Or(typ, memory.DefaultType)
	name, now := memory.Shown(d.Name), memory.Millis(w.now)
	confidence := memory.Capped(d.Confidence, d.Origin, d.Method)
	args := []any{w.scope.Namespace, string(kind), canonical, name, typ, int(known), describe(d.Description, d.Notes),
		confidence, string(d.Origin), layerArg(d.Layer),
		nullable(memory.Seconds(d.ValidFrom)), nullable(memory.Seconds(d.ValidUntil)), now, nullable(d.TypeLabel)}
	if id == 0 {
		_, err = w.c.exec(ctx, `INSERT INTO mg_entities (id, namespace, kind, canonical_name, name, type, type_assumed,
			description, confidence, origin, layer,
			valid_from, valid_until, created_at, updated_at, last_seen_at, type_label) VALUES
			(`+freshID("mg_entities")+`, ?, ?,
				?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?13, ?13, ?13, ?14)`, args...)
		id = w.c.lastID()
	} else {
		_, err = w.c.exec(ctx, `UPDATE mg_entities SET namespace = ?, kind = ?, canonical_name = ?, name = ?, type = ?,
			type_assumed = ?, description = ?,
			confidence = ?, unfaded = NULL, origin = ?, layer = ?, valid_from = ?, valid_until = ?, created_at = ?13, updated_at
			= ?13, last_seen_at = ?13, type_label = ?14 WHERE id = ?15`,
			append(args, id)...)
	}
	if err != nil {
		return 0, err
	}
	if err := w.addAliases(ctx, id, append([]string{d.Name}, d.Aliases...)); err != nil {
		return 0, err
	}
	if err := w.setNotes(ctx, id, notesBy(d.Origin, d.Notes)); err != nil {
		return 0, err
	}
	if d.Parent != "" {
		if err := w.setParent(ctx, id, d.Parent); err != nil {
			return 0, err
		}
	}
	if err := w.entityChanged(ctx, id, causeCreated, ""); err != nil {
		return 0, err
	}
	if err := w.indexEntity(ctx, id); err != nil {
		return 0, err
	}
	return id, w.proposeSimilar(ctx, id, d)
}

// observeEntity applies a draft to an existing node (docs/facts.md). A tool's draft changes nothing of higher trust:
// neither the displayed name and description, nor the aliases that resolve to the node.
func (w *writing) observeEntity(ctx context.Context, n node, d memory.EntityDraft) error {
	if d.Origin == memory.OriginTool {
		origin, err := w.c.text(ctx, `SELECT origin FROM mg_entities WHERE id = ?`, n.id)
		if err != nil {
			return err
		}
		if memory.Origin(origin).Trust() > d.Origin.Trust() {
			return w.seen(ctx, n.id)
		}
	}
	before, err := w.entitySnapshot(ctx, n.id)
	if err != nil {
		return err
	}
	confidence := memory.Capped(d.Confidence, d.Origin, d.Method)
	typ, known := w.retyped(n, d)
	name, given := memory.Shown(d.Name), append([]string{d.Name}, d.Aliases...)
	hasty := d.Method.Extracted() && memory.Poorer(name, n.name) // a caller's spelling is deliberate
	// "the Postgres database" is no better name of PostgreSQL
	if n.described || hasty || n.keeps(name) || w.s.onlyDescribes(name, n.name) {
		name, given = n.name, d.Aliases
		if _, technology := w.s.techs.Usual(memory.Canonical(d.Name)); technology {
			given = append(given, d.Name)
		}
	}
	_, err = w.c.exec(ctx, `UPDATE mg_entities SET name = ?2, type = ?3, type_assumed = ?10,
		description = CASE WHEN length(?4) > length(description) THEN ?4 ELSE description END,
		confidence = CASE WHEN coalesce(unfaded, confidence) = ?5 THEN ?5
			ELSE round((coalesce(unfaded, confidence) * observation_count + ?5) / (observation_count + 1), 9) END, unfaded =
			NULL,
		observation_count = observation_count + 1,
		layer = coalesce(?6, layer), valid_from = coalesce(?7, valid_from), valid_until = coalesce(?8, valid_until),
		updated_at = ?9, last_seen_at = ?9
		WHERE id = ?1`, n.id, name, typ, d.Description, confidence, layerArg(d.Layer),
		nullable(memory.Seconds(d.ValidFrom)), nullable(memory.Seconds(d.ValidUntil)), memory.Millis(w.now), int(known))
	if err != nil {
		return err
	}
	if err := w.keepNotes(ctx, n.id, before); err != nil {
		return err
	}
	if err := w.addAliases(ctx, n.id, given); err != nil {
		return err
	}
	if d.Parent != "" {
		if err := w.setParent(ctx, n.id, d.Parent); err != nil {
			return err
		}
	}
	if err := w.entityChanged(ctx, n.id, causeObserved, before); err != nil {
		return err
	}
	if typ != n.typ {
		if err := w.renameRelations(ctx, n.id, d.Origin); err != nil {
			return err
		}
	}
	return w.reindexEntity(ctx, n.id, before)
}

// retyped returns the type of a node after a draft. An assumed type is replaced by the first type that is given, and a
// guessed type by the type that a caller gives.
func (w *writing) retyped(n node, d memory.EntityDraft) (typ string, known typing) {
	given := typingOf(d.Type, d.Method)
	if n.assumed() && given != typeAssumed || n.typing == typeGuessed && given == typeStated {
		return d.Type, given
	}
	return n.typ, n.typing
}

// seen notes that a node was named. It changes a counter, not the node's meaning.
func (w *writing) seen(ctx context.Context, id int64) error {
	_, err := w.c.exec(ctx, `UPDATE mg_entities SET last_seen_at = max(last_seen_at, ?2), `+unfade+` WHERE id = ?1`, id,
		memory.Millis(w.now))
	return err
}

// end finds or creates the head or the tail of a fact. The qualifier is says which person of this name is meant.
func (w *writing) end(ctx context.Context, ref, typ string, is memory.Qualifier, d memory.RelationDraft) (node, error) {
	var n node
	var ok bool
	var err error
	name, also, kin := ref, w.alsoCalled(ref, typ), memory.Qualifier{}
	if is.Known {
		kin, is = is, memory.Qualifier{}
	}
	if base, q, split := memory.NamedBy(ref); is.Text == "" && split && (typ == "" || memory.IsPerson(typ)) {
		namesakes, err := w.nodesOfPeople(ctx, ref, base)
		switch {
		case err != nil:
			return node{}, err
		case memory.IsPerson(typ) || len(namesakes) > 0:
			ref, is = base, q
		default: // who knows what it is: "Letter from Paris"
			also = append(also, q.Name(base))
		}
	}
	if is.Text == "" {
		n, ok, err = w.lookUp(ctx, ref, func(found []node) []node {
			return w.relatives(ctx, pickKnown(typ, d.Method, found), ref, kin)
		})
		if e := memory.AsError(err); e != nil && e.Code == memory.Ambiguous && isKinship(kin.Text) { // another one
			is, name, err = kin, kin.Name(ref), nil
			also = []string{ref, name}
		}
	} else if n, ok, name, err = w.qualified(ctx, ref, typ, is, d); !ok && err == nil {
		also = []string{ref, is.Name(ref)}
	}
	if err != nil {
		return node{}, err
	}
	if ok {
		if n.assumed() && typ != "" {
			before, err := w.entitySnapshot(ctx, n.id)
			if err != nil {
				return node{}, err
			}
			n.typ, n.typing = typ, typingOf(typ, d.Method)
			if _, err := w.c.exec(ctx, `UPDATE mg_entities SET type = ?2, type_assumed = ?3, updated_at = ?4 WHERE id = ?1`,
				n.id, typ, int(n.typing), memory.Millis(w.now)); err != nil {
				return node{}, err
			}
			if err := cmp.Or(w.entityChanged(ctx, n.id, causeUpdated, before),
				w.renameRelations(ctx, n.id, d.Origin)); err != nil {
				return node{}, err
			}
		}
		if is.Text == "" {
			if n, err = w.shownAs(ctx, n, ref, d); err != nil {
				return node{}, err
			}
		}
		return n, w.seen(ctx, n.id)
	}
	if !d.CreateMissing {
		return node{}, w.missing(ctx, ref, typ)
	}
	if err := w.noOtherID(ctx, ref); err != nil {
		return node{}, err
	}
	near := d.Near[ref]
	if near.Same != 0 {
		n, ok, err := w.nodeByID(ctx, memory.NodeID(memory.NodeEntity, near.Same))
		if err != nil || ok {
			return n, cmp.Or(err, w.alsoNamed(ctx, n, ref, d))
		}
	}
	draft := memory.EntityDraft{Name: name, Type: typ, Aliases: also, Origin: d.Origin, Method: d.Method,
		Similar: near.Similar}
	if sure, ok := d.Sure[ref]; ok {
		draft.Confidence = &sure
	}
	id, err := w.newEntity(ctx, draft)
	if is.Text != "" {
		w.means(ref, id)
	}
	return node{id: id, kind: memory.NodeEntity, name: memory.Shown(name), typ: cmp.Or(typ, memory.DefaultType),
		typing: typingOf(typ, d.Method), exact: name == ref}, err
}

// missing returns the error for a name that no node has, or only a node of another type.
func (w *writing) missing(ctx context.Context, ref, typ string) error {
	there, err := nodesNamed(ctx, w.c, w.scope.Namespace, memory.Canonical(ref))
	if err != nil {
		return err
	}
	return otherType(ref, typ, w.scope.Namespace, there)
}

// addAliases adds names under which a node is found. Its existing aliases stay.
func (w *writing) addAliases(ctx context.Context, id int64, names []string) error {
	for _, name := range names {
		if _, err := w.c.exec(ctx, `INSERT INTO mg_entity_aliases (namespace, alias, entity_id, created_at) VALUES (?, ?, ?,
			?)
			ON CONFLICT (namespace, alias, entity_id) DO
			NOTHING`, w.scope.Namespace, memory.Canonical(name), id, memory.Millis(w.now)); err != nil {
			return err
		}
	}
	return nil
}

// proposeSimilar adds a similar_to fact for every entity whose name is near, but not near enough to be the same.
func (w *writing) proposeSimilar(ctx context.Context, id int64, d memory.EntityDraft) error {
	for _, hit := range d.Similar {
		confidence := hit.Score
		draft := memory.RelationDraft{Head: memory.NodeID(d.KindOr(), id).String(), Relation: "similar_to",
			Tail: memory.NodeID(memory.NodeEntity,
				hit.ID).String(), Confidence: &confidence, Origin: d.Origin, Method: memory.MethodModelImplied}
		mistake, err := w.attempt(func() error { _, err := w.assert(ctx, draft, w.episode); return err })
		if err != nil {
			return err
		}
		_ = mistake // a proposal that fails is dropped
	}
	return nil
}

// entity reads a whole node.
func (w *writing) entity(ctx context.Context, id int64) (memory.Entity, error) {
	snapshot, err := w.wholeEntity(ctx, id)
	if err != nil {
		return memory.Entity{}, err
	}
	parsed, err := parseEntitySnapshot(snapshot)
	if err != nil {
		return memory.Entity{}, err
	}
	return parsed.entity(w.scope.Namespace)
}

func layerArg(layer *int) any {
	if layer == nil {
		return nil
	}
	return *layer
}
