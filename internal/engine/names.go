package engine

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// names finds the names in turns. It caches the names of the graph's entities by namespace. Before each turn it reads
// the names that any process has added since.
type names struct {
	store  *store.Store
	log    *slog.Logger
	finder mentions.Finder

	mu         sync.Mutex
	namespaces map[string]*knownNames
}

// knownNames is the dictionary of one namespace.
type knownNames struct {
	mu   sync.Mutex
	dict *mentions.Dictionary
	last int64 // the feed has been read up to this id
}

func newNames(st *store.Store, log *slog.Logger) *names {
	return &names{store: st, log: log, namespaces: map[string]*knownNames{}}
}

// Find implements episodes.Names.
func (n *names) Find(ctx context.Context, namespace, text string) []memory.Mention {
	return n.finder.Find(text, n.Known(ctx, namespace))
}

// Inform implements episodes.Names.
func (n *names) Inform(ctx context.Context, e memory.Episode, t *extraction.Input) {
	t.Known = n.Known(ctx, e.Scope.Namespace)
	own := sync.OnceValue(func() []string { return n.Others(ctx, e.Scope.Namespace, t.Self) })
	t.Facts = func(name string, as memory.Direction) []extraction.Held {
		return asSelf(n.Held(ctx, e, name, as), own(), t.Self)
	}
	t.Roles = func(role string) []extraction.Held { return asSelf(n.Roles(ctx, e, role), own(), t.Self) }
}

// asSelf gives the speaker in facts the name for "I" in place of the speaker's other names, because extractors know
// that name only.
func asSelf(list []extraction.Held, own []string, self string) []extraction.Held {
	for i := range list {
		h := &list[i]
		for _, end := range []*string{&h.Head, &h.Tail} {
			if slices.Contains(own, memory.Canonical(*end)) {
				h.Fact = strings.Replace(h.Fact, *end+"'s ", self+"'s ", 1)
				*end = self
			}
		}
	}
	return list
}

// Others implements episodes.Names.
func (n *names) Others(ctx context.Context, namespace, name string) []string {
	e, err := n.store.ResolveEntity(ctx, namespace, name, "", memory.AsOf{})
	if err != nil { // unknown, or the turn is read without it
		return nil
	}
	return slices.DeleteFunc(append(slices.Clip(e.Aliases), memory.Canonical(e.Name)),
		func(other string) bool { return other == memory.Canonical(name) })
}

// Known returns the namespace's dictionary, updated from the graph. If the graph cannot be read, it returns the names
// known so far.
func (n *names) Known(ctx context.Context, namespace string) *mentions.Dictionary {
	n.mu.Lock()
	k := n.namespaces[namespace]
	if k == nil {
		k = &knownNames{dict: mentions.NewDictionary()}
		n.namespaces[namespace] = k
	}
	n.mu.Unlock()
	k.mu.Lock()
	defer k.mu.Unlock()
	for {
		const batch = 5000
		added, err := n.store.NamesSince(ctx, namespace, k.last, batch)
		if err != nil {
			n.log.Warn("reading the names of the graph failed; using those known so far", "error", err)
			return k.dict
		}
		for _, name := range added {
			k.dict.Add(name.Alias)
			k.last = name.ID
		}
		if len(added) < batch {
			return k.dict
		}
	}
}
