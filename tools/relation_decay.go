package tools

import (
	"context"
	_ "embed"
	"maps"
	"slices"
	"strings"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
)

//go:embed relation_decay.md
var relationDecayText string

type relationDecayArgs struct {
	Relation    string   `json:"relation,omitempty" jsonschema_description:"works_at, uses, …"`
	Rate        *float64 `json:"rate,omitempty" within:"0,10" jsonschema_description:"Per day; 0: it never fades"`
	Recalculate bool     `json:"recalculate,omitempty" jsonschema_description:"Return the rates in force; every read computes confidence from them"`
	scopeArgs
}

type relationDecayResult struct {
	Rates []relationRate `json:"rates"`
}

// relationRate is the decay of a relation: confidence × e^(−rate × days since the last observation).
type relationRate struct {
	Relation string  `json:"relation"`
	Rate     float64 `json:"rate"`
	Set      bool    `json:"set"` // set by this tool; false for the built-in rate
}

func newRelationDecay(mem Memory, o Options) (Tool, error) {
	s := spec{name: "relation_decay", title: "How facts fade", description: relationDecayText, idempotent: true}
	return define(o, s, func(ctx context.Context, in relationDecayArgs) (relationDecayResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return relationDecayResult{}, err
		}
		namespace := o.withDefaults(sc).Namespace
		f := fields{o: o}
		relation := ""
		if strings.TrimSpace(in.Relation) != "" {
			name, _ := secrets.Mask(f.relation("relation", in.Relation))
			relation = graph.Snake(name)
		}
		if in.Rate != nil && relation == "" {
			f.note(memory.Errorf(memory.InvalidArgument,
				"rate is given without relation.").WithHint("Give the relation whose rate to set."))
		}
		if f.err != nil {
			return relationDecayResult{}, f.err
		}
		if in.Rate != nil {
			if err := mem.SetRelationRate(ctx, namespace, relation, *in.Rate, caller(ctx)); err != nil {
				return relationDecayResult{}, err
			}
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return relationDecayResult{}, err
		}
		set, err := records.RelationRates(ctx, namespace)
		if err != nil {
			return relationDecayResult{}, err
		}
		return relationDecayResult{rates(set, relation)}, nil
	})
}

// rates returns the rates that were set, or the rate of the given relation.
func rates(set map[string]float64, relation string) []relationRate {
	out := []relationRate{}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if relation == "" || name == relation {
			out = append(out, relationRate{name, set[name], true})
		}
	}
	if relation != "" && len(out) == 0 {
		out = append(out, relationRate{relation, graph.Lookup(relation).Rate, false})
	}
	return out
}
