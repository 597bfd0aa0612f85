package memory

import "time"

// Community is a group of closely connected entities and memories. It is derived from the active facts, and found anew
// from time to time.
type Community struct {
	ID          int64
	Namespace   string
	Name        string // "" until it is summarised
	Summary     string // one to three sentences; "" until it is summarised
	Size        int    // number of members
	Fingerprint []byte // of the members and the facts among them; nil for a community that must be summarised anew
	Writer      string // the model that wrote name and summary; "" for the program's own words
	Origin      Origin // the least trusted origin of what the summary says
	Central     []Node // the most central members, at most CentralMembers
	UpdatedAt   time.Time
}

// CentralMembers is the maximum number of members that a community names.
const CentralMembers = 10

// Stale reports whether a fact that the summary may tell has ended since it was written.
func (c Community) Stale() bool { return c.Fingerprint == nil && c.Summary != "" }

// Ref returns the community's id.
func (c Community) Ref() ID { return CommunityID(c.ID) }

// CommunityID returns the id of a community's row.
func CommunityID(n int64) ID { return ID{KindCommunity, n} }
