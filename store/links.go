package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"memory-graph/internal/memory"
)

// Kinds of the jobs that link nodes. Their subjects are nodes: m7, e12.
const (
	KindLink       = "link"       // link a node to similar nodes, by their vectors
	KindContradict = "contradict" // a model compares a node with similar nodes
	KindRelate     = "relate"     // a model compares a node with recent nodes
)

// linkAction is the action of link changes in the event log. No call makes them, so undo skips them.
const linkAction = "link"

// causeUnlinked is why a link ended: its two nodes no longer support it, or one of them is gone.
const causeUnlinked = "unlinked"

// Relinking is a request to recompute a node's links.
type Relinking struct {
	Namespace string
	Subject   int64
	Near      []int64 // other nodes whose links are read too
	Relations []string
	Except    []string      // not nil: all other relations of Method are managed, too, except these
	Method    memory.Method // of the links that this request manages
	Jobs      Held          // the jobs that make the request; nothing is written if the holder lost one
	// Ask lists the kinds of jobs to queue for the subject, unless its text with this Digest was already read for the
	// kind.
	Ask    []string
	Digest TextDigest
	// Stale ends the links that a model made from an earlier text of the subject. Set it if no model will read the new
	// text.
	Stale bool
	// Read is the kind of job that has just read the text of Digest; "" for none.
	Read string
}

// TextDigest is the hash of a node's text.
type TextDigest [sha256.Size]byte

// DigestText returns the hash of a node's text.
func DigestText(text string) TextDigest { return sha256.Sum256([]byte(text)) }

// Linkable is the input of a plan of links.
type Linkable struct {
	Nodes map[int64]memory.LinkNode // the subject and the near nodes, if answers show them
	Links []memory.Link             // active links of these nodes, and links of the subject that a call ended
}

// Relinked is the result of a Relinking.
type Relinked struct {
	Made, Changed, Ended int
	Refused              []error // why links could not be written; the others were
	Queued               bool    // new jobs were queued
}

// Relink reads a subject's links, lets plan decide the changes, writes them and completes the job, all in one
// transaction. The transaction holds the write lock while plan runs, so plan must be quick. If answers no longer show
// the subject, all its links end. A link that already is as wanted is not written again: no version, no event.
func (s *Store) Relink(ctx context.Context, q Relinking, plan func(Linkable) memory.LinkChange) (Relinked, error) {
	var out Relinked
	err := s.writeGraph(ctx, "link", linkAction, memory.Scope{Namespace: q.Namespace}, memory.Caller{Actor: "system"},
		func(ctx context.Context, w *writing) error {
			out = Relinked{}
			if held, err := w.holds(ctx, q.Jobs); err != nil || !held {
				return err
			}
			there, err := w.linkable(ctx, q)
			if err != nil {
				return err
			}
			var change memory.LinkChange
			_, shown := there.Nodes[q.Subject]
			if shown {
				change = plan(there)
			} else {
				for _, l := range there.Links {
					if l.Head == q.Subject || l.Tail == q.Subject {
						change.End = append(change.End, l.ID)
					}
				}
			}
			if err := w.relink(ctx, q, there, change, &out); err != nil {
				return err
			}
			if shown && q.Stale {
				if err := w.unlinkStale(ctx, q, &out); err != nil {
					return err
				}
			}
			if shown {
				if err := w.askAbout(ctx, q, there.Nodes[q.Subject], &out); err != nil {
					return err
				}
			}
			return completeJobs(ctx, w.c, q.Jobs.Holder, q.Jobs.IDs)
		})
	if err != nil {
		return Relinked{}, err
	}
	return out, nil
}

// holds reports whether the holder still has all the jobs. Without jobs it returns true.
func (w *writing) holds(ctx context.Context, jobs Held) (bool, error) {
	if len(jobs.IDs) == 0 {
		return true, nil
	}
	n, _, err := w.c.int64(ctx,
		`SELECT count(*) FROM mg_jobs WHERE id IN (SELECT value FROM json_each(?)) AND holder = ? AND status = 'running'`,
		idList(jobs.IDs), jobs.Holder)
	return n == int64(len(jobs.IDs)), err
}

