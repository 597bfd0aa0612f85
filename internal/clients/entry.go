package clients

import (
	"slices"
	"strings"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/config"
)

// DefaultName is what hosts call the server where nobody chose a name. It is not "memory", which is what the reference
// memory server is usually called.
const DefaultName = "memory-graph"

// startArguments are what a host starts the program with.
func startArguments() []any { return []any{"serve"} }

// Options say what is put into a host's files.
type Options struct {
	Name    string   // of the server; "" is DefaultName, or the name that ours has already
	Program string   // the absolute path of memory-graph
	Flags   []string // settings for hooks, behind "hook HOST EVENT": "--db=/x/memory.db", paths with slashes
	Env     []splice.Member
	Hooks   bool     // hooks too, where the host has them
	known   []string // settings as Flags has them, of the server's entry: a hook that is new begins with them
	Dir     string   // the absolute path of a project's directory; "" for the user's own files
}

// entry is the server as a host's list has it.
func (s Servers) entry(o Options) splice.Object {
	e := append(splice.Object{}, s.Lead...)
	e = append(e, splice.Member{Name: "command", Value: o.Program}, splice.Member{Name: "args", Value: startArguments()})
	if len(o.Env) > 0 {
		e = append(e, splice.Member{Name: "env", Value: splice.Object(o.Env)})
	}
	return e
}

// settings gives an entry's settings of ours as a hook's line has them.
func settings(system string, entry splice.Object) (flags []string) {
	env, _ := entry.Get("env")
	add := func(variable, flag string, isPath bool) {
		v, _ := splice.At(env, variable)
		value, _ := v.(string)
		if isPath {
			value = slashed(system, value)
		}
		if value != "" && flag != "" { // secrets have none
			flags = append(flags, "--"+flag+"="+value)
		}
	}
	add(config.EnvPrefix+"CONFIG", "config", true)
	for _, s := range config.Settings() {
		add(s.Env, s.Flag, s.IsPath())
	}
	return flags
}

// beginning is o for a hook that is new: with the settings that the server has.
func (o Options) beginning() Options {
	given := o.Flags
	o.Flags = slices.Concat(slices.DeleteFunc(slices.Clone(o.known), func(known string) bool {
		name, _, _ := strings.Cut(known, "=")
		return slices.ContainsFunc(given, func(flag string) bool { return strings.HasPrefix(flag, name+"=") })
	}), given)
	return o
}

// hook is the element that is put into the list of an event.
func (h Client) hook(system string, o Options, e Event) splice.Object {
	run := splice.Object{}
	if h.Hooks.Form == Nested {
		run = append(run, splice.Member{Name: "type", Value: "command"})
	}
	run = append(run, splice.Member{Name: "command", Value: h.command(system, o, e.Name)})
	if h.Hooks.Timeout > 0 {
		run = append(run, splice.Member{Name: "timeout", Value: h.Hooks.Timeout})
	}
	group := splice.Object{}
	if e.Matcher != "" {
		group = append(group, splice.Member{Name: "matcher", Value: e.Matcher})
	}
	if h.Hooks.Form == Flat {
		return append(group, run...)
	}
	return append(group, splice.Member{Name: "hooks", Value: []any{run}})
}

// below is a path with more names, in memory of its own.
func below(path []string, names ...string) []string {
	return append(append(make([]string, 0, len(path)+len(names)), path...), names...)
}
