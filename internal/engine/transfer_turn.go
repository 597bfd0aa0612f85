package engine

import (
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
	"memory-graph/store"
)

// turn stores a message. Its key is derived from its place in the other program, so it is stored once.
func (m *importing) turn(ctx context.Context, t transfer.Message) error {
	defer m.at(t.Line)
	scope := m.req.Scope
	scope.SessionID, scope.User = t.Session, cmp.Or(t.User, scope.User)
	by := m.by
	if m.req.Trusted {
		by.Actor = "cli"
	}
	for i, part := range parts(t.Content, m.s.maxContent) {
		key := t.Key
		if i > 0 {
			key = fmt.Sprintf("%s#%d", t.Key, i+1)
		}
		if i == 1 {
			m.remark(t.Line, fmt.Sprintf("a message of %d bytes is stored in parts of at most %d", len(t.Content),
				m.s.maxContent))
		}
		result, err := m.s.recorder.Record(ctx,
			store.NewEpisode{Episode: memory.Episode{Scope: scope, Content: part, Role: t.Role,
				Source: "import:" + string(m.req.Format), OccurredAt: t.At}, IdempotencyKey: key, Caller: by, Imported: true,
				Raise: m.req.Trusted})
		if ctx.Err() != nil && err != nil {
			return ctx.Err()
		}
		if err != nil {
			mistake := memory.AsError(err)
			switch mistake.Code {
			case memory.Internal, memory.Unavailable, memory.ReadOnly:
				return err
			}
			m.fail(t.Line, "a message is refused: "+mistake.Message)
			continue
		}
		switch {
		case result.Status == episodes.Duplicate && !result.Raised:
			m.out.Known++
		case result.Raised:
			m.out.Raised++
		default:
			m.count("turn", 1)
		}
	}
	return nil
}

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
