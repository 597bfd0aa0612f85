package memory

import "strings"

// Label is one thing that a caller says about a turn or a memory beside its text: a topic, a category, the repository
// or what kind of memory it is. All with the same label share one hidden node.
type Label struct {
	Kind  LabelKind
	Value string
}

// LabelKind is the type of a metadata node.
type LabelKind string

// The kinds of labels.
const (
	LabelTopic    LabelKind = "topic"
	LabelCategory LabelKind = "category"
	LabelRepo     LabelKind = "repo"
	LabelType     LabelKind = "memory_type"
)

// Roles of the nodes that belong to a turn, in mg_mentions.
const (
	MentionSelf = "self" // the node that stands for the turn, or the memory that was made of it
	MentionType = "type" // what kind of memory it is
	MentionTag  = "tag"  // its topics, its category and its repository
)

// Role returns the role in which a turn has the label.
func (k LabelKind) Role() string {
	if k == LabelType {
		return MentionType
	}
	return MentionTag
}

// Name returns the name of the node that all with the label share: "topic: dashboard".
func (l Label) Name() string {
	return string(l.Kind) + ": " + strings.Join(strings.Fields(l.Value), " ")
}
