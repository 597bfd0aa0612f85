package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// duplicateWindow is how long a repetition by the same speaker counts as a duplicate. See
// docs/decisions.md, "Duplicate turns".
const duplicateWindow = 10 * time.Minute

// NewEpisode is a turn that is about to be stored. The caller fills in the turn and what is supplied with it.
// episodes.Recorder then checks and masks the turn, and sets origin, status, reasons and reading. The store writes the
// values unchanged.
type NewEpisode struct {
	// Episode is the turn itself. A zero OccurredAt is the time of the store's clock. The store sets ID, Seq and
	// CreatedAt.
	memory.Episode
	IdempotencyKey string
	Labels         []memory.Label
	Entities       []memory.EntityDraft   // supplied with the turn
	Relations      []memory.RelationDraft // supplied with the turn, which is their evidence
	Imported       bool                   // came from a file: undoing the call withdraws the turn
	Raise          bool                   // raises a stored turn with the same key and a lower trust to this origin
	Caller         memory.Caller          // for the event

	Reasons []string // why the turn was quarantined, skipped or masked
	Reading
}

// Reading is what extraction found in a turn before the turn is stored.
type Reading struct {
	Jobs      []string        // kinds of jobs to queue for the turn besides embedding, such as KindExtract
	RulesRead bool            // the rules have read the turn
	Found     memory.Findings // by the rules; written after the supplied facts
}

// importAction is the action of importing a file, in the event log.
const importAction = "import"

// Recorded is the result of storing a turn.
type Recorded struct {
	Episode   memory.Episode // as stored; of a duplicate, the first one
	Duplicate bool
	// SameKey is set if the idempotency key identified the duplicate. Differs is set if the stored text under that key
	// is different. The new text is not stored, because a key identifies one turn.
	SameKey, Differs bool
	// Raised is set if the trust of the duplicate was raised.
	Raised bool

	Entities  []memory.EntityWrite
	Relations []memory.RelationWrite
	Errors    []memory.ItemError // supplied items that were not stored
	Found     Written            // from the findings of the rules
}

// RecordEpisode writes a turn with its text index row, its jobs, its event and the facts supplied with it in one
// transaction, unless the turn is a duplicate (docs/decisions.md, "Duplicate turns"). A duplicate is one of:
//   - a turn with an idempotency key that the namespace has already;
//   - the same words by the same speaker as the session's last turn, at most ten minutes later by the store's clock,
//     unless the caller gives another time for them (OccurredAt, to the second);
//   - a turn that came both from a hook and from the agent's own call (cameBothWays).
//
// Facts supplied with a duplicate become facts of the first turn. With a repeated key they are not stored. When
// RecordEpisode returns, the turn survives a killed process, and the next search finds it by text.
func (s *Store) RecordEpisode(ctx context.Context, in NewEpisode) (Recorded, error) {
	var out Recorded
	p := prepareEpisode(in)
	action := "store_episode"
	if in.Imported {
		action = importAction
	}
	err := s.writeGraph(ctx, "record episode", action, in.Scope, in.Caller, func(ctx context.Context, w *writing) error {
		var err error
		out, err = w.record(ctx, in, p)
		return err
	})
	if err != nil {
		return Recorded{}, err
	}
	return out, nil
}

// record writes a turn with what was supplied with it, unless it is a duplicate.
func (w *writing) record(ctx context.Context, in NewEpisode, p prepared) (Recorded, error) {
	out, err := w.recordEpisode(ctx, in, p)
	if err != nil {
		return out, err
	}
	if out.SameKey {
		if in.Raise && !out.Differs && out.Episode.Origin.Trust() < in.Origin.Trust() {
			if err = w.raiseTurn(ctx, in, &out); err == nil {
				err = w.supplied(ctx, in, &out) // the supplied facts are vouched for, too
			}
		}
		return out, err
	}
	w.episode = out.Episode.ID
	if out.Episode.Status == memory.StatusQuarantined {
		err = w.heldBy(w.episode, func() error { return w.supplied(ctx, in, &out) })
	} else {
		err = w.supplied(ctx, in, &out)
	}
	return out, err
}

// prepared holds the values of a turn that are computed before the write lock is taken.
type prepared struct {
	hash            [sha256.Size]byte
	content, beside string // for the text index
}

func prepareEpisode(in NewEpisode) prepared {
	return prepared{sha256.Sum256([]byte(in.Content)), text.Prepare(in.Content), beside(in.Speaker, in.Labels)}
}

// recordEpisode writes a turn, or finds the turn that it duplicates.
func (w *writing) recordEpisode(ctx context.Context, in NewEpisode, p prepared) (Recorded, error) {
	out, err := findDuplicate(ctx, w.c, in, p.hash[:], w.now)
	if err != nil || out.Duplicate {
		return out, err
	}
	out.Episode, err = w.newTurn(ctx, in, p)
	return out, err
}

