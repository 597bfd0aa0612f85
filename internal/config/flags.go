package config

import (
	"strings"

	"github.com/spf13/pflag"
)

// flagValue keeps the text of a flag. Load checks it like a value from any other source, with the same messages.
type flagValue struct {
	setting Setting
	text    string
}

func (v *flagValue) String() string     { return v.text }
func (v *flagValue) Set(s string) error { v.text = s; return nil }

// Type returns the name of the value's type for --help.
func (v *flagValue) Type() string {
	switch {
	case len(v.setting.oneof) > 0 && v.setting.Kind == String:
		return strings.Join(v.setting.oneof, "|")
	case v.setting.Kind == List:
		return "words"
	case v.setting.IsPath():
		return "file"
	case v.setting.Kind == String && v.setting.format == "hostport":
		return "address"
	}
	return string(v.setting.Kind)
}

// AddFlags adds --config, and a flag for every setting that is not a secret. --help shows only the common ones; `config
// keys` lists all.
func AddFlags(fs *pflag.FlagSet) {
	fs.String("config", "", "Configuration `file`; otherwise "+EnvPrefix+
		"CONFIG, otherwise config.toml in the configuration directory")
	for _, s := range Settings() {
		if s.Flag == "" {
			continue
		}
		add(fs, s, s.Flag, s.Common)
		if s.Alias != "" {
			add(fs, s, s.Alias, true)
		}
	}
}

// add adds a flag of that name for a setting.
func add(fs *pflag.FlagSet, s Setting, name string, shown bool) {
	f := fs.VarPF(&flagValue{setting: s, text: s.Default}, name, "", s.Help)
	f.Hidden = !shown
	if s.Kind == Bool {
		f.NoOptDefVal = "true"
	}
}

// Given returns the flag that sets a setting on the command line, otherwise nil. Of a flag and its alias, the flag
// counts.
func Given(flags *pflag.FlagSet, s Setting) *pflag.Flag {
	if f := changed(flags, s.Flag); f != nil {
		return f
	}
	return changed(flags, s.Alias)
}
