package memory

// Caller says who made a call, for the event log.
type Caller struct {
	Actor  string // the kind of caller: "tool", "cli", "hook"
	Client string // the host's own name and version, as it gave them
	CallID string // of its own for every call: what undo takes back as a whole
	Reason string // why, in the caller's words; may be ""
}
