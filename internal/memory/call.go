package memory

import "time"

// Call is what one call of a tool or a command changed.
type Call struct {
	Newest   Event // the newest of its changes that was asked for
	Began    time.Time
	Facts    int        // different facts that it changed
	Entities int        // entities and memories
	Turns    int        // turns that it stored, changed or withdrew
	First    []CallItem // a few of what it changed, facts first
}

// Deed is what a call did to an object.
type Deed string

// What a call does to an object.
const (
	DeedAdded      Deed = "added"
	DeedEdited     Deed = "edited"
	DeedEnded      Deed = "ended"
	DeedSuperseded Deed = "superseded" // ended, and another fact took its place
	DeedPlanned    Deed = "planned"    // it ends later
	DeedRestored   Deed = "restored"   // it holds again
	DeedRetracted  Deed = "retracted"  // it was never so
	DeedMerged     Deed = "merged"     // into another entity
	DeedSplit      Deed = "split"      // it is an entity of its own again
	DeedForgotten  Deed = "forgotten"
)

// CallItem is one object that a call changed.
type CallItem struct {
	Object ID
	Did    Deed
	By     ID // the fact that took its place, or the entity that it was merged into; zero for none
}
