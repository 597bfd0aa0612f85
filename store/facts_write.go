package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// CreateRelation asserts one fact (docs/facts.md). evidence is the episode that says it. With 0 the store writes an
// episode of source "call" as the evidence. Errors: InvalidArgument for values out of range and for self-relations,
// Ambiguous and NotFound for names and ids.
func (s *Store) CreateRelation(ctx context.Context, scope memory.Scope, d memory.RelationDraft, evidence int64,
	by memory.Caller) (memory.RelationWrite, error) {
	var out memory.RelationWrite
	err := s.writeGraph(ctx, "create relation", "create_relation", scope, by, func(ctx context.Context, w *writing) error {
		if evidence != 0 {
			if _, err := episodeByID(ctx, w.c, scope.Namespace, evidence); err != nil {
				return err
			}
		}
		var err error
		out, err = w.assert(ctx, d, evidence)
		return err
	})
	return out, err
}

func checkRelation(d memory.RelationDraft) error {
	if relation := graph.Snake(d.Relation); relation == "" || len(relation) > graph.MaxRelationBytes {
		return memory.Errorf(memory.InvalidArgument, "relation: %q is not a verb of 1 to %d bytes.", clip(d.Relation),
			graph.MaxRelationBytes).
			WithHint("Use a verb in snake_case, such as works_at.")
	}
	if d.EdgeClass != "" && !slices.Contains(memory.EdgeClasses, d.EdgeClass) {
		return memory.Errorf(memory.InvalidArgument, "edge_class: %q is not an edge class.",
			clip(d.EdgeClass)).WithHint("Use %s.", strings.Join(memory.EdgeClasses, ", "))
	}
	return cmp.Or(checkShare("confidence", d.Confidence), checkShare("strength", d.Strength),
		checkInterval(d.ValidFrom, d.ValidUntil))
}

// wholePeriod gives a fact that began and ended in one month or year ("from May 2019 until 2019") the end of that
// period as its end, or now while the period lasts.
func wholePeriod(d *memory.RelationDraft, now time.Time) {
	end := d.UntilUnit.End(d.ValidUntil)
	if d.UntilUnit == "" || d.ValidFrom.Before(d.ValidUntil) || !d.ValidFrom.Before(end) {
		return
	}
	if d.ValidUntil = end; end.After(now) && d.ValidFrom.Before(now) {
		d.ValidUntil, d.UntilUnit = now, ""
	}
}

// assertion is a draft whose head, tail and times are resolved.
type assertion struct {
	fact
	label, class string
	strength     *float64
	quote        string
	headType     string
	tailName     string
	fromGiven    bool   // valid_from was given
	news         bool   // the text tells it as a change
	said         string // when its evidence was said
	denied       bool   // it never held
	still        bool   // it holds as before
	endSaid      bool   // it is given as ended without a time, so the end is when that was said
}

// assert writes a fact into the graph.
func (w *writing) assert(ctx context.Context, d memory.RelationDraft, evidence int64) (out memory.RelationWrite,
	err error) {
	wholePeriod(&d, w.now)
	if err := checkRelation(d); err != nil {
		return out, err
	}
	err = w.holding(ctx, d.Suspicion, d.Origin, func() error {
		out, err = w.assertFact(ctx, d, evidence)
		return err
	})
	return out, err
}

