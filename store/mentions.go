package store

import (
	"context"
	"time"

	"memory-graph/memory"
)

// Mention is one name that stands in an episode's text, or that a caller gave with it.
type Mention struct {
	Name        string // as it was written
	Type        string // "" where nothing tells
	Role        string // mention | title | self | tag …; "" is mention
	Start, Stop int    // byte offsets in the content; both 0 where it does not stand in it
}

// linkMentions links an episode to the entities that it names, and to hidden mention nodes where there are none.
func linkMentions(ctx context.Context, c *conn, e memory.Episode, mentions []Mention, now time.Time) error {
	return nil
}
