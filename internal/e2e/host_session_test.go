package e2e_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// A host resumes and clears sessions, and its server goes on with the environment of its start. What the agent stores
// belongs to the session that the hooks of the same host announced last.
func TestServe_StoresInTheSessionOfTheHostsHooks(t *testing.T) {
	t.Parallel()
	p := newPerson(t, "MEMORY_GRAPH_EMBEDDER=none")
	s := speakers[0]
	dir := p.project(t, "shop", "shop-web")
	in := func(session string) []string {
		return slices.Concat(p.env, []string{"CLAUDE_CODE_SESSION_ID=" + session})
	}
	hook := func(session, event, id, prompt string) {
		t.Helper()
		q := *p
		q.env = in(session)
		q.hook(t, s.host, event, s.payload(session, dir, id, map[string]any{"prompt": prompt, "source": "clear"}))
	}
	serve := exec.Command(program)
	serve.Env = in("begun")
	h := run(t, serve)
	h.initialize()
	store := func(content, session string) {
		t.Helper()
		h.store(arguments{"content": content})
		if n := p.count(t, `content = '`+content+`' AND session_id = '`+session+`'`); n != 1 {
			t.Errorf("%q is not stored in the session %s", content, session)
		}
	}
	store("Nobody has announced anything.", "begun")
	hook("resumed", "UserPromptSubmit", "1", "The shop listens on port 8443.")
	store("The hooks announced the resumed session.", "resumed")
	hook("resumed", "SessionEnd", "2", "")
	store("The session has ended.", "begun")
	hook("cleared", "SessionStart", "3", "")
	store("The words after clear are in another session.", "cleared")
	h.store(arguments{"content": "The call names a session.", "session_id": "named"})
	if n := p.count(t, `content = 'The call names a session.' AND session_id = 'named'`); n != 1 {
		t.Error("the session of the call does not count")
	}
	// The session is no filter: what was said in others is found.
	if a := h.retrieve(arguments{"query": "Which port does the shop listen on?"}); len(a.Episodes) == 0 {
		t.Error("turns of other sessions are not found")
	}
	h.stop()
	if left, _ := filepath.Glob(filepath.Join(p.db+"-spool", "host-*")); len(left) == 0 {
		t.Error("no announcement is left of the session that goes on")
	}
	hook("cleared", "SessionEnd", "4", "")
	if left, _ := filepath.Glob(filepath.Join(p.db+"-spool", "host-*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}

	// Another host of the same machine sets no variable: its server names no session.
	other := exec.Command(program)
	other.Env = p.env
	h = run(t, other)
	h.initialize()
	h.store(arguments{"content": "This host has no session."})
	if n := p.count(t, `content = 'This host has no session.' AND session_id IS NULL`); n != 1 {
		t.Error("a host without the variable has a session")
	}
	h.stop()
}
