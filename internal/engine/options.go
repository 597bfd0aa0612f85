package engine

import "time"

// Option changes how an engine works, beside its settings.
type Option func(*options)

type options struct {
	now  func() time.Time
	poll time.Duration // of the queue; 0 is the pool's own

	// the clock on which a model's answer is waited for; nil is that of the machine
	answers func(time.Duration) <-chan time.Time

	duties
}

// WithClock lets the engine, its store and its queue go by another clock. What waits for a time looks at it every Poll
// of the queue.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithPoll sets how often the queue looks for jobs that are due or that another process queued.
func WithPoll(d time.Duration) Option { return func(o *options) { o.poll = d } }

// WithAnswerTimer lets the time that a model has for an answer be waited for on another clock. WithClock does not: a
// clock that is turned for what comes later would end every question that is under way.
func WithAnswerTimer(after func(time.Duration) <-chan time.Time) Option {
	return func(o *options) { o.answers = after }
}

// As makes an engine for a kind of process; without it, it is a Server.
func As(m Mode) Option { return func(o *options) { o.duties = modes[m] } }

func newOptions(given []Option) options {
	o := options{now: time.Now, duties: modes[Server]}
	for _, set := range given {
		set(&o)
	}
	return o
}
