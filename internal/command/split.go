// Package command runs a command of the user that reads a prompt on stdin and answers on stdout, such as `claude -p` or
// `ollama run qwen3`. The command gets no shell, an empty directory, bounded output and a time limit, and nothing in it
// can reach this memory: see Environ.
package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Split splits a command line into its program and arguments. Spaces and tabs separate arguments. '…' quotes everything
// up to the next '. "…" quotes everything up to the next ", and in it \" and \\ mean " and \. A backslash anywhere else
// is an ordinary character, so paths of Windows need no escapes. There is no shell: variables, ~, globs, pipes and
// redirections mean nothing. A lone operator of a shell is an error. The program must be a name, which is looked up in
// PATH, or an absolute path: a relative path would be one of whatever directory the server was started in.
func Split(line string) ([]string, error) {
	var args []string
	var arg strings.Builder
	open, quote := false, rune(0) // an argument has begun; the quotation mark that is open
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			if r != '"' && r != '\\' {
				arg.WriteByte('\\')
			}
			arg.WriteRune(r)
			escaped = false
		case quote == '"' && r == '\\':
			escaped = true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			arg.WriteRune(r)
		case r == '"' || r == '\'':
			quote, open = r, true
		case r == ' ' || r == '\t':
			if open {
				args, open = append(args, arg.String()), false
				arg.Reset()
			}
		default:
			arg.WriteRune(r)
			open = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quotation mark %c is not closed", quote)
	}
	if open {
		args = append(args, arg.String())
	}
	if len(args) == 0 || args[0] == "" {
		return nil, errors.New("it names no program")
	}
	if i := slices.IndexFunc(args, func(a string) bool { return slices.Contains(operators, a) }); i >= 0 {
		return nil, fmt.Errorf("%q is an operator of a shell, and no shell runs the command", args[i])
	}
	if filepath.Base(args[0]) != args[0] && !filepath.IsAbs(args[0]) {
		return nil, fmt.Errorf("%q is a relative path", args[0])
	}
	return args, nil
}

// operators mean something only in a shell.
var operators = []string{"|", "||", "&", "&&", ";", ">", ">>", "<", "2>&1"}

// Name returns the name of a program without its directory and without .exe, .cmd or .bat. It is safe to show:
// arguments may hold a key.
func Name(program string) string {
	name := filepath.Base(program)
	for _, ext := range []string{".exe", ".cmd", ".bat"} {
		if strings.EqualFold(filepath.Ext(name), ext) {
			return name[:len(name)-len(ext)]
		}
	}
	return name
}
