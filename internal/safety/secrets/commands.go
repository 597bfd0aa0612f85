package secrets

import (
	"regexp"
	"strings"

	"memory-graph/internal/text"
)

// commands take a password in a short flag. The flag follows the command on the same line; a line that ends in a
// backslash continues.
var commands = []struct {
	hints []string // in lower case, as in rule
	name  func() *regexp.Regexp
	flag  func() *regexp.Regexp
}{
	{
		hints: []string{"curl"},
		name:  text.Pattern(`\bcurl(?:\.exe)?\b`),
		flag: text.Pattern(`\s-(?:[a-zA-Z]{0,8}[uU]|-user|-proxy-user)[ \t=]*(?:"[^":\n]*:((?:[^"\\\n]|\\.)+)"|` +
			`'[^':\n]*:([^'\n]+)'|[^\s:"'` + "`" + `]*:([^\s"'` + "`" + `]+))`),
	},
	{
		hints: []string{"mysql", "mariadb"},
		name: text.Pattern(
			`\b(?:mysql|mariadb)(?:-?(?:dump|admin|import|show|check|slap|binlog|sh|backup))?(?:\.exe)?\b`),
		flag: text.Pattern(`\s-p(?:"((?:[^"\\\n]|\\.)+)"|'([^'\n]+)'|([^\s"'` + "`" + `]+))`),
	},
}

// lineEnd matches the end of a line, and a backslash before it if the line continues.
var lineEnd = text.Pattern(`\\\r?\n|\n`)

// commandPasswords finds passwords in the flags of commands. It reads every line once per command.
func commandPasswords(s, lower string) []span {
	var spans []span
	for _, c := range commands {
		if !hinted(lower, c.hints) {
			continue
		}
		from := 0
		for _, end := range append(lineEnd().FindAllStringIndex(s, -1), []int{len(s), len(s)}) {
			if end[0] < len(s) && s[end[0]] == '\\' {
				continue
			}
			line := s[from:end[0]]
			if at := c.name().FindStringIndex(line); at != nil {
				for _, m := range c.flag().FindAllStringSubmatchIndex(line[at[1]:], -1) {
					start, stop, groups := lastGroup(line[at[1]:], m)
					if realFlag(groups) {
						spans = append(spans, span{from + at[1] + start, from + at[1] + stop, "password"})
					}
				}
			}
			from = end[1]
		}
	}
	return spans
}

// twoNumbers matches values of -p and -u in container commands: ports (3306:3306), user and group (1000:1000).
var twoNumbers = text.Pattern(`(?:-p|[\s=])[0-9.]+:[0-9]{1,5}$`)

// realFlag reports whether the value of a flag is a password.
func realFlag(groups []string) bool {
	v := matched(groups)
	return len(v) >= 3 && !placeholder(v) && !strings.HasPrefix(v, "//") && !twoNumbers().MatchString(groups[0])
}
