-- +goose Up
-- Which nodes a quarantined turn holds back is asked before every context block. Without this index the question reads
-- every mention of a node, and a hub has 100,000 of them.
CREATE INDEX mg_mentions_held ON mg_mentions (entity_id, episode_id) WHERE role IN ('held', 'held_name');
