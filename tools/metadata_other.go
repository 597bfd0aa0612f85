package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// The limits of the keys of metadata that the tools do not know.
const (
	mostOther     = 20 // values of them in one call
	maxOtherBytes = 40 // of a key
)

// otherLabels are metadata under keys that are no argument. Those that the tools do not know, such as {"ticket":
// "OPS-211"}, are kept as they are.
type otherLabels struct {
	list []memory.Label
	tags []string // topics under another name, which a call may give beside them
}

// open is an object of arguments that takes names which its fields do not have.
type open interface {
	other(name string, raw json.RawMessage) error
}

// metadataOf returns the labels of a turn by key; nil for none.
func metadataOf(labels []memory.Label) map[string][]string {
	if len(labels) == 0 {
		return nil
	}
	out := map[string][]string{}
	for _, l := range labels {
		out[string(l.Kind)] = append(out[string(l.Kind)], l.Value)
	}
	return out
}

// readLabels reads the metadata of the turns of an answer that shows them in full.
func readLabels(ctx context.Context, mem Memory, namespace, detail string, found []retrieval.FoundEpisode) error {
	if detail != detailFull || len(found) == 0 {
		return nil
	}
	records, err := mem.Records(ctx)
	if err != nil {
		return err
	}
	turns := make([]int64, len(found))
	for i, f := range found {
		turns[i] = f.Episode.ID
	}
	of, err := records.LabelsOf(ctx, namespace, turns)
	for i, f := range found {
		found[i].Labels = of[f.Episode.ID]
	}
	return err
}

func (in *metadataArgs) other(name string, raw json.RawMessage) error {
	key := graph.Snake(name)
	if key == "" || len(key) > maxOtherBytes {
		return memory.Errorf(memory.InvalidArgument, "%q is not a key of 1 to %d bytes.", clip(name), maxOtherBytes).
			WithHint("Shorten it, or put it into the value.")
	}
	values, ok := asStrings(raw)
	if !ok {
		var plain bytes.Buffer // a number, true, or an object
		if err := json.Compact(&plain, raw); err != nil {
			return wrongType(argument{name: name}, raw, "a string")
		}
		values = []string{plain.String()}
	}
	if key == "tags" || key == "tag" {
		in.others.tags = append(in.others.tags, values...)
		return nil
	}
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" {
			in.others.list = append(in.others.list, memory.Label{Kind: memory.LabelKind(key), Value: v})
		}
	}
	if len(in.others.list) > mostOther {
		return memory.Errorf(memory.InvalidArgument, "%d values of other keys are too many.", len(in.others.list)).
			WithHint("Give at most %d, besides topics, category, repo and type.", mostOther)
	}
	return nil
}
