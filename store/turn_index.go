package store

import (
	"context"
	"slices"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// beside returns what finds a turn in addition to its text: the speaker and the words of the metadata.
func beside(speaker string, labels []memory.Label) string {
	words := []string{speaker}
	for _, l := range labels {
		words = append(words, l.Value)
	}
	return text.Prepare(strings.Join(words, "\n"))
}

// indexTurn writes the row of a turn in the text index. content and beside are prepared.
func (w *writing) indexTurn(ctx context.Context, e memory.Episode, content, beside string) error {
	_, err := w.c.exec(ctx, `INSERT INTO mg_episodes_fts (rowid, content, speaker, scope) VALUES (?, ?, ?, ?)`,
		e.ID, content, beside, scopeText(e.Scope, e.Role))
	return err
}

// reindexTurns replaces the rows of stored turns in the text index. A turn that no read finds has none.
func (w *writing) reindexTurns(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	labels, err := labelsOf(ctx, w.c, w.scope.Namespace, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		e, err := episodeByID(ctx, w.c, w.scope.Namespace, id)
		if err != nil {
			return err
		}
		if slices.Contains(unfound, e.Status) {
			continue
		}
		if _, err := w.c.exec(ctx, `DELETE FROM mg_episodes_fts WHERE rowid = ?`, id); err != nil {
			return err
		}
		if err := w.indexTurn(ctx, e, text.Prepare(e.Content), beside(e.Speaker, labels[id])); err != nil {
			return err
		}
	}
	return nil
}
