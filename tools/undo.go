package tools

import (
	"context"
	_ "embed"
	"strings"

	"memory-graph/internal/memory"
)

//go:embed undo.md
var undoText string

type undoArgs struct {
	CallID string `json:"call_id,omitempty" jsonschema_description:"Of what_changed or history; default the last call that changed something"`
	scopeArgs
}

type undoneResult struct {
	CallID   string   `json:"call_id"`
	UndoneBy string   `json:"undone_by"`
	Action   string   `json:"action"`
	Objects  []string `json:"objects"`
	// Changes is what became of them: "r2 retracted: Ann works at Acme".
	Changes []string `json:"changes,omitempty" unlisted:"true"`
}

func newUndoneResult(u memory.Undone) undoneResult {
	return undoneResult{CallID: u.CallID, UndoneBy: u.UndoneBy, Action: u.Action, Objects: idStrings(u.Objects),
		Changes: u.Changes}
}

func newUndo(mem Memory, o Options) (Tool, error) {
	s := spec{name: "undo", title: "Undo a call", description: undoText}
	return define(o, s, func(ctx context.Context, in undoArgs) (undoneResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return undoneResult{}, err
		}
		call := strings.TrimSpace(in.CallID)
		if err := checkText("call_id", call, o.MaxNameBytes); err != nil {
			return undoneResult{}, err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return undoneResult{}, err
		}
		u, err := records.Undo(ctx, o.withDefaults(sc).Namespace, call, caller(ctx))
		return newUndoneResult(u), err
	})
}
