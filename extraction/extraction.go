// Package extraction defines the input of extractors. Extractors return memory.Findings. They are the packages below
// this one: mentions finds names, rules finds explicit English statements, and llm asks a language model.
// docs/extraction.md describes how they work together.
package extraction

import (
	"time"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// Input is a turn as an extractor reads it: the part of its text that is read for facts, and its context.
type Input struct {
	Role memory.Role
	Text string // masked UTF-8, without memory-graph's own context blocks
	// Self is the name for "I": the speaker's name, else the user of the scope, else the configured one, else DefaultSelf.
	Self       string
	OccurredAt time.Time            // when the turn was said; relative dates refer to it
	Known      *mentions.Dictionary // names of the graph's entities; nil: none are known
	// Names are entities that the turn may mean, those that it most likely means first. A model is told of them. Unlike
	// Known, they have the spelling of the graph.
	Names []Name
	// Held are active facts of the names that the turns have. A model is told of them, because a turn may correct one.
	Held   []Held
	Before []Line // the session's last turns, oldest first; they explain references and state nothing
	// Facts returns the active facts with a name as head (memory.Out) or tail (memory.In). Extractors call it if a turn
	// corrects an earlier one ("no, it was MariaDB, not Postgres"), which is rare. nil: no facts are known.
	Facts func(name string, as memory.Direction) []Held
	// Roles returns the active facts of a role in snake_case, such as contact: those whose relation has it as a word
	// (contact_of, primary_contact). It is called if a turn says who has the role now. nil: no facts are known.
	Roles func(role string) []Held
}

// Name is an entity of the graph with its other names.
type Name struct {
	Name, Type string
	Aliases    []string // in canonical form
}

// Held is an active fact that a turn may correct.
type Held struct {
	Head, HeadType string
	Relation       string
	Tail, TailType string
	Fact           string // its sentence; "" if it has none
	Just           bool   // one of the session's last turns states it
	// When the fact began and when it ends, with their precision. Zero: unknown, or no end is known.
	From, Until         time.Time
	FromUnit, UntilUnit memory.Unit
	Assumed             bool // From is only when the fact was first told: nobody said when it began
}

// Line is an earlier turn of the same session.
type Line struct {
	Role    memory.Role
	Speaker string
	Text    string
}

// DefaultSelf is the name of the user's entity if none is configured or given.
const DefaultSelf = "User"
