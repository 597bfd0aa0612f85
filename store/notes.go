package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"memory-graph/memory"
)

// noteSeparator stands between the sentences about a node where its description repeats them.
const noteSeparator = "; "

// describe gives the description of a node: its own words, and the sentences about it. They stand there beside being kept one
// by one, so that everything that reads descriptions (the text index, vectors, answers, context blocks) finds them.
func describe(own string, notes []string) string {
	parts := make([]string, 0, len(notes)+1)
	if own != "" {
		parts = append(parts, own)
	}
	for _, n := range notes {
		if n != "" {
			parts = append(parts, n)
		}
	}
	return strings.Join(parts, noteSeparator)
}

// ownWords gives what a description says besides the sentences that describe put into it.
func ownWords(description string, notes []string) string {
	said := describe("", notes)
	if description == said {
		return ""
	}
	if own, ok := strings.CutSuffix(description, noteSeparator+said); ok && said != "" {
		return own
	}
	return description
}

// setNotes makes the sentences about a node exactly these, in this order; was are those that it has. What stays at the front
// is not touched; what goes is kept as expired.
func (w *writing) setNotes(ctx context.Context, id int64, was, want []string, origin memory.Origin) error {
	same := 0
	for same < len(was) && same < len(want) && was[same] == want[same] {
		same++
	}
	if same < len(was) {
		if _, err := w.c.exec(ctx, `UPDATE mg_observations SET expired_at = ?3 WHERE id IN
			(SELECT id FROM mg_observations WHERE entity_id = ?1 AND expired_at IS NULL ORDER BY id LIMIT -1 OFFSET ?2)`, id, same, memory.Millis(w.now)); err != nil {
			return err
		}
	}
	for _, note := range want[same:] {
		if _, err := w.c.exec(ctx, `INSERT INTO mg_observations (entity_id, content, origin, created_at) VALUES (?, ?, ?, ?)`,
			id, note, string(origin), memory.Millis(w.now)); err != nil {
			return err
		}
	}
	return nil
}

// keepNotes puts the sentences about a node back into a description that a longer one has replaced. before is the snapshot
// from before that.
func (w *writing) keepNotes(ctx context.Context, id int64, before string) error {
	if !strings.Contains(before, `"observations":["`) {
		return nil // most nodes have none
	}
	was, err := parseEntitySnapshot(before)
	if err != nil {
		return err
	}
	description, err := w.c.text(ctx, `SELECT description FROM mg_entities WHERE id = ?`, id)
	if err != nil || description == was.Desc {
		return err
	}
	_, err = w.c.exec(ctx, `UPDATE mg_entities SET description = ?2 WHERE id = ?1`, id, describe(description, was.Notes))
	return err
}

// parseNotes reads what notesOf gives.
func parseNotes(list string) (notes []string, err error) {
	if list == "[]" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(list), &notes); err != nil {
		return nil, fmt.Errorf("read observations: %w", err)
	}
	return notes, nil
}
