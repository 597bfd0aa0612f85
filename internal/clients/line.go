package clients

import (
	"regexp"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// shellWord matches one word of a command line: adjacent plain and quoted parts.
const shellWord = `(?:'[^']*'|"(?:[^"\\]|\\.)*"|"[^"]*"|\\.|[^\s'"\\])+`

// hookLine is our command for an event in a shell line: the program and its arguments.
type hookLine struct {
	program  string // without quotes
	from, to int    // position of the program in the line, with quotes
	end      int    // end of the event's name; settings follow
}

// ourLine finds a program with our arguments for the event in a command line. The program may be another one.
func (h Client) ourLine(line, system, event string) (hookLine, bool) {
	pattern := regexp.MustCompile(`(?:^|\s)(` + shellWord + `)\s+hook ` + regexp.QuoteMeta(h.ID) + " (" +
		regexp.QuoteMeta(event) + `)(?:\s|$)`)
	at := pattern.FindStringSubmatchIndex(line)
	if at == nil {
		return hookLine{}, false
	}
	return hookLine{unquote(system, line[at[2]:at[3]]), at[2], at[3], at[5]}, true
}

// command returns the command line for an event, as the host passes it to the shell.
func (h Client) command(system string, o Options, event string) string {
	words := append([]string{slashed(system, o.Program), "hook", h.ID, event}, o.Flags...)
	for i, w := range words {
		words[i] = quote(system, w)
	}
	return strings.Join(words, " ")
}

// moved returns our command line with the current program and settings. Text that a user put around it and settings
// that are not given stay.
func (h Client) moved(line, system string, o Options, event string) string {
	l, ok := h.ourLine(line, system, event)
	if !ok {
		return h.command(system, o, event)
	}
	tail, ok := withSettings(system, line[l.end:], o.Flags)
	if !ok {
		return h.command(system, o, event)
	}
	program := line[l.from:l.to]
	if want := slashed(system, o.Program); l.program != want {
		program = quote(system, want)
	}
	return line[:l.from] + program + line[l.to:l.end] + tail
}

// withSettings puts settings ("--db=/x") into the text after a command. A setting replaces the one of the same name, or
// is appended to the arguments. ok is false if the shell could not parse the line.
func withSettings(system, tail string, settings []string) (string, bool) {
	args, ok := arguments(system, tail)
	if !ok {
		return "", false
	}
	end := 0
	if len(args) > 0 {
		end = args[len(args)-1].to
	}
	rest := tail[end:]
	tail = tail[:end]
	for _, s := range settings {
		name, _, _ := strings.Cut(s, "=")
		there := false
		for _, a := range slices.Backward(args) { // from the end, so earlier positions stay valid
			if !strings.HasPrefix(a.text, name+"=") {
				continue
			}
			there = true
			if a.text != s {
				tail = tail[:a.from] + quote(system, s) + tail[a.to:]
			}
		}
		if !there {
			tail += " " + quote(system, s)
		}
		if args, ok = arguments(system, tail); !ok {
			return "", false
		}
	}
	return tail + rest, true
}

// argument is one word of a command line.
type argument struct {
	from, to int
	text     string // without quotes
}

// arguments returns the words up to the end of a command, that is, up to a pipe, another command or a comment. It skips
// redirections. ok is false if a quote is not closed.
func arguments(system, s string) (list []argument, ok bool) {
	for i := 0; ; {
		i += len(s[i:]) - len(strings.TrimLeft(s[i:], " \t"))
		if i == len(s) || s[i] == '#' {
			return list, true
		}
		from := i
		if i, ok = wordEnd(system, s, i); !ok {
			return nil, false
		}
		word := s[from:i]
		switch into := s[i:]; {
		case strings.Trim(word, "0123456789") == "" &&
			(strings.HasPrefix(into, "<") || strings.HasPrefix(into, ">") || word == "" && strings.HasPrefix(into, "&>")):
			i += len(into) - len(strings.TrimLeft(into, "<>&|"))
			i += len(s[i:]) - len(strings.TrimLeft(s[i:], " \t"))
			if i, ok = wordEnd(system, s, i); !ok {
				return nil, false
			}
		case word == "":
			return list, true
		default:
			list = append(list, argument{from, i, unquote(system, word)})
		}
	}
}

// wordEnd returns the end of the word at i; ok is false if a quote or "$(" in it is not closed.
func wordEnd(system, s string, i int) (end int, ok bool) {
	for i < len(s) {
		c, past := s[i], 1
		switch {
		case strings.IndexByte(" \t\r\n;&|()<>", c) >= 0:
			return i, true
		case c == '\\' && system != "windows":
			past = 2
		case c == '\'' || c == '"' || c == '`':
			past = closing(system, s[i:], c)
		case strings.HasPrefix(s[i:], "$("):
			past = closing(system, s[i:], ')')
		}
		if past == 0 || i+past > len(s) {
			return 0, false
		}
		i += past
	}
	return i, true
}

// closing returns the length of the quoted text or "$(" at the beginning of s, including its end; 0 if it is not
// closed.
func closing(system, s string, end byte) int {
	depth := 0
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && end != '\'' && system != "windows":
			i++
		case end == ')' && s[i] == '(':
			depth++
		case end == ')' && s[i] == ')' && depth > 1:
			depth--
		case s[i] == end:
			return i + 1
		}
	}
	return 0
}

// quote quotes a word for the shell: a Unix shell, or on Windows Git's bash and cmd. PowerShell understands it too if
// no quotes are needed. sayable must accept the word.
func quote(system, word string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-./:=,+@%", r) || r > 0x7f
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !safe(r) }) {
		return word
	}
	if system == "windows" {
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// unquote removes quotes like the shell.
func unquote(system, word string) string {
	var b strings.Builder
	var in byte // the open quote
	for i := 0; i < len(word); i++ {
		c := word[i]
		escapes := system != "windows" && c == '\\' && in != '\'' && i+1 < len(word)
		switch {
		case in == 0 && (c == '\'' || c == '"'):
			in = c
		case in != 0 && c == in:
			in = 0
		case escapes && (in == 0 || strings.IndexByte("\"\\$`", word[i+1]) >= 0):
			i++
			b.WriteByte(word[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// slashed returns a path for a command line. On Windows it has forward slashes, which all shells accept; bash would
// drop backslashes.
func slashed(system, program string) string {
	if system == "windows" {
		return strings.ReplaceAll(program, `\`, "/")
	}
	return program
}

// sayable rejects words that the Windows shells interpret differently, since it is unknown which shell a host uses.
func (h Client) sayable(system string, o Options) error {
	if system != "windows" || h.Hooks == nil || h.Hooks.Form == Script || !o.Hooks {
		return nil
	}
	for _, word := range append([]string{slashed(system, o.Program)}, o.Flags...) {
		odd := strings.ContainsAny(word, "\"$`\r\n") || strings.Contains(word, `\\`) || strings.HasSuffix(word, `\`)
		if !odd {
			continue
		}
		hint := "Install memory-graph at another path, or leave the hooks out with --no-hooks."
		if strings.HasPrefix(word, "--") {
			hint = "Write that setting into config.toml instead, or leave the hooks out with --no-hooks."
		}
		return memory.Errorf(memory.InvalidArgument,
			"%s cannot be used in a hook's command line: the shells of Windows disagree about \", $, `, line ends, and "+
				"repeated or trailing \\.", word).
			WithHint("%s", hint)
	}
	return nil
}
