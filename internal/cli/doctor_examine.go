package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/embedding/kernel"
	"memory-graph/internal/memory"
	"memory-graph/internal/safety/private"
	"memory-graph/migrations"
	"memory-graph/store"
)

const (
	doctorPatience = 3 * time.Second // longest wait for a locked database, since a person waits for the answer
	lowDisk        = 256 << 20       // bytes; less is a warning
	fullDisk       = 8 << 20         // bytes; less is a problem, since writes soon fail
)

// examine runs all checks. A check that fails becomes a finding, not an error.
func (a *app) examine(ctx context.Context, c *cobra.Command, quick bool) *report {
	r := &report{OK: true, Findings: []finding{}}
	r.Versions = versions{
		Program: buildInfo(), Runtime: moduleVersion("github.com/tetratelabs/wazero"), Schema: migrations.Latest(),
	}
	r.Embedder = embedderReport{Kernel: kernel.Name(), State: "not tried"}
	r.Model = modelReport{State: "unknown: the settings cannot be read"}
	r.Database = databaseReport{State: "unknown: the settings cannot be read", FreeBytes: -1, Generations: []generation{},
		Queue: []queueRow{}, Upkeep: []upkeepRow{}}
	p := config.UserPaths(a.env)
	r.Places = places{Data: p.Data, Config: p.Config, Cache: p.Cache, HookLog: hookLogPath(p)}

	cfg, sources, err := a.config(c)
	if err != nil {
		r.fault(err)
		return r
	}
	r.Places.Database, r.Places.ConfigFile, r.Places.Log = cfg.DB, cfg.File, cfg.LogFile
	r.Places.Token, r.Places.TokenState = tokenFile(cfg), tokenState(cfg, sources)
	r.examineSecrets(cfg)
	r.examineCache(cfg.Paths.Cache)
	r.examineEmbedder(ctx, cfg)
	for _, w := range cfg.Warnings {
		r.warning(w, "Write it into your own config.toml if you want it; `memory-graph config path` prints where it is.")
	}
	r.examineModel(ctx, cfg, quick)
	r.examineDatabase(ctx, cfg, quick)
	r.examineHooks(cfg, time.Now())
	return r
}

// tokenFile returns the path of the generated HTTP token, which is used if no setting has one.
func tokenFile(cfg *config.Config) string {
	if cfg.Paths.Data == "" {
		return ""
	}
	return filepath.Join(cfg.Paths.Data, "token")
}

func tokenState(cfg *config.Config, sources config.Sources) string {
	if cfg.Token != "" {
		return "not used: the token is set by " + sources["token"]
	}
	if _, err := os.Stat(tokenFile(cfg)); err != nil {
		return "the first start with --http creates it"
	}
	return "in use"
}

// examineSecrets warns of files with private content that other users can read.
func (r *report) examineSecrets(cfg *config.Config) {
	if runtime.GOOS == "windows" {
		return // file modes say nothing there, and the profile's folders are private
	}
	holdsSecret := cfg.Token != "" || cfg.EmbeddingAPIKey != "" || cfg.LLMAPIKey != ""
	for path, what := range map[string]string{cfg.DB: "The database", tokenFile(cfg): "The token file",
		cfg.File: "The configuration file"} {
		info, err := os.Stat(path)
		if err != nil || info.IsDir() || info.Mode().Perm()&0o077 == 0 || path == cfg.File && !holdsSecret {
			continue
		}
		r.warning(fmt.Sprintf("%s %s can be read by other users (mode %04o).", what, path, info.Mode().Perm()),
			"Run: chmod 600 "+path)
	}
}

// examineCache warns if the compiled SQLite cannot be cached, or if its cache is not used because others could have
// written to it: every start then takes a second longer.
func (r *report) examineCache(dir string) {
	if dir == "" {
		r.warning("There is no cache directory, so every start compiles SQLite again, which takes about a second.",
			"Set HOME or XDG_CACHE_HOME.")
		return
	}
	var refused *memory.Error
	if errors.As(private.CheckCode(dir), &refused) {
		r.warning(refused.Message, "The cache of the compiled SQLite is therefore not used, and every start takes a second "+
			"longer. "+refused.Hint)
	} else if err := canCreateIn(dir); err != nil {
		r.warning(
			fmt.Sprintf("The cache directory %s is not writable (%v): every start compiles SQLite again, which takes a second.",
				dir, memory.Reason(err)),
			"Make it writable for this user, or set XDG_CACHE_HOME.")
	}
}

