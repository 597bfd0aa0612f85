package transfer

import (
	"context"

	"memory-graph/internal/memory"
)

// readMemoryService reads the database or the export of mcp-memory-service.
func readMemoryService(ctx context.Context, from Tables, to Sink) error {
	if err := each(ctx, from, "memories", func(r record) error {
		more := r.object("metadata")
		m := Message{Line: r.line(), Kind: "memory", Session: more.name("session_id", "conversation_id"),
			User: more.name("user_id", "user"), Project: more.name("project"), Role: memory.RoleAssistant,
			Content: r.text("content"), At: r.time("updated_at", "created_at", "updated_at_iso", "created_at_iso"),
			Key:    "mcp-memory-service:" + r.text("content_hash"),
			Labels: append(labels(memory.LabelCategory, r.list("memory_type")), labels(memory.LabelTopic, r.list("tags"))...)}
		if store := r.name("store"); m.Project == "" && store != "default" {
			m.Project = store
		}
		switch {
		case r.text("content_hash") == "":
			to.Problem(m.Line, "a memory without a content_hash")
			return nil
		case r.text("deleted_at") != "":
			return to.gone(m, PassedDeleted)
		case r.text("superseded_by") != "":
			return to.gone(m, PassedReplaced)
		}
		return to.turn(m)
	}); err != nil {
		return err
	}
	if err := leave(ctx, from, to, PassedLinks, "memory_graph"); err != nil {
		return err
	}
	if err := leave(ctx, from, to, PassedDerived, "beliefs"); err != nil {
		return err
	}
	return leave(ctx, from, to, PassedVectors, "memory_embeddings_rowids")
}
