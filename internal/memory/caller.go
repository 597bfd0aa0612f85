package memory

// Caller identifies who made a call. The event log stores it.
type Caller struct {
	Actor  string // the kind of caller: "tool", "cli", "hook"
	Client string // the name and version that the host reported
	CallID string // unique per call; undo takes it to undo the whole call
	Reason string // the reason in the caller's words; may be ""
}
