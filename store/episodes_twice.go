package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// newestTurns is how many of the newest turns are looked at for one that came the other way.
const newestTurns = 100

// CallSource is the source of turns that nobody said: the evidence of a fact that came without any, and arguments of a
// call that are in quarantine.
const CallSource = "call"

// cameBothWays finds the turn that a hook brings and that the agent's own call brought, or the other way round: the
// same words in the same role within ten minutes, in whatever session or project, since an agent names neither as its
// host does. A turn that has met its hook takes the hook's key, so that the next hook with the same words is a turn of
// its own.
func cameBothWays(ctx context.Context, c *conn, in NewEpisode, hash []byte, now time.Time) (id int64, found bool,
	err error) {
	hooked := strings.HasPrefix(in.Source, memory.HookSource)
	if !hooked && in.Source == CallSource {
		return 0, false, nil
	}
	said := in.OccurredAt
	if said.IsZero() || !hooked { // what a call says of its time may be any
		said = now
	}
	other := `source LIKE '` + memory.HookSource + `%'`
	if hooked {
		other = `(source IS NULL OR source NOT LIKE '` + memory.HookSource + `%' AND source <> '` + CallSource + `')
			AND (idempotency_key IS NULL OR idempotency_key NOT LIKE '` + memory.HookSource + `%')`
	}
	err = c.query(ctx, `SELECT id, CASE WHEN source LIKE
		'`+memory.HookSource+`%' THEN occurred_at ELSE created_at END FROM mg_episodes
		WHERE id > (SELECT max(id) FROM mg_episodes) - ? AND namespace = ? AND role = ? AND content_hash = ? AND status <>
		'`+memory.StatusWithdrawn+`' AND `+other+` ORDER BY id DESC`,
		func(s cursor) error {
			at, err := s.time(1)
			if err != nil {
				return fmt.Errorf("episode %d: time: %w", s.int64(0), err)
			}
			if !found && said.Sub(at).Abs() <= duplicateWindow {
				id, found = s.int64(0), true
			}
			return nil
		}, newestTurns, in.Scope.Namespace, string(in.Role), hash)
	if err != nil || !found || !hooked || in.IdempotencyKey == "" {
		return id, found, err
	}
	_, err = c.exec(ctx, `UPDATE mg_episodes SET idempotency_key = ? WHERE id = ? AND idempotency_key IS NULL`,
		in.IdempotencyKey, id)
	return id, found, err
}
