package tools

import (
	"context"
	_ "embed"
	"strings"

	"memory-graph/internal/memory"
)

//go:embed edges_at.md
var edgesAtText string

type edgesAtArgs struct {
	Timestamp string `json:"timestamp" jsonschema_description:"A date or RFC 3339"`
	retrieveLinkedArgs
}

func newEdgesAt(mem Memory, o Options) (Tool, error) {
	s := spec{
		name: "edges_at", title: "Facts at a time", description: edgesAtText, readOnly: true, idempotent: true,
		bounds: o.bounds(o.DefaultLimit),
	}
	s.unlisted = []string{"valid_at"}
	return define(o, s, func(ctx context.Context, in edgesAtArgs) (retrieveLinkedResult, error) {
		switch {
		case strings.TrimSpace(in.Timestamp) == "":
			return retrieveLinkedResult{}, memory.Errorf(memory.InvalidArgument, "timestamp is empty.").
				WithHint("Give a time, or call retrieve_linked for the current facts.")
		case strings.TrimSpace(in.ValidAt) != "":
			return retrieveLinkedResult{}, memory.Errorf(memory.InvalidArgument,
				"timestamp and valid_at are both given.").WithHint("Keep timestamp.")
		}
		if _, err := parseTime("timestamp", in.Timestamp); err != nil {
			return retrieveLinkedResult{}, err
		}
		in.ValidAt = in.Timestamp
		return links(ctx, mem, o, s.name, in.retrieveLinkedArgs)
	})
}
