package tools

import (
	"context"
	"net/url"
	"strings"

	"memory-graph/internal/memory"
)

const exploreText = "Shows the user the memory as a page: the graph around a search or an entity, or what is new. " +
	"Use it when the user wants to see, check or correct what is remembered."

type exploreArgs struct {
	Query  string `json:"query,omitempty" jsonschema_description:"What to look for"`
	Entity string `json:"entity,omitempty" jsonschema_description:"Whose page: id (e12), name or alias"`
	scopeArgs
}

type exploreResult struct {
	View string `json:"view"` // the address of the view in the page
}

// NewExplore returns the tool that opens the page of explore inside a host. Only hosts that can show one list it.
func NewExplore(mem Memory, o Options) (Tool, error) {
	s := spec{name: "explore", title: "Show the memory", description: exploreText, readOnly: true, idempotent: true}
	return define(o, s, func(ctx context.Context, in exploreArgs) (exploreResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return exploreResult{}, err
		}
		view, namespace := "#/", o.withDefaults(sc).Namespace
		if namespace != o.Namespace {
			view += "~" + url.PathEscape(namespace) + "/"
		}
		switch query := strings.TrimSpace(in.Query); {
		case in.Entity != "":
			ref, err := o.reference("entity", in.Entity)
			if err != nil {
				return exploreResult{}, err
			}
			records, err := mem.Records(ctx)
			if err != nil {
				return exploreResult{}, err
			}
			e, err := records.ResolveEntity(ctx, namespace, ref, "", memory.AsOf{})
			if err != nil {
				return exploreResult{}, err
			}
			view += "entity/" + e.Ref().String()
		case query != "":
			view += "graph?q=" + url.QueryEscape(query)
		}
		return exploreResult{view}, nil
	})
}
