package store

import (
	"context"
	"slices"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// relink applies change to the links of a node.
func (w *writing) relink(ctx context.Context, q Relinking, there Linkable, change memory.LinkChange,
	out *Relinked) error {
	ours := map[int64]bool{}
	for _, l := range there.Links {
		if l.State == memory.LinkOurs {
			ours[l.ID] = true
		}
	}
	for _, id := range change.End {
		if !ours[id] {
			continue
		}
		if err := w.unlink(ctx, id); err != nil {
			return err
		}
		out.Ended++
	}
	for _, l := range change.Want {
		mistake, err := w.attempt(func() error { return w.link(ctx, q, there, l, out) })
		if err != nil {
			return err
		}
		if mistake != nil {
			out.Refused = append(out.Refused, mistake)
		}
	}
	for _, id := range change.Again {
		if queued, err := w.lookAgain(ctx, id); err != nil {
			return err
		} else if queued {
			out.Queued = true
		}
	}
	return nil
}

// unlink ends a link.
func (w *writing) unlink(ctx context.Context, id int64) error {
	f, err := w.factByID(ctx, id)
	if err != nil || f.validUntil != "" {
		return err
	}
	return w.change(ctx, id, causeUnlinked, `valid_until = max(?2, coalesce(valid_from, ?2)), expired_at = ?3`,
		memory.Seconds(w.now), memory.Millis(w.now))
}

// unlinkStale ends the links that a model made from an earlier text of a node. Links that a call changed stay.
func (w *writing) unlinkStale(ctx context.Context, q Relinking, out *Relinked) error {
	_, read, err := w.c.int64(ctx, `SELECT 1 FROM mg_link_reads WHERE entity_id = ? AND digest = ? LIMIT 1`, q.Subject,
		q.Digest[:])
	if err != nil || read {
		return err
	}
	ids, err := w.ids(ctx, `SELECT r.id FROM mg_relationships r WHERE
		`+factsOfNodes+` AND r.valid_until IS NULL AND
		r.method = 'model_linked' AND '`+causeUpdated+`' IS NOT
		(SELECT v.cause FROM mg_relationship_versions v WHERE v.relationship_id = r.id AND v.expired_at IS NULL) ORDER BY
		r.id`, idList([]int64{q.Subject}))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := w.unlink(ctx, id); err != nil {
			return err
		}
		out.Ended++
	}
	return nil
}

// link writes one link, unless it already is as wanted. Its origin is the less trusted origin of its two nodes
// (docs/decisions.md, "Trust").
func (w *writing) link(ctx context.Context, q Relinking, there Linkable, l memory.NewLink, out *Relinked) error {
	head, ok := there.Nodes[l.Head]
	if !ok {
		return memory.Errorf(memory.NotFound, "Node %d does not exist, so it cannot be linked.", l.Head)
	}
	tail, ok := there.Nodes[l.Tail]
	if l.Condition != "" {
		id, err := w.conditionNode(ctx, l.Condition, head.Origin)
		if err != nil {
			return err
		}
		tail, ok = memory.LinkNode{ID: id, Origin: head.Origin}, true
	}
	if !ok {
		return memory.Errorf(memory.NotFound, "Node %d does not exist, so it cannot be linked.", l.Tail)
	}
	if head.ID == tail.ID {
		return memory.Errorf(memory.InvalidArgument, "Node %d cannot be linked to itself.", l.Head)
	}
	if err := checkShare("strength", &l.Strength); err != nil {
		return err
	}
	if err := checkShare("confidence", l.Confidence); err != nil {
		return err
	}
	relation, origin := graph.Snake(l.Relation), memory.LeastTrusted(head.Origin, tail.Origin)
	a := assertion{label: relation, class: graph.Lookup(relation).Class, strength: &l.Strength, quote: l.Quote,
		fact: fact{head: head.ID, tail: tail.ID, relation: relation,
			confidence: memory.Capped(l.Confidence, origin, q.Method),
			origin:     origin, method: q.Method, validFrom: memory.Seconds(w.now)}}
	live, err := w.activeOn(ctx, `r.namespace = ? AND r.head_id = ? AND r.relation = ? AND r.tail_id = ?`,
		w.scope.Namespace, a.head, a.relation, a.tail)
	if err != nil {
		return err
	}
	if len(live) > 0 {
		return w.sameLink(ctx, there, live[0], a, out)
	}
	evidence, err := w.linkEvidence(ctx, q.Method)
	if err != nil {
		return err
	}
	defer func(old int64) { w.episode = old }(w.episode)
	w.episode = evidence
	id, err := w.insertFact(ctx, a)
	if err != nil {
		return err
	}
	out.Made++
	return w.addEvidence(ctx, id, a)
}

