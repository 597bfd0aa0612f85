package transfer

import (
	"cmp"
	"context"
	"strings"

	"memory-graph/internal/memory"
)

// readClaudeMem reads the database of claude-mem: observations, summaries of sessions and prompts. A session has the
// id that the host gave it, as in the host's own files.
func readClaudeMem(ctx context.Context, from Tables, to Sink) error {
	type session struct{ name, project string }
	sessions := map[string]session{} // by both ids
	if err := each(ctx, from, "sdk_sessions", func(r record) error {
		s := session{r.name("content_session_id", "memory_session_id"), r.name("project")}
		for _, id := range []string{r.text("content_session_id"), r.text("memory_session_id")} {
			if id != "" {
				sessions[id] = s
			}
		}
		return nil
	}); err != nil {
		return err
	}
	message := func(r record, kind, id string, role memory.Role, content string) Message {
		s := sessions[id]
		return Message{Line: r.line(), Kind: kind, Session: cmp.Or(s.name, sessionName(id, "")),
			Project: cmp.Or(r.name("merged_into_project"), r.name("project"), s.project), Role: role, Content: content,
			At: r.time("created_at_epoch", "created_at"), Key: "claude-mem:" + kind[:1] + ":" + id + ":" + r.text("id")}
	}
	if err := each(ctx, from, "observations", func(r record) error {
		var facts []string
		for _, f := range r.list("facts") {
			facts = append(facts, "- "+f)
		}
		m := message(r, "observation", r.text("memory_session_id"), memory.RoleAssistant, paragraphs(r.text("title"),
			r.text("subtitle"), r.text("narrative"), strings.Join(facts, "\n"), r.text("text")))
		m.Labels = labels(memory.LabelTopic, append([]string{r.text("type")}, r.list("concepts")...))
		return to.turn(m)
	}); err != nil {
		return err
	}
	if err := each(ctx, from, "session_summaries", func(r record) error {
		var parts []string
		for _, part := range []struct{ name, field string }{{"Request", "request"}, {"Investigated", "investigated"},
			{"Learned", "learned"}, {"Completed", "completed"}, {"Next steps", "next_steps"}, {"Notes", "notes"}} {
			if s := r.text(part.field); s != "" {
				parts = append(parts, part.name+": "+s)
			}
		}
		return to.turn(message(r, "summary", r.text("memory_session_id"), memory.RoleAssistant, strings.Join(parts, "\n")))
	}); err != nil {
		return err
	}
	if err := each(ctx, from, "user_prompts", func(r record) error {
		return to.turn(message(r, "prompt", r.text("content_session_id"), memory.RoleUser, r.text("prompt_text")))
	}); err != nil {
		return err
	}
	if err := leave(ctx, from, to, PassedTools, "tool_uses"); err != nil {
		return err
	}
	return leave(ctx, from, to, PassedInternal, "pending_messages", "sync_outbox", "sync_content_outbox")
}
