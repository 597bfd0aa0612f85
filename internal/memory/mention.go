package memory

// MentionEdge says that an episode mentions a node of the graph.
type MentionEdge struct {
	Episode, Node int64
	Count         int64 // in how many episodes the node is mentioned
	Title         bool  // the episode is headed by the node's name
}
