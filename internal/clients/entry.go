package clients

import (
	"cmp"
	"slices"
	"strings"

	"memory-graph/internal/clients/splice"
	"memory-graph/internal/config"
)

// DefaultName is the default name of the server in hosts. It is not "memory", the usual name of the reference memory
// server.
const DefaultName = "memory-graph"

// startArguments returns the arguments with which hosts start the program.
func startArguments() []any { return []any{"serve"} }

// Options says what to write into a host's files.
type Options struct {
	Name    string   // of the server; "" for DefaultName, or for the name of our existing entry
	Program string   // the absolute path of memory-graph
	Flags   []string // settings for hooks, after "hook HOST EVENT": "--db=/x/memory.db", paths with slashes
	Env     []splice.Member
	Hooks   bool     // also write hooks, if the host has them
	known   []string // the server entry's settings in the form of Flags, for new hooks
	Dir     string   // the absolute path of a project's directory; "" for the user's own files
}

// entry returns the server's entry for a host's list.
func (s Servers) entry(o Options) splice.Object {
	e := append(splice.Object{}, s.Lead...)
	for i, m := range e {
		if m.Value == "SERVER" {
			e[i].Value = cmp.Or(o.Name, DefaultName)
		}
	}
	if s.Joined {
		e = append(e, splice.Member{Name: s.command(), Value: append([]any{o.Program}, startArguments()...)})
	} else {
		e = append(e, splice.Member{Name: s.command(), Value: o.Program},
			splice.Member{Name: "args", Value: startArguments()})
	}
	if len(o.Env) > 0 {
		e = append(e, splice.Member{Name: s.env(), Value: splice.Object(o.Env)})
	}
	return e
}

// env returns the member of an entry with the settings.
func (s Servers) env() string { return cmp.Or(s.Env, "env") }

// command returns the member of an entry with the program.
func (s Servers) command() string { return cmp.Or(s.Command, "command") }

// starts returns the program of an entry and its arguments; "" if the entry names no program.
func (s Servers) starts(entry splice.Object) (program string, args any) {
	command, _ := entry.Get(s.command())
	if !s.Joined {
		program, _ = command.(string)
		args, _ = entry.Get("args")
		return program, args
	}
	list, _ := command.([]any)
	if len(list) == 0 {
		return "", nil
	}
	program, _ = list[0].(string)
	return program, list[1:]
}

// starting returns the value of an entry's command for a program; args are the entry's arguments.
func (s Servers) starting(program string, args any) any {
	if !s.Joined {
		return program
	}
	list, _ := args.([]any)
	return append([]any{program}, list...)
}

// settings returns our settings in an entry's env, as flags of a hook.
func (s Servers) settings(system string, entry splice.Object) (flags []string) {
	env, _ := entry.Get(s.env())
	add := func(variable, flag string, isPath bool) {
		v, _ := splice.At(env, variable)
		value, _ := v.(string)
		if isPath {
			value = slashed(system, value)
		}
		if value != "" && flag != "" { // secrets have no flag
			flags = append(flags, "--"+flag+"="+value)
		}
	}
	add(config.EnvPrefix+"CONFIG", "config", true)
	for _, c := range config.Settings() {
		add(c.Env, c.Flag, c.IsPath())
	}
	return flags
}

// beginning returns o for a new hook, which starts with the settings of the server.
func (o Options) beginning() Options {
	given := o.Flags
	o.Flags = slices.Concat(slices.DeleteFunc(slices.Clone(o.known), func(known string) bool {
		name, _, _ := strings.Cut(known, "=")
		return slices.ContainsFunc(given, func(flag string) bool { return strings.HasPrefix(flag, name+"=") })
	}), given)
	return o
}

// hook returns the element for the list of an event.
func (h Client) hook(system string, o Options, e Event) splice.Object {
	run := splice.Object{}
	if h.Hooks.Form != Flat {
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
	if h.Hooks.Form != Nested {
		return append(group, run...)
	}
	return append(group, splice.Member{Name: "hooks", Value: []any{run}})
}

// below returns a copy of path with more names.
func below(path []string, names ...string) []string {
	return append(append(make([]string, 0, len(path)+len(names)), path...), names...)
}
