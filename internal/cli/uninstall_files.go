package cli

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"memory-graph/internal/clients"
	"memory-graph/internal/config"
	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// planHosts plans the changes of all hosts, for the user or in a project's directory.
func (u *uninstallRun) planHosts(dir string) error {
	for _, h := range clients.All() {
		if dir != "" && h.Servers.Project == "" {
			continue
		}
		p := &hostPlan{Client: h, o: u.o, report: &setupReport{Host: h.ID, Status: "removed", Program: u.o.Program,
			Changes: []setupChange{}}}
		p.o.Dir = dir
		changes, err := h.Uninstall(u.places, p.o)
		if err != nil {
			return err
		}
		if db := h.Database(u.places, p.o); db != "" && filepath.Clean(db) != filepath.Clean(u.cfg.DB) {
			u.left(db, h.Name+" used this memory, which is another one than that of the settings.",
				"To delete it: memory-graph uninstall --data --db "+db)
		}
		if err := u.problems(h, p.report, changes); err != nil {
			return err
		}
		for _, l := range p.report.Left {
			if strings.Contains(l.Why, "starts another program") {
				l.Hint = ""
			}
			u.report.Left = append(u.report.Left, l)
		}
		if p.report.Status == "incomplete" {
			u.report.Status = "incomplete"
		}
		p.report.Left = nil
		needless, others, err := h.Copies(u.places, p.o, changes)
		if err != nil {
			return err
		}
		for _, path := range needless {
			u.removes(path, "copy of a host's file", false)
		}
		for _, path := range others {
			u.left(path, "This copy holds an earlier state of the file of "+h.Name+".", "Delete it if you do not need it.")
		}
		if command, file := h.Plugged(u.places); command != "" && dir == "" {
			u.left(file, h.Name+" has the plugin installed, which only "+h.Name+" can remove.", "Run: "+command)
		}
		p.changes = slices.DeleteFunc(changes, clients.Change.Empty)
		for _, c := range p.changes {
			p.report.Changes = append(p.report.Changes, setupChange{Path: c.Path, Action: c.Action(), Before: c.Before,
				Diff: c.Diff()})
		}
		if len(p.changes) > 0 {
			u.plans = append(u.plans, p)
			u.report.Hosts = append(u.report.Hosts, p.report)
		}
	}
	return nil
}

// planPlugin plans the removal of the files that setup --plugin has written.
func (u *uninstallRun) planPlugin(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return memory.AsError(err)
	}
	ours, err := clients.IsPlugin(dir)
	if entries, _ := os.ReadDir(dir); err != nil || !ours || len(entries) == 0 {
		return usageError(u.c, "--plugin %s is not a directory that setup --plugin has written.", dir)
	}
	files, err := clients.Plugin(u.o, pluginVersion())
	if err != nil {
		return err
	}
	u.each(dir, func(name string) bool {
		is := slices.ContainsFunc(files, func(f clients.PluginFile) bool { return f.Path == name })
		return u.known(is, dir, name, "plugin", false)
	})
	return nil
}

var (
	cacheFiles = regexp.MustCompile(`^(wazero-[^/]+/[0-9a-f]{64}|classifier-[0-9a-f]{16}\.tsv|\.probe-[0-9]+|attended)$`)
	traces     = regexp.MustCompile(`^(hook\.log(\.1)?|offered-sessions-[a-z-]+)$`)
	spoolTurns = regexp.MustCompile(`\.(json|broken)$`)
	spoolFiles = regexp.MustCompile(`^(socket|attended|host-.*|.*\.shown|.*\.part)$`)
)

// planFiles plans the removal of caches, logs and the spool, and with --data of the memory and its settings.
func (u *uninstallRun) planFiles() {
	u.each(u.cfg.Paths.Cache, func(name string) bool {
		return u.known(cacheFiles.MatchString(name), u.cfg.Paths.Cache, name, "cache", false)
	})
	db := u.cfg.DB
	memoryFiles := memoryFilesOf(db)
	if u.foreign != "" {
		u.left(db, u.foreign, "")
		memoryFiles = regexp.MustCompile(`^$`)
	}
	settings := regexp.MustCompile(`^config\.toml(\.memory-graph-.*\.bak)?$`)
	dirs := slices.Compact([]string{u.cfg.Paths.Data, u.cfg.Paths.Config})
	if dir := filepath.Dir(db); !slices.Contains(dirs, dir) { // a directory of the user, in which only our files count
		entries, _ := os.ReadDir(dir) // an unreadable memory counts as none
		for _, e := range entries {
			u.known(memoryFiles.MatchString(e.Name()), dir, e.Name(), "memory", true)
		}
	}
	spoolDir := string(spool.Beside(db))
	inSpool := func(name string) bool {
		return u.known(spoolTurns.MatchString(name), spoolDir, name, "waiting turn", true) ||
			u.known(spoolFiles.MatchString(name), spoolDir, name, "spool", false)
	}
	for _, dir := range dirs {
		u.each(dir, func(name string) bool {
			if path := filepath.Join(dir, name); filepath.Dir(path) == spoolDir {
				return inSpool(filepath.Base(path))
			}
			return u.known(traces.MatchString(name), dir, name, "trace of hooks and setup", false) ||
				filepath.Dir(db) == dir && u.known(memoryFiles.MatchString(name), dir, name, "memory", true) ||
				u.known(settings.MatchString(name), dir, name, "settings", true) ||
				u.known(name == "token", dir, name, "HTTP token", true)
		})
	}
	if !slices.Contains(dirs, filepath.Dir(db)) {
		u.each(spoolDir, inSpool)
	}
	if u.cfg.LogFile != "" && exists(u.cfg.LogFile) {
		u.left(u.cfg.LogFile, "It is the log that log_file names.", "")
	}
}

