-- +goose Up
-- The mean cosine of unrelated texts with the embedder of a generation (docs/decisions.md, "One scale of cosines").
-- NULL: not measured yet, or the built-in embedder's, which needs none.
ALTER TABLE mg_embedders ADD COLUMN base_cosine REAL;
