-- +goose Up
-- A read of the present leaves out the facts that begin later. The indexes of active facts tell when a fact begins, so
-- that a hub's facts are still read from them alone.
DROP INDEX mg_relationships_out;
DROP INDEX mg_relationships_in;
DROP INDEX mg_relationships_pair;
CREATE INDEX mg_relationships_out ON mg_relationships
  (head_id, confidence DESC, last_observed_at DESC, id, tail_id, relation, edge_class, strength, retrieval_count, expires_at, valid_from)
  WHERE valid_until IS NULL;
CREATE INDEX mg_relationships_in ON mg_relationships
  (tail_id, confidence DESC, last_observed_at DESC, id, head_id, relation, edge_class, strength, retrieval_count, expires_at, valid_from)
  WHERE valid_until IS NULL;
CREATE INDEX mg_relationships_pair ON mg_relationships (head_id, tail_id, confidence, expires_at, valid_from)
  WHERE valid_until IS NULL;
