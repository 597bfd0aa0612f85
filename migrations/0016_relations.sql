-- +goose Up
-- The relations of the facts of each namespace, with the vector of their words (docs/decisions.md, "Facts by meaning").
-- The triggers add a relation with its first fact. Forgetting removes the relations that no fact has any more.
CREATE TABLE mg_relations (
  namespace TEXT NOT NULL,
  relation TEXT NOT NULL,
  embedder_id INTEGER, -- the generation of vec; NULL: no vector yet
  vec BLOB,            -- [dimensions]int8
  PRIMARY KEY (namespace, relation)
) STRICT, WITHOUT ROWID;
INSERT INTO mg_relations (namespace, relation) SELECT DISTINCT namespace, relation FROM mg_relationships;

-- +goose StatementBegin
CREATE TRIGGER mg_relations_new AFTER INSERT ON mg_relationships BEGIN
  INSERT INTO mg_relations (namespace, relation) VALUES (new.namespace, new.relation) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER mg_relations_renamed AFTER UPDATE OF relation ON mg_relationships BEGIN
  INSERT INTO mg_relations (namespace, relation) VALUES (new.namespace, new.relation) ON CONFLICT DO NOTHING;
END;
-- +goose StatementEnd
