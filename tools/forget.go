package tools

import (
	"context"
	_ "embed"

	"memory-graph/internal/memory"
)

//go:embed forget.md
var forgetText string

type forgetArgs struct {
	IDs     []string `json:"ids" jsonschema_description:"What to forget: t56, e12, r34, m7"`
	Confirm bool     `json:"confirm,omitempty" jsonschema_description:"true deletes for good; without it the call only counts"`
	scopeArgs
}

type forgetResult struct {
	DryRun    bool     `json:"dry_run"`
	Episodes  int      `json:"episodes"`
	Relations int      `json:"relations"`
	Entities  int      `json:"entities"`
	Objects   []string `json:"objects"`
	// EndsTakenBack are facts that stay, but ended only because of what goes.
	EndsTakenBack []string `json:"ends_taken_back,omitempty"`
	// Superseded are facts that end because one of EndsTakenBack holds again.
	Superseded []string `json:"superseded,omitempty"`
	// Shown describes what the objects of a dry run are, for the page of explore.
	Shown []forgottenItem `json:"shown,omitempty" unlisted:"true"`
}

// forgottenItem is an object that would be deleted.
type forgottenItem struct {
	ID   string `json:"id"`
	Text string `json:"text,omitempty"` // a name, a fact, or the first words of a turn
}

func newForget(mem Memory, o Options) (Tool, error) {
	s := spec{name: "forget", title: "Forget for good", description: forgetText, destructive: true, idempotent: true}
	return define(o, s, func(ctx context.Context, in forgetArgs) (forgetResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return forgetResult{}, err
		}
		list, err := parseIDs(in.IDs, o.MaxResults)
		if err == nil && len(list) == 0 {
			err = memory.Errorf(memory.InvalidArgument, "ids is empty.").WithHint("Name what to forget: t56, e12, r34, m7.")
		}
		if err != nil {
			return forgetResult{}, err
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return forgetResult{}, err
		}
		namespace := o.withDefaults(sc).Namespace
		f, err := records.Forget(ctx, namespace, list, in.Confirm, caller(ctx))
		res := forgetResult{f.DryRun, f.Episodes, f.Relationships, f.Entities, idStrings(f.Objects), nil, nil, nil}
		if len(f.EndsTakenBack) > 0 {
			res.EndsTakenBack = idStrings(f.EndsTakenBack)
		}
		if len(f.Superseded) > 0 {
			res.Superseded = idStrings(f.Superseded)
		}
		if err != nil || !f.DryRun || !byPage(ctx) {
			return res, err
		}
		names, err := pageNames(ctx, records, o, namespace, f.Objects)
		for _, id := range f.Objects {
			res.Shown = append(res.Shown, forgottenItem{id.String(), names[id]})
		}
		return res, err
	})
}
