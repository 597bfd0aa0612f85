package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
	"memory-graph/internal/transfer"
	"memory-graph/store"
)

// turn stores a message with what came with it. Its key is derived from its place in the other program, so it is stored
// once. A newer text under the same key replaces the stored one.
func (m *importing) turn(ctx context.Context, t transfer.Message) error {
	defer m.at(t.Line)
	again := m.seen.keys[secrets.Identifier(t.Key)] // the file itself has the item more than once
	m.seen.add(t)
	if len(t.Facts) > 0 && len(m.waiting.entities) > 0 { // so that the entities of the facts have their types
		if err := m.flush(ctx); err != nil {
			return err
		}
	}
	in := m.episode(t)
	texts := parts(t.Content, m.s.maxContent)
	for i, part := range texts {
		in.Content = part
		if i > 0 {
			in.IdempotencyKey = partKey(t.Key, i+1)
			in.Entities, in.Relations = nil, nil
		}
		if i == 1 {
			m.remark(t.Line, fmt.Sprintf("a message of %d bytes is stored in parts of at most %d", len(t.Content),
				m.s.maxContent))
		}
		result, err := m.record(ctx, t.Line, in)
		if err != nil || result == nil {
			if err != nil {
				return err
			}
			continue
		}
		if result.Differs && m.newer(t, result.StoredAt, again) {
			replaced, err := m.replace(ctx, t.Line, in)
			if err != nil {
				return err
			}
			if replaced {
				continue
			}
		}
		switch {
		case result.Differs:
			m.out.Kept++
		case result.Status == episodes.Duplicate && !result.Raised:
			m.out.Known++
		case result.Raised:
			m.out.Raised++
		default:
			m.count("turn", 1)
			m.supplied(t.Line, *result)
		}
		if i == 0 && !t.Until.IsZero() {
			earlier := m.out.Ended
			if err := m.end(ctx, store.Ending{Key: t.Key, At: t.Until}); err != nil {
				return err
			}
			if result.Status != episodes.Duplicate { // the facts of a new turn are not of an earlier import
				m.out.Ended = earlier
			}
		}
	}
	return nil
}

// newer reports whether a text replaces the one that is stored under its key: it does unless its time is older. Of two
// texts in one file (again), only a later one replaces the other, so that a second import changes nothing.
func (m *importing) newer(t transfer.Message, stored time.Time, again bool) bool {
	at := t.At.Truncate(time.Second)
	return at.After(stored) || !again && (t.At.IsZero() || at.Equal(stored))
}

// episode returns the turn to store of a message.
func (m *importing) episode(t transfer.Message) store.NewEpisode {
	scope := m.req.Scope
	scope.SessionID, scope.User = t.Session, cmp.Or(t.User, scope.User)
	scope.Project = cmp.Or(scope.Project, t.Project)
	by := m.by
	origin := memory.OriginTool
	if m.req.Trusted {
		by.Actor, origin = "cli", memory.OriginAgent // an agent wrote the entities and facts
	}
	in := store.NewEpisode{Episode: memory.Episode{Scope: scope, Role: t.Role, Speaker: t.Speaker,
		Source: store.ImportSource + string(m.req.Format), OccurredAt: t.At}, IdempotencyKey: t.Key, Labels: t.Labels,
		Caller: by, Imported: true, Raise: m.req.Trusted}
	for _, e := range t.Entities {
		if !m.fits(t.Line, "name", e.Name, m.limits.NameBytes) {
			continue
		}
		e.Notes = slices.DeleteFunc(slices.Clone(e.Notes), func(note string) bool {
			return !m.fits(t.Line, "an observation", note, m.limits.ContentBytes)
		})
		e.Origin = origin
		in.Entities = append(in.Entities, e)
	}
	for _, d := range t.Facts {
		if m.fits(t.Line, "from", d.Head, m.limits.NameBytes) && m.fits(t.Line, "to", d.Tail, m.limits.NameBytes) {
			d.Origin = origin
			in.Relations = append(in.Relations, d)
		}
	}
	return in
}

// record stores a turn. The result is nil if the turn is refused, which is reported.
func (m *importing) record(ctx context.Context, line int, in store.NewEpisode) (*episodes.Result, error) {
	result, err := m.s.recorder.Record(ctx, in)
	if err == nil {
		return &result, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	mistake := memory.AsError(err)
	switch mistake.Code {
	case memory.Internal, memory.Unavailable, memory.ReadOnly:
		return nil, err
	}
	m.fail(line, "a message is refused: "+mistake.Message)
	return nil, nil
}

// replace withdraws the turn with the old text under the key, and stores the newer text. It changes nothing if somebody
// has vouched for the stored turn.
func (m *importing) replace(ctx context.Context, line int, in store.NewEpisode) (bool, error) {
	done, err := m.s.store.EndImported(ctx, in.Scope.Namespace, []store.Ending{{Key: in.IdempotencyKey, Gone: true}},
		m.req.Trusted, m.by)
	if err != nil || !done[0].Turn {
		if err == nil {
			m.remark(line, "the text has changed since an earlier import, and the stored one is trusted more: it stays")
		}
		return false, err
	}
	result, err := m.record(ctx, line, in)
	if err != nil || result == nil {
		return true, err
	}
	m.out.Changed++
	m.supplied(line, *result)
	return true, nil
}

// supplied counts what was stored with a turn, and reports what was not.
func (m *importing) supplied(line int, result episodes.Result) {
	for _, e := range result.Entities {
		if e.Created {
			m.count("entity", 1)
		}
	}
	for _, r := range result.Relations {
		if r.Status != memory.RelationReinforced {
			m.count("relation", 1)
		}
	}
	for _, e := range result.Errors {
		m.note(line, fmt.Sprintf("%s: %s", e.Item, e.Message))
	}
}

// partKey is the key of a later part of a long text, from 2.
func partKey(key string, part int) string { return fmt.Sprintf("%s#%d", key, part) }

// parts cuts a text between characters into pieces of at most the given number of bytes.
func parts(text string, most int) []string {
	var out []string
	for len(text) > most {
		end := most
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		out, text = append(out, text[:end]), text[end:]
	}
	return append(out, text)
}
