package clients

import (
	"debug/buildinfo"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/config"
)

// build is the known origin of a program.
type build int

const (
	unknown build = iota // not a Go program, or a name without a path
	gone                 // the file does not exist
	own                  // built from this module, under any name
	foreign              // built from another module
)

// buildOf inspects a program without running it: every Go program contains its main module.
func buildOf(program string) build {
	if !filepath.IsAbs(program) {
		return unknown
	}
	info, err := os.Stat(program)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return gone
	case err != nil || !info.Mode().IsRegular(): // opening a pipe would block
		return unknown
	}
	built, err := buildinfo.ReadFile(program)
	switch {
	case err != nil || built.Main.Path == "":
		return unknown
	case path.Base(built.Main.Path) == DefaultName:
		return own
	}
	return foreign
}

// isOurs reports whether an entry of a host's list starts memory-graph. It checks the program and its name. If the
// program was renamed or is gone, it checks the rest of the entry. Another server whose arguments happen to be "serve"
// is not ours.
func (s Servers) isOurs(name string, entry splice.Object, o Options) bool {
	command, args := s.starts(entry)
	if command == "" {
		return false
	}
	if command == o.Program || isNamed(command) {
		return true
	}
	// First, because reading a program can be slow.
	if !splice.Equal(args, startArguments()) {
		return false
	}
	switch buildOf(command) {
	case own:
		return true
	case gone:
		return isNamedAlike(command) || s.hasSettings(entry) || name == DefaultName || name == o.Name
	case unknown:
		return isNamedAlike(command) || s.hasSettings(entry)
	}
	return false
}

// hasSettings reports whether an entry has our settings in its env.
func (s Servers) hasSettings(entry splice.Object) bool {
	env, _ := entry.Get(s.env())
	all, _ := env.(splice.Object)
	return slices.ContainsFunc(all, func(m splice.Member) bool { return strings.HasPrefix(m.Name, config.EnvPrefix) })
}

// isNamed reports whether the file name of a path is our program's name.
func isNamed(program string) bool { return baseName(program) == DefaultName }

// isNamedAlike reports whether the file name of a path begins with our program's name.
func isNamedAlike(program string) bool { return strings.HasPrefix(baseName(program), DefaultName) }

func baseName(program string) string {
	name := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe")
}

// isOurHook reports whether a command line runs memory-graph at the event, from any path and with any settings. The
// arguments identify a program that is gone. One that exists must be ours.
func (h Client) isOurHook(line, system string, o Options, event string) bool {
	l, ok := h.ourLine(line, system, event)
	if !ok {
		return false
	}
	if l.program == slashed(system, o.Program) || isNamed(l.program) {
		return true
	}
	switch buildOf(l.program) {
	case own, gone:
		return true
	case unknown:
		return isNamedAlike(l.program)
	}
	return false
}
