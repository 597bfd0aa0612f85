package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"memory-graph/internal/clients"
	"memory-graph/internal/config"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer/sessions"
)

// offerSessions offers once, at a terminal, to import the sessions that a host has kept. It remembers the answer in the
// data directory.
func (r *setupRun) offerSessions(h clients.Client) error {
	f, ctx := r.flags, r.c.Context()
	if f.uninstall || f.print || f.yes || f.dir != "" || r.json || !isTerminal(r.stdin) {
		return nil
	}
	files, err := sessions.Find(ctx, h.ID, sessions.Dirs(h.ID, r.variable, config.Home(r.env)))
	if err != nil || len(files) == 0 { // import --from says why
		return ctx.Err()
	}
	offered := filepath.Join(r.cfg.Paths.Data, "offered-sessions-"+h.ID)
	if _, err := os.Stat(offered); err == nil {
		return nil
	}
	size := int64(0)
	for _, file := range files {
		size += file.Size
	}
	answer, err := r.choose(ctx, fmt.Sprintf("%s has kept %s (%.1f MB). Import them into the memory? [y/N]", h.Name,
		many(int64(len(files)), "session", "sessions"), float64(size)/1e6), no, yes, no, skip)
	if err != nil || answer == skip { // skip leaves the question open
		return err
	}
	if err := os.MkdirAll(filepath.Dir(offered), 0o700); err != nil {
		return memory.AsError(err)
	}
	if err := os.WriteFile(offered, []byte(answer+"\n"), 0o600); err != nil {
		return memory.AsError(err)
	}
	if answer == no {
		fmt.Fprintf(r.stderr, "Nothing was imported. `memory-graph import --from %s` imports them later.\n", h.ID)
		return nil
	}
	cfg, sources, err := r.settings(r.c)
	if err != nil {
		return err
	}
	return r.importKept(r.c, h, cfg, sources,
		keptFlags{host: h.ID, yes: true, server: cmp.Or(r.o.Name, clients.DefaultName)})
}
