package memory

// Link is an edge between two nodes that nobody stated: it follows from their vectors or from a model's verdict. Two
// similar nodes have one link in each direction.
type Link struct {
	ID         int64 // the relationship
	Head, Tail int64
	Relation   string
	Strength   float64 // 0..1; the cosine for similar_to
	Confidence float64 // stored
	State      LinkState
}

// LinkState says who controls a link.
type LinkState string

// The states of links.
const (
	LinkOurs    LinkState = "ours"    // no call has changed it: upkeep may change and end it
	LinkSaid    LinkState = "said"    // a call stated or changed it: upkeep leaves it unchanged
	LinkRefused LinkState = "refused" // a call ended it: upkeep does not create it again
)

// LinkNode is a node that links may join.
type LinkNode struct {
	ID     int64
	Kind   NodeKind
	Type   string
	Origin Origin
}

// NewLink is a link to create.
type NewLink struct {
	Head, Tail int64
	// Condition names a shared hidden node, such as "time:morning", that replaces Tail as the link's tail; "" for none.
	Condition  string
	Relation   string
	Strength   float64  // 0..1
	Confidence *float64 // before the caps; nil means the caps
	Quote      string   // the quoted evidence; "" for none
}

// LinkChange is a change of a node's links.
type LinkChange struct {
	// Want are the links that must exist. Identical existing links stay unchanged.
	Want []NewLink
	// End are the relationships to end. Those whose state is not LinkOurs are skipped.
	End []int64
	// Again are the nodes that may now have other links. They are queued for linking again.
	Again []int64
}
