package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"memory-graph/internal/command"
	"memory-graph/internal/memory"
)

// maxFile is the largest configuration file, in bytes; a larger file is not a configuration file.
const maxFile = 1 << 20

// LoadOptions are the sources that Load reads.
type LoadOptions struct {
	Env   []string       // "KEY=value", as os.Environ returns
	Dir   string         // the working directory; one that llm_command made switches llm_command off
	Flags *pflag.FlagSet // parsed, with the flags of AddFlags; nil for none
}

// Sources maps every key to the source of its value: "flag --max-hops", "environment MEMORY_GRAPH_MAX_HOPS",
// "file /path/config.toml" or "default".
type Sources map[string]string

// Load reads the settings from flags, environment, file and defaults, in this order of precedence, and checks every
// value. It creates no files. An unknown key or variable and an invalid value are InvalidArgument errors with the key,
// the value, its source and the allowed values.
func Load(o LoadOptions) (*Config, Sources, error) {
	settings, err := table()
	if err != nil {
		return nil, nil, err
	}
	env := environ(o.Env)
	if err := unknownVariable(env, settings); err != nil {
		return nil, nil, err
	}
	c := Default()
	c.Paths = UserPaths(o.Env)
	sources := make(Sources, len(settings))
	file, err := readSettings(o.place(env), usualFile(o.Env), settings)
	if err != nil {
		return nil, nil, err
	}
	c.File = file.path
	for _, s := range settings {
		if sources[s.Key], err = c.take(s, o.Flags, env, file); err != nil {
			return nil, nil, err
		}
	}
	if err := c.resolve(sources, Home(o.Env)); err != nil {
		return nil, nil, err
	}
	if err := c.checkTogether(sources); err != nil {
		return nil, nil, err
	}
	if why := command.Inside(o.Env, o.Dir); why != "" && c.LLMCommand != "" {
		c.LLMCommand = ""
		c.Warnings = append(c.Warnings, "llm_command is off: "+why+".")
	}
	if c.LLMCommand != "" {
		c.Env = o.Env
	}
	return c, sources, nil
}

// take sets a setting from the first source in the order of precedence that has it, and returns this source.
func (c *Config) take(s Setting, flags *pflag.FlagSet, env map[string]string, file settingsFile) (source string,
	err error) {
	var value any
	var shown string
	if f := Given(flags, s); f != nil {
		source, shown = "flag --"+f.Name, quoteUnless(s.Kind, f.Value.String())
		value, err = s.parseText(f.Value.String())
	} else if text, ok := env[s.Env]; ok && s.Env != "" {
		source, shown = "environment "+s.Env, quoteUnless(s.Kind, text)
		value, err = s.parseText(text)
	} else if raw, ok := file.values[Section+"."+s.Key]; ok && s.Kind == Table && isEmpty(raw) {
		return "default", nil // the header without routes
	} else if ok && s.Own && !file.own {
		why := "it is read only from a flag, the environment or your own config.toml, so that no project can name a " +
			"program to run"
		if s.Kind == Table {
			why = "it is read only from your own config.toml, so that no project can choose the memory of its turns"
		}
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s in %s is ignored: %s.", s.Key, file.path, why))
		return "default", nil
	} else if ok {
		source, shown = "file "+file.path, tomlText(raw)
		value, err = s.parseTOML(raw)
	} else {
		return "default", nil
	}
	if err != nil {
		return "", refuse(s, shown, source, s.Allowed()+strings.TrimPrefix(err.Error(), errValue.Error()))
	}
	s.set(c, value)
	return source, nil
}

// changed returns the flag of that name if the command line set it, otherwise nil.
func changed(flags *pflag.FlagSet, name string) *pflag.Flag {
	if flags == nil || name == "" {
		return nil
	}
	if f := flags.Lookup(name); f != nil && f.Changed {
		return f
	}
	return nil
}

// place is the path of the configuration file. If a flag or a variable names it, the file must exist.
type place struct {
	path  string
	named string // the flag or variable that names it; "" for the default path
}

// FilePath returns the absolute path of the file that Load would read, even if it does not exist, or "" without a home
// directory.
func (o LoadOptions) FilePath() (string, error) {
	at := o.place(environ(o.Env))
	if at.path == "" {
		return "", nil
	}
	path, err := filepath.Abs(at.path)
	if err != nil {
		return "", memory.AsError(err)
	}
	return path, nil
}

func (o LoadOptions) place(env map[string]string) place {
	if f := changed(o.Flags, "config"); f != nil {
		return place{f.Value.String(), "flag --config"}
	}
	if v := env[EnvPrefix+"CONFIG"]; v != "" {
		return place{v, "environment " + EnvPrefix + "CONFIG"}
	}
	return place{usualFile(o.Env), ""}
}

