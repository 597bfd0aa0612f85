-- +goose Up
-- The inverse record of a merge (decision 32): what the one that stayed was given of the one that went, and did not have
-- before. Unmerge takes exactly that away again. A merge made anew replaces the record of the one before.

CREATE TABLE mg_merged_mentions (
  from_id INTEGER NOT NULL, -- the entity that was merged …
  into_id INTEGER NOT NULL, -- … into this one
  episode_id INTEGER NOT NULL,
  role TEXT NOT NULL,
  PRIMARY KEY (from_id, episode_id, role)
) STRICT, WITHOUT ROWID;

CREATE TABLE mg_merged_evidence (
  from_id INTEGER NOT NULL, -- the entity that was merged
  source_id INTEGER NOT NULL, -- the fact that ended …
  target_id INTEGER NOT NULL, -- … and the same one that stayed
  episode_id INTEGER NOT NULL,
  method TEXT NOT NULL,
  PRIMARY KEY (from_id, target_id, episode_id, method)
) STRICT, WITHOUT ROWID;
