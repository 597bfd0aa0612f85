package store

import "context"

// ExecOnWriter runs SQL on the writing connection, outside a transaction.
func (s *Store) ExecOnWriter(sql string) error {
	return s.writer.with(context.Background(), func(c *conn) error { return c.Exec(sql) })
}

// QueryInts gives the first column of a statement's rows.
func (s *Store) QueryInts(sql string) (out []int64, err error) {
	err = s.readers.with(context.Background(), func(c *conn) error {
		st, _, err := c.Prepare(sql)
		if err != nil {
			return err
		}
		defer func() { _ = st.Close() }()
		for st.Step() {
			out = append(out, st.ColumnInt64(0))
		}
		return st.Err()
	})
	return out, err
}

// Backoff is the waiting time after a failure.
var Backoff = backoff

// EntitySnapshotSQL writes a row of mg_entities as e in the form that versions keep.
const EntitySnapshotSQL = entitySnapshotSQL
