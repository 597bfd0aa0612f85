-- +goose Up
-- The whole data model from the first day, so that later work adds behaviour and not columns.
-- Times are UTC text: seconds on the axis of validity (valid_*, occurred_at, expires_at), milliseconds on the axis of
-- knowledge (created_at, expired_at, next_at…). Tables are STRICT where nothing virtual is involved: a wrong type is
-- a bug found on the first write.

-- "MGRF": tells our files from other programs' before anything is written into them.
PRAGMA application_id = 1296519750;

CREATE TABLE mg_metadata (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE mg_leases (
  name TEXT PRIMARY KEY, holder TEXT, held_until TEXT, last_run_at TEXT
) STRICT, WITHOUT ROWID;

-- ---------------------------------------------------------------------------------------------- nodes
CREATE TABLE mg_entities (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  kind TEXT NOT NULL DEFAULT 'entity', -- entity | memory | mention | condition | system
  canonical_name TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  confidence REAL NOT NULL,
  observation_count INTEGER NOT NULL DEFAULT 1,
  origin TEXT NOT NULL,
  layer INTEGER,
  parent_id INTEGER REFERENCES mg_entities,
  community_id INTEGER,
  merged_into INTEGER REFERENCES mg_entities,
  valid_from TEXT,
  valid_until TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX mg_entities_identity ON mg_entities (namespace, canonical_name, type, kind)
  WHERE kind <> 'memory' AND merged_into IS NULL;
-- Foreign keys are looked up from the parent's side when a row goes: each gets an index, partial where most are NULL.
CREATE INDEX mg_entities_parent ON mg_entities (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX mg_entities_merged ON mg_entities (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX mg_entities_community ON mg_entities (community_id) WHERE community_id IS NOT NULL;

CREATE TABLE mg_entity_aliases (
  namespace TEXT NOT NULL,
  alias TEXT NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES mg_entities ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (namespace, alias, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mg_entity_aliases_entity ON mg_entity_aliases (entity_id);

CREATE TABLE mg_observations ( -- free sentences about an entity
  id INTEGER PRIMARY KEY,
  entity_id INTEGER NOT NULL REFERENCES mg_entities ON DELETE CASCADE,
  content TEXT NOT NULL,
  origin TEXT NOT NULL,
  episode_id INTEGER,
  created_at TEXT NOT NULL,
  expired_at TEXT
) STRICT;
CREATE INDEX mg_observations_entity ON mg_observations (entity_id);
CREATE INDEX mg_observations_episode ON mg_observations (episode_id) WHERE episode_id IS NOT NULL;

-- ---------------------------------------------------------------------------------------------- edges
CREATE TABLE mg_relationships (
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
  superseded_by INTEGER REFERENCES mg_relationships
) STRICT;
CREATE UNIQUE INDEX mg_relationships_active ON mg_relationships (namespace, head_id, relation, tail_id)
  WHERE valid_until IS NULL;
-- The active edges of a node in the order of decision 22 (stored confidence, then last observed), so that reading the
-- first 200 of a hub costs what any node costs.
CREATE INDEX mg_relationships_out ON mg_relationships
  (head_id, confidence DESC, last_observed_at DESC, id, tail_id, relation, edge_class, retrieval_count, expires_at)
  WHERE valid_until IS NULL;
CREATE INDEX mg_relationships_in ON mg_relationships
  (tail_id, confidence DESC, last_observed_at DESC, id, head_id, relation, edge_class, retrieval_count, expires_at)
  WHERE valid_until IS NULL;
CREATE INDEX mg_relationships_head_past ON mg_relationships (head_id, valid_from) WHERE valid_until IS NOT NULL;
CREATE INDEX mg_relationships_tail_past ON mg_relationships (tail_id, valid_from) WHERE valid_until IS NOT NULL;
CREATE INDEX mg_relationships_due ON mg_relationships (expires_at) WHERE valid_until IS NULL AND expires_at IS NOT NULL;
CREATE INDEX mg_relationships_superseded ON mg_relationships (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE mg_relation_rates ( -- decay a relation's confidence loses per day, where it is not the registry's
  namespace TEXT NOT NULL, relation TEXT NOT NULL, rate REAL NOT NULL,
  PRIMARY KEY (namespace, relation)
) STRICT, WITHOUT ROWID;

-- ---------------------------------------------------------------------------------------------- versions
CREATE TABLE mg_entity_versions (
  version_id INTEGER PRIMARY KEY,
  entity_id INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  valid_from TEXT,
  valid_until TEXT,
  created_at TEXT NOT NULL,
  expired_at TEXT,
  cause TEXT NOT NULL,
  event_id INTEGER
) STRICT;
CREATE INDEX mg_entity_versions_of ON mg_entity_versions (entity_id, created_at);

CREATE TABLE mg_relationship_versions ( -- every column that means something, so that known_at is one indexed query
  version_id INTEGER PRIMARY KEY,
  relationship_id INTEGER NOT NULL,
  namespace TEXT NOT NULL,
  head_id INTEGER NOT NULL,
  relation TEXT NOT NULL,
  tail_id INTEGER NOT NULL,
  edge_class TEXT,
  fact TEXT,
  confidence REAL,
  strength REAL,
  valid_from TEXT,
  valid_until TEXT,
  expires_at TEXT,
  superseded_by INTEGER,
  origin TEXT,
  method TEXT,
  created_at TEXT NOT NULL,
  expired_at TEXT,
  cause TEXT NOT NULL,
  event_id INTEGER
) STRICT;
CREATE INDEX mg_relationship_versions_of ON mg_relationship_versions (relationship_id, created_at);
CREATE INDEX mg_relationship_versions_head ON mg_relationship_versions (head_id, created_at);
CREATE INDEX mg_relationship_versions_tail ON mg_relationship_versions (tail_id, created_at);

-- ---------------------------------------------------------------------------------------------- episodes
CREATE TABLE mg_episodes (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  project TEXT,
  user TEXT,
  session_id TEXT,
  seq INTEGER NOT NULL, -- order within the session, from 1; 0 without a session
  role TEXT NOT NULL,
  speaker TEXT,
  source TEXT,
  idempotency_key TEXT,
  occurred_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  origin TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending', -- pending | done | failed | skipped | quarantined
  reasons TEXT, -- a JSON list of strings, or NULL
  memory_id INTEGER REFERENCES mg_entities,
  content_hash BLOB NOT NULL, -- SHA-256 of content
  content TEXT NOT NULL -- last, so that reading what stands before it never walks a long text's overflow pages
) STRICT;
CREATE UNIQUE INDEX mg_episodes_key ON mg_episodes (namespace, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX mg_episodes_session ON mg_episodes (namespace, session_id, seq) WHERE session_id IS NOT NULL;
-- Turns without a session form one implicit session for each project and user: needed to know the last one.
CREATE INDEX mg_episodes_loose ON mg_episodes (namespace, project, user) WHERE session_id IS NULL;
CREATE INDEX mg_episodes_newest ON mg_episodes (namespace, occurred_at DESC, id DESC);
CREATE INDEX mg_episodes_memory ON mg_episodes (memory_id) WHERE memory_id IS NOT NULL;

CREATE TABLE mg_mentions (
  episode_id INTEGER NOT NULL REFERENCES mg_episodes ON DELETE CASCADE,
  entity_id INTEGER NOT NULL REFERENCES mg_entities,
  role TEXT NOT NULL DEFAULT 'mention',
  start INTEGER,
  stop INTEGER,
  PRIMARY KEY (episode_id, entity_id, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX mg_mentions_entity ON mg_mentions (entity_id);

CREATE TABLE mg_evidence (
  relationship_id INTEGER NOT NULL REFERENCES mg_relationships ON DELETE CASCADE,
  episode_id INTEGER NOT NULL REFERENCES mg_episodes,
  quote TEXT,
  method TEXT NOT NULL,
  confidence REAL NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (relationship_id, episode_id, method)
) STRICT, WITHOUT ROWID;
CREATE INDEX mg_evidence_episode ON mg_evidence (episode_id);

-- ---------------------------------------------------------------------------------------------- work and log
CREATE TABLE mg_jobs (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL, -- embed | extract | link | …
  namespace TEXT NOT NULL,
  subject TEXT NOT NULL, -- what the job is about, such as 2/t56: generation 2, episode 56
  status TEXT NOT NULL, -- pending | running | failed (gave up until next_at); done only where a kind keeps its rows
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at TEXT NOT NULL,
  holder TEXT,
  held_until TEXT,
  last_error TEXT,
  created_at TEXT NOT NULL,
  done_at TEXT
) STRICT;
-- Partial: what is done must never weigh on what is open. The first also says "one open job for a subject".
CREATE UNIQUE INDEX mg_jobs_open ON mg_jobs (kind, subject) WHERE status <> 'done';
CREATE INDEX mg_jobs_due ON mg_jobs (kind, next_at, id) WHERE status <> 'done';
-- memory_state stands in every answer, and counting 10,000 open jobs takes 6 ms: the counts are kept.
CREATE TABLE mg_job_counts (
  namespace TEXT NOT NULL,
  failed INTEGER NOT NULL, -- 1: gave up until next_at; 0: pending or running
  n INTEGER NOT NULL,
  PRIMARY KEY (namespace, failed)
) STRICT, WITHOUT ROWID;
-- +goose StatementBegin
CREATE TRIGGER mg_jobs_opened AFTER INSERT ON mg_jobs WHEN new.status <> 'done' BEGIN
  INSERT INTO mg_job_counts VALUES (new.namespace, new.status = 'failed', 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER mg_jobs_closed AFTER DELETE ON mg_jobs WHEN old.status <> 'done' BEGIN
  UPDATE mg_job_counts SET n = n - 1 WHERE namespace = old.namespace AND failed = (old.status = 'failed');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER mg_jobs_changed AFTER UPDATE OF status ON mg_jobs
  WHEN (old.status = 'failed') <> (new.status = 'failed') OR (old.status = 'done') <> (new.status = 'done') BEGIN
  UPDATE mg_job_counts SET n = n - 1
    WHERE old.status <> 'done' AND namespace = old.namespace AND failed = (old.status = 'failed');
  INSERT INTO mg_job_counts SELECT new.namespace, new.status = 'failed', 1 WHERE new.status <> 'done'
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd

CREATE TABLE mg_events (
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  namespace TEXT NOT NULL,
  actor TEXT NOT NULL,
  client TEXT,
  call_id TEXT,
  action TEXT NOT NULL,
  object TEXT NOT NULL,
  before TEXT,
  after TEXT,
  reason TEXT,
  episode_id INTEGER,
  undone_by INTEGER
) STRICT;
CREATE INDEX mg_events_object ON mg_events (namespace, object);
CREATE INDEX mg_events_call ON mg_events (namespace, call_id) WHERE call_id IS NOT NULL;

-- ---------------------------------------------------------------------------------------------- structure above the graph
CREATE TABLE mg_closure (
  ancestor_id INTEGER NOT NULL, descendant_id INTEGER NOT NULL, depth INTEGER NOT NULL,
  PRIMARY KEY (ancestor_id, descendant_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mg_closure_descendant ON mg_closure (descendant_id, depth);
CREATE TABLE mg_communities (
  id INTEGER PRIMARY KEY, namespace TEXT NOT NULL, name TEXT, summary TEXT, fingerprint BLOB,
  size INTEGER NOT NULL, updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX mg_communities_namespace ON mg_communities (namespace);
CREATE TABLE mg_archive (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, namespace TEXT NOT NULL, archived_at TEXT NOT NULL,
  reason TEXT NOT NULL, row TEXT NOT NULL
) STRICT;
CREATE INDEX mg_archive_namespace ON mg_archive (namespace, kind);
CREATE TABLE mg_traces (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, namespace TEXT NOT NULL, request TEXT NOT NULL,
  answer TEXT NOT NULL, took_us INTEGER NOT NULL
) STRICT;

-- ---------------------------------------------------------------------------------------------- vectors
-- One row a generation of vectors (decision 33). AUTOINCREMENT: a generation's number names its vec0 tables
-- (mg_episode_embeddings_<id>, mg_entity_embeddings_<id>) and must never come back. The vec0 tables are made by store/
-- when a generation begins, the first one too, since their width is the embedder's and no migration can know it.
CREATE TABLE mg_embedders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  state TEXT NOT NULL, -- building | active | retired
  created_at TEXT NOT NULL,
  activated_at TEXT
) STRICT;
CREATE UNIQUE INDEX mg_embedders_live ON mg_embedders (state) WHERE state <> 'retired'; -- one building, one active

-- Which object has a vector in which generation, and in which order vectors changed: membership and change feed in
-- one, because vec0 answers neither without a scan. A change replaces the row, so seq grows and never comes back.
CREATE TABLE mg_vector_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  embedder_id INTEGER NOT NULL,
  kind TEXT NOT NULL, -- episode | entity
  object_id INTEGER NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX mg_vector_log_object ON mg_vector_log (embedder_id, kind, object_id);
CREATE INDEX mg_vector_log_feed ON mg_vector_log (embedder_id, kind, seq, deleted, object_id);

-- ---------------------------------------------------------------------------------------------- text
-- Contentless, fed with prepared text (package text): folded, stemmed, scripts without spaces split into characters
-- that are asked for as phrases. Nothing is left for FTS5 to decide, so its tokenizer is the plainest one: ascii cuts at
-- spaces and takes everything above U+007F for a letter, where unicode61 would cut Thai and Hindi at their marks.
-- scope holds one token each for namespace, project, user, session and role, so that equality filters run inside FTS5
-- and without a join; bm25 weighs it 0.
CREATE VIRTUAL TABLE mg_episodes_fts USING fts5 (content, speaker, scope, content='', contentless_delete=1,
  tokenize='ascii');
-- In how many episodes a token stands: how much it tells (store.TermFrequencies).
CREATE VIRTUAL TABLE mg_episodes_terms USING fts5vocab (mg_episodes_fts, row);
CREATE VIRTUAL TABLE mg_entities_fts USING fts5 (name, description, aliases, content='', contentless_delete=1,
  tokenize='unicode61 remove_diacritics 2', prefix='2 3'); -- bm25(10.0, 1.0, 5.0)
