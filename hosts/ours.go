package hosts

import (
	"debug/buildinfo"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"memory-graph/config"
	"memory-graph/hosts/splice"
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

// isOurs says whether an entry of a host's list starts memory-graph: by the program, by its name, or, where the program has
// another name or is gone, by what else of the entry is as setup writes it. A server of somebody else whose command happens
// to end in "serve" is not ours.
func isOurs(name string, entry splice.Object, o Options) bool {
	v, _ := entry.Get("command")
	command, ok := v.(string)
	if !ok {
		return false
	}
	if command == o.Program || isNamed(command) {
		return true
	}
	what := buildOf(command)
	if args, _ := entry.Get("args"); what == foreign || what == unknown && !isNamedAlike(command) && !hasSettings(entry) || !splice.Equal(args, arguments()) {
		return false
	}
	return what != gone || isNamedAlike(command) || hasSettings(entry) || name == DefaultName || name == o.Name
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

// shellWord is one word of a command line: plain and quoted parts in a row.
const shellWord = `(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+`

// hookLine is our command in a line of the shell, at an event: the program, and behind it our arguments.
type hookLine struct {
	program  string // without quotes
	from, to int    // where it stands in the line, quotes and all
}

// ourLine finds in a command line the program that is given our arguments for the event, whoever's that program is.
func (h Host) ourLine(line, system, event string) (hookLine, bool) {
	pattern := regexp.MustCompile(`(?:^|\s)(` + shellWord + `)\s+hook ` + regexp.QuoteMeta(h.ID) + " " + regexp.QuoteMeta(event) + `(?:\s|$)`)
	at := pattern.FindStringSubmatchIndex(line)
	if at == nil {
		return hookLine{}, false
	}
	return hookLine{unquote(system, line[at[2]:at[3]]), at[2], at[3]}, true
}

// isOurHook says whether a command line runs memory-graph at the event, from wherever and with whatever settings. The
// arguments are rare enough to know a program by that is gone; one that is there has to be ours.
func (h Host) isOurHook(line, system string, o Options, event string) bool {
	l, ok := h.ourLine(line, system, event)
	if !ok {
		return false
	}
	if l.program == unquote(system, quote(system, o.Program)) || isNamed(l.program) {
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

// unquote gives the word that the shell makes of one that is written with quotes.
func unquote(system, word string) string {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c == '\'' || c == '"':
			end := strings.IndexByte(word[i+1:], c)
			if end < 0 {
				end = len(word) - i - 1
			}
			b.WriteString(word[i+1 : i+1+end])
			i += end + 1
		case c == '\\' && system != "windows" && i+1 < len(word):
			i++
			b.WriteByte(word[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// moved is our command line as it has to be now: with the settings it had, where there are no new ones.
func (h Host) moved(line, system string, o Options, event string) string {
	l, ok := h.ourLine(line, system, event)
	if !ok || len(o.Flags) > 0 {
		return h.command(system, o, event)
	}
	return line[:l.from] + quote(system, o.Program) + line[l.to:]
}
