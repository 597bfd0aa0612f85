-- +goose Up
-- Which words of a node a model has read for links of a kind, as SHA-256: it is not asked twice about the same.
CREATE TABLE mg_link_reads (
  entity_id INTEGER NOT NULL REFERENCES mg_entities ON DELETE CASCADE,
  kind TEXT NOT NULL, -- contradict | relate
  digest BLOB NOT NULL,
  PRIMARY KEY (entity_id, kind)
) STRICT, WITHOUT ROWID;
