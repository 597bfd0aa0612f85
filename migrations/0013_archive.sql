-- +goose Up
-- Evidence stays where it is when its fact is archived, so it can refer to a row of either table.
CREATE TABLE mg_evidence_new (
  relationship_id INTEGER NOT NULL,
  episode_id INTEGER NOT NULL REFERENCES mg_episodes,
  quote TEXT,
  method TEXT NOT NULL,
  confidence REAL NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (relationship_id, episode_id, method)
) STRICT, WITHOUT ROWID;
INSERT INTO mg_evidence_new SELECT relationship_id, episode_id, quote, method, confidence, created_at FROM mg_evidence;
DROP TABLE mg_evidence;
ALTER TABLE mg_evidence_new RENAME TO mg_evidence;
CREATE INDEX mg_evidence_episode ON mg_evidence (episode_id);

-- Nor does a fact refer by a foreign key to the fact that superseded it.
CREATE TABLE mg_relationships_new (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  head_id INTEGER NOT NULL REFERENCES mg_entities,
  relation TEXT NOT NULL,
  tail_id INTEGER NOT NULL REFERENCES mg_entities,
  label TEXT NOT NULL, -- the relation as it was given
  edge_class TEXT NOT NULL,
  fact TEXT NOT NULL DEFAULT '',
  confidence REAL NOT NULL,
  strength REAL NOT NULL DEFAULT 1,
  retrieval_count REAL NOT NULL DEFAULT 0,
  origin TEXT NOT NULL,
  method TEXT NOT NULL,
  valid_from TEXT,
  valid_until TEXT,
  expires_at TEXT,
  created_at TEXT NOT NULL,
  expired_at TEXT,
  last_observed_at TEXT NOT NULL,
  superseded_by INTEGER, -- in mg_relationships or in mg_archive
  from_unit TEXT, -- how precise the times are, as they were given: 'year' or 'month'; NULL: a date or a time of day
  until_unit TEXT
) STRICT;
INSERT INTO mg_relationships_new SELECT id, namespace, head_id, relation, tail_id, label, edge_class, fact, confidence,
  strength, retrieval_count, origin, method, valid_from, valid_until, expires_at, created_at, expired_at,
  last_observed_at, superseded_by, from_unit, until_unit FROM mg_relationships;
DROP TABLE mg_relationships;
ALTER TABLE mg_relationships_new RENAME TO mg_relationships;
-- A read of the present leaves out the facts that begin later. The indexes of active facts tell when a fact begins, so
-- that a hub's facts are still read from them alone.
CREATE UNIQUE INDEX mg_relationships_active ON mg_relationships (namespace, head_id, relation, tail_id)
  WHERE valid_until IS NULL;
CREATE INDEX mg_relationships_out ON mg_relationships
  (head_id, confidence DESC, last_observed_at DESC, id, tail_id, relation, edge_class, strength, retrieval_count, expires_at, valid_from)
  WHERE valid_until IS NULL;
CREATE INDEX mg_relationships_in ON mg_relationships
  (tail_id, confidence DESC, last_observed_at DESC, id, head_id, relation, edge_class, strength, retrieval_count, expires_at, valid_from)
  WHERE valid_until IS NULL;
CREATE INDEX mg_relationships_pair ON mg_relationships (head_id, tail_id, confidence, expires_at, valid_from)
  WHERE valid_until IS NULL;
CREATE INDEX mg_relationships_head_past ON mg_relationships (head_id, valid_from) WHERE valid_until IS NOT NULL;
CREATE INDEX mg_relationships_tail_past ON mg_relationships (tail_id, valid_from) WHERE valid_until IS NOT NULL;
CREATE INDEX mg_relationships_due ON mg_relationships (expires_at) WHERE valid_until IS NULL AND expires_at IS NOT NULL;
CREATE INDEX mg_relationships_superseded ON mg_relationships (superseded_by) WHERE superseded_by IS NOT NULL;
-- +goose StatementBegin
CREATE TRIGGER mg_relationships_gone AFTER DELETE ON mg_relationships BEGIN
  INSERT INTO mg_metadata (key, value) VALUES ('last_id.mg_relationships', old.id)
    ON CONFLICT (key) DO UPDATE SET value = max(CAST(value AS INTEGER), old.id);
