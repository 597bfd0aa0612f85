package clients

import (
	"regexp"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// shellWord is one word of a command line: plain and quoted parts in a row.
const shellWord = `(?:'[^']*'|"(?:[^"\\]|\\.)*"|"[^"]*"|\\.|[^\s'"\\])+`

// hookLine is our command in a line of the shell, at an event: the program, and behind it our arguments.
type hookLine struct {
	program  string // without quotes
	from, to int    // where it stands in the line, quotes and all
	end      int    // of the event's name; settings stand behind it
}

// ourLine finds in a command line the program that is given our arguments for the event, whoever's that program is.
func (h Client) ourLine(line, system, event string) (hookLine, bool) {
	pattern := regexp.MustCompile(`(?:^|\s)(` + shellWord + `)\s+hook ` + regexp.QuoteMeta(h.ID) + " (" +
		regexp.QuoteMeta(event) + `)(?:\s|$)`)
	at := pattern.FindStringSubmatchIndex(line)
	if at == nil {
		return hookLine{}, false
	}
	return hookLine{unquote(system, line[at[2]:at[3]]), at[2], at[3], at[5]}, true
}

// command is the line that a host gives to the system's shell at an event.
func (h Client) command(system string, o Options, event string) string {
	words := append([]string{slashed(system, o.Program), "hook", h.ID, event}, o.Flags...)
	for i, w := range words {
		words[i] = quote(system, w)
	}
	return strings.Join(words, " ")
}

// moved is our command line as it has to be now: what a person put around it stays, and so does every setting that is
// not given anew.
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

// withSettings puts settings ("--db=/x") into what stands behind a command: each in the place of the one of its name,
// else behind the last argument. It is false where the shell itself could not read the line.
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
		for _, a := range slices.Backward(args) { // from behind, so that the places before stay right
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

// argument is a word of a command as it stands in a line.
type argument struct {
	from, to int
	text     string // without quotes
}

// arguments gives the words up to the end of a command: up to a pipe, another command or a comment. What is read from
// files or written to them is none of them. It is false where a quote has no end.
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

// wordEnd gives the end of the word that begins at i; false where something that is opened in it is not closed.
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

// closing gives the length of what a quote or "$(" opens at the beginning of s, up to and with its end; 0 where it has
// none.
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

// quote writes a word for the shell: of Unix, or on Windows for Git's bash, cmd and, where nothing has to be quoted,
// PowerShell, as far as sayable allows it.
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

// unquote gives the word that the shell makes of one that is written with quotes.
func unquote(system, word string) string {
	var b strings.Builder
	var in byte // the quote that is open
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

// slashed is a path as it stands in a line: with slashes on Windows, which all of its shells take, and bash
// does not eat.
func slashed(system, program string) string {
	if system == "windows" {
		return strings.ReplaceAll(program, `\`, "/")
	}
	return program
}

// sayable refuses words that the shells of Windows would each read in another way, since nobody knows which of them a
// host uses.
func (h Client) sayable(system string, o Options) error {
	if system != "windows" || h.Hooks == nil || !o.Hooks {
		return nil
	}
	for _, word := range append([]string{slashed(system, o.Program)}, o.Flags...) {
		odd := strings.ContainsAny(word, "\"$`\r\n") || strings.Contains(word, `\\`) || strings.HasSuffix(word, `\`)
		if !odd {
			continue
		}
		hint := "Give memory-graph a path without it, or leave the hooks out with --no-hooks."
		if strings.HasPrefix(word, "--") {
			hint = "Write that setting into config.toml instead, or leave the hooks out with --no-hooks."
		}
		return memory.Errorf(memory.InvalidArgument,
			"%s cannot stand in a hook's command line: the shells of Windows do not agree about \", $, `, line ends and \\ in "+
				"a row or at the end.", word).
			WithHint("%s", hint)
	}
	return nil
}
