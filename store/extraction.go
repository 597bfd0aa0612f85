package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"memory-graph/internal/memory"
)

// KindExtract is the kind of jobs in which a model reads turns. Their subject is the id of the turn (t56).
const KindExtract = "extract"

// The actor and the action in the events of background extraction.
const (
	ActorExtraction = "extraction"
	extractAction   = "extract"
)

// Written is what an extractor's findings became in the graph.
type Written struct {
	Entities  []memory.EntityWrite
	Relations []memory.RelationWrite
	Refused   []memory.ItemError // drafts that could not be stored: errors of the extractor, not of the caller
	// Conflicts are facts that contradict each other because a speaker was merged with the speaker's name.
	Conflicts []memory.FactConflict
}

// Reasons for which the store drops findings. Extractors have their own reasons.
const (
	dropRefused = "refused" // the graph refused the draft
	dropUndone  = "undone"  // the call that stored the turn was undone
)

// addFindings writes what an extractor found in a turn, and links the turn to the names in it. The drafts must have
// their origins.
func (w *writing) addFindings(ctx context.Context, e memory.Episode, in memory.Findings, out *Written) error {
	if err := w.addFound(ctx, e.ID, in, out); err != nil {
		return err
	}
	return w.linkMentions(ctx, e, in.Mentions)
}

// addFound stores the drafts of findings one by one, and counts the dropped ones.
func (w *writing) addFound(ctx context.Context, episode int64, in memory.Findings, out *Written) error {
	w.finding = true
	defer func() { w.finding = false }()
	item := func(name string, do func() error) error {
		mistake, err := w.attempt(do)
		if mistake != nil {
			out.Refused = append(out.Refused, itemError(name, mistake))
		}
		return err
	}
	for _, d := range in.Entities {
		if err := item(d.Name, func() error {
			e, err := w.createEntity(ctx, d)
			if err == nil {
				out.Entities = append(out.Entities, e)
				err = linkEntity(ctx, w.c, episode, e.Entity.ID)
			}
			return err
		}); err != nil {
			return err
		}
	}
	named := func(d memory.RelationDraft) int { // the speaker's name comes first: it identifies "I"
		if d.NamesSpeaker {
			return 0
		}
		return 1
	}
	relations := slices.SortedStableFunc(slices.Values(in.Relations), func(a, b memory.RelationDraft) int {
		return cmp.Compare(named(a), named(b))
	})
	for _, i := range widerFirst(relations) {
		d := relations[i]
		if err := item(d.Head+" "+d.Relation+" "+d.Tail, func() error {
			if d.NamesSpeaker {
				n, err := w.nameSpeaker(ctx, d, episode)
				out.take(n)
				return err
			}
			r, err := w.assertSaid(ctx, d, episode)
			if err == nil {
				out.Relations = append(out.Relations, r)
			}
			return err
		}); err != nil {
			return err
		}
	}
	return cmp.Or(w.linkSwitched(ctx, out.Relations), w.countDropped(ctx, in.Dropped, len(out.Refused)))
}

// assertSaid writes a fact that a turn says, and notes that the turn mentions its head and tail.
func (w *writing) assertSaid(ctx context.Context, d memory.RelationDraft, turn int64) (memory.RelationWrite, error) {
	r, err := w.assert(ctx, d, turn)
	if err != nil || d.Unnamed {
		return r, err
	}
	return r, cmp.Or(linkEntity(ctx, w.c, turn, r.Relationship.Head.ID),
		linkEntity(ctx, w.c, turn, r.Relationship.Tail.ID))
}

