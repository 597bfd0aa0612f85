-- +goose Up
-- The notes that are the evidence of links were turns of role system, and search found them. Nobody said them, so no
-- read finds them any more.
UPDATE mg_episodes SET status = 'note' WHERE role = 'system' AND source = 'link' AND
  idempotency_key IN ('memory-graph:similarity', 'memory-graph:model_linked');
DELETE FROM mg_episodes_fts WHERE rowid IN (SELECT id FROM mg_episodes WHERE status = 'note');
DELETE FROM mg_jobs WHERE kind = 'embed' AND
  substr(subject, instr(subject, '/') + 1) IN (SELECT 't' || id FROM mg_episodes WHERE status = 'note');
INSERT OR REPLACE INTO mg_vector_log (embedder_id, kind, object_id, deleted)
  SELECT embedder_id, kind, object_id, 1 FROM mg_vector_log
  WHERE kind = 'episode' AND object_id IN (SELECT id FROM mg_episodes WHERE status = 'note');
