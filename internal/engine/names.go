package engine

import (
	"context"
	"log/slog"
	"sync"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// names finds the names in turns. It keeps what the graph's entities are called, by namespace, and reads what has been
// added since, by whichever process, before each turn.
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
	last int64 // the feed has been read up to here
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
	t.Facts = func(name string, as memory.Direction) []extraction.Held { return n.Held(ctx, e, name, as) }
}

// Known gives the namespace's dictionary, up to date. Where it cannot be read, what is known so far has to do.
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
			n.log.Warn("the names of the graph cannot be read; turns are linked by those known so far", "error", err)
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
