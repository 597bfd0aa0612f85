package transfer

import (
	"context"
	"strings"

	"memory-graph/internal/memory"
)

// readOpenMemory reads the database of OpenMemory, mem0's server.
func readOpenMemory(ctx context.Context, from Tables, to Sink) error {
	users := map[string]string{}
	if err := each(ctx, from, "users", func(r record) error {
		users[r.text("id")] = r.name("user_id", "name")
		return nil
	}); err != nil {
		return err
	}
	if err := each(ctx, from, "memories", func(r record) error {
		m := Message{Line: r.line(), Kind: "memory", User: users[r.text("user_id")], Role: memory.RoleAssistant,
			Content: r.text("content"), At: r.time("updated_at", "created_at"), Key: "mem0:" + dashed(r.text("id"))}
		switch strings.ToLower(r.text("state")) {
		case "deleted", "archived":
			return to.gone(m, PassedDeleted)
		}
		return to.turn(m)
	}); err != nil {
		return err
	}
	if err := leave(ctx, from, to, PassedAccess, "access_controls", "archive_policies"); err != nil {
		return err
	}
	return leave(ctx, from, to, PassedInternal, "apps", "memory_access_logs", "memory_status_history")
}

// dashed returns a UUID in its usual form; SQLAlchemy stores it in SQLite without dashes.
func dashed(id string) string {
	if len(id) != 32 || strings.Trim(id, "0123456789abcdef") != "" {
		return id
	}
	return id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
}
