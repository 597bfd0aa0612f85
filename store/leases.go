package store

import (
	"context"
	"time"
)

// A periodic task is run by one process for all that have the file open, under a lease (decision 20). The instants at
// which it falls due are an interval apart; last_run_at says when it ran, next_run_at when it falls due next. What may
// not be done twice is done in transactions which only the run's holder can commit (see runStep).

// Lease is the state of a periodic task.
type Lease struct {
	Name      string
	Holder    string    // who runs it, or ran it last; "" for a task that never ran
	HeldUntil time.Time // zero where nobody runs it; in the past where its holder died
	LastRunAt time.Time // when the last run that was finished began; zero for none
	NextRunAt time.Time // when it falls due; zero for what a program of an earlier version left
}

// leaseRow is a lease as it stands in the file.
type leaseRow struct {
	Lease
	there    bool
	last     string // last_run_at as it is stored: "" is NULL
	progress string // of a run that was begun and not finished, as JSON; "" for none
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

// Leases gives the state of every periodic task that any process ever asked for, by name.
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
	intervals int           // where due: how many instants at which it fell due have passed, from 1
	at        time.Time     // where due: the last of them
	anchor    bool          // next_run_at has to be written: now and an interval
	wait      time.Duration // where not due: how long until it may be
}

// judge says whether a task with that interval is due. A lease holds for no longer than it may have been taken for, and
// an instant lies no further ahead than an interval: a clock that was set back keeps no task from running.
func (l leaseRow) judge(now time.Time, q RunRequest) verdict {
	if l.HeldUntil.After(now) && !l.HeldUntil.After(now.Add(2*q.Lease)) {
		return verdict{wait: l.HeldUntil.Sub(now)}
	}
	next := l.NextRunAt
	switch {
	case l.there && next.IsZero() && !l.LastRunAt.IsZero(): // of a program that knew no such column
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
