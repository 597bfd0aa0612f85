package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

func newBackup(a *app) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "backup FILE",
		Short: "Write a copy of the database to a file, while hosts go on",
		Long: `backup copies the whole database, with all namespaces, into one file, and reads the copy to check it. Hosts and
servers can write meanwhile: what they stored before the command began is in the copy. Turns of hooks that wait beside
the database are stored first, unless read_only is set.

backup does not overwrite a file unless --force is given. The file appears under its name only when it is complete and
sound. restore puts it back. Settings and the token are not part of it.`,
		Example: `  memory-graph backup ~/memory-backup.db
  memory-graph backup "/backups/memory-$(date +%F).db" --json`,
		Args: oneFile,
	}
	c.Flags().BoolVar(&force, "force", false, "overwrite an existing file")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := a.storeSpool(c); err != nil {
			return err
		}
		return a.withFile(c, false, false, func(ctx context.Context, o opened) error {
			n, err := o.Backup(ctx, args[0], force)
			if err != nil {
				return err
			}
			r := newBackupReport(args[0], o.Path(), n)
			return a.print(r, func(w io.Writer) {
				fmt.Fprintf(w, "Backed up to %s and checked: %s.\n", r.File, r.line())
			})
		})
	}
	return c
}

// storeSpool stores the turns of hooks that wait beside the database.
func (a *app) storeSpool(c *cobra.Command) error {
	cfg, _, err := a.config(c)
	if err != nil || cfg.ReadOnly || !hasDatabase(cfg.DB) || readSpool(cfg.DB).Turns == 0 {
		return err
	}
	return a.startEngine(c, cfg, engine.As(engine.Writer), func(ctx context.Context, _ *config.Config,
		e *engine.Engine) error {
		report, err := e.Drain(ctx)
		for _, failed := range report.Errs {
			fmt.Fprintf(a.stderr, "memory-graph: a turn of a hook is not in the backup: %s\n", visible(failed.Error()))
		}
		return err
	})
}

func newRestore(a *app) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:   "restore FILE",
		Short: "Replace the database by a backup",
		Long: `restore checks a file that backup wrote, makes it the database, and checks the result. An existing database is
replaced only with --force, and only if no host or server uses it: stop them first. An interrupted restore leaves the
database as it was. If the existing file is too damaged to be a database, it is kept under another name.

Turns of hooks that wait beside the database stay, and are stored by the next start.`,
		Example: `  memory-graph restore ~/memory-backup.db
  memory-graph restore /backups/memory-2026-11-01.db --force`,
		Args: oneFile,
	}
	c.Flags().BoolVar(&force, "force", false, "replace the existing database")
	c.RunE = func(c *cobra.Command, args []string) error {
		cfg, _, err := a.config(c)
		if err != nil {
			return err
		}
		if cfg.ReadOnly {
			return memory.Errorf(memory.ReadOnly, "The database %s cannot be replaced, since read_only is set.", cfg.DB).
				WithHint("Restore without read_only, or name another database with --db.")
		}
		log, done, err := a.logger(cfg)
		if err != nil {
			return err
		}
		defer done()
		made, err := store.Restore(c.Context(), args[0], cfg.DB, force, store.Options{Synchronous: cfg.Synchronous,
			BusyTimeout: cfg.BusyTimeout, CacheDir: cfg.Paths.Cache, Log: log})
		if err != nil {
			return err
		}
		r := newBackupReport(args[0], cfg.DB, made.Counts)
		r.Aside = made.Aside
		return a.print(r, func(w io.Writer) {
			fmt.Fprintf(w, "Restored %s and checked: %s.\n", r.Database, r.line())
			if r.Aside != "" {
				fmt.Fprintf(w, "The previous file was not a readable database. It is now %s.\n", r.Aside)
			}
		})
	}
	return c
}

// oneFile requires one argument, a file that is not a stream.
func oneFile(c *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" || args[0] == "-" {
		return usageError(c, "%s takes one file.", c.CommandPath())
	}
	return nil
}

// backupReport is the output of backup and restore.
type backupReport struct {
	File       string `json:"file"`
	Database   string `json:"database"`
	Bytes      int64  `json:"bytes"` // of the backup
	Episodes   int64  `json:"episodes"`
	Entities   int64  `json:"entities"`
	Relations  int64  `json:"relationships"` // active facts
	Namespaces int64  `json:"namespaces"`
	Aside      string `json:"moved_aside,omitempty"`
}

func newBackupReport(file, database string, n store.Counts) backupReport {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	return backupReport{File: file, Database: database, Bytes: fileBytes(file), Episodes: n.Episodes,
		Entities: n.Entities, Relations: n.Relationships, Namespaces: n.Namespaces}
}

func (r backupReport) line() string {
	return fmt.Sprintf("%s, %s, %s, %s", many(r.Episodes, "turn", "turns"), many(r.Entities, "entity", "entities"),
		many(r.Relations, "active fact", "active facts"), size(r.Bytes))
}
