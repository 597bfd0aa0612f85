-- +goose Up
-- What upkeep under a lease needs (decisions 13, 17, 20).

-- When the task falls due next. Beside last_run_at, since a task that runs late must not fall behind for ever: its
-- instants are an interval apart, and those that were missed can be counted.
ALTER TABLE mg_leases ADD COLUMN next_run_at TEXT;
-- How far a run has come that is made of several transactions, as JSON; NULL outside one. Who takes a dead holder's run
-- over goes on from there, so that nothing fades twice.
ALTER TABLE mg_leases ADD COLUMN progress TEXT;

-- The confidence as it was stated, where confidence has faded since or is 0 because the entity's validity is over; NULL
-- where confidence is what was stated. It is what versions and events keep: fading is no change of meaning.
ALTER TABLE mg_entities ADD COLUMN unfaded REAL;
-- Entities whose end is due: their confidence becomes 0 (F14).
CREATE INDEX mg_entities_ending ON mg_entities (valid_until) WHERE valid_until IS NOT NULL AND confidence > 0;
