package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/knadh/koanf/parsers/toml/v2"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/rawbytes"
	"github.com/knadh/koanf/v2"
	gotoml "github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"memory-graph/internal/memory"
)

// maxFile bounds the configuration file, in bytes: a larger one is something else by mistake.
const maxFile = 1 << 20

// LoadOptions is where Load looks.
type LoadOptions struct {
	Env   []string       // "KEY=value", as os.Environ gives
	Flags *pflag.FlagSet // parsed, with the flags of AddFlags; nil is none
}

// Sources tells for every key where its value came from: "flag --max-hops", "environment MEMORY_GRAPH_MAX_HOPS",
// "file /path/config.toml" or "default".
type Sources map[string]string

// Load puts the layers together, flags > environment > file > defaults, and checks every value. It creates nothing. An
// unknown key or variable and a value out of range are InvalidArgument, with the key, the value, the place and the
// range.
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
	for _, s := range settings {
		sources[s.Key] = "default"
	}

	k := koanf.New(".")
	if c.File, err = loadFile(k, o.place(env), settings, sources); err != nil {
		return nil, nil, err
	}
	upper := map[string]any{}
	for _, s := range settings {
		if v, ok := env[s.Env]; ok {
			upper[s.Key], sources[s.Key] = given(v), "environment "+s.Env
		}
		if f := changed(o.Flags, s.Flag); f != nil {
			upper[s.Key], sources[s.Key] = given(f.Value.String()), "flag --"+s.Flag
		}
	}
	if err := k.Load(confmap.Provider(upper, "."), nil); err != nil {
		return nil, nil, memory.AsError(err)
	}
	for _, s := range settings {
		if !k.Exists(s.Key) {
			continue
		}
		if err := apply(c, s, k.Get(s.Key), sources[s.Key]); err != nil {
			return nil, nil, err
		}
	}
	if err := c.resolve(sources, Home(o.Env)); err != nil {
		return nil, nil, err
	}
	if err := c.checkTogether(sources); err != nil {
		return nil, nil, err
	}
	return c, sources, nil
}

// given marks a value that is still text, of a flag or a variable; the file's values have types.
type given string

func apply(c *Config, s Setting, raw any, source string) error {
	var v any
	var err error
	var shown string
	if g, ok := raw.(given); ok {
		shown = quoteUnless(s.Kind, string(g))
		v, err = s.parseText(string(g))
	} else {
		shown = tomlText(raw)
		v, err = s.parseTOML(raw)
	}
	if err != nil {
		return refuse(s, shown, source, s.Allowed())
	}
	s.set(c, v)
	return nil
}

// changed gives the flag of that name if the command line set it.
func changed(flags *pflag.FlagSet, name string) *pflag.Flag {
	if flags == nil || name == "" {
		return nil
	}
	if f := flags.Lookup(name); f != nil && f.Changed {
		return f
	}
	return nil
}

// place is a configuration file and whether somebody named it, so that it must be there.
type place struct {
	path  string
	named string // by what; "" is the default place
}

// FilePath gives the absolute path of the file that Load would read, whether or not it is there; "" where there is no
// home.
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
	return place{join(UserPaths(o.Env).Config, "config.toml"), ""}
}

// loadFile reads the file into k with the keys below Section at the root. It gives the file's absolute path, "" when
// there is none at the default place.
func loadFile(k *koanf.Koanf, at place, settings []Setting, sources Sources) (string, error) {
	if at.path == "" && at.named == "" {
		return "", nil
	}
	path, err := filepath.Abs(at.path)
	if err != nil {
		return "", memory.AsError(err)
	}
	text, err := readFile(path, at.named)
	if err != nil || text == nil {
		return "", err
	}
	whole := koanf.New(".")
	if err := whole.Load(rawbytes.Provider(text), toml.Parser()); err != nil {
		return "", syntaxError(path, err)
	}
	if err := unknownKey(whole, path, settings); err != nil {
		return "", err
	}
	for _, s := range settings {
		if whole.Exists(Section + "." + s.Key) {
			sources[s.Key] = "file " + path
		}
	}
	return path, k.Merge(whole.Cut(Section))
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
			named = "the default place"
		}
		return nil, memory.Errorf(memory.InvalidArgument, "The configuration file %s (%s) cannot be read: %w.", path, named,
			memory.Reason(err)).
			WithHint("Name a file that can be read, or none.")
	}
	return append([]byte{}, strings.TrimPrefix(string(text), "\ufeff")...), nil
}

func syntaxError(path string, err error) error {
	if de := (*gotoml.DecodeError)(nil); errors.As(err, &de) {
		line, column := de.Position()
		return memory.Errorf(memory.InvalidArgument, "%s:%d:%d is not TOML: %w.", path, line, column, err).
			WithHint("Correct that line.")
	}
	return memory.Errorf(memory.InvalidArgument, "%s is not TOML: %w.", path, err)
}

// unknownKey refuses a key that is none of ours. An empty table of ours is no mistake.
func unknownKey(file *koanf.Koanf, path string, settings []Setting) error {
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
	for _, key := range file.Keys() { // sorted
		if is[key] {
			continue
		}
		if m, ok := file.Get(key).(map[string]any); ok && len(m) == 0 && tables[key] {
			continue
		}
		e := memory.Errorf(memory.InvalidArgument, "%s: %s is no setting of memory-graph.", path, key)
		if tables[key] {
			return e.WithHint("Write it as a table, [%s], with the settings below it.", key)
		}
		if !strings.HasPrefix(key, Section+".") {
			return e.WithHint("The settings lie below [%s].", Section)
		}
		return e.WithHint("%s", didYouMean(strings.TrimPrefix(key, Section+"."), known))
	}
	return nil
}
