package memory

// MentionEdge says that an episode mentions a node of the graph.
type MentionEdge struct {
	Episode, Node int64
	Count         int64 // number of episodes that mention the node
	Title         bool  // the node's name is the episode's heading
}