// newTurn writes a turn.
func (w *writing) newTurn(ctx context.Context, in NewEpisode, p prepared) (e memory.Episode, err error) {
	e = in.Episode
	e.CreatedAt = w.now
	if e.OccurredAt.IsZero() {
		e.OccurredAt = w.now
	}
	e.OccurredAt = e.OccurredAt.UTC().Truncate(time.Second)
	if e.Seq, err = nextSeq(ctx, w.c, in.Scope); err != nil {
		return e, err
	}
	if e.ID, err = insertEpisode(ctx, w.c, e, in, p.hash[:]); err != nil {
		return e, err
	}
	if e.Status != memory.StatusNote {
		if err := w.indexTurn(ctx, e, p.content, p.beside); err != nil {
			return e, err
		}
		if err := w.s.enqueueFor(ctx, w.c, e, in.Jobs, w.now); err != nil {
			return e, err
		}
	}
	if err := w.labelTurn(ctx, e.ID, in.Labels, e.Origin); err != nil {
		return e, err
	}
	defer func(old int64) { w.episode = old }(w.episode)
	w.episode = e.ID
	made := "" // undo keeps a turn that was said
	if in.Imported {
		made = turnSnapshot{Status: in.Status}.json()
	}
	_, err = w.log(ctx, memory.EpisodeID(e.ID), "", made)
	return e, err
}

// supplied writes the facts that a caller supplied with a turn, one by one. It reports an item that cannot be stored in
// out.Errors and continues with the next.
func (w *writing) supplied(ctx context.Context, in NewEpisode, out *Recorded) error {
	item := func(name string, do func() error) error {
		mistake, err := w.attempt(do)
		if mistake != nil {
			out.Errors = append(out.Errors, itemError(name, mistake))
		}
		return err
	}
	for i, d := range in.Entities {
		if err := item(cmp.Or(d.Item, fmt.Sprintf("entities[%d]", i)), func() error {
			e, err := w.createEntity(ctx, d)
			if err == nil {
				out.Entities = append(out.Entities, e)
				err = linkEntity(ctx, w.c, out.Episode.ID, e.Entity.ID)
			}
			return err
		}); err != nil {
			return err
		}
	}
	written := make([]*memory.RelationWrite, len(in.Relations))
	for _, i := range widerFirst(in.Relations) {
		d := in.Relations[i]
		if err := item(cmp.Or(d.Item, fmt.Sprintf("relations[%d]", i)), func() error {
			if d.NamesSpeaker {
				n, err := w.nameSpeaker(ctx, d, out.Episode.ID)
				out.Found.take(n)
				return err
			}
			r, err := w.assertSaid(ctx, d, out.Episode.ID)
			if err == nil {
				written[i] = &r
			}
			return err
		}); err != nil {
			return err
		}
	}
	for _, r := range written { // in the order of the call
		if r != nil {
			out.Relations = append(out.Relations, *r)
		}
	}
	if out.Duplicate {
		return w.settleConflicts(ctx, out.Relations)
	}
	return cmp.Or(w.addFindings(ctx, out.Episode, in.Found, &out.Found),
		w.linkSwitched(ctx, slices.Concat(out.Relations, out.Found.Relations)),
		w.settleConflicts(ctx, out.Relations, out.Found.Relations))
}

// linkEntity notes that an episode mentions a node.
func linkEntity(ctx context.Context, c *conn, episode, node int64) error {
	_, err := c.exec(ctx,
		`INSERT INTO mg_mentions (episode_id, entity_id, role) VALUES (?, ?, 'mention') ON CONFLICT DO NOTHING`, episode,
		node)
	return err
}

// roleOf returns the role of a turn that is made from a call's arguments.
func roleOf(o memory.Origin) memory.Role {
	switch o {
	case memory.OriginUser:
		return memory.RoleUser
	case memory.OriginTool:
		return memory.RoleTool
	}
	return memory.RoleAssistant
}

// callEpisode stores the evidence of a fact that came without an episode: the fact's sentence, as a turn with the
// source "call" (docs/decisions.md, "Every fact has evidence").
func (w *writing) callEpisode(ctx context.Context, d memory.RelationDraft, head, tail node) (int64, error) {
	content := d.Fact
	if strings.TrimSpace(content) == "" {
		from, err := w.spelled(ctx, head)
		if err != nil {
			return 0, err
		}
		to, err := w.spelled(ctx, tail)
		if err != nil {
			return 0, err
		}
		content = from + " " + strings.ReplaceAll(graph.Snake(d.Relation), "_", " ") + " " + to
	}
	in := NewEpisode{Episode: memory.Episode{Scope: w.scope, Role: roleOf(d.Origin), Source: CallSource,
		Content: content, Origin: d.Origin, Status: memory.StatusSkipped}}
	rec, err := w.recordEpisode(ctx, in, prepareEpisode(in))
	if err != nil {
		return 0, err
	}
	return rec.Episode.ID, cmp.Or(linkEntity(ctx, w.c, rec.Episode.ID, head.id),
		linkEntity(ctx, w.c, rec.Episode.ID, tail.id))
}

