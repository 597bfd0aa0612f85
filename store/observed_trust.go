package store

import (
	"context"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/memory"
)

// trustObserved settles whom an entity that is there is believed as once sentences about it are given again, or more of them.
// An entity stands before a turn as a whole, so that it is believed as its least trusted sentence is: what a file adds that
// nobody has vouched for takes it down, and what is vouched for lifts it once nothing else is left.
func (w *writing) trustObserved(ctx context.Context, is entitySnapshot, given []string, grows bool, o Observing) (raised bool, err error) {
	was := memory.Origin(is.Origin)
	unvouched := memory.OriginTool.Trust()
	set := func(origin memory.Origin, confidence float64) error {
		_, err := w.c.exec(ctx, `UPDATE mg_entities SET origin = ?2, confidence = max(confidence, ?3), updated_at = ?4 WHERE id = ?1`,
			is.ID, string(origin), confidence, memory.Millis(w.now))
		return err
	}
	switch {
	case grows && o.Origin.Trust() <= unvouched && was.Trust() > unvouched:
		return false, set(o.Origin, 0)
	case !o.Raise || was.Trust() >= o.Origin.Trust():
		return false, nil
	}
	list, err := encodeJSON(given)
	if err != nil {
		return false, err
	}
	if _, err := w.c.exec(ctx, `UPDATE mg_observations SET origin = ?3 WHERE entity_id = ?1 AND expired_at IS NULL AND origin = ?4 AND content IN (SELECT value FROM json_each(?2))`,
		is.ID, list, string(o.Origin), string(memory.OriginTool)); err != nil {
		return false, err
	}
	_, doubtful, err := w.c.int64(ctx, `SELECT 1 FROM mg_observations WHERE entity_id = ? AND expired_at IS NULL AND origin = ? AND substr(content, 1, ?) <> ? LIMIT 1`,
		is.ID, string(memory.OriginTool), len(typeNote), typeNote)
	if err != nil || doubtful {
		return false, err
	}
	if own := ownWords(is.Desc, is.Notes); own != "" && !slices.Contains(given, own) {
		said, err := w.ownWordsTrust(ctx, is.ID, own)
		if err != nil || said <= unvouched {
			return false, err
		}
	}
	return true, set(o.Origin, memory.Capped(nil, o.Origin, memory.MethodSupplied))
}

// ownWordsTrust gives the trust that an entity had at most while its description said these words.
func (w *writing) ownWordsTrust(ctx context.Context, id int64, own string) (trust int, err error) {
	err = w.c.query(ctx, `SELECT snapshot FROM mg_entity_versions WHERE entity_id = ?`, func(row *sqlite3.Stmt) error {
		was, err := parseEntitySnapshot(row.ColumnText(0))
		if err == nil && ownWords(was.Desc, was.Notes) == own {
			trust = max(trust, memory.Origin(was.Origin).Trust())
		}
		return err
	}, id)
	return trust, err
}
