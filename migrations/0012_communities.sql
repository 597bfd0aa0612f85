-- +goose Up
-- What a community of the graph needs beside its members, which mg_entities.community_id gives.

-- The model that wrote the name and the summary; '' for the program's own words.
ALTER TABLE mg_communities ADD COLUMN writer TEXT NOT NULL DEFAULT '';
-- The least trusted origin of what the summary says.
ALTER TABLE mg_communities ADD COLUMN origin TEXT NOT NULL DEFAULT '';
-- The ids of its most central members, as JSON.
ALTER TABLE mg_communities ADD COLUMN central TEXT NOT NULL DEFAULT '[]';

-- A summary has the names of members. After a change of a name it is written anew.
-- +goose StatementBegin
CREATE TRIGGER mg_entities_renamed AFTER UPDATE OF name ON mg_entities
WHEN new.name <> old.name AND new.community_id IS NOT NULL BEGIN
  UPDATE mg_communities SET fingerprint = NULL WHERE id = new.community_id;
END;
-- +goose StatementEnd
-- An id is never given twice.
-- +goose StatementBegin
CREATE TRIGGER mg_communities_gone AFTER DELETE ON mg_communities BEGIN
  INSERT INTO mg_metadata (key, value) VALUES ('last_id.mg_communities', old.id)
    ON CONFLICT (key) DO UPDATE SET value = max(CAST(value AS INTEGER), old.id);
END;
-- +goose StatementEnd
