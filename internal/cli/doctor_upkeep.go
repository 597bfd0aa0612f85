package cli

import (
	"context"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// upkeepRow is the state of one periodic task. One process runs it for all processes on the file.
type upkeepRow struct {
	Task    string `json:"task"`
	LastRun string `json:"last_run,omitempty"` // absent if it never ran
	By      string `json:"by,omitempty"`       // host, process and random part of the last or current runner
	NextRun string `json:"next_run,omitempty"` // a time in the past means: as soon as a server runs
	text    string
}

// readUpkeep fills in when each periodic task last ran, and in which process. A file with an old schema has no tasks.
func (r *report) readUpkeep(ctx context.Context, s *store.Store) error {
	if r.Database.Outdated {
		return nil
	}
	leases, err := s.Leases(ctx)
	if err != nil {
		return err
	}
	last, archived, err := s.LastEviction(ctx)
	if err != nil {
		return err
	}
	for _, l := range leases {
		row := upkeepRow{Task: l.Name, LastRun: memory.RFC3339(l.LastRunAt), By: l.Holder,
			NextRun: memory.RFC3339(l.NextRunAt), text: "never ran"}
		if !l.LastRunAt.IsZero() {
			row.text = "last " + localTime(l.LastRunAt) + " by " + l.Holder
		}
		if !l.NextRunAt.IsZero() {
			row.text += ", due " + localTime(l.NextRunAt)
		}
		if archived && l.Name == "archive" {
			row.text += "; " + archiving(last)
		}
		r.Database.Upkeep = append(r.Database.Upkeep, row)
	}
	return nil
}
