package spool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"memory-graph/internal/memory"
)

// Report is the result of a drain.
type Report struct {
	Stored int
	Left   int     // turns left for the next run
	Errs   []error // why turns were left or set aside
}

// Drain stores the waiting turns in the order of Names and deletes their files. Several processes may drain at once:
// the turns' keys keep a turn from being stored twice. The error of store decides about a file. A turn that can never
// be stored is set aside. If the database cannot be written or ctx ends, the rest is left for the next run. A turn at
// which ctx or the process ended is then tried after the others.
func (d Dir) Drain(ctx context.Context, now time.Time, store func(context.Context, Entry) error) Report {
	var r Report
	names, err := d.Names(now)
	if err != nil {
		r.Errs = append(r.Errs, err)
		return r
	}
	for i, name := range names {
		if ctx.Err() != nil {
			r.Left += len(names) - i
			return r
		}
		before := name
		t, err := d.Read(name)
		if err == nil {
			name, err = d.try(name)
		}
		if err == nil {
			err = store(ctx, t)
		}
		if err == nil {
			r.Stored++
			if err := d.Remove(name); err != nil {
				r.Errs = append(r.Errs, fmt.Errorf("a turn is stored, but its file cannot be deleted: %w", err))
			}
			continue
		}
		switch code := memory.AsError(err).Code; {
		case errors.Is(err, fs.ErrNotExist): // another process stored it
		case errors.Is(err, ErrBroken), code == memory.InvalidArgument, code == memory.TooLarge:
			r.Errs = append(r.Errs, d.setAside(name, err))
		default:
			r.Left++
			if ctx.Err() == nil && (code == memory.Unavailable || code == memory.ReadOnly) {
				d.untry(name, before)
			}
			r.Errs = append(r.Errs, fmt.Errorf("the turn in %s is left for the next run: %w", name, err))
			if code == memory.Unavailable || code == memory.ReadOnly || ctx.Err() != nil {
				r.Left += len(names) - i - 1
				return r
			}
		}
	}
	return r
}

func (d Dir) setAside(name string, why error) error {
	to, err := d.Aside(name)
	if err != nil {
		return fmt.Errorf("the turn in %s cannot be stored (%w) and cannot be set aside: %w", name, why, err)
	}
	return fmt.Errorf("a turn cannot be stored, and is kept in %s: %w", to, why)
}
