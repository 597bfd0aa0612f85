// Package extraction says what extractors read and what they give. The packages below it are the rungs of the ladder
// (decision 31): mentions finds names, rules finds what is said explicitly, llm asks a language model.
// docs/extraction.md tells what becomes of a turn.
package extraction

import (
	"time"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// Input is a turn as an extractor reads it.
type Input struct {
	Role memory.Role
	Text string // masked UTF-8, our own context block taken out
	// Self is who "I" is: the speaker's name, else the user of the scope, else the configured one, else DefaultSelf.
	Self       string
	OccurredAt time.Time            // when it was said; relative dates count from here
	Known      *mentions.Dictionary // what the graph's entities are called; nil: nothing is known
	Before     []Line               // the session's last turns, oldest first; they explain references and state nothing
	// Facts gives what the graph holds of a name that is the head (memory.Out) or the tail (memory.In). It is asked where
	// a turn sets right what was said ("no, it was MariaDB, not Postgres"), so seldom; nil: nothing is held.
	Facts func(name string, as memory.Direction) []Held
}

// Held is a fact that holds in the graph, as far as a turn can mean it.
type Held struct {
	Head, HeadType string
	Relation       string
	Tail, TailType string
	Just           bool // one of the session's last turns said it
}

// Line is an earlier turn of the same session.
type Line struct {
	Role    memory.Role
	Speaker string
	Text    string
}

// DefaultSelf is the entity of the one user of a memory that was never told a name.
const DefaultSelf = "User"
