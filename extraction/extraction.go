// Package extraction defines what extractors read. They give memory.Findings. The packages below it are the extractors:
// mentions finds names, rules finds what is said explicitly in English, llm asks a language model. docs/extraction.md
// describes how they work together.
package extraction

import (
	"time"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// Input is a turn as an extractor reads it: the part of its text that is read for facts, and the context.
type Input struct {
	Role memory.Role
	Text string // masked UTF-8, our own context block taken out
	// Self is who "I" is: the speaker's name, else the user of the scope, else the configured one, else DefaultSelf.
	Self       string
	OccurredAt time.Time            // when it was said; relative dates count from here
	Known      *mentions.Dictionary // what the graph's entities are called; nil: nothing is known
	Before     []Line               // the session's last turns, oldest first; they explain references and state nothing
	// Facts gives the current facts that have a name as their head (memory.Out) or tail (memory.In). Extractors call it
	// where a turn corrects an earlier one ("no, it was MariaDB, not Postgres"), which is rare. nil: there are no facts.
	Facts func(name string, as memory.Direction) []Held
}

// Held is a current fact of the graph that a turn may correct.
type Held struct {
	Head, HeadType string
	Relation       string
	Tail, TailType string
	Just           bool // one of the last turns of the session said it
}

// Line is an earlier turn of the same session.
type Line struct {
	Role    memory.Role
	Speaker string
	Text    string
}

// DefaultSelf is the name of the user's entity where no name is configured or given.
const DefaultSelf = "User"
