package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"memory-graph/internal/atomicfile"
	"memory-graph/internal/clients"
	"memory-graph/internal/config"
	"memory-graph/internal/memory"
)

// pluginReport is the output of setup --plugin.
type pluginReport struct {
	Directory string   `json:"directory"`
	Program   string   `json:"program"`
	Written   []string `json:"written"` // files below the directory, with slashes; those that already had the content are left out
	Then      []string `json:"then"`    // commands with which hosts install it
}

// plugin writes the directory of the plugin. With --print it shows the files and writes nothing.
func (a *app) plugin(c *cobra.Command, args []string, cfg *config.Config, f setupFlags, o clients.Options) error {
	if len(args) > 0 || f.dir != "" || f.uninstall || f.noHooks || f.name != "" {
		return usageError(c, "--plugin takes no host, and no --in, --name, --no-hooks or --uninstall.")
	}
	dir, err := filepath.Abs(f.plugin)
	if err != nil {
		return memory.AsError(err)
	}
	if o.Env, o.Flags, err = given(c, cfg); err != nil {
		return err
	}
	files, err := clients.Plugin(o, pluginVersion())
	if err != nil {
		return err
	}
	if f.print {
		for _, file := range files {
			fmt.Fprintf(a.stdout, "%s:\n%s\n", filepath.Join(dir, filepath.FromSlash(file.Path)), file.Data)
		}
		return nil
	}
	switch ours, err := clients.IsPlugin(dir); {
	case err != nil:
		return err
	case !ours:
		return memory.Errorf(memory.Conflict, "%s holds files that are not of this plugin.", dir).
			WithHint("Nothing was written. Name a directory that is new or empty.")
	}
	report := pluginReport{Directory: dir, Program: o.Program, Written: []string{}}
	for _, file := range files {
		path := filepath.Join(dir, filepath.FromSlash(file.Path))
		old, err := os.ReadFile(path)
		if err == nil && bytes.Equal(old, file.Data) {
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return memory.AsError(err)
		}
		if err := writePlugin(path, file.Data); err != nil {
			return memory.AsError(err)
		}
		report.Written = append(report.Written, file.Path)
	}
	at := dir
	if strings.ContainsAny(at, " \t") {
		at = `"` + at + `"`
	}
	for _, host := range []string{"claude plugin marketplace add %s && claude plugin install memory-graph@memory-graph",
		"codex plugin marketplace add %s && codex plugin add memory-graph@memory-graph"} {
		report.Then = append(report.Then, fmt.Sprintf(host, at))
	}
	return a.print(report, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %d of %d files written; it starts %s.\n", dir, len(report.Written), len(files), o.Program)
		fmt.Fprintf(w, "To install it:\n  %s\n", strings.Join(report.Then, "\n  "))
	})
}

// pluginVersion returns the program's version in the form that plugins need; "" for a build from source.
func pluginVersion() string {
	if Version == "" {
		return ""
	}
	return strings.TrimPrefix(Version, "v")
}

// writePlugin writes a file of the plugin, which may be read by everybody: it holds no secrets.
func writePlugin(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Replace(path, func(f *os.File) error {
		if _, err := f.Write(data); err != nil {
			return err
		}
		return f.Chmod(0o644)
	})
}