func (r *report) examineDatabase(ctx context.Context, cfg *config.Config, quick bool) {
	d := &r.Database
	d.FreeBytes = freeSpace(existing(filepath.Dir(cfg.DB)))
	switch {
	case cfg.ReadOnly || d.FreeBytes < 0:
	case d.FreeBytes < fullDisk:
		r.problem(fmt.Sprintf("The disk of %s is full: only %s are free.", cfg.DB, size(d.FreeBytes)),
			"Free some space, or nothing can be stored.")
	case d.FreeBytes < lowDisk:
		r.warning(fmt.Sprintf("The disk of %s has only %s free.", cfg.DB, size(d.FreeBytes)),
			"Free some space before it is full.")
	}
	info, err := os.Lstat(cfg.DB) // opening a symbolic link fails with its own message
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0:
		r.examineMissing(cfg)
		return
	case err != nil:
		d.State = "unusable"
		r.problem(fmt.Sprintf("Cannot access the database %s: %v.", cfg.DB, memory.Reason(err)),
			"Make it readable for this user.")
		return
	}
	d.Bytes = fileBytes(cfg.DB)
	err = r.readDatabase(ctx, cfg, quick)
	_, empty := store.Outdated(err)
	switch {
	case empty: // nothing was ever stored in it: the first start was interrupted
		r.examineMissing(cfg)
	case store.Damaged(err): // too damaged to open
		d.unknownCounts()
		r.reportDamage(ctx, cfg.DB, nil)
	case err != nil:
		d.State = "unusable"
		r.fault(err)
	case !cfg.ReadOnly:
		r.examineWritable(cfg.DB)
	case d.Outdated:
		r.problem(fmt.Sprintf("The database %s has schema version %d, and a read-only start cannot upgrade it.",
			cfg.DB, d.Schema),
			"Start once without read_only.")
	}
}

// examineMissing checks whether the first start could create the database.
func (r *report) examineMissing(cfg *config.Config) {
	r.Database.State = "missing"
	if cfg.ReadOnly {
		r.problem("The database does not exist, and a read-only start cannot create it.",
			"Start once without read_only, or set db to an existing file.")
	} else if err := canCreateIn(filepath.Dir(cfg.DB)); err != nil {
		r.problem(fmt.Sprintf("Cannot create the database in %s: %v.", filepath.Dir(cfg.DB), memory.Reason(err)),
			"Make the directory writable for this user, or set MEMORY_GRAPH_DB to another path.")
	}
}

// examineWritable checks whether a start could write to the file. It does not change the file.
func (r *report) examineWritable(path string) {
	const hint = "Make the file and its directory writable for this user, or set read_only."
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		r.problem(fmt.Sprintf("Cannot write to the database %s: %v.", path, memory.Reason(err)), hint)
		return
	}
	_ = f.Close() // nothing was written
	if err := canCreateIn(filepath.Dir(path)); err != nil {
		r.problem(fmt.Sprintf("Cannot write to the database's directory %s: %v.", filepath.Dir(path), memory.Reason(err)),
			hint)
	}
}

