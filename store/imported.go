package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// ImportSource begins the source of everything that came from the file of another program. The format follows.
const ImportSource = "import:"

// Ending describes how an imported item ended in its program.
type Ending struct {
	Key  string    // the item's idempotency key
	At   time.Time // when its facts ended; zero for now
	Gone bool      // deleted or replaced: its turn and its observations are removed too
}

// EndedItem is what EndImported did with an item.
type EndedItem struct {
	Known   bool // an earlier import stored it
	Facts   int  // that ended
	Notes   int  // observations that were removed
	Turn    bool // the turn was withdrawn
	Vouched bool // it is trusted by now and this import is not, so nothing changed
}

// EndImported ends what earlier imports stored of items that their program has since ended, deleted or replaced. It
// ends the facts without other evidence. Of items that are gone it also removes the observations, and withdraws the
// turns. Nothing is erased: history shows it, and undo of the call restores it. Without trusted, it changes nothing
// that is trusted more than a file. The results are in the order of the list.
func (s *Store) EndImported(ctx context.Context, namespace string, list []Ending, trusted bool,
	by memory.Caller) ([]EndedItem, error) {
	out := make([]EndedItem, len(list))
	err := s.writeGraph(ctx, "end imported items", importAction, memory.Scope{Namespace: namespace}, by,
		func(ctx context.Context, w *writing) error {
			for i, e := range list {
				var err error
				if out[i], err = w.endImported(ctx, e, trusted); err != nil {
					return err
				}
			}
			return nil
		})
	return out, err
}

func (w *writing) endImported(ctx context.Context, e Ending, trusted bool) (out EndedItem, err error) {
	id, ok, err := w.c.int64(ctx, `SELECT id FROM mg_episodes WHERE namespace = ? AND idempotency_key = ? AND
		substr(source, 1, ?) = ?`, w.scope.Namespace, e.Key, len(ImportSource), ImportSource)
	if err != nil || !ok {
		return out, err
	}
	turn, err := episodeByID(ctx, w.c, w.scope.Namespace, id)
	if err != nil {
		return out, err
	}
	out.Known = true
	if !trusted && turn.Origin.Trust() > memory.OriginTool.Trust() {
		out.Vouched = true
		return out, nil
	}
	defer func(old int64) { w.episode = old }(w.episode)
	w.episode = id
	end := w.present()
	if !e.At.IsZero() {
		end = moment{at: memory.Seconds(e.At)}
	}
	live, err := w.activeOn(ctx, `r.namespace = ?1 AND r.id IN (SELECT relationship_id FROM mg_evidence WHERE
		episode_id = ?2) AND NOT EXISTS (SELECT 1 FROM mg_evidence x JOIN mg_episodes p ON p.id = x.episode_id
		WHERE x.relationship_id = r.id AND x.episode_id <> ?2 AND p.status <> '`+memory.StatusWithdrawn+`')`,
		w.scope.Namespace, id)
	if err != nil {
		return out, err
	}
	for _, f := range live {
		at := end.after(f.begin())
		if f.expiresAt == at.at { // it is scheduled already
			continue
		}
		if !trusted && f.origin.Trust() > memory.OriginTool.Trust() {
			continue
		}
		if err := w.endAt(ctx, f, at, f.supersededBy, causeEnded); err != nil {
			return out, err
		}
		out.Facts++
	}
	if !e.Gone {
		return out, nil
	}
	if out.Notes, err = w.dropNotesOf(ctx, id); err != nil {
		return out, err
	}
	made, _, err := w.c.int64(ctx, `SELECT memory_id FROM mg_episodes WHERE id = ?`, id)
	if err != nil || made != 0 { // a memory was made from the turn and needs it
		return out, err
	}
	out.Turn = true
	return out, w.hide(ctx, turnTarget{id: id, is: turnSnapshot{Status: turn.Status},
		want: turnSnapshot{Status: memory.StatusWithdrawn}})
}

// dropNotesOf removes the observations that, according to its events, came with a turn.
func (w *writing) dropNotesOf(ctx context.Context, episode int64) (dropped int, err error) {
	given := map[int64][]string{}
	var order []int64
	err = w.c.query(ctx, `SELECT v.before, v.after FROM mg_events v WHERE v.namespace = ?1 AND v.episode_id = ?2 AND
		v.object IN (SELECT 'e' || entity_id FROM mg_mentions WHERE episode_id = ?2) AND v.after IS NOT NULL AND `+inForce+`
		ORDER BY v.id`, func(row cursor) error {
		var was entitySnapshot
		var err error
		if !row.null(0) {
			if was, err = parseEntitySnapshot(row.text(0)); err != nil {
				return err
			}
		}
		is, err := parseEntitySnapshot(row.text(1))
		if err != nil {
			return err
		}
		for _, n := range is.Notes {
			if !slices.Contains(was.Notes, n) {
				if given[is.ID] == nil {
					order = append(order, is.ID)
				}
				given[is.ID] = append(given[is.ID], n)
			}
		}
		return nil
	}, w.scope.Namespace, episode)
	if err != nil {
		return 0, err
	}
	for _, id := range order {
		before, is, err := w.snapshotIfThere(ctx, id)
		if err != nil {
			return dropped, err
		}
		if before == "" {
			continue
		}
		to := is.said()
		to.notes = slices.DeleteFunc(to.notes, func(n note) bool { return slices.Contains(given[id], n.text) })
		n := len(is.Notes) - len(to.notes)
		if n == 0 {
			continue
		}
		dropped += n
		if _, err := w.rewrite(ctx, before, is, to, vouched{}); err != nil {
			return dropped, err
		}
	}
	return dropped, nil
}

// ImportedItem is a turn that an import stored.
type ImportedItem struct {
	Key, User, Project, Session string

	ID int64
}

// ImportedItems visits the turns that imports of a format stored and that have not been withdrawn, by key. visit must
// not call the store.
func (s *Store) ImportedItems(ctx context.Context, namespace, format string, visit func(ImportedItem) error) error {
	return s.readOne(ctx, "read imported items", func(c *conn) error {
		return c.query(ctx, `SELECT idempotency_key, coalesce(user, ''), coalesce(project, ''),
			coalesce(session_id, ''), id FROM mg_episodes WHERE
			namespace = ? AND idempotency_key IS NOT NULL AND source = ? AND status <> '`+memory.StatusWithdrawn+
			`' ORDER BY idempotency_key`, func(row cursor) error {
			key, part, cut := strings.Cut(row.text(0), "#")
			if cut && strings.Trim(part, "0123456789") == "" { // a later part of a long text
				return nil
			}
			if cut {
				key = row.text(0)
			}
			return visit(ImportedItem{key, row.text(1), row.text(2), row.text(3), row.int64(4)})
		}, namespace, ImportSource+format)
	})
}
