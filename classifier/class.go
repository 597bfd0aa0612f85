package classifier

import "fmt"

// Class is the relation of a message to the current work.
type Class int

// The classes.
const (
	Conversational   Class = iota // small talk, thanks, acknowledgements: nothing of the memory helps to answer
	Correction                    // something said or stored is wrong or has changed
	TaskContinuation              // goes on with the work at hand
	NewTopic                      // begins something else
	classes                       // how many there are
)

// A model gives a logit for each class, and two of their own: that the message is about something particular, and that
// the best answer depends on who the user is.
const (
	particular = int(classes) + iota
	personal
	outputs
)

var classNames = [classes]string{"conversational", "correction", "task_continuation", "new_topic"}

// Classes returns all classes, in order.
func Classes() []Class { return []Class{Conversational, Correction, TaskContinuation, NewTopic} }

// String returns the class's name in files and results.
func (c Class) String() string {
	if c < 0 || c >= classes {
		return fmt.Sprintf("Class(%d)", int(c))
	}
	return classNames[c]
}

// ParseClass returns the class of a name; false if there is none.
func ParseClass(name string) (Class, bool) {
	for i, n := range classNames {
		if n == name {
			return Class(i), true
		}
	}
	return 0, false
}

// Policy is how recall before a turn treats a message.
type Policy struct {
	Retrieve    bool    // false: nothing is looked for
	RecentFirst bool    // the latest facts come first, and are marked as what the message may replace
	Session     float64 // factor on the score of this session's own episodes: above 1 they weigh more, below 1 less
}

// The factors of a policy. They order what was found; they are no claim about how much more likely it is to help.
const (
	sessionMore = 1.5
	sessionLess = 0.5
)

// Policy returns the policy for a message that is certainly of the class.
func (c Class) Policy() Policy {
	switch c {
	case Conversational:
		return Policy{Retrieve: false, Session: 1}
	case Correction:
		return Policy{Retrieve: true, RecentFirst: true, Session: 1}
	case TaskContinuation:
		return Policy{Retrieve: true, Session: sessionMore}
	case NewTopic:
		return Policy{Retrieve: true, Session: sessionLess}
	}
	return Policy{Retrieve: true, Session: 1}
}
