package store

import (
	"context"
	"slices"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// fact holds the columns of mg_relationships that writing needs. Times are in their stored form: texts whose order is
// the order in time.
type fact struct {
	id                               int64
	head, tail                       int64
	relation, text                   string
	confidence                       float64
	origin                           memory.Origin
	method                           memory.Method
	validFrom, validUntil, expiresAt string // "" for none
	fromUnit, untilUnit              memory.Unit
	supersededBy                     int64
	saidBy                           memory.Origin // of a newcomer: the origin of the words that it restates
}

const factColumns = `r.id, r.head_id, r.tail_id, r.relation, r.fact, r.confidence, r.origin, r.method, r.valid_from,
	r.valid_until, r.expires_at, r.superseded_by, r.from_unit, r.until_unit`

func scanFact(s cursor) fact {
	return fact{id: s.int64(0), head: s.int64(1), tail: s.int64(2), relation: s.text(3),
		text:       s.text(4),
		confidence: s.float(5), origin: memory.Origin(s.text(6)), method: memory.Method(s.text(7)),
		validFrom: s.text(8), validUntil: s.text(9), expiresAt: s.text(10), supersededBy: s.int64(11),
		fromUnit: memory.Unit(s.text(12)), untilUnit: memory.Unit(s.text(13))}
}

// rows returns the rows of a fact that find finds with a further condition, whose parameters begin with ?5. Those of a
// symmetric relation may have head and tail exchanged.
func (w *writing) rows(ctx context.Context, find func(ctx context.Context, where string, args ...any) ([]fact, error),
	f fact, where string, args ...any) ([]fact, error) {
	list := func(head, tail int64) ([]fact, error) {
		return find(ctx, `r.namespace = ?1 AND r.head_id = ?2 AND r.relation = ?3 AND r.tail_id = ?4`+where,
			append([]any{w.scope.Namespace, head, f.relation, tail}, args...)...)
	}
	found, err := list(f.head, f.tail)
	if err != nil || len(found) > 0 || !graph.Mirrored(f.relation) {
		return found, err
	}
	return list(f.tail, f.head)
}

// mirrored reports whether a fact of a symmetric relation is known with head and tail exchanged. A row is told again in
// its own direction.
func (w *writing) mirrored(ctx context.Context, f fact) (bool, error) {
	if !graph.Mirrored(f.relation) {
		return false, nil
	}
	const rows = `SELECT r.id, r.valid_until IS NULL AND (r.expires_at IS NULL OR r.expires_at > ?5) AS live
		FROM mg_facts r WHERE r.namespace = ?1 AND r.relation = ?2 AND r.id <> ?6 AND `
	known, _, err := w.c.int64(ctx, `SELECT turned FROM (SELECT *, 0 AS turned FROM
		(`+rows+`r.head_id = ?3 AND r.tail_id = ?4)
		UNION ALL SELECT *, 1 FROM (`+rows+`r.head_id = ?4 AND r.tail_id = ?3)) ORDER BY live DESC, turned, id LIMIT 1`,
		w.scope.Namespace, f.relation, f.head, f.tail, memory.Seconds(w.now), f.id)
	return known == 1, err
}

// facts returns the facts r, archived ones too, that match a condition.
func (w *writing) facts(ctx context.Context, where string, args ...any) ([]fact, error) {
	return w.factsFrom(ctx, "mg_facts", where, args)
}

// openFacts returns the facts r without an end that match a condition. The archive has none.
func (w *writing) openFacts(ctx context.Context, where string, args ...any) ([]fact, error) {
	return w.factsFrom(ctx, "mg_relationships", `r.valid_until IS NULL AND `+where, args)
}

func (w *writing) factsFrom(ctx context.Context, table, where string, args []any) ([]fact, error) {
	var found []fact
	err := w.c.query(ctx, `SELECT `+factColumns+` FROM `+table+` r WHERE `+where, func(s cursor) error {
		found = append(found, scanFact(s))
		return nil
	}, args...)
	return found, err
}

// factByID returns a fact of the namespace. The error is NotFound if there is none.
func (w *writing) factByID(ctx context.Context, id int64) (fact, error) {
	found, err := w.facts(ctx, `r.id = ? AND r.namespace = ?`, id, w.scope.Namespace)
	if err == nil && len(found) == 0 {
		err = memory.Errorf(memory.NotFound, "There is no relationship %s in namespace %q.", memory.RelationshipID(id),
			w.scope.Namespace).
			WithHint("retrieve_linked lists the relationships of an entity with their ids.")
	}
	if err != nil {
		return fact{}, err
	}
	return found[0], nil
}

// activeOn returns the active facts that match a condition. It first ends those whose scheduled end is due, so no
// expired fact is reinforced or superseded.
func (w *writing) activeOn(ctx context.Context, where string, args ...any) ([]fact, error) {
	found, err := w.openFacts(ctx, where+` ORDER BY r.id`, args...)
	if err != nil {
		return nil, err
	}
	live := found[:0]
	for _, f := range found {
		if f.expiresAt == "" || f.expiresAt > memory.Seconds(w.now) {
			live = append(live, f)
			continue
		}
		if err := w.expire(ctx, f); err != nil {
			return nil, err
		}
	}
	return live, nil
}

// expire makes a due scheduled end the fact's end.
func (w *writing) expire(ctx context.Context, f fact) error {
	return w.change(ctx, f.id, causeExpired, `valid_until = expires_at, expired_at = ?2`, memory.Millis(w.now))
}

// change updates columns of a fact and writes its version and event. The parameters of set begin with ?2.
func (w *writing) change(ctx context.Context, id int64, cause, set string, args ...any) error {
	before, err := w.relationshipSnapshot(ctx, id)
	if err != nil {
		return err
	}
	if _, err := w.c.exec(ctx, `UPDATE mg_relationships SET `+set+` WHERE id = ?1`,
		append([]any{id}, args...)...); err != nil {
		return err
	}
	return w.relationshipChanged(ctx, id, cause, before)
}

// moment is a time in its stored form, with the precision that it was given with.
type moment struct {
	at   string
	unit memory.Unit
}

// after returns the later of two moments, m if they are at the same instant.
func (m moment) after(o moment) moment {
	if o.at > m.at {
		return o
	}
	return m
}

func (f fact) begin() moment { return moment{f.validFrom, f.fromUnit} }

// present is now as the end of a fact.
func (w *writing) present() moment { return moment{at: memory.Seconds(w.now)} }

// covers reports whether a more precise moment lies in the month or year that m names.
func (m moment) covers(o moment) bool {
	return m.at != "" && m.unit != "" && m.unit != o.unit && m.at <= o.at && o.at < m.end()
}

// end returns the first instant after the period.
func (m moment) end() string {
	t, err := memory.ParseStored(m.at)
	if err != nil {
		return m.at
	}
	return memory.Seconds(m.unit.End(t))
}

// beginsFor returns when a newcomer begins in relation to a rival. If only the year or month of its beginning is known
// and the rival began in that period, the newcomer begins when it was said, because a fact that is told later counts as
// later.
func (a assertion) beginsFor(f fact) moment {
	if m := a.begin(); m.covers(f.begin()) && a.said >= f.validFrom {
		return moment{at: min(a.said, m.end())}
	}
	return a.begin()
}

// endAt ends a fact at an instant, or schedules the end if the instant lies ahead. A fact that ends at its own
// beginning never held, so it ends at once. by is the fact that supersedes it, 0 for none.
func (w *writing) endAt(ctx context.Context, f fact, at moment, by int64, cause string) error {
	var superseder any
	if by != 0 {
		superseder = by
	}
	if at.at > memory.Seconds(w.now) && at.at > f.validFrom {
		return w.change(ctx, f.id, causeScheduled, `expires_at = ?2, superseded_by = ?3, until_unit = ?4`, at.at, superseder,
			nullable(string(at.unit)))
	}
	return w.change(ctx, f.id, cause, `valid_until = ?2, superseded_by = ?3, expired_at = ?4, until_unit = ?5`, at.at,
		superseder, memory.Millis(w.now), nullable(string(at.unit)))
}

// relationship reads a whole fact.
func (w *writing) relationship(ctx context.Context, id int64) (memory.Relationship, error) {
	var out memory.Relationship
	err := w.c.query(ctx, `SELECT
		`+factColumns+`, r.label, r.edge_class, r.strength, r.retrieval_count, r.created_at,
		r.expired_at, r.last_observed_at,
		h.kind, h.name, h.type, t.kind, t.name, t.type FROM mg_facts r CROSS JOIN mg_entities h ON h.id = r.head_id CROSS JOIN
		mg_entities t ON t.id = r.tail_id
		WHERE r.id = ? AND r.namespace = ?`, func(s cursor) (err error) {
		f := scanFact(s)
		out = memory.Relationship{ID: f.id, Namespace: w.scope.Namespace, Relation: f.relation, Fact: f.text,
			Confidence: f.confidence,
			Origin:     f.origin, Method: f.method, SupersededBy: f.supersededBy, Label: s.text(14),
			EdgeClass: s.text(15), FromUnit: f.fromUnit, UntilUnit: f.untilUnit,
			Strength: s.float(16), RetrievalCount: s.float(17),
			Head: memory.Node{ID: f.head, Kind: memory.NodeKind(s.text(21)), Name: s.text(22),
				Type: s.text(23)},
			Tail: memory.Node{ID: f.tail, Kind: memory.NodeKind(s.text(24)), Name: s.text(25),
				Type: s.text(26)}}
		for text, into := range map[string]*time.Time{f.validFrom: &out.ValidFrom} {
			if *into, err = memory.ParseStored(text); err != nil {
				return err
			}
		}
		for _, t := range []struct {
			text string
			into *time.Time
		}{{f.validUntil, &out.ValidUntil}, {f.expiresAt, &out.ExpiresAt}, {s.text(18),
			&out.CreatedAt}, {s.text(19), &out.ExpiredAt}, {s.text(20), &out.LastObservedAt}} {
			if *t.into, err = memory.ParseStored(t.text); err != nil {
				return err
			}
		}
		return nil
	}, id, w.scope.Namespace)
	if err != nil {
		return out, err
	}
	err = w.c.query(ctx, `SELECT DISTINCT v.episode_id FROM mg_evidence v WHERE v.relationship_id = ? AND `+
		spoken+` ORDER BY v.episode_id`,
		func(s cursor) error {
			out.Evidence = append(out.Evidence, s.int64(0))
			return nil
		}, id)
	return out, err
}

// mayEnd reports whether a newcomer has the trust and the confidence to end a fact. See docs/facts.md.
func mayEnd(newcomer, old fact) bool {
	return max(newcomer.origin.Trust(), newcomer.saidBy.Trust()) >= old.origin.Trust() &&
		(newcomer.confidence >= memory.StrongConfidence || newcomer.confidence >= old.confidence)
}

// yields reports whether news ends a fact that begins later than the news. This needs three conditions: the fact's
// beginning is only the time at which an episode stated it, that time is not after the news was told, and trust allows
// it (mayEnd).
func (w *writing) yields(ctx context.Context, f fact, news assertion) (bool, error) {
	if !news.news || f.validFrom == "" || f.validFrom > news.said || !mayEnd(news.fact, f) {
		return false, nil
	}
	_, assumed, err := w.c.int64(ctx,
		`SELECT 1 FROM mg_evidence v JOIN mg_episodes p ON p.id = v.episode_id WHERE v.relationship_id = ? AND p.occurred_at =
			? LIMIT 1`,
		f.id, f.validFrom)
	return assumed, err
}

// calledOff reports whether a claim without a time that a fact has ended calls off a scheduled fact: one that was
// announced before the claim and had not begun ("it's the 10th, not the 3rd").
func (w *writing) calledOff(ctx context.Context, f fact, claim assertion) (bool, error) {
	if !claim.endSaid {
		return false, nil
	}
	_, announced, err := w.c.int64(ctx,
		`SELECT 1 FROM mg_evidence v JOIN mg_episodes p ON p.id = v.episode_id WHERE v.relationship_id = ? AND
			p.occurred_at <= ? LIMIT 1`, f.id, claim.said)
	return announced, err
}

// rivals returns the active facts that cannot hold beside a newcomer: facts with another tail if the relation has one
// live tail, and the exclusive relation between the same head and tail. news says that the newcomer is told as a
// change, which also makes narrower places rivals (apart).
func (w *writing) rivals(ctx context.Context, f fact, headType string, news bool) ([]fact, error) {
	return w.rivalsAmong(ctx, f, headType, news, w.activeOn)
}

// rivalsAmong is rivals among the facts that active finds.
func (w *writing) rivalsAmong(ctx context.Context, f fact, headType string, news bool,
	active func(ctx context.Context, where string, args ...any) ([]fact, error)) ([]fact, error) {
	known := graph.Lookup(f.relation)
	var found []fact
	if known.OneTail(headType) || known.Places && news {
		others, err := active(ctx, `r.namespace = ? AND r.head_id = ? AND r.relation = ? AND r.tail_id <> ?`,
			w.scope.Namespace, f.head, f.relation, f.tail)
		if err != nil {
			return nil, err
		}
		found = others
		if known.Places {
			if found, err = w.apart(ctx, f, news, others); err != nil {
				return nil, err
			}
		}
	}
	for _, excluded := range known.Excludes {
		partner, err := active(ctx, `r.namespace = ? AND r.head_id = ? AND r.relation = ? AND r.tail_id = ?`,
			w.scope.Namespace, f.head, excluded, f.tail)
		if err != nil {
			return nil, err
		}
		found = append(found, partner...)
	}
	return slices.DeleteFunc(found, func(r fact) bool { return r.id == w.passing }), nil
}

// sentence returns a fact as a readable sentence.
func (w *writing) sentence(ctx context.Context, f fact) (string, error) {
	if f.text != "" {
		return f.text, nil
	}
	return w.c.text(ctx,
		`SELECT (SELECT name FROM mg_entities WHERE id = ?1) || ' ' || replace(?2, '_', ' ') || ' ' || (SELECT name FROM
			mg_entities WHERE id = ?3)`,
		f.head, f.relation, f.tail)
}

// insertFact writes a new row with its version and event.
func (w *writing) insertFact(ctx context.Context, a assertion) (int64, error) {
	strength, now := 1.0, memory.Millis(w.now)
	if a.strength != nil {
		strength = *a.strength
	}
	var by, expired any
	if a.supersededBy != 0 {
		by = a.supersededBy
	}
	if a.validUntil != "" {
		expired = now
	}
	_, err := w.c.exec(ctx, `INSERT INTO mg_relationships (id, namespace, head_id, relation, tail_id, label, edge_class,
		fact, confidence, strength, origin, method,
		valid_from, valid_until, expires_at, created_at, expired_at, last_observed_at, superseded_by, from_unit,
		until_unit) VALUES
		(`+freshID("mg_relationships")+`, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?15, ?16, ?15, ?17, ?18, ?19)`,
		w.scope.Namespace, a.head, a.relation, a.tail, a.label, a.class, a.text, a.confidence, strength, string(
			a.origin), string(a.method),
		nullable(a.validFrom), nullable(a.validUntil), nullable(a.expiresAt), now, expired, by,
		nullable(string(a.fromUnit)), nullable(string(a.untilUnit)))
	if err != nil {
		return 0, err
	}
	id := w.c.lastID()
	if a.validUntil == "" {
		if err := w.joinNeighbours(ctx, a.head, a.tail); err != nil {
			return 0, err
		}
	}
	return id, w.relationshipChanged(ctx, id, causeCreated, "")
}

// addEvidence records the episode that says the fact. Every fact has evidence.
func (w *writing) addEvidence(ctx context.Context, id int64, a assertion) error {
	_, err := w.c.exec(ctx, `INSERT INTO mg_evidence (relationship_id, episode_id, quote, method, confidence, created_at)
		VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (relationship_id, episode_id, method) DO UPDATE SET confidence = max(confidence, excluded.confidence)`,
		id, w.episode, nullable(a.quote), string(a.method), a.confidence, memory.Millis(w.now))
	return err
}
