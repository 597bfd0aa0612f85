package jobs

import (
	"errors"
	"fmt"
	"time"

	"memory-graph/store"
)

// Later is a handler's error if it cannot run any job now, for example because an endpoint is unavailable or a limit
// was reached. The jobs run again at Until. This does not count as an attempt.
type Later struct {
	Until time.Time
	Err   error
}

// Error implements error.
func (l *Later) Error() string {
	return fmt.Sprintf("postponed until %s: %v", l.Until.UTC().Format(time.RFC3339), l.Err)
}

// Unwrap returns the reason.
func (l *Later) Unwrap() error { return l.Err }

// Each is a handler's error if some of its jobs failed: the errors by job id. Jobs without an entry are done. The
// errors may be *Later.
type Each map[int64]error

// Error implements error.
func (e Each) Error() string {
	for _, err := range e {
		return fmt.Sprintf("%d jobs failed; one error: %v", len(e), err)
	}
	return "no job failed"
}

// failure is a cause and the jobs that failed with it.
type failure struct {
	cause error
	jobs  []store.Job
}

// outcomes splits a batch's jobs by outcome.
func outcomes(jobs []store.Job, err error) (done []store.Job, failed []failure) {
	var each Each
	switch {
	case err == nil:
		return jobs, nil
	case !errors.As(err, &each):
		return nil, []failure{{err, jobs}}
	}
	for _, j := range jobs {
		if cause := each[j.ID]; cause != nil {
			failed = append(failed, failure{cause, []store.Job{j}})
		} else {
			done = append(done, j)
		}
	}
	return done, failed
}
