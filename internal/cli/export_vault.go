package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memory-graph/internal/transfer/vault"
	"memory-graph/store"
)

// markdownVault is the format of a folder that export writes and import reads back.
const markdownVault = "markdown"

// vaultArgs checks the arguments of export --format markdown.
func vaultArgs(c *cobra.Command, args []string) error {
	for _, flag := range []string{"out", "all"} {
		if c.Flags().Changed(flag) {
			return usageError(c, "--format markdown writes one namespace into a folder, so --%s does not apply.", flag)
		}
	}
	if len(args) != 1 || args[0] == "" {
		return usageError(c, "--format markdown takes the folder to write into.")
	}
	return nil
}

// vaultReport is the output of export --format markdown.
type vaultReport struct {
	Dir       string `json:"dir"`
	Format    string `json:"format"`
	Namespace string `json:"namespace"`
	vault.ExportReport
	Seconds float64 `json:"seconds"`
}

// exportVault writes the namespace into a folder.
func (a *app) exportVault(c *cobra.Command, dir string, force bool, overwrite []string) error {
	return a.withMemory(c, false, func(ctx context.Context, o opened) error {
		if err := store.NotOfDatabase(o.cfg.DB, dir); err != nil {
			return err
		}
		start := time.Now()
		done, err := vault.Export(ctx, o.Store, dir, vault.ExportOptions{Namespace: o.cfg.Namespace, Now: start,
			Force: force, Overwrite: overwrite, Progress: a.linesWritten()})
		if err != nil {
			return err
		}
		r := vaultReport{dir, markdownVault, o.cfg.Namespace, done, time.Since(start).Seconds()}
		return a.print(r, r.write)
	})
}

func (r vaultReport) write(w io.Writer) {
	fmt.Fprintf(w, "%s in %s: %d written, %d unchanged, %d renamed, %d removed.\n",
		many(int64(r.Pages), "page", "pages"), r.Dir, r.Written, r.Unchanged, r.Renamed, r.Removed)
	if n := len(r.Left); n > 0 {
		fmt.Fprintf(w, "%s as people changed them: %s. --overwrite PAGE takes the memory's side.\n",
			many(int64(n), "page stays", "pages stay"), visible(strings.Join(r.Left[:min(n, 5)], ", ")))
	}
	if r.Written+r.Removed > 0 {
		fmt.Fprintf(w, "Open the folder in Obsidian or any editor. memory-graph import %s reads changes back.\n", r.Dir)
	}
}
