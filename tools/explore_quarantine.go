package tools

import (
	"context"
	"strings"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

const (
	quarantineText = "Turns that look like attacks, oldest first, and why. Nothing is extracted from them."
	releaseText    = "Lets a turn out of quarantine: the rules and the model read it like a new one. undo returns it."
)

type quarantineArgs struct {
	After string `json:"after,omitempty" jsonschema_description:"The last turn of the page before: t56"`
	Limit *int   `json:"limit,omitempty" jsonschema_description:"Most turns"`
	scopeArgs
}

type quarantineResult struct {
	Turns []quarantinedItem `json:"turns"`
	More  bool              `json:"more"`
}

// quarantinedItem is a turn in quarantine with the signs of an attack.
type quarantinedItem struct {
	episodeItem
	Reasons []string `json:"reasons"`
}

// newQuarantine returns the tool that lists the turns in quarantine. Agents have no such tool: what is in quarantine is
// for people to judge.
func newQuarantine(mem Memory, o Options) (Tool, error) {
	s := spec{name: "quarantine", title: "Turns in quarantine", description: quarantineText, readOnly: true,
		idempotent: true, bounds: bounds{ranges: map[string]span{"limit": {1, o.MaxResults, o.DefaultLimit}}}}
	return define(o, s, func(ctx context.Context, in quarantineArgs) (quarantineResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return quarantineResult{}, err
		}
		f := fields{o: o}
		after, limit := f.id("after", in.After, memory.KindEpisode, "t56"), o.DefaultLimit
		if f.err != nil {
			return quarantineResult{}, f.err
		}
		if in.Limit != nil {
			limit = *in.Limit
		}
		records, err := mem.Records(ctx)
		if err != nil {
			return quarantineResult{}, err
		}
		list, err := records.QuarantinedTurns(ctx, o.withDefaults(sc).Namespace, after, limit+1)
		if err != nil {
			return quarantineResult{}, err
		}
		res := quarantineResult{Turns: []quarantinedItem{}, More: len(list) > limit}
		for _, t := range list[:min(limit, len(list))] {
			it := quarantinedItem{newEpisodeItem(retrieval.FoundEpisode{Episode: t.Episode}, shape{runes: o.SummaryRunes}),
				[]string{}}
			it.Origin, it.Source = string(t.Origin), t.Source
			for _, why := range t.Reasons {
				if why, ok := strings.CutPrefix(why, episodes.ScanReason); ok {
					it.Reasons = append(it.Reasons, why)
				}
			}
			res.Turns = append(res.Turns, it)
		}
		return res, nil
	})
}

type releaseArgs struct {
	Episode string `json:"episode" jsonschema_description:"The turn: t56"`
	scopeArgs
}

type releaseResult struct {
	ID         string   `json:"id"`
	Extraction string   `json:"extraction"` // queued, done, skipped or disabled
	Relations  []string `json:"relations"`  // that the rules found
}

// newRelease returns the tool that lets a turn out of quarantine, for a person.
func newRelease(mem Memory, o Options) (Tool, error) {
	s := spec{name: "release", title: "Release a turn from quarantine", description: releaseText}
	return define(o, s, func(ctx context.Context, in releaseArgs) (releaseResult, error) {
		sc, err := in.scope(o)
		if err != nil {
			return releaseResult{}, err
		}
		f := fields{o: o}
		id := f.id("episode", in.Episode, memory.KindEpisode, "t56")
		if f.err != nil {
			return releaseResult{}, f.err
		}
		done, err := mem.Release(ctx, o.withDefaults(sc).Namespace, id, caller(ctx))
		if err != nil {
			return releaseResult{}, err
		}
		res := releaseResult{ID: done.ID.String(), Extraction: done.Extraction, Relations: []string{}}
		for _, r := range done.Relations {
			res.Relations = append(res.Relations, r.Relationship.Ref().String())
		}
		return res, nil
	})
}
