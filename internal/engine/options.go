package engine

import "time"

// Option changes how an engine works, beside its settings.
type Option func(*options)

type options struct {
	now  func() time.Time
	poll time.Duration // of the queue; 0 is the pool's own

	// the clock on which a model's answer is waited for; nil is that of the machine
	answers func(time.Duration) <-chan time.Time

	command bool // read nothing behind answers, and do no upkeep
	hook    bool // do nothing at all behind answers
	blind   bool // ask nothing: neither vectors nor the model are needed
	warm    bool // store something, once the question is answered
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

// ForCommand makes an engine that does what it is asked and leaves upkeep and the model's reading to servers. Vectors
// are made all the same.
func ForCommand() Option { return func(o *options) { o.command = true } }

// ForHook makes an engine for a process that lives for a moment and then ends without Close: nothing is done behind its
// answers, which servers and later processes make up for. asks says whether it is going to be asked anything; if not,
// neither vectors nor the embedder's model are loaded. stores says whether turns are stored then: if both, what that
// needs is read meanwhile.
func ForHook(asks, stores bool) Option {
	return func(o *options) { o.command, o.hook, o.blind, o.warm = true, true, !asks, asks && stores }
}

func newOptions(given []Option) options {
	o := options{now: time.Now}
	for _, set := range given {
		set(&o)
	}
	return o
}
