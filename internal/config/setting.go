package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
)

// Kind is the type of a setting's value.
type Kind string

// The kinds of settings.
const (
	Bool     Kind = "bool"
	Int      Kind = "int"
	Float    Kind = "float"
	String   Kind = "string"
	Duration Kind = "duration"
	List     Kind = "list"  // a list of words
	Table    Kind = "table" // of Routes; only in a file
)

// Section is the table of the configuration file that holds the settings.
const Section = "memory.graph"

// EnvPrefix is the prefix of all environment variables of memory-graph.
const EnvPrefix = "MEMORY_GRAPH_"

// Setting describes one setting, from the tags of Config.
type Setting struct {
	Key     string // below [memory.graph]: "note_linking.top_k"
	Env     string // "MEMORY_GRAPH_NOTE_LINKING_TOP_K"; "" for a table
	Flag    string // "note-linking-top-k"; "" for a secret and a table
	Alias   string // another name of the flag; "" for none
	Kind    Kind
	Default string // as written in the environment
	Help    string
	Group   string
	Secret  bool
	Common  bool // shown in --help
	Own     bool // from a file, only the user's own config.toml counts

	rng    *interval
	oneof  []string
	format string
	index  []int // the field in Config
}

var table = sync.OnceValues(func() ([]Setting, error) {
	var t []Setting
	group := ""
	err := collect(reflect.TypeFor[Config](), "", nil, &group, &t)
	return t, err
})

// Settings returns all settings in the order of the struct. The caller may change the slice.
func Settings() []Setting {
	t, _ := table() // only a wrong tag can cause an error, which a test checks
	return append([]Setting(nil), t...)
}

// collect adds the settings of a struct; prefix begins their keys.
func collect(t reflect.Type, prefix string, index []int, group *string, out *[]Setting) error {
	for f := range t.Fields() {
		key := f.Tag.Get("key")
		if key == "" {
			continue
		}
		if g := f.Tag.Get("group"); g != "" {
			*group = g
		}
		at := append(append([]int(nil), index...), f.Index...)
		if f.Type.Kind() == reflect.Struct {
			if err := collect(f.Type, prefix+key+".", at, group, out); err != nil {
				return err
			}
			continue
		}
		s, err := newSetting(prefix+key, f, at, *group)
		if err != nil {
			return fmt.Errorf("config: field %s: %w", f.Name, err)
		}
		*out = append(*out, s)
	}
	return nil
}

func newSetting(key string, f reflect.StructField, index []int, group string) (Setting, error) {
	tag := f.Tag.Get
	s := Setting{
		Key: key, Env: EnvPrefix + strings.ToUpper(strings.ReplaceAll(key, ".",
			"_")), Default: tag("default"), Help: tag("help"),
		Group: group, Secret: tag("secret") == "true", Common: tag("common") == "true", Own: tag("own") == "true",
		Alias: tag("alias"), oneof: strings.Fields(tag("oneof")), format: tag("format"), index: index,
	}
	if !s.Secret {
		s.Flag = strings.NewReplacer("_", "-", ".", "-").Replace(key)
	}
	switch f.Type {
	case reflect.TypeFor[time.Duration]():
		s.Kind = Duration
	case reflect.TypeFor[bool]():
		s.Kind = Bool
	case reflect.TypeFor[int]():
		s.Kind = Int
	case reflect.TypeFor[float64]():
		s.Kind = Float
	case reflect.TypeFor[string]():
		s.Kind = String
	case reflect.TypeFor[[]string]():
		s.Kind = List
	case reflect.TypeFor[Routes]():
		s.Kind, s.Env, s.Flag = Table, "", ""
	default:
		return s, fmt.Errorf("type %s is not supported", f.Type)
	}
	if r := tag("range"); r != "" {
		iv, err := parseInterval(r, s.Kind == Duration)
		if err != nil {
			return s, err
		}
		s.rng = &iv
	}
	if _, ok := formats[s.format]; s.format != "" && !ok {
		return s, fmt.Errorf("format %q is unknown", s.format)
	}
	if (s.Kind == Int || s.Kind == Float || s.Kind == Duration) && s.rng == nil {
		return s, errors.New("a number needs a range")
	}
	return s, nil
}

// Meaning returns the setting's help, with a note if it is secret or its flag has another name.
func (s Setting) Meaning() string {
	m := s.Help
	if s.Alias != "" {
		m += ". Also as --" + s.Alias
	}
	if s.Secret {
		m += ". A secret: file or environment only"
	}
	if s.Kind == Table {
		m += ". Only in your own config.toml"
	}
	return m
}

// IsPath reports whether the value is the path of a file.
func (s Setting) IsPath() bool { return s.format == "path" }

// Allowed describes the allowed values, such as "a whole number from 1 to 8".
func (s Setting) Allowed() string {
	what := map[Kind]string{Bool: "true or false", Int: "a whole number", Float: "a number",
		Duration: "a duration"}[s.Kind]
	switch {
	case s.Kind == Table:
		return "owners or owner/name patterns with their namespaces, such as \"acme\" = \"work\""
	case s.Kind == List:
		return "any of " + strings.Join(s.oneof, ", ")
	case len(s.oneof) > 0:
		return strings.Join(s.oneof[:len(s.oneof)-1], ", ") + " or " + s.oneof[len(s.oneof)-1]
	case s.Kind == String:
		return formats[s.format].words
	case s.Kind == Duration:
		return what + " " + s.rng.words() + ", such as " + s.Default
	case s.rng != nil:
		return what + " " + s.rng.words()
	}
	return what
}

// Accepts reports whether a text, as written in the environment, is a valid value.
func (s Setting) Accepts(text string) bool {
	_, err := s.parseText(text)
	return err == nil
}

func (s Setting) set(c *Config, v any) {
	reflect.ValueOf(c).Elem().FieldByIndex(s.index).Set(reflect.ValueOf(v))
}

// Value returns the setting's value in c with its Go type. It does not mask secrets.
func (s Setting) Value(c *Config) any {
	return reflect.ValueOf(c).Elem().FieldByIndex(s.index).Interface()
}

// Show returns the setting's value in c for a listing. For a secret it only says whether it is set.
func (s Setting) Show(c *Config) string {
	v := s.Value(c)
	if s.Secret {
		if v == "" {
			return ""
		}
		return "(set, hidden)"
	}
	return text(v)
}
