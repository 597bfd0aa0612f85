-- +goose Up
-- Whether a language model has read the turn, or found it not worth a question. What was read before this was known is not
-- read again by itself: only who asks for it pays for it.
ALTER TABLE mg_episodes ADD COLUMN model_read INTEGER NOT NULL DEFAULT 0;
