-- +goose Up
-- What extraction leaves beside facts: how far it has come with a turn, what the model costs, what fails.

-- Whether the built-in rules have read the turn. Every turn of an earlier version waits for them, and for a model.
ALTER TABLE mg_episodes ADD COLUMN rules_read INTEGER NOT NULL DEFAULT 0;
-- The turns that are not finished, oldest first, and those in quarantine: few among many.
CREATE INDEX mg_episodes_unfinished ON mg_episodes (namespace, status, id) WHERE status IN ('pending', 'failed', 'quarantined');

-- What models were asked for, by day (UTC). Failed calls count too: they may have cost tokens.
CREATE TABLE mg_model_usage (
  day TEXT NOT NULL,
  endpoint TEXT NOT NULL, -- its URL without user, password and query
  model TEXT NOT NULL,
  purpose TEXT NOT NULL, -- extract | link | …
  calls INTEGER NOT NULL,
  failures INTEGER NOT NULL, -- of the calls
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  PRIMARY KEY (day, endpoint, model, purpose)
) STRICT, WITHOUT ROWID;

-- How often something happened that is worth knowing and no error of a call: work in the background that failed for a
-- part, what an extractor's checks took out.
CREATE TABLE mg_counters (
  namespace TEXT NOT NULL,
  code TEXT NOT NULL,
  n INTEGER NOT NULL,
  last_at TEXT NOT NULL,
  last_error TEXT,
  PRIMARY KEY (namespace, code)
) STRICT, WITHOUT ROWID;

-- The counts of open jobs tell the kind too.
DROP TRIGGER mg_jobs_opened;
DROP TRIGGER mg_jobs_closed;
DROP TRIGGER mg_jobs_changed;
DROP TABLE mg_job_counts;
CREATE TABLE mg_job_counts (
  namespace TEXT NOT NULL,
  kind TEXT NOT NULL,
  failed INTEGER NOT NULL, -- 1: gave up until next_at; 0: pending or running
  n INTEGER NOT NULL,
  PRIMARY KEY (namespace, kind, failed)
) STRICT, WITHOUT ROWID;
INSERT INTO mg_job_counts SELECT namespace, kind, status = 'failed', count(*) FROM mg_jobs WHERE status <> 'done' GROUP BY 1, 2, 3;
-- +goose StatementBegin
CREATE TRIGGER mg_jobs_opened AFTER INSERT ON mg_jobs WHEN new.status <> 'done' BEGIN
  INSERT INTO mg_job_counts VALUES (new.namespace, new.kind, new.status = 'failed', 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER mg_jobs_closed AFTER DELETE ON mg_jobs WHEN old.status <> 'done' BEGIN
  UPDATE mg_job_counts SET n = n - 1 WHERE namespace = old.namespace AND kind = old.kind AND failed = (old.status = 'failed');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER mg_jobs_changed AFTER UPDATE OF status ON mg_jobs
  WHEN (old.status = 'failed') <> (new.status = 'failed') OR (old.status = 'done') <> (new.status = 'done') BEGIN
  UPDATE mg_job_counts SET n = n - 1
    WHERE old.status <> 'done' AND namespace = old.namespace AND kind = old.kind AND failed = (old.status = 'failed');
  INSERT INTO mg_job_counts SELECT new.namespace, new.kind, new.status = 'failed', 1 WHERE new.status <> 'done'
    ON CONFLICT DO UPDATE SET n = n + 1;
END;
-- +goose StatementEnd
