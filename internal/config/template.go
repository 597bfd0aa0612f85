package config

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"
)

const templateHead = `# Settings of memory-graph. Every setting is listed with its meaning, the allowed values and its
# default. To change one, remove the # before its line. A flag or an environment variable overrides this file.
# "memory-graph config show" prints the settings in force and where each one comes from.
`

// Template returns a configuration file with every setting: those of chosen, by key, and those that flags set with
// their values, all others as comments with their defaults. The error is InvalidArgument for an invalid value or
// combination.
func Template(flags *pflag.FlagSet, chosen map[string]any) ([]byte, error) {
	c, sources := Default(), Sources{}
	values := map[string]any{}
	for _, s := range Settings() {
		v, ok := chosen[s.Key]
		source := "answer"
		sources[s.Key] = "default"
		if f := Given(flags, s); f != nil {
			text := f.Value.String()
			parsed, err := s.parseText(text)
			if err != nil {
				return nil, refuse(s, quoteUnless(s.Kind, text), "flag --"+f.Name, s.Allowed())
			}
			v, ok, source = parsed, true, "flag --"+f.Name
		}
		if ok {
			s.set(c, v)
			values[s.Key], sources[s.Key] = v, source
		}
	}
	if err := c.checkTogether(sources); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(templateHead)
	table, group := "", ""
	for _, s := range byTable(Settings()) {
		in, name := Section, s.Key
		if s.Kind == Table {
			in = Section + "." + s.Key
		} else if at := strings.LastIndex(s.Key, "."); at >= 0 {
			in, name = Section+"."+s.Key[:at], s.Key[at+1:]
		}
		if in != table {
			fmt.Fprintf(&b, "\n[%s]\n", in)
			table = in
		}
		if s.Group != group {
			fmt.Fprintf(&b, "\n# ---- %s ----\n", s.Group)
			group = s.Group
		}
		v, set := values[s.Key]
		if !set {
			v = s.Value(Default())
		}
		line, err := assignment(name, v)
		if err != nil {
			return nil, err
		}
		if s.Kind == Table {
			line = `# "acme" = "work"`
		} else if !set {
			line = "#" + line
		}
		for _, words := range wrap(fmt.Sprintf("%s. Allowed: %s.", s.Meaning(), s.Allowed()), templateWidth) {
			b.WriteString("# " + words + "\n")
		}
		b.WriteString(line + "\n")
	}
	return b.Bytes(), nil
}

// templateWidth is the width of a comment in the template, in bytes.
const templateWidth = 110

// byTable returns the settings with those of [memory.graph] first: a key after the header of another table would
// belong to that table.
func byTable(list []Setting) []Setting {
	var own, others []Setting
	for _, s := range list {
		if strings.Contains(s.Key, ".") || s.Kind == Table {
			others = append(others, s)
		} else {
			own = append(own, s)
		}
	}
	return append(own, others...)
}

// assignment returns a line that sets a key in TOML.
func assignment(name string, v any) (string, error) {
	if d, ok := v.(time.Duration); ok {
		v = d.String()
	}
	line, err := toml.Marshal(map[string]any{name: v})
	if err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	return strings.TrimSpace(string(line)), nil
}

// wrap breaks a text into lines of at most width bytes, or of one longer word.
func wrap(text string, width int) []string {
	var lines []string
	for word := range strings.FieldsSeq(text) {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
