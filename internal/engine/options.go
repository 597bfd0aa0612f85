package engine

import (
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
)

// Option changes how an engine works, in addition to its settings.
type Option func(*options)

type options struct {
	now  func() time.Time
	poll time.Duration // poll interval of the queue; 0 is the pool's default

	// timer for the model's answers; nil is the machine's clock
	answers func(time.Duration) <-chan time.Time

	lost func(memory.Episode, []memory.DroppedItem) // nil for none

	lastDrain time.Duration // see lastDrain

	message string // see Asking
	about   memory.Scope

	duties
}

// WithClock sets the clock of the engine, its store and its queue. The queue compares due times with it once per poll
// interval.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithPoll sets how often the queue checks for jobs that are due or that another process queued.
func WithPoll(d time.Duration) Option { return func(o *options) { o.poll = d } }

// WithAnswerTimer sets the timer for the model's time-out. WithClock does not affect it: a clock moved forward for
// later work would time out every request in progress.
func WithAnswerTimer(after func(time.Duration) <-chan time.Time) Option {
	return func(o *options) { o.answers = after }
}

// WithDropped sets a function that gets what background extraction found in a turn and did not store, with the reasons.
// It is called after the job of the turn is done, and not after Close has returned.
func WithDropped(lost func(turn memory.Episode, items []memory.DroppedItem)) Option {
	return func(o *options) { o.lost = lost }
}

// As sets the mode of the engine. The default is Server.
func As(m Mode) Option { return func(o *options) { o.duties = modes[m] } }

// Asking sets the message that Answer will be asked about, and its scope. An Asker reads the message while the database
// is being opened, and the turns of the scope while others are stored.
func Asking(message string, about memory.Scope) Option {
	return func(o *options) { o.message, o.about = message, secrets.Scope(about) }
}

// asked returns the filter of the turns that Answer will search, or all of a namespace if that is not known.
func (o options) asked(namespace string) memory.Filter {
	if o.message == "" {
		return memory.Filter{Namespace: namespace}
	}
	return memory.Filter{Namespace: o.about.Namespace, Project: o.about.Project, User: o.about.User, Unassigned: true}
}

func newOptions(given []Option) options {
	o := options{now: time.Now, lastDrain: lastDrain, duties: modes[Server]}
	for _, set := range given {
		set(&o)
	}
	return o
}
