package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"memory-graph/internal/memory"
)

// noteSeparator separates a node's observations in its description.
const noteSeparator = "; "

// describe returns a node's description: its own words, then its observations. The observations are also stored one by
// one. The description repeats them for everything that reads descriptions: the text index, vectors, answers, context
// blocks.
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

// ownWords returns a description without the observations that describe added.
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

// note is an entity observation with its origin.
type note struct {
	text   string
	origin memory.Origin
}

// notesBy returns observations that all have one origin.
func notesBy(origin memory.Origin, texts []string) []note {
	out := make([]note, len(texts))
	for i, text := range texts {
		out[i] = note{text, origin}
	}
	return out
}

// notes returns a node's observations. In a snapshot without their origins they have the node's origin.
func (s entitySnapshot) notes() []note {
	out := notesBy(memory.Origin(s.Origin), s.Notes)
	for i := range out {
		if len(s.NotedBy) == len(out) {
			out[i].origin = memory.Origin(s.NotedBy[i])
		}
	}
	return out
}

// unvouched reports whether nobody vouches for the observation: it comes from a tool or a file.
func (n note) unvouched() bool { return n.origin.Trust() <= memory.OriginTool.Trust() }

// setNotes replaces the observations of a snapshot.
func (s *entitySnapshot) setNotes(notes []note) {
	s.Notes, s.NotedBy = textsOf(notes), make([]string, len(notes))
	for i, n := range notes {
		s.NotedBy[i] = string(n.origin)
	}
}

func textsOf(notes []note) []string {
	out := make([]string, len(notes))
	for i, n := range notes {
		out[i] = n.text
	}
	return out
}

// setNotes makes these the observations of a node, in this order. An observation that stays keeps its row; a removed
// one is marked as expired.
func (w *writing) setNotes(ctx context.Context, id int64, want []note) error {
	type row struct {
		id int64
		note
	}
	var rows []row
	if err := w.c.query(ctx,
		`SELECT id, content, origin FROM mg_observations WHERE entity_id = ? AND expired_at IS NULL ORDER BY id`, func(
			s cursor) error {
			rows = append(rows, row{s.int64(0), note{s.text(1), memory.Origin(s.text(2))}})
			return nil
		}, id); err != nil {
		return err
	}
	stay := 0 // of want
	for _, r := range rows {
		switch {
		case stay == len(want) || r.text != want[stay].text:
			if _, err := w.c.exec(ctx, `UPDATE mg_observations SET expired_at = ?2 WHERE id = ?1`, r.id,
				memory.Millis(w.now)); err != nil {
				return err
			}
			continue
		case r.origin != want[stay].origin:
			if _, err := w.c.exec(ctx, `UPDATE mg_observations SET origin = ?2 WHERE id = ?1`, r.id,
				string(want[stay].origin)); err != nil {
				return err
			}
		}
		stay++
	}
	for _, n := range want[stay:] {
		if _, err := w.c.exec(ctx, `INSERT INTO mg_observations (entity_id, content, origin, created_at) VALUES (?, ?, ?, ?)`,
			id, n.text, string(n.origin), memory.Millis(w.now)); err != nil {
			return err
		}
	}
	return nil
}

// keepNotes adds a node's observations again after a longer description has replaced the old one. before is the
// snapshot from before that change.
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

// parseNotes parses the list that notesOf selects.
func parseNotes(list string) (notes []string, err error) {
	if list == "[]" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(list), &notes); err != nil {
		return nil, fmt.Errorf("read observations: %w", err)
	}
	return notes, nil
}