// sameLink updates an active link to what is wanted. A link that a caller stated stays unchanged.
func (w *writing) sameLink(ctx context.Context, there Linkable, live fact, a assertion, out *Relinked) error {
	i := slices.IndexFunc(there.Links, func(l memory.Link) bool { return l.ID == live.id })
	if live.method != a.method || i >= 0 && there.Links[i].State != memory.LinkOurs {
		return nil
	}
	if i >= 0 && there.Links[i].Strength == *a.strength && live.confidence == a.confidence && live.origin == a.origin {
		return nil
	}
	out.Changed++
	return w.change(ctx, live.id, causeUpdatedLink, `strength = ?2, confidence = ?3, origin = ?4, last_observed_at = ?5`,
		*a.strength, a.confidence, string(a.origin), memory.Millis(w.now))
}

// causeUpdatedLink is why a link has a new strength, confidence or origin.
const causeUpdatedLink = "relinked"

// linkNotes are the texts of the episodes that links name as their evidence, one episode for each namespace and method.
// Nobody stated a link: it follows from its two nodes. The text says so to a reader who follows the evidence.
var linkNotes = map[memory.Method]string{
	memory.MethodSimilarity:  "similar_to: computed from vectors.",
	memory.MethodModelLinked: "Inferred by a language model that read both memories.",
	memory.MethodMetadata:    "shared_node: from the metadata of a call.",
}

// linkEvidence returns the id of the episode that is the evidence of links of a method.
func (w *writing) linkEvidence(ctx context.Context, m memory.Method) (int64, error) {
	in := NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: w.scope.Namespace}, Role: memory.RoleSystem,
		Source: linkAction, Content: linkNotes[m], Origin: memory.OriginTool, Status: memory.StatusNote},
		IdempotencyKey: "memory-graph:" + string(m)}
	rec, err := w.recordEpisode(ctx, in, prepareEpisode(in))
	return rec.Episode.ID, err
}

// conditionNode returns the shared hidden node of a condition, and creates it if it is missing. Like a mention node it
// has no version and no event, because nothing is stated about it.
func (w *writing) conditionNode(ctx context.Context, name string, origin memory.Origin) (int64, error) {
	return w.hiddenNode(ctx, memory.NodeCondition, "condition", name, origin, memory.MethodModelLinked)
}

// lookAgain queues a link job for a node that answers show, or for the turn that the node represents.
func (w *writing) lookAgain(ctx context.Context, id int64) (bool, error) {
	kind, err := w.c.text(ctx, `SELECT e.kind FROM mg_entities e WHERE e.id = ? AND e.namespace = ? AND (`+shownEntity+
		` OR `+liveTurn+`)`, id, w.scope.Namespace)
	if err != nil || kind == "" {
		return false, err
	}
	subject := memory.NodeID(memory.NodeKind(kind), id)
	if memory.NodeKind(kind) == memory.NodeTurn {
		turn, _, err := w.c.int64(ctx, `SELECT min(episode_id) FROM mg_mentions WHERE entity_id = ?`, id)
		if err != nil {
			return false, err
		}
		subject = memory.EpisodeID(turn)
	}
	return true, enqueueAgain(ctx, w.c, KindLink, w.scope.Namespace, subject.String(), w.now)
}

// enqueueAgain queues a job about something that changed. If the job is running, its holder has read the old state: the
// job is due again at once, and the holder loses it.
func enqueueAgain(ctx context.Context, c *conn, kind, namespace, subject string, now time.Time) error {
	c.noteQueued(kind)
	_, err := c.exec(ctx, `INSERT INTO mg_jobs (kind, namespace, subject, status, next_at, created_at) VALUES (?1, ?2, ?3,
		?4, ?5, ?5)
		ON CONFLICT (kind, subject) WHERE status <> 'done' DO UPDATE SET status = ?4, next_at = ?5, holder = NULL, held_until
		= NULL, attempts = 0
		WHERE status = 'running'`, kind, namespace, subject, jobPending, memory.Millis(now))
	return err
}

// linkedMethods are the methods of links, which nobody stated (memory.Method.Linked).
const linkedMethods = `('similarity', 'model_linked', 'metadata')`

// withoutLinks ends the links among the facts of a node that is about to be hidden, and returns the other facts.
func (w *writing) withoutLinks(ctx context.Context, facts []fact) (said []fact, err error) {
	for _, f := range facts {
		if !f.method.Linked() {
			said = append(said, f)
		} else if err := w.unlink(ctx, f.id); err != nil {
			return nil, err
		}
	}
	return said, nil
}