END;
-- +goose StatementEnd

-- Facts that ended long ago leave mg_relationships for mg_archive, with every column. No version wrote the first form of
-- the table.
DROP TABLE mg_archive;
CREATE TABLE mg_archive (
  id INTEGER PRIMARY KEY, -- the fact's
  namespace TEXT NOT NULL,
  head_id INTEGER NOT NULL REFERENCES mg_entities,
  relation TEXT NOT NULL,
  tail_id INTEGER NOT NULL REFERENCES mg_entities,
  label TEXT NOT NULL,
  edge_class TEXT NOT NULL,
  fact TEXT NOT NULL,
  confidence REAL NOT NULL,
  strength REAL NOT NULL,
  retrieval_count REAL NOT NULL,
  origin TEXT NOT NULL,
  method TEXT NOT NULL,
  valid_from TEXT,
  valid_until TEXT NOT NULL,
  expires_at TEXT,
  created_at TEXT NOT NULL,
  expired_at TEXT,
  last_observed_at TEXT NOT NULL,
  superseded_by INTEGER,
  from_unit TEXT,
  until_unit TEXT,
  archived_at TEXT NOT NULL
) STRICT;
CREATE INDEX mg_archive_head ON mg_archive (head_id, valid_from);
CREATE INDEX mg_archive_tail ON mg_archive (tail_id, valid_from);
CREATE INDEX mg_archive_superseded ON mg_archive (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX mg_archive_namespace ON mg_archive (namespace);

-- Every fact, wherever its row is.
CREATE VIEW mg_facts AS
  SELECT id, namespace, head_id, relation, tail_id, label, edge_class, fact, confidence, strength, retrieval_count,
    origin, method, valid_from, valid_until, expires_at, created_at, expired_at, last_observed_at, superseded_by,
    from_unit, until_unit FROM mg_relationships
  UNION ALL
  SELECT id, namespace, head_id, relation, tail_id, label, edge_class, fact, confidence, strength, retrieval_count,
    origin, method, valid_from, valid_until, expires_at, created_at, expired_at, last_observed_at, superseded_by,
    from_unit, until_unit FROM mg_archive;

-- An archived entity keeps its row: turns, facts and versions refer to it, and its name must not become a second one. It
-- leaves lists, counts and vectors until something names or changes it, or makes a fact about it active.
ALTER TABLE mg_entities ADD COLUMN archived_at TEXT;
-- +goose StatementBegin
CREATE TRIGGER mg_entities_back AFTER UPDATE OF last_seen_at, updated_at ON mg_entities
  WHEN old.archived_at IS NOT NULL AND new.archived_at IS NOT NULL BEGIN
  UPDATE mg_entities SET archived_at = NULL WHERE id = new.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER mg_entities_back_by_fact AFTER INSERT ON mg_relationships WHEN new.valid_until IS NULL BEGIN
  UPDATE mg_entities SET archived_at = NULL WHERE id IN (new.head_id, new.tail_id) AND archived_at IS NOT NULL;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER mg_entities_back_by_change AFTER UPDATE OF valid_until, head_id, tail_id ON mg_relationships
  WHEN new.valid_until IS NULL BEGIN
  UPDATE mg_entities SET archived_at = NULL WHERE id IN (new.head_id, new.tail_id) AND archived_at IS NOT NULL;
END;
-- +goose StatementEnd

-- After an upgrade, the first run of the archiving task only reports what it would archive.
INSERT INTO mg_metadata (key, value) SELECT 'archive.report_first', '1' WHERE EXISTS (SELECT 1 FROM mg_entities);
