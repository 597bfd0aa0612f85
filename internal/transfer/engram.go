package transfer

import (
	"cmp"
	"context"

	"memory-graph/internal/memory"
)

// readEngram reads the database or the export of engram (Gentleman-Programming/engram): observations, prompts and the
// summaries of sessions.
func readEngram(ctx context.Context, from Tables, to Sink) error {
	projects := map[string]string{}
	if err := each(ctx, from, "sessions", func(r record) error {
		id := r.text("id")
		projects[id] = r.name("project")
		if r.text("summary") == "" {
			return nil
		}
		return to.Turn(Message{Line: r.line(), Kind: "summary", Session: sessionName(id, ""), Project: projects[id],
			Role: memory.RoleAssistant, Content: r.text("summary"), At: r.time("ended_at", "started_at"),
			Key: "engram:s:" + id})
	}); err != nil {
		return err
	}
	replaced, err := engramReplaced(ctx, from, to)
	if err != nil {
		return err
	}
	if err := each(ctx, from, "observations", func(r record) error {
		session := r.text("session_id")
		m := Message{Line: r.line(), Kind: "observation", Session: sessionName(session, ""),
			Project: cmp.Or(r.name("project"), projects[session]), Role: memory.RoleAssistant,
			Content: paragraphs(r.text("title"), r.text("content")), At: r.time("updated_at", "created_at"),
			Key:    "engram:o:" + cmp.Or(r.text("sync_id"), session+":"+r.text("id")),
			Labels: labels(memory.LabelCategory, r.list("type"))}
		if r.text("scope") == "personal" { // of the user, in every project
			m.Project = ""
		}
		switch {
		case r.text("deleted_at") != "":
			return to.gone(m, PassedDeleted)
		case replaced[r.text("sync_id")]:
			return to.gone(m, PassedReplaced)
		}
		return to.turn(m)
	}); err != nil {
		return err
	}
	for _, table := range []string{"user_prompts", "prompts"} {
		if err := each(ctx, from, table, func(r record) error {
			session := r.text("session_id")
			return to.turn(Message{Line: r.line(), Kind: "prompt", Session: sessionName(session, ""),
				Project: cmp.Or(r.name("project"), projects[session]), Role: memory.RoleUser, Content: r.text("content"),
				At: r.time("created_at"), Key: "engram:p:" + cmp.Or(r.text("sync_id"), session+":"+r.text("id"))})
		}); err != nil {
			return err
		}
	}
	return leave(ctx, from, to, PassedInternal, "sync_mutations", "sync_chunks", "sync_delete_tombstones")
}

// engramReplaced returns the observations that others supersede, by sync id.
func engramReplaced(ctx context.Context, from Tables, to Sink) (map[string]bool, error) {
	replaced := map[string]bool{}
	err := each(ctx, from, "memory_relations", func(r record) error {
		if r.text("relation") == "supersedes" && r.text("judgment_status") == "judged" {
			replaced[r.text("target_id")] = true
			return nil
		}
		to.left(1, PassedLinks)
		return nil
	})
	return replaced, err
}
