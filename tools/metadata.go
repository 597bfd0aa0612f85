package tools

import (
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// metadataArgs are the labels of a turn or a memory in a call.
type metadataArgs struct {
	Topics   []string `json:"topics,omitempty" alias:"topic" jsonschema_description:"Subjects: dashboard, billing"`
	Category string   `json:"category,omitempty" jsonschema_description:"Kind of subject: ops"`
	Repo     string   `json:"repo,omitempty" alias:"repository" jsonschema_description:"Repository: owner/name"`
	Type     string   `json:"type,omitempty" alias:"memory_type,memoryType" jsonschema_description:"Kind of memory: decision, rule, note"`

	others otherLabels
}

// mostLabels is the maximum number of topics in a call.
const mostLabels = 20

// labels checks the metadata; nil without any.
func (in *metadataArgs) labels(o Options) ([]memory.Label, error) {
	if in == nil {
		return nil, nil
	}
	topics := slices.Concat(in.Topics, in.others.tags)
	if len(topics) > mostLabels {
		return nil, memory.Errorf(memory.InvalidArgument, "metadata: %d topics are too many.",
			len(topics)).WithHint("Give at most %d.", mostLabels)
	}
	out := []memory.Label{}
	add := func(argument string, kind memory.LabelKind, value string) error {
		value = strings.TrimSpace(value)
		if value == "" {
			return nil
		}
		if memory.Canonical(value) == "" {
			return memory.Errorf(memory.InvalidArgument, "metadata: %s has no visible character.",
				argument).WithHint("Leave it out.")
		}
		if err := checkText("metadata: "+argument, value, o.MaxNameBytes); err != nil {
			return err
		}
		if l := (memory.Label{Kind: kind, Value: value}); !slices.Contains(out, l) {
			out = append(out, l)
		}
		return nil
	}
	for _, topic := range topics {
		if err := add("topics", memory.LabelTopic, topic); err != nil {
			return nil, err
		}
	}
	for _, one := range []struct {
		argument string
		kind     memory.LabelKind
		value    string
	}{{"category", memory.LabelCategory, in.Category}, {"repo", memory.LabelRepo, in.Repo},
		{"type", memory.LabelType, in.Type}} {
		if err := add(one.argument, one.kind, one.value); err != nil {
			return nil, err
		}
	}
	for _, l := range in.others.list {
		if err := add(string(l.Kind), l.Kind, l.Value); err != nil {
			return nil, err
		}
	}
	return out, nil
}
