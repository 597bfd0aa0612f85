package clients

import (
	_ "embed" // for the scripts
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// scriptHead is the beginning of each script, which runs memory-graph. Its lines `const program` and `const settings`
// are written anew for each user. The rest of a script is a plugin for its host.
var (
	//go:embed script.js
	scriptHead string
	//go:embed opencode.js
	openCode string
	//go:embed cline.js
	cline string
)

// The lines of a script that setup fills in.
var (
	programLine  = regexp.MustCompile(`(?m)^const program = (".*");\r?$`)
	settingsLine = regexp.MustCompile(`(?m)^const settings = (\[.*\]);\r?$`)
)

// addScript writes the host's script. Settings of an earlier script of ours stay if they are not given.
func (h Client) addScript(d *draft, o Options) error {
	settings := o.beginning().Flags
	if d.info != nil {
		program, had, ok := h.scripted(d.text)
		if !ok {
			return memory.Errorf(memory.Conflict, "%s exists and is not from memory-graph.", d.path).
				WithHint("Nothing was written. Move that file away, or leave the hooks out with --no-hooks.")
		}
		d.was(program, o)
		if had != nil {
			settings = replaced(had, o.Flags)
		}
	}
	d.text = []byte(h.script(o.Program, settings))
	return nil
}

// dropScript removes the host's script if it is ours.
func (h Client) dropScript(d *draft, o Options) error {
	if program, _, ok := h.scripted(d.text); ok {
		d.was(program, o)
		d.text, d.removed = nil, true
	}
	return nil
}

// script returns the text of the script for a program with settings.
func (h Client) script(program string, settings []string) string {
	if settings == nil {
		settings = []string{}
	}
	fill := func(line *regexp.Regexp, text string, v any) string {
		value, err := json.Marshal(v)
		if err != nil { // strings always have a form in JSON
			return text
		}
		at := line.FindStringSubmatchIndex(text)
		return text[:at[2]] + string(value) + text[at[3]:]
	}
	head := strings.NewReplacer("HOST", h.ID, "NAME", h.Name).Replace(scriptHead)
	return fill(settingsLine, fill(programLine, head+h.Hooks.Script, program), settings)
}

// scripted returns the program and the settings of a script of ours; false if the text is another one. The first line,
// which names setup, tells ours from others, in any version and also after it was edited. A program or settings that
// cannot be read are empty.
func (h Client) scripted(text []byte) (program string, settings []string, ok bool) {
	first := strings.TrimPrefix(string(text), "\ufeff")
	if !strings.HasPrefix(first, "// memory-graph setup "+h.ID+" ") {
		return "", nil, false
	}
	if p := programLine.FindSubmatch(text); p == nil || json.Unmarshal(p[1], &program) != nil {
		program = ""
	}
	if s := settingsLine.FindSubmatch(text); s == nil || json.Unmarshal(s[1], &settings) != nil {
		settings = nil
	}
	return program, settings, true
}

// replaced returns settings ("--db=/x") with the given ones in place of those of the same name, or after them.
func replaced(settings, given []string) []string {
	settings = slices.Clone(settings)
	for _, g := range given {
		name, _, _ := strings.Cut(g, "=")
		i := slices.IndexFunc(settings, func(s string) bool { return strings.HasPrefix(s, name+"=") })
		if i < 0 {
			settings = append(settings, g)
		} else {
			settings[i] = g
		}
	}
	return settings
}
