-- +goose Up
-- How far graph expansion is rolled out. A namespace without a row has the default mode.
CREATE TABLE mg_rollout (
  namespace TEXT PRIMARY KEY, mode TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What expansions found, in spans of ten minutes: two windows of a day are 288 rows, however much is asked.
CREATE TABLE mg_expansions (
  namespace TEXT NOT NULL,
  at TEXT NOT NULL, -- the beginning of the span
  tried INTEGER NOT NULL, fallbacks INTEGER NOT NULL, errors INTEGER NOT NULL,
  covered INTEGER NOT NULL, added INTEGER NOT NULL,
  PRIMARY KEY (namespace, at)
) STRICT, WITHOUT ROWID;

-- Traces are listed by namespace, newest first, and expire by time.
CREATE INDEX mg_traces_namespace ON mg_traces (namespace, id);
CREATE INDEX mg_traces_at ON mg_traces (at);

-- Memories that are standing instructions belong to every answer of the strategy hybrid_graph.
CREATE INDEX mg_entities_rules ON mg_entities (namespace, id)
  WHERE kind = 'memory' AND type IN ('rule', 'instruction') AND merged_into IS NULL;
