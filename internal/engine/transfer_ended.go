package engine

import (
	"cmp"
	"context"

	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
	"memory-graph/internal/transfer"
	"memory-graph/store"
)

// seenItems are the items of a file.
type seenItems struct {
	keys  map[string]bool
	scope map[[2]string]bool // user and project
}

func newSeenItems() seenItems { return seenItems{map[string]bool{}, map[[2]string]bool{}} }

func (s seenItems) add(t transfer.Message) {
	s.keys[secrets.Identifier(t.Key)] = true
	s.scope[[2]string{t.User, t.Project}] = true
}

// gone withdraws what an earlier import stored of an item that its program has deleted or replaced.
func (m *importing) gone(ctx context.Context, key string) error {
	m.seen.keys[secrets.Identifier(key)] = true
	return m.end(ctx, store.Ending{Key: key, Gone: true})
}

// end ends an item with all parts of its text.
func (m *importing) end(ctx context.Context, e store.Ending) error {
	key := e.Key
	for part := 2; ; part++ {
		e.Key = secrets.Identifier(e.Key)
		done, err := m.s.store.EndImported(ctx, m.req.Scope.Namespace, []store.Ending{e}, m.req.Trusted, m.by)
		if err != nil {
			return err
		}
		m.out.Ended += done[0].Facts
		if done[0].Turn {
			m.out.Gone++
		}
		if !done[0].Known || !e.Gone {
			return nil
		}
		e.Key = partKey(key, part)
	}
}

// absent ends what earlier imports stored and the file lacks, or only counts it if the file need not be complete. It
// covers only the users and projects that occur in the file.
func (m *importing) absent(ctx context.Context) error {
	if len(m.seen.keys) == 0 {
		return nil
	}
	var missing []string
	at := m.req.Scope
	err := m.s.store.ImportedItems(ctx, at.Namespace, string(m.req.Format), func(i store.ImportedItem) error {
		if m.seen.keys[i.Key] {
			return nil
		}
		for scope := range m.seen.scope {
			if cmp.Or(scope[0], at.User) == i.User && cmp.Or(at.Project, scope[1]) == i.Project {
				missing = append(missing, i.Key)
				break
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !m.req.Complete {
		m.out.Absent = len(missing)
		return nil
	}
	if m.unread > 0 && len(missing) > 0 {
		return memory.Errorf(memory.InvalidArgument, "Part of the file could not be read, so --complete withdraws nothing. "+
			"Turns of earlier imports that were not found in it stay: %d.", len(missing)).
			WithHint("Get a whole copy of the file, or import it without --complete. What could be read is imported.")
	}
	for _, key := range missing {
		if err := m.end(ctx, store.Ending{Key: key, Gone: true}); err != nil {
			return err
		}
	}
	return nil
}
