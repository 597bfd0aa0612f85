-- +goose Up
-- How precise the times of a fact are, as they were given: 'year' or 'month'. NULL: a date or a time of day.
ALTER TABLE mg_relationships ADD COLUMN from_unit TEXT;
ALTER TABLE mg_relationships ADD COLUMN until_unit TEXT;
ALTER TABLE mg_relationship_versions ADD COLUMN from_unit TEXT;
ALTER TABLE mg_relationship_versions ADD COLUMN until_unit TEXT;

-- Since when the other names of a relation are stored under one name. Reads at a time before that use the names as they
-- were given.
INSERT INTO mg_metadata (key, value) SELECT 'names_linked_at', strftime('%Y-%m-%d %H:%M:%f', 'now')
  WHERE EXISTS (SELECT 1 FROM mg_relationships);
