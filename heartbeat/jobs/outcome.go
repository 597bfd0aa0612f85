package jobs

import (
	"errors"
	"fmt"
	"time"

	"memory-graph/store"
)

// Later is the error of a handler that cannot do its jobs now, whatever they are: an endpoint that is away, a limit
// that was reached. They come again at Until, and no attempt is counted.
type Later struct {
	Until time.Time
	Err   error
}

// Error implements error.
func (l *Later) Error() string {
	return fmt.Sprintf("not before %s: %v", l.Until.UTC().Format(time.RFC3339), l.Err)
}

// Unwrap gives the reason.
func (l *Later) Unwrap() error { return l.Err }

// Each is the error of a handler some of whose jobs failed, by the jobs' ids. Those that are not in it are done. Its
// values may be *Later.
type Each map[int64]error

// Error implements error.
func (e Each) Error() string {
	for _, err := range e {
		return fmt.Sprintf("%d jobs failed, such as: %v", len(e), err)
	}
	return "no job failed"
}

// failure is a cause and the jobs that failed for it.
type failure struct {
	cause error
	jobs  []store.Job
}

// outcomes sorts a batch's jobs by what became of them.
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
