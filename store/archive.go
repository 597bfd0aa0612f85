package store

import "context"

// factRow are the columns of a fact's row, the same in mg_relationships and in mg_archive.
const factRow = `id, namespace, head_id, relation, tail_id, label, edge_class, fact, confidence, strength,
	retrieval_count, origin, method, valid_from, valid_until, expires_at, created_at, expired_at, last_observed_at,
	superseded_by, from_unit, until_unit`

// unarchive moves an archived fact back to mg_relationships, where facts are changed. It does nothing for other facts.
func (w *writing) unarchive(ctx context.Context, id int64) error {
	n, err := w.c.exec(ctx, `INSERT INTO mg_relationships (`+factRow+`) SELECT `+factRow+`
		FROM mg_archive WHERE id = ?`, id)
	if err != nil || n == 0 {
		return err
	}
	_, err = w.c.exec(ctx, `DELETE FROM mg_archive WHERE id = ?`, id)
	return err
}
