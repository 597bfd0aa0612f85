package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Version is the release, set by scripts/release.sh with -ldflags; "" in a build from source.
var Version string

// build is the program's version.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"` // built with uncommitted changes
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func buildInfo() build {
	b := build{Version: Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	if b.Version == "" {
		b.Version = "dev"
	}
	return b
}

// moduleVersion returns the version of a module in this build, or "" if the build does not record it.
func moduleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path != path {
			continue
		}
		if m.Replace != nil {
			return m.Replace.Path + " " + m.Replace.Version
		}
		return m.Version
	}
	return ""
}

func (b build) String() string {
	s := "memory-graph " + b.Version
	if b.Commit != "" {
		s += " (" + b.Commit[:min(12, len(b.Commit))]
		if b.Modified {
			s += ", modified"
		}
		s += ")"
	}
	return s + ", " + b.Go + ", " + b.Platform
}

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the program version",
		Example: "  memory-graph version --json",
		Args:    noArgs,
		RunE:    func(*cobra.Command, []string) error { return a.version() },
	}
}

func (a *app) version() error {
	b := buildInfo()
	return a.print(b, func(w io.Writer) { fmt.Fprintln(w, b) })
}