func (w *writing) countDropped(ctx context.Context, dropped map[string]int, refused int) error {
	if refused > 0 {
		if err := count(ctx, w.c, w.scope.Namespace, DroppedPrefix+dropRefused, refused, nil, w.now); err != nil {
			return err
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(dropped)) {
		if n := dropped[reason]; n > 0 {
			if err := count(ctx, w.c, w.scope.Namespace, DroppedPrefix+reason, n, nil, w.now); err != nil {
				return err
			}
		}
	}
	return nil
}

// agree combines the confidence of a fact that both the rules and the model found in one turn: 1 − (1 − a)(1 − b),
// within the caps (docs/extraction.md). Whichever comes second reads the other's confidence from the evidence.
func (w *writing) agree(ctx context.Context, a *assertion, evidence int64) error {
	if !w.finding {
		return nil
	}
	others, byModel := `('rule', 'rule_hedged')`, true
	switch a.method {
	case memory.MethodModelStated, memory.MethodModelImplied:
	case memory.MethodRule, memory.MethodRuleHedged:
		others, byModel = `('model_stated', 'model_implied', 'rule_and_model')`, false
	default:
		return nil
	}
	said := 0.0
	err := w.c.query(ctx, `SELECT v.confidence FROM mg_evidence v CROSS JOIN mg_facts r ON r.id = v.relationship_id
		WHERE r.namespace = ? AND r.head_id = ? AND r.relation = ? AND r.tail_id = ? AND v.episode_id = ? AND v.method IN
		`+others+` ORDER BY v.confidence DESC LIMIT 1`,
		func(s cursor) error { said = s.float(0); return nil },
		w.scope.Namespace, a.head, a.relation, a.tail, evidence)
	if err != nil || said == 0 {
		return err
	}
	both := 1 - (1-a.confidence)*(1-said)
	if !byModel { // the stored confidence may already combine both
		both = max(both, said)
	}
	a.confidence, a.method = memory.Capped(&both, a.origin, memory.MethodAgreed), memory.MethodAgreed
	return nil
}

// Extraction is the outcome of reading a stored turn in the background.
type Extraction struct {
	Namespace string
	Episode   int64
	Reader    string // the model, for the events; "" if only the rules read the turn
	Rules     bool   // the rules have read the turn just now
	Model     bool   // a model has read the turn, or the turn is not worth a question
	Found     memory.Findings
	Status    string // the turn's new status, which ends the job; "" changes neither
	Usage     ModelUsage
}

// Extracted is the result of SaveExtraction.
type Extracted struct {
	Written
	// Lost is set if only the usage was written: another process holds the job, or the turn is gone or no longer waits.
	Lost bool
}

// SaveExtraction writes the outcome of a job of KindExtract, the end of the job, the status of the turn and the
// counters in one transaction. If the holder no longer holds the job, it writes only the usage, so a job that ran twice
// counts once. Its events form a call of their own.
func (s *Store) SaveExtraction(ctx context.Context, x Extraction, job Held) (Extracted, error) {
	var out Extracted
	by := memory.Caller{Actor: ActorExtraction, Client: x.Reader}
	err := s.writeGraph(ctx, "save extraction", extractAction, memory.Scope{Namespace: x.Namespace}, by,
		func(ctx context.Context, w *writing) error {
			out = Extracted{}
			if err := addUsage(ctx, w.c, x.Usage, w.now); err != nil {
				return err
			}
			e, held, err := w.heldTurn(ctx, x, job)
			if err != nil || !held {
				out.Lost = true
				return err
			}
			w.scope, w.episode = e.Scope, e.ID
			return w.extracted(ctx, e, x, job, &out.Written)
		})
	if err != nil {
		return Extracted{}, err
	}
	return out, nil
}

// heldTurn returns the turn of an extraction. It reports false unless the turn exists, waits to be read, and the holder
// still holds its job.
func (w *writing) heldTurn(ctx context.Context, x Extraction, job Held) (memory.Episode, bool, error) {
	held, _, err := w.c.int64(ctx, `SELECT count(*) FROM mg_jobs WHERE id IN (SELECT value FROM json_each(?)) AND kind =
		'`+KindExtract+`' AND namespace = ?
		AND subject = ? AND holder = ? AND status =
		'running'`, idList(job.IDs), x.Namespace, memory.EpisodeID(x.Episode).String(), job.Holder)
	if err != nil || held == 0 {
		return memory.Episode{}, false, err
	}
	var found []memory.Episode
	err = w.c.query(ctx, `SELECT `+episodeColumns+` FROM mg_episodes e WHERE e.id = ? AND e.namespace = ?`,
		collectEpisodes(&found), x.Episode, x.Namespace)
	if err != nil || len(found) == 0 {
		return memory.Episode{}, false, err
	}
	open := found[0].Status == memory.StatusPending || found[0].Status == memory.StatusFailed
	if !open { // quarantined or done in the meantime, so the job is done too
		err = completeJobs(ctx, w.c, job.Holder, job.IDs)
	}
	return found[0], open, err
}

func (w *writing) extracted(ctx context.Context, e memory.Episode, x Extraction, job Held, out *Written) error {
	back, err := w.takenBack(ctx, e.ID)
	if err != nil {
		return err
	}
	if back {
		x.Found = memory.Findings{Dropped: map[string]int{dropUndone: len(x.Found.Relations) + len(x.Found.Entities)}}
	}
	if err := w.addFindings(ctx, e, x.Found, out); err != nil {
		return err
	}
	if x.Rules {
		if _, err := w.c.exec(ctx, `UPDATE mg_episodes SET rules_read = 1 WHERE id = ?`, e.ID); err != nil {
			return err
		}
	}
	if x.Model {
		if _, err := w.c.exec(ctx, `UPDATE mg_episodes SET model_read = 1 WHERE id = ?`, e.ID); err != nil {
			return err
		}
	}
	if x.Status == "" {
		return nil
	}
	if _, err := w.c.exec(ctx, `UPDATE mg_episodes SET status = ? WHERE id = ?`, x.Status, e.ID); err != nil {
		return err
	}
	return completeJobs(ctx, w.c, job.Holder, job.IDs)
}

// takenBack reports whether the call that stored a turn was undone. A later reading must not restore its facts.
func (w *writing) takenBack(ctx context.Context, episode int64) (bool, error) {
	_, back, err := w.c.int64(ctx, `SELECT 1 FROM mg_events t CROSS JOIN mg_events v ON v.namespace = t.namespace AND
		v.call_id = t.call_id
		WHERE t.namespace = ?1 AND t.object = ?2 AND v.undone_by IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM mg_events u WHERE u.id = v.undone_by AND u.undone_by IS NOT NULL) LIMIT 1`,
		w.scope.Namespace, memory.EpisodeID(episode).String())
	return back, err
}

// failTurns sets the status of turns to failed if their job is among the given ones and has given up.
func failTurns(ctx context.Context, c *conn, jobs []int64) error {
	if len(jobs) == 0 {
		return nil
	}
	_, err := c.exec(ctx, `UPDATE mg_episodes SET status = 'failed' WHERE status = 'pending' AND id IN (
		SELECT CAST(substr(subject, 2) AS INTEGER) FROM mg_jobs WHERE kind =
		'`+KindExtract+`' AND status = 'failed' AND id IN (SELECT value FROM json_each(?)))`, idList(jobs))
	if err != nil {
		return fmt.Errorf("note failed turns: %w", err)
	}
	return nil
}