// linkable reads the input of a plan of links.
func (w *writing) linkable(ctx context.Context, q Relinking) (Linkable, error) {
	out := Linkable{Nodes: map[int64]memory.LinkNode{}}
	nodes := idList(append([]int64{q.Subject}, q.Near...))
	err := w.c.query(ctx, `SELECT e.id, e.kind, e.type, e.origin FROM (SELECT DISTINCT value AS id FROM json_each(?)) j
		CROSS JOIN mg_entities e ON e.id = j.id
		WHERE e.namespace = ? AND (`+shownEntity+` OR `+liveTurn+`)`, func(s cursor) error {
		n := memory.LinkNode{ID: s.int64(0), Kind: memory.NodeKind(s.text(1)), Type: s.text(2),
			Origin: memory.Origin(s.text(3))}
		out.Nodes[n.ID] = n
		return nil
	}, nodes, w.scope.Namespace)
	if err != nil {
		return out, err
	}
	relations, err := json.Marshal(q.Relations)
	if err != nil {
		return out, fmt.Errorf("write relations: %w", err)
	}
	except, err := json.Marshal(append([]string{}, q.Except...))
	if err != nil {
		return out, fmt.Errorf("write relations: %w", err)
	}
	due := memory.Seconds(w.now)
	err = w.c.query(ctx, `WITH nodes (id) AS MATERIALIZED (SELECT DISTINCT value FROM json_each(?1)), touching (id) AS (
			SELECT r.id FROM nodes n CROSS JOIN mg_relationships r ON r.head_id = n.id AND r.valid_until IS NULL
			UNION SELECT r.id FROM nodes n CROSS JOIN mg_relationships r ON r.tail_id = n.id AND r.valid_until IS NULL
			UNION SELECT r.id FROM mg_facts r WHERE r.head_id = ?2 AND r.valid_until IS NOT NULL
			UNION SELECT r.id FROM mg_facts r WHERE r.tail_id = ?2 AND r.valid_until IS NOT NULL)
		SELECT r.id, r.head_id, r.tail_id, r.relation, r.strength, r.confidence, r.method, r.valid_until IS NULL AND
		(r.expires_at IS NULL OR r.expires_at > ?5),
			(SELECT v.cause FROM mg_relationship_versions v WHERE v.relationship_id = r.id AND v.expired_at IS NULL)
		FROM touching t CROSS JOIN mg_facts r ON r.id = t.id
		WHERE r.namespace = ?3 AND (r.relation IN (SELECT value FROM json_each(?4)) OR ?6 AND r.method = ?7 AND
		r.relation NOT IN (SELECT value FROM json_each(?8))) ORDER BY r.id`, func(s cursor) error {
		l := memory.Link{ID: s.int64(0), Head: s.int64(1), Tail: s.int64(2), Relation: s.text(3),
			Strength: s.float(4), Confidence: s.float(5)}
		l.State = linkState(memory.Method(s.text(6)) == q.Method, s.bool(7), s.text(8))
		if l.State != "" {
			out.Links = append(out.Links, l)
		}
		return nil
	}, nodes, q.Subject, w.scope.Namespace, string(relations), due, q.Except != nil, string(q.Method), string(except))
	return out, err
}

// linkState classifies a link by its last change; "" for a link that ended and is to be ignored.
func linkState(ours, active bool, cause string) memory.LinkState {
	switch {
	case active && ours && cause != causeUpdated && cause != causeScheduled:
		return memory.LinkOurs
	case active:
		return memory.LinkSaid
	case cause == causeEnded || cause == causeSuperseded || cause == causeExpired || ours && cause == causeUndone:
		return memory.LinkRefused // a caller's link that was undone counts as never stated
	}
	return ""
}

// askAbout queues the jobs in which a model reads the subject, and records what has been read.
func (w *writing) askAbout(ctx context.Context, q Relinking, subject memory.LinkNode, out *Relinked) error {
	for _, kind := range q.Ask {
		_, read, err := w.c.int64(ctx, `SELECT 1 FROM mg_link_reads WHERE entity_id = ? AND kind = ? AND digest = ?`,
			subject.ID, kind, q.Digest[:])
		if err != nil {
			return err
		}
		if read {
			continue
		}
		out.Queued = true
		if err := enqueueAgain(ctx, w.c, kind, w.scope.Namespace, memory.NodeID(subject.Kind, subject.ID).String(),
			w.now); err != nil {
			return err
		}
	}
	if q.Read == "" {
		return nil
	}
	_, err := w.c.exec(ctx,
		`INSERT INTO mg_link_reads (entity_id, kind, digest) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET digest = ?3`,
		subject.ID, q.Read, q.Digest[:])
	return err
}