func findDuplicate(ctx context.Context, c *conn, in NewEpisode, hash []byte, now time.Time) (Recorded, error) {
	if in.IdempotencyKey != "" {
		id, ok, err := c.int64(ctx, `SELECT id FROM mg_episodes WHERE namespace = ? AND idempotency_key = ?`,
			in.Scope.Namespace, in.IdempotencyKey)
		if err != nil {
			return Recorded{}, err
		}
		if ok {
			first, err := episodeByID(ctx, c, in.Scope.Namespace, id)
			return Recorded{Episode: first, Duplicate: true, SameKey: true,
				Differs: first.Content != in.Content || first.Role != in.Role}, err
		}
	}
	id, ok, err := lastTurn(ctx, c, in, hash, now)
	if err == nil && !ok {
		id, ok, err = cameBothWays(ctx, c, in, hash, now)
	}
	if err != nil || !ok {
		return Recorded{}, err
	}
	first, err := episodeByID(ctx, c, in.Scope.Namespace, id)
	return Recorded{Episode: first, Duplicate: true}, err
}

// lastTurnColumns are the columns that lastTurn compares. A key that only guards one delivery (memory.OnceKey) does not
// distinguish two turns.
const lastTurnColumns = `SELECT id, role, coalesce(speaker, ''), content_hash, created_at,
	idempotency_key IS NOT NULL AND substr(idempotency_key, 1, 10) <>
	'` + memory.OnceKey + `', occurred_at FROM mg_episodes `

// lastTurn returns the session's last turn and whether in duplicates it.
func lastTurn(ctx context.Context, c *conn, in NewEpisode, hash []byte, now time.Time) (id int64, same bool,
	err error) {
	row := func(s cursor) error {
		at, err := s.time(4)
		if err != nil {
			return fmt.Errorf("episode %d: created_at: %w", s.int64(0), err)
		}
		// The distance counts in both directions, so a clock that was set back does not turn old turns into duplicates.
		age := now.Sub(at).Abs()
		chosen := in.IdempotencyKey != "" && !strings.HasPrefix(in.IdempotencyKey, memory.OnceKey)
		twoKeys := chosen && s.bool(5) // equal keys were handled by findDuplicate
		id = s.int64(0)
		same = age <= duplicateWindow && !twoKeys && s.text(1) == string(in.Role) &&
			s.text(2) == in.Speaker && bytes.Equal(s.rawBlob(3), hash) && !in.atAnotherTime(s.text(6))
		return nil
	}
	if in.Scope.SessionID != "" {
		err = c.query(ctx, lastTurnColumns+`WHERE namespace = ? AND session_id = ? AND status <> '`+memory.StatusWithdrawn+
			`' ORDER BY seq DESC LIMIT 1`, row,
			in.Scope.Namespace, in.Scope.SessionID)
	} else {
		err = c.query(ctx, lastTurnColumns+
			`WHERE namespace = ? AND session_id IS NULL AND project IS ? AND user IS ? AND status <> '`+memory.StatusWithdrawn+
			`' ORDER BY id DESC LIMIT 1`, row,
			in.Scope.Namespace, nullable(in.Scope.Project), nullable(in.Scope.User))
	}
	return id, same, err
}

// atAnotherTime reports whether the caller gives a time that differs from a stored turn's time, compared by the second.
// "I ran 5 km today" on two days means two runs. A hook's time does not count: the host may deliver a turn again later.
func (in NewEpisode) atAnotherTime(stored string) bool {
	return !in.OccurredAt.IsZero() && !strings.HasPrefix(in.Source, memory.HookSource) &&
		memory.Seconds(in.OccurredAt.UTC()) != stored
}

// nextSeq returns the next sequence number in the session, or 0 without a session.
func nextSeq(ctx context.Context, c *conn, scope memory.Scope) (int64, error) {
	if scope.SessionID == "" {
		return 0, nil
	}
	last, _, err := c.int64(ctx, `SELECT max(seq) FROM mg_episodes WHERE namespace = ? AND session_id = ?`,
		scope.Namespace, scope.SessionID)
	return last + 1, err
}

func insertEpisode(ctx context.Context, c *conn, e memory.Episode, in NewEpisode, hash []byte) (int64, error) {
	var reasons nullable
	if len(in.Reasons) > 0 {
		list, err := json.Marshal(in.Reasons)
		if err != nil {
			return 0, fmt.Errorf("write reasons: %w", err)
		}
		reasons = nullable(list)
	}
	_, err := c.exec(ctx, `INSERT INTO mg_episodes (id, namespace, project, user, session_id, seq, role, speaker, source,
		idempotency_key,
		occurred_at, created_at, origin, status, reasons, content_hash, content, rules_read) VALUES
		(`+freshID("mg_episodes")+`, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.Scope.Namespace, nullable(e.Scope.Project), nullable(e.Scope.User), nullable(e.Scope.SessionID), e.Seq, string(
			e.Role),
		nullable(e.Speaker), nullable(e.Source), nullable(in.IdempotencyKey), memory.Seconds(e.OccurredAt), memory.Millis(
			e.CreatedAt),
		string(e.Origin), e.Status, reasons, hash, e.Content, in.RulesRead)
	if err != nil {
		return 0, err
	}
	return c.lastID(), nil
}
