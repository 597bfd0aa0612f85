package tools

import (
	"context"
	_ "embed"
	"maps"
	"math"
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
	Recalculate bool     `json:"recalculate,omitempty" jsonschema_description:"Compute what is left of the facts now: how many hold, how many are hidden, their mean confidence"`
	scopeArgs
}

type relationDecayResult struct {
	Rates []relationRate `json:"rates"`
}

// relationRate is the decay of a relation: confidence × e^(−rate × days since the last observation).
type relationRate struct {
	Relation string  `json:"relation"`
	Rate     float64 `json:"rate"`
	Set      bool    `json:"set"` // set by this tool; false for the built-in or the configured rate

	Facts      *int     `json:"facts,omitempty"`           // with recalculate: the facts that hold now
	Hidden     *int     `json:"hidden,omitempty"`          // of these, those that reads hide
	Confidence *float64 `json:"mean_confidence,omitempty"` // effective
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
			relation = graph.Store(graph.Snake(name), "", "").Relation // the name that the facts are stored under
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
		known := graph.Rates{Default: o.DecayRate, Set: set}
		if in.Recalculate {
			left, err := records.RelationDecay(ctx, namespace, relation, known)
			if err != nil {
				return relationDecayResult{}, err
			}
			return relationDecayResult{recalculated(left, set)}, nil
		}
		return relationDecayResult{rates(known, relation)}, nil
	})
}

// recalculated returns what the rates leave of the facts of each relation.
func recalculated(list []memory.Decay, set map[string]float64) []relationRate {
	out := make([]relationRate, len(list))
	for i, d := range list {
		mean := math.Round(d.Mean*100) / 100
		_, ours := set[d.Relation]
		out[i] = relationRate{Relation: d.Relation, Rate: d.Rate, Set: ours, Facts: &d.Facts, Hidden: &d.Hidden,
			Confidence: &mean}
	}
	return out
}

// rates returns the rates that were set, or the rate of the given relation.
func rates(known graph.Rates, relation string) []relationRate {
	out := []relationRate{}
	for _, name := range slices.Sorted(maps.Keys(known.Set)) {
		if relation == "" || name == relation {
			out = append(out, relationRate{Relation: name, Rate: known.Set[name], Set: true})
		}
	}
	if relation != "" && len(out) == 0 {
		out = append(out, relationRate{Relation: relation, Rate: known.Of(relation)})
	}
	return out
}
