-- +goose Up
-- What reading the graph fast needs, and what no file of version 1 has any rows of yet.

-- A file of version 1 has no names, but whatever there is goes along. The id is a feed: a process that knows the names up
-- to an id asks for those behind it. AUTOINCREMENT: an id that is gone must never come back.
CREATE TABLE mg_names (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace TEXT NOT NULL,
  alias TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES mg_entities ON DELETE CASCADE,
  created_at TEXT NOT NULL
) STRICT;
INSERT INTO mg_names (namespace, alias, entity_id, created_at) SELECT namespace, alias, entity_id, created_at FROM mg_entity_aliases;
DROP TABLE mg_entity_aliases;
ALTER TABLE mg_names RENAME TO mg_entity_aliases;
CREATE UNIQUE INDEX mg_entity_aliases_name ON mg_entity_aliases (namespace, alias, entity_id);
CREATE INDEX mg_entity_aliases_entity ON mg_entity_aliases (entity_id);
CREATE INDEX mg_entity_aliases_feed ON mg_entity_aliases (namespace, id);

-- The active edges of a node, strongest first (decision 22), with all that a traversal reads of them.
DROP INDEX mg_relationships_out;
DROP INDEX mg_relationships_in;
CREATE INDEX mg_relationships_out ON mg_relationships
  (head_id, confidence DESC, last_observed_at DESC, id, tail_id, relation, edge_class, strength, retrieval_count, expires_at)
  WHERE valid_until IS NULL;
CREATE INDEX mg_relationships_in ON mg_relationships
  (tail_id, confidence DESC, last_observed_at DESC, id, head_id, relation, edge_class, strength, retrieval_count, expires_at)
  WHERE valid_until IS NULL;
-- Whether two nodes are joined: a hub's other edges are not looked at.
CREATE INDEX mg_relationships_pair ON mg_relationships (head_id, tail_id, confidence, expires_at) WHERE valid_until IS NULL;

-- Nobody said the type, so the first that is given replaces it.
ALTER TABLE mg_entities ADD COLUMN type_assumed INTEGER NOT NULL DEFAULT 0;

-- In how many episodes a node is mentioned: how much it tells. Counting a hub's mentions would cost as many reads.
ALTER TABLE mg_entities ADD COLUMN mention_count INTEGER NOT NULL DEFAULT 0;
UPDATE mg_entities SET mention_count = (SELECT count(DISTINCT episode_id) FROM mg_mentions WHERE entity_id = mg_entities.id);
-- +goose StatementBegin
CREATE TRIGGER mg_mentions_added AFTER INSERT ON mg_mentions BEGIN
  UPDATE mg_entities SET mention_count = mention_count + 1 WHERE id = new.entity_id AND NOT EXISTS
    (SELECT 1 FROM mg_mentions WHERE episode_id = new.episode_id AND entity_id = new.entity_id AND role <> new.role);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER mg_mentions_gone AFTER DELETE ON mg_mentions BEGIN
  UPDATE mg_entities SET mention_count = mention_count - 1 WHERE id = old.entity_id AND NOT EXISTS
    (SELECT 1 FROM mg_mentions WHERE episode_id = old.episode_id AND entity_id = old.entity_id);
END;
-- +goose StatementEnd

-- A call's events in the order of their writing, newest call first: what undo looks for.
CREATE INDEX mg_events_at ON mg_events (namespace, id);
CREATE INDEX mg_entity_versions_event ON mg_entity_versions (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX mg_relationship_versions_event ON mg_relationship_versions (event_id) WHERE event_id IS NOT NULL;
-- What changed since a time, for what_changed.
CREATE INDEX mg_events_when ON mg_events (namespace, at);
-- What a node was called once: current versions, which are most, are not in it.
CREATE INDEX mg_entity_versions_past ON mg_entity_versions (expired_at) WHERE expired_at IS NOT NULL;
-- Whether two nodes were joined, beside a hub.
CREATE INDEX mg_relationship_versions_pair ON mg_relationship_versions (head_id, tail_id, created_at);
-- What was believed of a node's edges once, strongest first: a hub's others are not looked at here either.
DROP INDEX mg_relationship_versions_head;
DROP INDEX mg_relationship_versions_tail;
CREATE INDEX mg_relationship_versions_head ON mg_relationship_versions (head_id, confidence DESC, created_at DESC, relationship_id);
CREATE INDEX mg_relationship_versions_tail ON mg_relationship_versions (tail_id, confidence DESC, created_at DESC, relationship_id);
-- An id is never given twice: what a client remembers by it must not become something else once it is forgotten.
-- +goose StatementBegin
CREATE TRIGGER mg_entities_gone AFTER DELETE ON mg_entities BEGIN
  INSERT INTO mg_metadata (key, value) VALUES ('last_id.mg_entities', old.id)
    ON CONFLICT (key) DO UPDATE SET value = max(CAST(value AS INTEGER), old.id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER mg_relationships_gone AFTER DELETE ON mg_relationships BEGIN
  INSERT INTO mg_metadata (key, value) VALUES ('last_id.mg_relationships', old.id)
    ON CONFLICT (key) DO UPDATE SET value = max(CAST(value AS INTEGER), old.id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER mg_episodes_gone AFTER DELETE ON mg_episodes BEGIN
  INSERT INTO mg_metadata (key, value) VALUES ('last_id.mg_episodes', old.id)
    ON CONFLICT (key) DO UPDATE SET value = max(CAST(value AS INTEGER), old.id);
END;
-- +goose StatementEnd