func (w *writing) assertFact(ctx context.Context, d memory.RelationDraft, evidence int64) (memory.RelationWrite,
	error) {
	head, err := w.end(ctx, d.Head, d.HeadType, d.HeadIs, d)
	if err != nil {
		return memory.RelationWrite{}, err
	}
	tail, err := w.end(ctx, d.Tail, d.TailType, d.TailIs, d)
	if err != nil {
		return memory.RelationWrite{}, err
	}
	d.Fact = respoken(d, head, tail)
	if head.id == tail.id {
		return memory.RelationWrite{}, memory.Errorf(memory.InvalidArgument, "%q cannot be related to itself.", clip(d.Head)).
			WithHint("Give another entity as the tail. A property of one entity belongs in its description.")
	}
	said := memory.Seconds(w.now) // the time of this call; its evidence may be an older duplicate
	switch {
	case evidence != 0:
		said, err = w.c.text(ctx, `SELECT occurred_at FROM mg_episodes WHERE id = ?`, evidence)
	case d.Suspicion == nil:
		evidence, err = w.callEpisode(ctx, d, head, tail)
	}
	if d.Suspicion != nil { // the given episode may be harmless, so the quarantined one is the evidence
		evidence = w.held
		err = cmp.Or(err, linkEntity(ctx, w.c, evidence, head.id), linkEntity(ctx, w.c, evidence, tail.id))
	}
	if err != nil {
		return memory.RelationWrite{}, err
	}
	claim, err := w.claimed(ctx, head, evidence)
	if err != nil {
		return memory.RelationWrite{}, err
	}
	if claim.id != 0 {
		sure := min(doubtfulName, memory.Capped(d.Confidence, d.Origin, d.Method))
		d.Confidence = &sure
	}
	a, err := w.read(d, head, tail, said)
	if err != nil {
		return memory.RelationWrite{}, err
	}
	turned, err := w.mirrored(ctx, a.fact)
	if err != nil {
		return memory.RelationWrite{}, err
	}
	if turned {
		a.head, a.tail, a.headType, a.tailName = a.tail, a.head, tail.typ, head.name
	}
	exact, err := w.usedAs(ctx, a)
	if err == nil && !d.Ended {
		err = w.stateAs(ctx, &a, exact, evidence)
	}
	if err = cmp.Or(err, w.agree(ctx, &a, evidence)); err != nil {
		return memory.RelationWrite{}, err
	}
	defer func(old int64) { w.episode = old }(w.episode)
	w.episode = evidence
	live, err := w.activeOn(ctx, `r.namespace = ? AND r.head_id = ? AND r.relation = ? AND r.tail_id = ?`,
		w.scope.Namespace, a.head, a.relation, a.tail)
	if err != nil {
		return memory.RelationWrite{}, err
	}
	var out memory.RelationWrite
	if a.still && len(live) == 0 {
		if live, err = w.restoreStill(ctx, a, &out); err != nil {
			return memory.RelationWrite{}, err
		}
	}
	switch {
	case a.denied && d.Method.Extracted() && len(live) == 0:
		return memory.RelationWrite{}, memory.Errorf(memory.NotFound, "The fact that the words deny is not known.")
	case d.Ended:
		err = w.endUsed(ctx, a, live, exact, &out)
	case a.validUntil != "":
		err = w.assertPast(ctx, a, live, &out)
	default:
		err = w.assertActive(ctx, a, live, &out)
	}
	if err != nil {
		return memory.RelationWrite{}, err
	}
	// Who only refers to a fact that is over does not state it. What forgets the turn that does forgets the fact.
	refers := d.Unnamed && slices.ContainsFunc(live, func(f fact) bool { return f.id == out.Relationship.ID })
	if !refers {
		if err := w.addEvidence(ctx, out.Relationship.ID, a); err != nil {
			return memory.RelationWrite{}, err
		}
	}
	out.Handed = d.Handed
	if claim.id != 0 && d.Relation != "same_as" {
		if err := w.doubt(ctx, claim, &out); err != nil {
			return memory.RelationWrite{}, err
		}
	}
	out.Relationship, err = w.relationship(ctx, out.Relationship.ID)
	return out, err
}

