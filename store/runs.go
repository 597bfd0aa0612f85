package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"memory-graph/internal/memory"
)

// RunRequest asks for the next run of a periodic task.
type RunRequest struct {
	Task   string        // its name in the file
	Holder string        // who asks: unique over processes and restarts
	Every  time.Duration // the interval, at least a millisecond
	Lease  time.Duration // how long a dead holder keeps the run from others
	AtOnce bool          // a task that never ran is due now; otherwise an interval after it was first asked for
}

// Run is one run of a periodic task, which one process holds.
type Run struct {
	Task, Holder string
	// At is when the run was begun; of one that was taken over, when its first holder began it.
	At time.Time
	// Intervals says how many times the task fell due since it ran last, from 1: what nobody ran is made up for.
	Intervals int
	Every     time.Duration

	lease    time.Duration
	last     string   // last_run_at from before: it is another one once somebody has finished the run
	progress progress // how far it has come
	finished bool
}

// progress is what the file keeps of a run that is under way.
type progress struct {
	At        time.Time `json:"at"`
	Intervals int       `json:"intervals"`
	Next      time.Time `json:"next"`  // when the task falls due after it
	After     int64     `json:"after"` // the last row that is done
}

// ErrRunLost says that another process has taken the run over, or finished it. Nothing was written.
var ErrRunLost = errors.New("another process has taken the run over")

// BeginRun gives the task's run where it is due and nobody holds it, and holds it for the lease. Otherwise run is nil
// and wait says after how long it may be due. Looking is one read; nothing is written while nothing is due, except the
// first instant of a task that the file does not know. A run whose holder died is given again, and goes on where it
// stopped.
func (s *Store) BeginRun(ctx context.Context, q RunRequest) (run *Run, wait time.Duration, err error) {
	if q.Task == "" || q.Holder == "" || q.Every < time.Millisecond || q.Lease < time.Millisecond {
		return nil, 0, memory.Errorf(memory.InvalidArgument, "The run of %q by %q, every %v for %v, cannot be asked for.",
			q.Task, q.Holder, q.Every, q.Lease).
			WithHint("Give a task, a holder, and an interval and a lease of at least a millisecond.")
	}
	var row leaseRow
	if err := s.readOne(ctx, "look for a run",
		func(c *conn) (err error) { row, err = c.lease(ctx, q.Task); return err }); err != nil {
		return nil, 0, err
	}
	if v := row.judge(s.now(), q); !v.due && !v.anchor {
		return nil, v.wait, nil
	}
	err = s.write(ctx, "begin a run", func(c *conn) error {
		row, err := c.lease(ctx, q.Task) // others may have been faster
		if err != nil {
			return err
		}
		now := s.now().UTC().Truncate(time.Millisecond)
		v := row.judge(now, q)
		switch {
		case v.anchor:
			wait = v.wait
			return c.saveLease(ctx, q.Task, "next_run_at", memory.Millis(now.Add(q.Every)))
		case !v.due:
			wait = v.wait
			return nil
		}
		run = &Run{Task: q.Task, Holder: q.Holder, Every: q.Every, lease: q.Lease, last: row.last,
			progress: progress{At: now, Intervals: v.intervals, Next: v.at.Add(q.Every)}}
		if row.progress != "" {
			if err := json.Unmarshal([]byte(row.progress), &run.progress); err != nil {
				return fmt.Errorf("read the progress of %s: %w", q.Task, err)
			}
		}
		run.At, run.Intervals = run.progress.At, run.progress.Intervals
		if _, err := c.exec(ctx, `INSERT INTO mg_leases (name, holder, held_until) VALUES (?1, ?2, ?3)
			ON CONFLICT (name) DO UPDATE SET holder = ?2, held_until =
			?3`, q.Task, q.Holder, memory.Millis(now.Add(q.Lease))); err != nil {
			return err
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return run, wait, nil
}

func (c *conn) saveLease(ctx context.Context, name, column, value string) error {
	_, err := c.exec(ctx, `INSERT INTO mg_leases (name, `+column+`) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET `+
		column+` = ?2`, name, value)
	return err
}

// RenewRun makes the holder's lease last from now on again. The error is ErrRunLost where the run is not the holder's
// any more.
func (s *Store) RenewRun(ctx context.Context, r *Run) error {
	return s.runWrite(ctx, r, "renew a run", func(*conn) error { return nil })
}

// FinishRun notes that the task has run, and gives the lease back. It does nothing for a run whose last step has noted
// it already. The error is ErrRunLost where the run is not the holder's any more.
func (s *Store) FinishRun(ctx context.Context, r *Run) error {
	if r.finished {
		return nil
	}
	err := s.runWrite(ctx, r, "finish a run", func(c *conn) error { return c.finishRun(ctx, r) })
	r.finished = r.finished || err == nil
	return err
}

func (c *conn) finishRun(ctx context.Context, r *Run) error {
	_, err := c.exec(ctx,
		`UPDATE mg_leases SET held_until = NULL, last_run_at = ?2, next_run_at = ?3, progress = NULL WHERE name = ?1`,
		r.Task, memory.Millis(r.progress.At), memory.Millis(r.progress.Next))
	return err
}

// ReleaseRun gives the lease back without having finished: the task is due at once, for any process. A run that is not
// the holder's any more is left alone.
func (s *Store) ReleaseRun(ctx context.Context, r *Run) error {
	if r.finished {
		return nil
	}
	err := s.runWrite(ctx, r, "give a run back", func(c *conn) error {
		_, err := c.exec(ctx, `UPDATE mg_leases SET held_until = NULL WHERE name = ?`, r.Task)
		return err
	})
	if errors.Is(err, ErrRunLost) {
		return nil
	}
	return err
}

// runWrite is a transaction that only the run's holder can commit, and which renews its lease.
func (s *Store) runWrite(ctx context.Context, r *Run, op string, do func(*conn) error) error {
	lost := false
	err := s.write(ctx, op, func(c *conn) error {
		held, err := c.exec(ctx, `UPDATE mg_leases SET held_until = ?4 WHERE name = ?1 AND holder = ?2 AND last_run_at IS ?3`,
			r.Task, r.Holder, nullable(r.last), memory.Millis(s.now().Add(r.lease)))
		if err != nil {
			return err
		}
		if held == 0 {
			lost = true
			return ErrRunLost
		}
		return do(c)
	})
	if lost {
		return ErrRunLost
	}
	return err
}

// runStep does the part of a run's work that lies behind the row after. It gives the last row that it has done, and
// whether there are no more.
type runStep func(c *conn, after int64) (last int64, done bool, err error)

// stepRun does a run's work in steps, each a transaction that also notes how far the run has come; the last one
// finishes it. So each step is done once, whoever dies when: a process that takes the run over goes on behind the last
// step that was committed. The lock is free between two steps.
func (s *Store) stepRun(ctx context.Context, r *Run, op string, do runStep) error {
	for !r.finished {
		next, done := r.progress, false
		err := s.runWrite(ctx, r, op, func(c *conn) (err error) {
			if next.After, done, err = do(c, r.progress.After); err != nil {
				return err
			}
			if done {
				return c.finishRun(ctx, r)
			}
			text, err := json.Marshal(next)
			if err != nil {
				return fmt.Errorf("write the progress of %s: %w", r.Task, err)
			}
			return c.saveLease(ctx, r.Task, "progress", string(text))
		})
		if err != nil {
			return err
		}
		r.progress, r.finished = next, done
	}
	return nil
}
