package store

import (
	"context"
	"time"
)

// One process runs a periodic task for all processes on the file, under a lease (docs/decisions.md, "Upkeep once per
// file"). Its due instants are one interval apart: last_run_at says when it ran, next_run_at when it is due next. Work
// that must not be done twice runs in transactions that only the run's holder can commit (see runStep).

// Lease is the state of a periodic task.
type Lease struct {
	Name      string
	Holder    string    // the process that runs it, or ran it last; "" if it never ran
	HeldUntil time.Time // zero if it is not running; in the past if its holder died
	LastRunAt time.Time // start of the last finished run; zero for none
	NextRunAt time.Time // when it is due; zero in a row of an earlier program version
}

// leaseRow is a row of mg_leases.
type leaseRow struct {
	Lease
	there    bool
	last     string // last_run_at as stored: "" is NULL
	progress string // of an unfinished run, as JSON; "" for none
}

const leaseColumns = `name, holder, held_until, last_run_at, next_run_at, progress`

func scanLease(s cursor) (leaseRow, error) {
	row := leaseRow{Lease: Lease{Name: s.text(0), Holder: s.text(1)}, there: true, last: s.text(3),
		progress: s.text(5)}
	for i, into := range []*time.Time{&row.HeldUntil, &row.LastRunAt, &row.NextRunAt} {
		at, err := s.time(2 + i)
		if err != nil {
			return leaseRow{}, err
		}
		*into = at
	}
	return row, nil
}

func (c *conn) lease(ctx context.Context, name string) (row leaseRow, err error) {
	err = c.query(ctx, `SELECT `+leaseColumns+` FROM mg_leases WHERE name = ?`, func(s cursor) (err error) {
		row, err = scanLease(s)
		return err
	}, name)
	return row, err
}

// Leases returns the state of every periodic task that any process has ever requested, sorted by name.
func (s *Store) Leases(ctx context.Context) ([]Lease, error) {
	leases := []Lease{}
	err := s.readOne(ctx, "read leases", func(c *conn) error {
		return c.query(ctx, `SELECT `+leaseColumns+` FROM mg_leases ORDER BY name`, func(row cursor) error {
			l, err := scanLease(row)
			leases = append(leases, l.Lease)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return leases, nil
}

// verdict is what a process may do about a task at an instant.
type verdict struct {
	due       bool
	intervals int           // if due: how many due instants have passed, from 1
	at        time.Time     // if due: the last of them
	anchor    bool          // next_run_at must be set to now plus one interval
	wait      time.Duration // if not due: how long until it may be
}

// judge reports whether a task with the interval q.Every is due. It ignores a lease that ends later than a process
// could have set it, and corrects a due instant more than one interval ahead. So a clock that was set back does not
// stop a task.
func (l leaseRow) judge(now time.Time, q RunRequest) verdict {
	if l.HeldUntil.After(now) && !l.HeldUntil.After(now.Add(2*q.Lease)) {
		return verdict{wait: l.HeldUntil.Sub(now)}
	}
	next := l.NextRunAt
	switch {
	case l.there && next.IsZero() && !l.LastRunAt.IsZero(): // written by a program version without this column
		next = l.LastRunAt.Add(q.Every)
	case next.IsZero() && q.AtOnce:
		next = now
	case next.IsZero():
		return verdict{anchor: true, wait: q.Every}
	}
	if next.After(now.Add(q.Every)) { // the interval became shorter, or the clock was set back
		if l.LastRunAt.After(now) || l.LastRunAt.IsZero() {
			return verdict{anchor: true, wait: q.Every}
		}
		next = l.LastRunAt.Add(q.Every)
	}
	if next.After(now) {
		return verdict{wait: next.Sub(now)}
	}
	passed := int(now.Sub(next) / q.Every)
	return verdict{due: true, intervals: passed + 1, at: next.Add(time.Duration(passed) * q.Every)}
}