// readDatabase opens the file read-only, so that it is neither upgraded nor created, and reads the parts of the report.
func (r *report) readDatabase(ctx context.Context, cfg *config.Config, quick bool) (err error) {
	s, err := store.Open(ctx, cfg.DB, store.Options{
		ReadOnly: true, AnySchema: true, BusyTimeout: min(cfg.BusyTimeout,
			doctorPatience), CacheDir: cfg.Paths.Cache, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	d := &r.Database
	d.State, d.Integrity, d.Graph = "ok", "not checked", "not checked"
	var unread []string
	for _, part := range []struct {
		name string
		read func(context.Context, *store.Store) error
	}{
		{"versions", r.readVersions}, {"integrity", r.checkIntegrity}, {"counts and queue", r.readCounts},
		{"embedding generations", r.readGenerations}, {"failed jobs", r.readFailures}, {"upkeep", r.readUpkeep}, {"graph",
			r.checkGraph},
	} {
		if quick && part.name == "integrity" || part.name == "graph" && (quick || d.Outdated || len(d.Damage) > 0) {
			continue
		}
		switch err := part.read(ctx, s); {
		case store.Damaged(err): // other parts may still be readable
			unread = append(unread, part.name)
		case err != nil:
			return err
		}
	}
	if len(unread) > 0 || len(d.Damage) > 0 {
		r.reportDamage(ctx, s.Path(), unread)
	}
	return nil
}

func (r *report) readVersions(ctx context.Context, s *store.Store) error {
	v, err := s.Versions(ctx)
	if err != nil {
		return err
	}
	r.Versions.SQLite, r.Versions.SQLiteVec, r.Database.Schema = v.SQLite, v.Vec, v.Schema
	r.Database.Outdated = v.Schema < v.ProgramsSchema
	return nil
}

// readCounts fills in the counts; they are -1 if the damage prevents counting.
func (r *report) readCounts(ctx context.Context, s *store.Store) error {
	d := &r.Database
	d.unknownCounts()
	n, err := s.Counts(ctx)
	if err != nil {
		return err
	}
	d.Episodes, d.Entities, d.Relationships, d.Vectors, d.Namespaces = n.Episodes, n.Entities, n.Relationships, n.Vectors,
		n.Namespaces
	d.Queue = openJobs(n)
	return nil
}

// checkIntegrity reads the whole file. It keeps its findings even if it fails.
func (r *report) checkIntegrity(ctx context.Context, s *store.Store) error {
	wrong, err := s.IntegrityCheck(ctx)
	if r.Database.Damage = damageLines(wrong); err != nil {
		return err
	}
	r.Database.Integrity = "sound"
	if len(r.Database.Damage) > 0 {
		r.Database.Integrity = "damaged"
	}
	return nil
}

func (r *report) readGenerations(ctx context.Context, s *store.Store) error {
	live, err := s.Generations(ctx)
	if err != nil {
		return err
	}
	for _, g := range live {
		r.Database.Generations = append(r.Database.Generations, generation{g.Provider, g.Model, g.Dimensions, g.State})
		if g.State == store.Building {
			r.warning(fmt.Sprintf("New vectors are being made with %s %s; until then, search uses the previous ones.",
				g.Provider, g.Model),
				"Nothing to do: a running server continues this.")
		}
	}
	return nil
}

// readFailures adds a warning for failed jobs. They are not problems: text search works, and the jobs are retried.
func (r *report) readFailures(ctx context.Context, s *store.Store) error {
	failed, err := s.FailedJobs(ctx, store.JobFilter{}, 3)
	if err != nil {
		return err
	}
	for _, f := range failed {
		if f.Attempts == 0 { // postponed for a reason outside the job, such as an endpoint that is down
			r.warning(fmt.Sprintf("The job %s of %s in namespace %q waits: %s.", f.Kind, f.Subject, f.Namespace,
				strings.TrimSuffix(f.LastError, ".")),
				"A running server retries it.")
			continue
		}
		r.warning(fmt.Sprintf("The job %s of %s in namespace %q failed %d times: %s.", f.Kind, f.Subject, f.Namespace,
			f.Attempts, strings.TrimSuffix(f.LastError, ".")),
			"A running server retries it, at "+f.NextAt.Local().Format(time.DateTime)+" at the earliest.")
	}
	return nil
}

// canCreateIn returns an error if no file can be created in dir or, if dir does not exist, in its nearest existing
// parent.
func canCreateIn(dir string) error {
	f, err := os.CreateTemp(existing(dir), ".memory-graph-doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// existing returns dir or its nearest parent that exists.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}
