package cli

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/config"
	"memory-graph/internal/hooks"
	"memory-graph/internal/hooks/spool"
)

// sessionVariable is set by Claude Code for its servers and hooks. In a server it is the id with which the process
// began. It differs from the session's id after --resume and --continue, and is out of date after /clear. In a hook it
// is the session's id.
const sessionVariable = "CLAUDE_CODE_SESSION_ID"

// announcedBefore is how long before the server a hook may have announced the session. Hosts start both at once.
const announcedBefore = 2 * time.Minute

// hostSession returns a function that returns the session of the host that started this server: the one that a hook of
// the same host announced last, else the one of the environment. It is nil for hosts that document no such variable.
func (a *app) hostSession(cfg *config.Config) func() string {
	first := a.variable(sessionVariable)
	if first == "" {
		return nil
	}
	host, since, dir := os.Getppid(), time.Now().Add(-announcedBefore), spool.Beside(cfg.DB)
	return func() string {
		return scopeName(cmp.Or(dir.SessionOf(host, since), first), cfg.Limits.ScopeBytes)
	}
}

// announce tells the server of the same host which session it has now. Hosts start a hook directly or by a shell, so
// the host is the parent or its parent.
func (h *hooking) announce(event hooks.Event) {
	if !h.tellsSession || event.Session == "" || h.cfg.ReadOnly {
		return
	}
	parent := os.Getppid()
	pids := slices.DeleteFunc([]int{parent, parentOf(parent)}, func(pid int) bool { return pid <= 1 })
	dir := spool.Beside(h.cfg.DB)
	switch event.Kind {
	case hooks.Start, hooks.Prompt:
		dir.Announce(pids, event.Session, h.now())
	case hooks.Rest:
		if strings.EqualFold(event.Name, "SessionEnd") {
			dir.Withdraw(pids, event.Session, h.now())
		}
	}
}
