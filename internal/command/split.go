// Package command runs a command of the user that reads a prompt on stdin and answers on stdout, such as `claude -p` or
// `ollama run qwen3`. The command gets no shell, an empty directory, bounded output and a time limit, and nothing in it
// can reach this memory: see Environ.
package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Split splits a command line into its program and arguments. Spaces and tabs separate arguments. '…' quotes everything
// up to the next '. "…" quotes everything up to the next ", and in it \" and \\ mean " and \. A backslash anywhere else
// is an ordinary character, so paths of Windows need no escapes. There is no shell: variables, ~, globs, pipes and
// redirections mean nothing. A lone operator of a shell is an error unless it is quoted, and so is a variable that is
// set before the program. The program must be a name, which is looked up in
// PATH, or an absolute path: a relative path would be one of whatever directory the server was started in.
func Split(line string) ([]string, error) {
	var args []string
	var arg strings.Builder
	open, quote := false, rune(0)   // an argument has begun; the quotation mark that is open
	escaped, quoted := false, false // quoted: a part of the argument is
	operator := ""
	end := func() {
		if a := arg.String(); operator == "" && !quoted && slices.Contains(operators, a) {
			operator = a
		}
		args, open, quoted = append(args, arg.String()), false, false
		arg.Reset()
	}
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
			quote, open, quoted = r, true, true
		case r == ' ' || r == '\t':
			if open {
				end()
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
		end()
	}
	if len(args) == 0 || args[0] == "" {
		return nil, errors.New("it names no program")
	}
	if operator != "" {
		return nil, fmt.Errorf("%q is an operator of a shell, and no shell runs the command", operator)
	}
	if name := variable.FindString(args[0]); name != "" { // the value may be a key
		return nil, fmt.Errorf("%s… sets a variable, and no shell runs the command", name)
	}
	if filepath.Base(args[0]) != args[0] && !filepath.IsAbs(args[0]) {
		return nil, fmt.Errorf("%q is a relative path", args[0])
	}
	return args, nil
}

// variable is the beginning of NAME=value.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

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
