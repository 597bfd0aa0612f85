package hooks

import (
	"bufio"
	"bytes"
	"strings"
)

// gitConfig is the part of a repository's configuration that names the project.
type gitConfig struct {
	project string   // the user's name for it: git config memory-graph.project NAME
	remotes []remote // in file order
}

type remote struct{ name, url string }

// readConfig parses git's configuration format, without includes.
// https://git-scm.com/docs/git-config#_configuration_file
func readConfig(file []byte) (c gitConfig) {
	section, sub := "", ""
	lines := bufio.NewScanner(bytes.NewReader(file))
	lines.Buffer(nil, maxGitFile+1)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section, sub, line = header(line)
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		switch key = strings.ToLower(strings.TrimSpace(key)); {
		case section == "memory-graph" && sub == "" && key == "project":
			c.project = configValue(value)
		case section == "remote" && sub != "" && key == "url":
			c.remotes = append(c.remotes, remote{sub, configValue(value)})
		}
	}
	return c
}

// header splits a line that begins a section: [section "subsection"], and the rest of the line.
func header(line string) (section, sub, rest string) {
	inside, rest, _ := strings.Cut(line[1:], "]")
	section, quoted, _ := strings.Cut(inside, " ")
	sub, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(quoted), `"`), `"`)
	return strings.ToLower(strings.TrimSpace(section)), sub, strings.TrimSpace(rest)
}

// configValue returns a value without quotes, escapes and a trailing comment.
func configValue(s string) string {
	var b strings.Builder
	quoted := false
	s = strings.TrimSpace(s)
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch == '"':
			quoted = !quoted
		case ch == '\\' && i+1 < len(s):
			i++
			switch s[i] {
			case 'n', 't':
				b.WriteByte(' ')
			default:
				b.WriteByte(s[i])
			}
		case (ch == '#' || ch == ';') && !quoted:
			return strings.TrimSpace(b.String())
		default:
			b.WriteByte(ch)
		}
	}
	return strings.TrimSpace(b.String())
}