// each calls ours for every file below a directory of ours, with its relative path in slashes. If ours returns false,
// the file is somebody else's and stays.
func (u *uninstallRun) each(dir string, ours func(name string) bool) {
	if dir == "" {
		return
	}
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // what cannot be read is reported when its directory cannot be removed
		}
		rel, err := filepath.Rel(dir, path)
		if err == nil && !ours(filepath.ToSlash(rel)) {
			u.others(path)
		}
		return nil
	})
}

// known plans the removal of a file if is says that it is ours, and returns is.
func (u *uninstallRun) known(is bool, dir, name, what string, data bool) bool {
	if is {
		u.removes(filepath.Join(dir, filepath.FromSlash(name)), what, data)
	}
	return is
}

// removes plans the removal of a file. Data stays without --data.
func (u *uninstallRun) removes(path, what string, data bool) {
	var bytes int64
	if info, err := os.Lstat(path); err == nil {
		bytes = info.Size()
	}
	if data && !u.f.data {
		u.report.Kept = append(u.report.Kept, uninstallFile{path, what, bytes})
		return
	}
	u.report.Removed = append(u.report.Removed, uninstallFile{path, what, bytes})
}

func (u *uninstallRun) left(path, why, hint string) {
	u.report.Left = append(u.report.Left, setupLeft{Path: path, Why: why, Hint: hint})
}

// carryOut does what is planned, and continues after a failure. The report then has what was done.
func (u *uninstallRun) carryOut(ctx context.Context) {
	home := config.Home(u.env)
	for _, p := range u.plans {
		if err := u.write(p.report, p.changes); err != nil {
			u.fails(p.Name, err)
			continue
		}
		for _, l := range p.report.Left {
			u.report.Left, u.report.Status = append(u.report.Left, l), "incomplete"
		}
		p.report.Left = nil
		for i, c := range p.report.Changes {
			if kept := c.Backup; kept != "" { // it has our entries, and the file has everything else
				if err := os.Remove(kept); err == nil {
					p.report.Changes[i].Backup = ""
				}
			}
			if c.Action == "remove" {
				prune(filepath.Dir(c.Path), cmp.Or(p.o.Dir, home))
			}
		}
	}
	removed := []uninstallFile{}
	m := u.report.Memory
	if m != nil && u.f.data { // a host may have started one since
		if inUse, err := store.InUse(ctx, u.cfg.DB, u.memoryOptions()); err == nil {
			m.InUse = inUse
		}
	}
	for _, f := range u.report.Removed {
		if f.What == "memory" && m != nil && m.InUse {
			u.fails(f.Path, memory.Errorf(memory.Unavailable, "Another process has begun to use the memory.").
				WithHint("Stop all hosts and servers, then run uninstall again."))
			continue
		}
		if f.What == "spool" && m != nil && m.InUse {
			u.left(f.Path, "A running server uses it.", "It is removed by another uninstall, after all hosts have ended.")
			continue
		}
		if err := os.Remove(f.Path); err != nil && exists(f.Path) {
			u.fails(f.Path, err)
			continue
		}
		removed = append(removed, f)
		for _, own := range u.directories() { // our own, wherever they are; their parents only below the home directory
			prune(filepath.Dir(f.Path), filepath.Dir(own))
		}
		prune(filepath.Dir(f.Path), home)
	}
	u.report.Removed = removed
	if m != nil {
		m.Deleted = u.f.data && !exists(m.Database)
	}
}

// directories returns the directories that belong to us entirely.
func (u *uninstallRun) directories() []string {
	dirs := []string{string(spool.Beside(u.cfg.DB))}
	for _, dir := range []string{u.cfg.Paths.Cache, u.cfg.Paths.Data, u.cfg.Paths.Config} {
		if dir != "" {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range u.f.plugins {
		if abs, err := filepath.Abs(dir); err == nil {
			dirs = append(dirs, abs)
		}
	}
	return dirs
}

func (u *uninstallRun) fails(path string, err error) {
	e := memory.AsError(err)
	u.left(path, e.Message, e.Hint)
	u.report.Status = "incomplete"
}

// prune removes a directory and those above it while they are empty, below a top directory that stays.
func prune(dir, top string) {
	below := strings.TrimSuffix(top, string(filepath.Separator)) + string(filepath.Separator)
	for top != "" && strings.HasPrefix(dir, below) {
		if entries, err := os.ReadDir(dir); err != nil && exists(dir) || len(entries) > 0 {
			return
		}
		if err := os.Remove(dir); err != nil && exists(dir) {
			return
		}
		dir = filepath.Dir(dir)
	}
}
