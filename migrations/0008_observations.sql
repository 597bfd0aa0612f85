-- +goose Up
-- The type as it was given, where its word in snake_case is another ("Person", "Open Source Project"): whoever brought a
-- graph gets it back as it was written. It says nothing once the type has become another one.
ALTER TABLE mg_entities ADD COLUMN type_label TEXT;
