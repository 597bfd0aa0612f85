package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// indexEntity updates the text index and the queue of embed jobs to the node's current name and description. Nodes that
// are not shown, or no longer shown, are in neither.
func (w *writing) indexEntity(ctx context.Context, id int64) error {
	is, err := w.parsedSnapshot(ctx, id)
	if err != nil {
		return err
	}
	if err := w.indexNames(ctx, is); err != nil {
		return err
	}
	return w.s.enqueueEntity(ctx, w.c, w.scope.Namespace, id, w.now)
}

// reindexEntity does what indexEntity does, but only for what has changed since the snapshot before. Most observations
// change neither name nor description.
func (w *writing) reindexEntity(ctx context.Context, id int64, before string) error {
	was, err := parseEntitySnapshot(before)
	if err != nil {
		return err
	}
	is, err := w.parsedSnapshot(ctx, id)
	if err != nil {
		return err
	}
	same := was.shown() == is.shown() && was.Name == is.Name && was.Desc == is.Desc
	if !same {
		if err := w.s.enqueueEntity(ctx, w.c, w.scope.Namespace, id, w.now); err != nil {
			return err
		}
	}
	if same && slices.Equal(was.Aliases, is.Aliases) {
		return nil
	}
	return w.indexNames(ctx, is)
}

func (w *writing) parsedSnapshot(ctx context.Context, id int64) (entitySnapshot, error) {
	snapshot, err := w.entitySnapshot(ctx, id)
	if err != nil {
		return entitySnapshot{}, err
	}
	return parseEntitySnapshot(snapshot)
}

// shown reports whether answers show the node.
func (s entitySnapshot) shown() bool { return s.MergedInto == nil && memory.NodeKind(s.Kind).Shown() }

// indexNames replaces a node's row in the text index.
func (w *writing) indexNames(ctx context.Context, e entitySnapshot) error {
	if !e.shown() {
		_, err := w.c.exec(ctx, `DELETE FROM mg_entities_fts WHERE rowid = ?`, e.ID)
		return err
	}
	_, err := w.c.exec(ctx,
		`INSERT OR REPLACE INTO mg_entities_fts (rowid, name, description, aliases) VALUES (?, ?, ?, ?)`,
		e.ID, indexedName(e.Name), indexedName(e.Desc), indexedName(strings.Join(e.Aliases, " ")))
	return err
}

// enqueueEntity queues an embed job for a node that is new or has another name or description. A running job has read
// the old text, so it becomes due again at once, and the new vector overwrites what its holder still writes. A process
// without an embedder deletes the outdated vector. CatchUp in a process with an embedder then queues the missing one.
func (s *Store) enqueueEntity(ctx context.Context, c *conn, namespace string, id int64, now time.Time) error {
	if !s.embeds.Load() {
		return forgetVectors(ctx, c, OfEntities, id)
	}
	gen, ok, err := writeTarget(ctx, c)
	if err != nil || !ok {
		return err
	}
	c.noteQueued(KindEmbed)
	_, err = c.exec(ctx, `INSERT INTO mg_jobs (kind, namespace, subject, status, next_at, created_at) VALUES (?1, ?2, ?3,
		?4, ?5, ?5)
		ON CONFLICT (kind, subject) WHERE status <> 'done' DO UPDATE SET status = ?4, next_at = ?5, holder = NULL, held_until
		= NULL, attempts = 0
		WHERE status = 'running'`,
		KindEmbed, namespace, EmbedSubject(gen, memory.ID{Kind: memory.KindEntity, Num: id}), jobPending, memory.Millis(now))
	return err
}
