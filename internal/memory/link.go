package memory

// Link is an edge between two nodes that nobody said: it follows from what they are. Of two nodes that are
// alike there is one in each direction.
type Link struct {
	ID         int64 // the relationship
	Head, Tail int64
	Relation   string
	Strength   float64 // 0..1; the cosine of a similar_to
	Confidence float64 // stored
	State      LinkState
}

// LinkState says whose a link is.
type LinkState string

// The states of links.
const (
	LinkOurs    LinkState = "ours"    // nobody has touched it: it may be changed and ended
	LinkSaid    LinkState = "said"    // a call gave or changed it: it stays as it is
	LinkRefused LinkState = "refused" // a call ended it: it does not come back
)

// LinkNode is a node that links may join.
type LinkNode struct {
	ID     int64
	Kind   NodeKind
	Type   string
	Origin Origin
}

// NewLink is a link that is to be there.
type NewLink struct {
	Head, Tail int64
	// Condition names a shared node that the link leads to in place of Tail, such as "time:morning"; "" for none.
	Condition  string
	Relation   string
	Strength   float64  // 0..1
	Confidence *float64 // before the caps; nil is as high as these allow
	Quote      string   // the words that bear it out; "" for none
}

// LinkChange is what is to become of a node's links.
type LinkChange struct {
	// Want are the links that are to be: what is there already and the same stays untouched.
	Want []NewLink
	// End are the relationships that are no more; those that are not ours are passed over.
	End []int64
	// Again are the nodes that have become free for other links, and are to be looked at for them.
	Again []int64
}
