package tools

import (
	"context"
	_ "embed"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

//go:embed store_episode.md
var storeEpisodeText string

type storeEpisodeArgs struct {
	Content        string                    `json:"content" jsonschema_description:"The words as they were said"`
	Role           string                    `json:"role,omitempty" enum:"user,assistant,tool,system" jsonschema_description:"Who said it; default user"`
	Speaker        string                    `json:"speaker,omitempty" jsonschema_description:"Name of the speaker where several people talk"`
	OccurredAt     string                    `json:"occurred_at,omitempty" jsonschema_description:"When it was said: RFC 3339 or a date; default now"`
	Source         string                    `json:"source,omitempty" unlisted:"true" jsonschema_description:"Where it comes from: a URL, a file, a channel"`
	Entities       objects[suppliedEntity]   `json:"entities,omitempty" jsonschema_description:"People and things in it that you know more of than the name"`
	Relations      objects[suppliedRelation] `json:"relations,omitempty" jsonschema_description:"Lasting facts it states; missing heads and tails are created"`
	Metadata       *metadataArgs             `json:"metadata,omitempty" unlisted:"true" jsonschema_description:"What it is about; what shares a topic, a category or a repository is found together"`
	IdempotencyKey string                    `json:"idempotency_key,omitempty" jsonschema_description:"A repeated call with the same key stores nothing"`
	scopeArgs
}

type storeEpisodeResult struct {
	EpisodeID   string          `json:"episode_id"`
	Status      string          `json:"status"`
	Extraction  string          `json:"extraction"`
	Reasons     []string        `json:"reasons"`
	Entities    []entityResult  `json:"entities"`
	Relations   []relationWrite `json:"relations"`
	Superseded  []string        `json:"superseded"`
	Conflicts   []conflictItem  `json:"conflicts"`
	Errors      []itemError     `json:"errors"`
	Warnings    []itemError     `json:"warnings,omitempty" unlisted:"true"`
	MemoryState memory.State    `json:"memory_state"`
}

func newStoreEpisode(mem Memory, o Options) (Tool, error) {
	s := spec{name: "store_episode", title: "Remember a turn", description: storeEpisodeText, bounds: bounds{
		most:   map[string]int{"entities": o.MaxEntities, "relations": o.MaxRelations},
		listed: []string{"session_id"},
	}}
	return define(o, s, func(ctx context.Context, in storeEpisodeArgs) (storeEpisodeResult, error) {
		turn, err := in.input(o)
		if err != nil {
			return storeEpisodeResult{}, err
		}
		turn.Caller = caller(ctx)
		given := in.supplied(o, turn.OccurredAt)
		turn.Entities, turn.Relations = given.entities, given.relations
		res, err := mem.StoreEpisode(ctx, turn)
		if err != nil {
			return storeEpisodeResult{}, err
		}
		out := storeEpisodeResult{
			EpisodeID: res.EpisodeID.String(), Status: res.Status, Extraction: res.Extraction, Reasons: noNil(res.Reasons),
			Errors: given.mistakes(res.Errors), Warnings: itemErrors(given.unread), MemoryState: state(res.State),
		}
		out.Entities = entityResults(res.Entities)
		out.Relations, out.Superseded, out.Conflicts = relationWrites(res.Relations)
		out.Conflicts = append(out.Conflicts, conflictItems(res.Conflicts)...)
		return out, nil
	})
}

// input checks the arguments and returns the turn, without the supplied entities and relations.
func (in storeEpisodeArgs) input(o Options) (store.NewEpisode, error) {
	if strings.TrimSpace(in.Content) == "" {
		return store.NewEpisode{}, memory.Errorf(memory.InvalidArgument,
			"content is empty.").WithHint("Send the words of the turn.")
	}
	if len(in.Content) > o.MaxContentBytes {
		return store.NewEpisode{}, memory.Errorf(memory.TooLarge, "content is %d bytes long, more than the %d allowed.",
			len(in.Content), o.MaxContentBytes).
			WithHint("Store it in parts, one call each.")
	}
	for _, part := range []struct{ name, value string }{
		{"speaker", in.Speaker}, {"source", in.Source}, {"idempotency_key", in.IdempotencyKey},
	} {
		if err := checkText(part.name, part.value, o.MaxNameBytes); err != nil {
			return store.NewEpisode{}, err
		}
	}
	sc, err := in.scope(o)
	if err != nil {
		return store.NewEpisode{}, err
	}
	at, err := parseTime("occurred_at", in.OccurredAt)
	if err != nil {
		return store.NewEpisode{}, err
	}
	labels, err := in.Metadata.labels(o)
	if err != nil {
		return store.NewEpisode{}, err
	}
	return store.NewEpisode{Episode: memory.Episode{Scope: o.withDefaults(o.InSession(sc)), Content: in.Content,
		Role: memory.Role(in.Role), Speaker: strings.TrimSpace(in.Speaker), Source: strings.TrimSpace(in.Source),
		OccurredAt: at}, IdempotencyKey: in.IdempotencyKey, Labels: labels}, nil
}