// IsOwnFile reports whether a path is the user's own configuration file, even if it does not exist yet: the settings
// that may name a program to run are read only there.
func IsOwnFile(path string, env []string) bool {
	usual := usualFile(env)
	return usual != "" && (filepath.Clean(path) == filepath.Clean(usual) || same(path, usual))
}

// usualFile returns the path of the user's own configuration file, or "" without a home directory.
func usualFile(env []string) string { return join(UserPaths(env).Config, "config.toml") }

// settingsFile is the content of a configuration file.
type settingsFile struct {
	path   string         // absolute; "" if there is no file at the default path
	own    bool           // it is the file at the default path
	values map[string]any // by full key: "memory.graph.limits.results"
}

// same reports whether two paths are one file.
func same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// readSettings reads the file, and refuses unknown keys. It does not check values. usual is the default path.
func readSettings(at place, usual string, settings []Setting) (settingsFile, error) {
	if at.path == "" && at.named == "" {
		return settingsFile{}, nil
	}
	path, err := filepath.Abs(at.path)
	if err != nil {
		return settingsFile{}, memory.AsError(err)
	}
	text, err := readFile(path, at.named)
	if err != nil || text == nil {
		return settingsFile{}, err
	}
	var tables map[string]any
	if err := toml.Unmarshal(text, &tables); err != nil {
		return settingsFile{}, syntaxError(path, err)
	}
	file := settingsFile{path, at.named == "" || path == usual || same(path, usual), map[string]any{}}
	keep := map[string]bool{} // settings that are a table
	for _, s := range settings {
		keep[Section+"."+s.Key] = s.Kind == Table
	}
	flatten(tables, "", keep, file.values)
	return file, unknownKey(file, settings)
}

// flatten collects the values of a table and its subtables by full key. An empty table counts as a value, and so does a
// table in keep.
func flatten(table map[string]any, prefix string, keep map[string]bool, into map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if sub, ok := table[key].(map[string]any); ok && len(sub) > 0 && !keep[prefix+key] {
			flatten(sub, prefix+key+".", keep, into)
			continue
		}
		into[prefix+key] = table[key]
	}
}

func readFile(path, named string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && named == "":
		return nil, nil
	case err == nil && info.IsDir():
		err = errors.New("it is a directory")
	case err == nil && !info.Mode().IsRegular():
		err = errors.New("it is a pipe, a socket or a device, not a file")
	case err == nil && info.Size() > maxFile:
		err = errors.New("it is larger than 1 MiB")
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		if named == "" {
			named = "the default path"
		}
		return nil, memory.Errorf(memory.InvalidArgument, "Cannot read the configuration file %s (%s): %w.", path, named,
			memory.Reason(err)).
			WithHint("Name a readable file, or none.")
	}
	return append([]byte{}, strings.TrimPrefix(string(text), "\ufeff")...), nil
}

func syntaxError(path string, err error) error {
	if de := (*toml.DecodeError)(nil); errors.As(err, &de) {
		line, column := de.Position()
		return memory.Errorf(memory.InvalidArgument, "%s:%d:%d is not valid TOML: %w.", path, line, column, err).
			WithHint("Correct that line.")
	}
	return memory.Errorf(memory.InvalidArgument, "%s is not valid TOML: %w.", path, err)
}

// unknownKey refuses unknown keys. An empty table of settings is allowed.
func unknownKey(file settingsFile, settings []Setting) error {
	var known []string
	tables := map[string]bool{"memory": true, Section: true}
	for _, s := range settings {
		known = append(known, s.Key)
		if at := strings.LastIndex(s.Key, "."); at >= 0 {
			tables[Section+"."+s.Key[:at]] = true
		}
	}
	is := make(map[string]bool, len(known))
	for _, key := range known {
		is[Section+"."+key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(file.values)) {
		if is[key] {
			continue
		}
		if _, empty := file.values[key].(map[string]any); empty && tables[key] {
			continue
		}
		e := memory.Errorf(memory.InvalidArgument, "%s: %s is not a setting of memory-graph.", file.path, key)
		if tables[key] {
			return e.WithHint("Write it as a table, [%s], with the settings below it.", key)
		}
		if !strings.HasPrefix(key, Section+".") {
			return e.WithHint("The settings belong below [%s].", Section)
		}
		return e.WithHint("%s", didYouMean(strings.TrimPrefix(key, Section+"."), known))
	}
	return nil
}

// isEmpty reports whether a value of a file is a table without entries.
func isEmpty(raw any) bool {
	table, ok := raw.(map[string]any)
	return ok && len(table) == 0
}