// read turns a draft into an assertion. It applies the caps and fills in times and class.
func (w *writing) read(d memory.RelationDraft, head, tail node, said string) (assertion, error) {
	stored := graph.Store(graph.Snake(d.Relation), head.typ, tail.typ)
	if stored.Swap {
		head, tail = tail, head
	}
	label := strings.TrimSpace(d.Relation)
	if d.Method != memory.MethodSupplied { // what an extractor finds is nobody's own statement
		label = stored.Relation
	}
	a := assertion{label: label, class: cmp.Or(d.EdgeClass, graph.Lookup(stored.Relation).Class),
		strength: d.Strength, quote: d.Quote,
		headType: head.typ, tailName: tail.name, fromGiven: !d.ValidFrom.IsZero(), news: d.News || stored.News, said: said,
		denied: d.Denied, still: d.Still,
		fact: fact{head: head.id, tail: tail.id, relation: stored.Relation, text: d.Fact,
			confidence: memory.Capped(d.Confidence, d.Origin, d.Method),
			origin:     d.Origin, method: d.Method, saidBy: d.SaidBy, validFrom: memory.Seconds(d.ValidFrom),
			fromUnit: d.FromUnit, untilUnit: d.UntilUnit}}
	now := memory.Seconds(w.now)
	until := memory.Seconds(d.ValidUntil)
	if d.Ended && until == "" {
		until, a.untilUnit, a.endSaid = said, "", true
	}
	if until != "" && a.fromGiven && until <= a.validFrom {
		return a, memory.Errorf(memory.InvalidArgument, "the fact ends at %s, not after its valid_from %s.", rfc3339(until),
			rfc3339(a.validFrom)).
			WithHint("Give valid_until, or a valid_from before it.")
	}
	if until <= now {
		a.validUntil = until
	} else {
		a.expiresAt = until
	}
	if !a.fromGiven && (until == "" || said < until) {
		a.validFrom, a.fromUnit = said, ""
	}
	return a, nil
}

// assertActive reinforces the active fact of the key, or writes a new one.
func (w *writing) assertActive(ctx context.Context, a assertion, live []fact, out *memory.RelationWrite) error {
	late := len(live) > 0 && a.said < live[0].validFrom
	if len(live) == 0 || late {
		period, err := w.periodOf(ctx, a)
		if err != nil {
			return err
		}
		if period.id != 0 {
			return w.toldLate(ctx, a, period, out)
		}
	}
	if late {
		next, err := w.nextPast(ctx, a)
		if err != nil {
			return err
		}
		late = next.id != 0 && next.validFrom < live[0].validFrom
	}
	if len(live) == 0 || late {
		if err := w.assertNew(ctx, a, out); err != nil {
			return err
		}
		return w.endKin(ctx, a, out.Relationship.ID, out)
	}
	out.Status, out.Relationship.ID = memory.RelationReinforced, live[0].id
	if err := w.reinforce(ctx, a, live[0]); err != nil {
		return err
	}
	if err := w.moveEnds(ctx, a, live[0], out); err != nil {
		return err
	}
	return w.endKin(ctx, a, live[0].id, out)
}

// reinforce applies an observation to an active fact (docs/decisions.md, "Observation reinforces").
func (w *writing) reinforce(ctx context.Context, a assertion, live fact) error {
	method := live.method
	if a.confidence > live.confidence || live.method.Linked() { // the fact was only a link and is now stated
		method = a.method
	}
	from := live.begin()
	if a.validFrom != "" && (from.at == "" && a.fromGiven || a.validFrom < from.at && !a.begin().covers(from) ||
		a.fromGiven && from.covers(a.begin()) || a.postpones(live)) {
		from = a.begin()
	}
	var strength any
	if a.strength != nil {
		strength = *a.strength
	}
	return w.change(ctx, live.id, causeReinforced, `confidence = max(confidence, ?2), origin = ?3, method = ?4, valid_from
		= ?5,
		expires_at = coalesce(?6, expires_at), fact = CASE WHEN fact = '' THEN ?7 ELSE fact END, strength = max(strength,
		coalesce(?8, strength)), last_observed_at = ?9, from_unit = ?10,
		until_unit = CASE WHEN ?6 IS NULL THEN until_unit ELSE ?11 END`,
		a.confidence, string(memory.MostTrusted(live.origin,
			a.origin)), string(method), nullable(from.at), nullable(a.expiresAt), a.text, strength, memory.Millis(w.now),
		nullable(string(from.unit)), nullable(string(a.untilUnit)))
}

