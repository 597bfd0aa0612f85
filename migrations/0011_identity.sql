-- +goose Up
-- Before this version, a fact made a second entity of a known name if an extractor guessed another type, and a speaker
-- who stated a name stayed apart from it. The heartbeat heals the entities up to this id.
INSERT INTO mg_metadata (key, value) SELECT 'identity.heal_to', coalesce(max(id), 0) FROM mg_entities WHERE true
  ON CONFLICT (key) DO NOTHING;
