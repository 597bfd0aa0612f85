package store

import "context"

// BaseCosine returns the base cosine of an embedding generation. ok is false if it was not measured.
func (s *Store) BaseCosine(ctx context.Context, gen int64) (base float64, ok bool, err error) {
	err = s.readOne(ctx, "read base cosine", func(c *conn) error {
		return c.query(ctx, `SELECT base_cosine FROM mg_embedders WHERE id = ? AND base_cosine IS NOT NULL`,
			func(row cursor) error {
				base, ok = row.float(0), true
				return nil
			}, gen)
	})
	return base, ok, err
}

// SaveBaseCosine stores the base cosine of an embedding generation, unless it has one: all processes use the same.
func (s *Store) SaveBaseCosine(ctx context.Context, gen int64, base float64) error {
	return s.write(ctx, "save base cosine", func(c *conn) error {
		_, err := c.exec(ctx, `UPDATE mg_embedders SET base_cosine = ? WHERE id = ? AND base_cosine IS NULL`, base, gen)
		return err
	})
}