// postpones reports whether a fact given again gives a later beginning to a plan: to a fact that had not begun when the
// newcomer was said, and does not end before.
func (a assertion) postpones(plan fact) bool {
	end := cmp.Or(a.expiresAt, plan.expiresAt)
	return a.fromGiven && plan.validFrom > a.said && a.validFrom > plan.validFrom && (end == "" || a.validFrom < end) &&
		mayEnd(a.fact, plan)
}

// assertNew writes a fact whose key is not active, and applies the rules about its rivals.
func (w *writing) assertNew(ctx context.Context, a assertion, out *memory.RelationWrite) error {
	rivals, err := w.rivals(ctx, a.fact, a.headType, a.news)
	if err != nil {
		return err
	}
	out.Status = memory.RelationCreated
	meets := func(f fact) bool { // whether both share some time
		return (a.expiresAt == "" || f.validFrom < a.expiresAt) && (f.expiresAt == "" || a.validFrom < f.expiresAt)
	}
	rivals = slices.DeleteFunc(rivals, func(f fact) bool { return !meets(f) })
	yielding := map[int64]bool{}
	for _, f := range rivals {
		if yielding[f.id], err = w.yields(ctx, f, a); err != nil {
			return err
		}
	}
	// The earliest rival that begins later and may end the newcomer ends it. If that rival has begun already, the
	// newcomer is past and ends no other fact.
	var closer *fact
	for i, f := range rivals {
		if !yielding[f.id] && a.beginsFor(f).at < f.validFrom && mayEnd(f, a.fact) &&
			(closer == nil || f.validFrom < closer.validFrom) {
			closer = &rivals[i]
		}
	}
	next, err := w.nextPast(ctx, a)
	if err != nil {
		return err
	}
	if next.id != 0 && (closer == nil || next.validFrom < closer.validFrom) {
		if next.relation == a.relation && (next.tail == a.tail || next.head == a.tail) {
			return w.toldLate(ctx, a, next, out)
		}
		closer = &next
	}
	if closer != nil {
		a.supersededBy, a.expiresAt, a.untilUnit = closer.id, closer.validFrom, closer.fromUnit
		rivals = slices.DeleteFunc(slices.Clone(rivals), func(f fact) bool {
			return f.id == closer.id || f.validFrom >= a.expiresAt
		})
		if a.expiresAt <= memory.Seconds(w.now) {
			a.validUntil, a.expiresAt = a.expiresAt, ""
			return w.storeClosed(ctx, a, rivals, out)
		}
	}
	if err := w.guessed(a, rivals); err != nil {
		return err
	}
	if out.Relationship.ID, err = w.insertFact(ctx, a); err != nil {
		return err
	}
	for _, f := range rivals {
		if (yielding[f.id] || a.beginsFor(f).at >= f.validFrom) && mayEnd(a.fact, f) {
			if err := w.endAt(ctx, f, a.beginsFor(f).after(f.begin()), out.Relationship.ID, causeSuperseded); err != nil {
				return err
			}
			out.Status = memory.RelationSuperseded
			out.Superseded = append(out.Superseded, f.id)
			continue
		}
		if err := w.conflict(ctx, f, "it has more trust or confidence, so it stays", out); err != nil {
			return err
		}
	}
	return nil
}

// guessed refuses a fact that a model only implied if it contradicts a stated fact that it may not end. Such a guess
// does not even become a conflict.
func (w *writing) guessed(a assertion, against []fact) error {
	if w.finding && a.method == memory.MethodModelImplied && slices.ContainsFunc(against, func(f fact) bool {
		return f.method != memory.MethodModelImplied && !mayEnd(a.fact, f)
	}) {
		return memory.Errorf(memory.Conflict, "The fact is only implied and contradicts a stated fact.")
	}
	return nil
}

func (w *writing) conflict(ctx context.Context, f fact, reason string, out *memory.RelationWrite) error {
	sentence, err := w.sentence(ctx, f)
	out.Conflicts = append(out.Conflicts, memory.FactConflict{ID: f.id, Fact: sentence, Reason: reason})
	return err
}
