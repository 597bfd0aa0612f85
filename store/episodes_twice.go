package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// newestTurns is how many of the newest episodes cameBothWays searches.
const newestTurns = 100

// CallSource is the source of turns that were not said: the evidence of a fact that came without an episode, and the
// quarantined arguments of a call.
const CallSource = "call"

// cameBothWays finds the stored turn if a hook and the agent's own call both bring the same turn. Such turns have the
// same words and the same role, at most ten minutes apart. Session and project do not count, because an agent does not
// name them as its host does. A call's turn found for a hook takes the hook's key, so the next hook with the same words
// stores a new turn.
func cameBothWays(ctx context.Context, c *conn, in NewEpisode, hash []byte, now time.Time) (id int64, found bool,
	err error) {
	hooked := strings.HasPrefix(in.Source, memory.HookSource)
	if in.Imported || !hooked && in.Source == CallSource { // an import may be years old
		return 0, false, nil
	}
	said := in.OccurredAt
	if said.IsZero() || !hooked { // a call may name any time
		said = now
	}
	err = c.query(ctx, twiceQuery(hooked),
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

// twiceQuery finds the newest episodes with the words and the role of a turn that came the other way. Through an index
// SQLite would read all episodes of the namespace.
func twiceQuery(hooked bool) string {
	other := `source LIKE '` + memory.HookSource + `%'`
	if hooked {
		other = `(source IS NULL OR source NOT LIKE '` + memory.HookSource + `%' AND source <> '` + CallSource + `')
			AND (idempotency_key IS NULL OR idempotency_key NOT LIKE '` + memory.HookSource + `%')`
	}
	return `SELECT id, CASE WHEN source LIKE '` + memory.HookSource + `%' THEN occurred_at ELSE created_at END
		FROM mg_episodes NOT INDEXED WHERE id > (SELECT max(id) FROM mg_episodes) - ? AND namespace = ? AND role = ?
		AND content_hash = ? AND status <> '` + memory.StatusWithdrawn + `' AND ` + other + ` ORDER BY id DESC`
}
