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

// build is what can be seen of a program at a path.
type build int

const (
	unknown build = iota // it says nothing of itself: a script, a build of another language, a name without a path
	gone                 // nothing is there any more
	own                  // built from this module, under whatever name
	foreign              // built from another module
)

// buildOf looks at a program without running it: Go writes into every program which module it was built from.
func buildOf(program string) build {
	if !filepath.IsAbs(program) {
		return unknown
	}
	info, err := os.Stat(program)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return gone
	case err != nil || !info.Mode().IsRegular(): // opening a pipe would wait for somebody to write
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

// isOurs says whether an entry of a host's list starts memory-graph: by the program, by its name, or, where the program
// has another name or is gone, by what else of the entry is as setup writes it. A server of somebody else whose command
// happens to end in "serve" is not ours.
func isOurs(name string, entry splice.Object, o Options) bool {
	v, _ := entry.Get("command")
	command, ok := v.(string)
	if !ok {
		return false
	}
	if command == o.Program || isNamed(command) {
		return true
	}
	// before a program is read, which may be large
	if args, _ := entry.Get("args"); !splice.Equal(args, startArguments()) {
		return false
	}
	switch buildOf(command) {
	case own:
		return true
	case gone:
		return isNamedAlike(command) || hasSettings(entry) || name == DefaultName || name == o.Name
	case unknown:
		return isNamedAlike(command) || hasSettings(entry)
	}
	return false
}

// hasSettings says whether an entry gives its program settings of ours.
func hasSettings(entry splice.Object) bool {
	env, _ := entry.Get("env")
	all, _ := env.(splice.Object)
	return slices.ContainsFunc(all, func(m splice.Member) bool { return strings.HasPrefix(m.Name, config.EnvPrefix) })
}

// isNamed says whether a path ends in our program's own name.
func isNamed(program string) bool { return baseName(program) == DefaultName }

// isNamedAlike says whether a path ends in our program's name, with a version or a system behind it.
func isNamedAlike(program string) bool { return strings.HasPrefix(baseName(program), DefaultName) }

func baseName(program string) string {
	name := strings.ToLower(program[strings.LastIndexAny(program, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe")
}

// isOurHook says whether a command line runs memory-graph at the event, from wherever and with whatever settings. The
// arguments are rare enough to know a program by that is gone; one that is there has to be ours.
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
