package mentions

import (
	"strings"
	"unicode/utf8"
)

// maxShapeBytes is the length of the longest piece that is read, between white space. Longer pieces are data, not
// names.
const maxShapeBytes = 200

// findShapes returns names that are recognised by their spelling: files, variables, tickets, handles, packages,
// addresses, code in backticks and [[links]].
func findShapes(text string, tokens []token) []span {
	var spans []span
	for i := 0; i < len(tokens); {
		t := tokens[i]
		if text[t.start] == '`' && !t.code {
			if s, ok := quotedCode(text, t.start); ok {
				spans = append(spans, s)
				i = after(tokens, i, s.to)
				continue
			}
		}
		if text[t.start] == '[' && !t.code {
			if s, ok := link(text, t.start); ok {
				spans = append(spans, s)
				i = after(tokens, i, s.to)
				continue
			}
		}
		j := i + 1
		for j < len(tokens) && tokens[j].gap == glued && text[tokens[j].start] != '`' {
			j++
		}
		if piece := tokens[i:j]; !t.code && j-i > 1 || strings.IndexByte(text[t.start:t.stop], '_') >= 0 && !t.code {
			if s, ok := shapeOf(text, piece[0].start, piece[len(piece)-1].stop); ok {
				spans = append(spans, s)
			}
		}
		i = j
	}
	return spans
}

// after returns the index of the first token from i that does not begin before the offset.
func after(tokens []token, i, offset int) int {
	for i < len(tokens) && tokens[i].start < offset {
		i++
	}
	return i
}

// quotedCode reads `code` in one line. A single word in backticks is a name.
func quotedCode(text string, start int) (span, bool) {
	n := strings.IndexAny(text[start+1:min(len(text), start+maxShapeBytes)], "`\n")
	if n < 1 || text[start+1+n] != '`' {
		return span{}, false
	}
	from, to := start, start+n+2
	s := span{from: from, to: to, kind: kindShape} // other code is not a name, and nothing in it is
	code := text[from+1 : to-1]
	name := strings.TrimSuffix(code, "()")
	if strings.ContainsAny(name, " \t\"'=<>|;,(){}") || strings.IndexFunc(name, letter) < 0 ||
		!strings.ContainsFunc(name[:1], opens) || len(name) < 2 {
		return s, true
	}
	typ := ""
	if inner, ok := shapeOf(text, from+1, from+1+len(name)); ok && inner.Start == from+1 &&
		inner.Stop == from+1+len(name) {
		typ = inner.Type
	}
	if typ == "" {
		typ = typeOf(name)
	}
	s = newSpan(text, from+1, from+1+len(name), kindShape, typ)
	s.from, s.to = from, to
	return s, true
}

func letter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= utf8.RuneSelf }
func opens(r rune) bool  { return letter(r) || r == '/' || r == '.' || r == '_' || r == '@' || r == '~' }

// link reads [[Target]] in one line, as notes and agents write it. Of [[target|label]] it returns the target.
func link(text string, start int) (span, bool) {
	if !strings.HasPrefix(text[start:], "[[") {
		return span{}, false
	}
	rest := text[start+2 : min(len(text), start+maxShapeBytes)]
	n := strings.Index(rest, "]]")
	if n < 1 || strings.ContainsAny(rest[:n], "[\n") {
		return span{}, false
	}
	name, _, _ := strings.Cut(rest[:n], "|")
	from, to := trim(text, start+2, start+2+len(name))
	if strings.IndexFunc(text[from:to], letter) < 0 {
		return span{}, false
	}
	s := newSpan(text, from, to, kindShape, typeOf(text[from:to]))
	s.from, s.to = start, start+2+n+2
	return s, true
}

// shapeOf judges one piece of text between white space.
func shapeOf(text string, start, stop int) (span, bool) {
	if stop-start > maxShapeBytes {
		return span{}, false
	}
	piece := strings.TrimLeft(text[start:stop], "([{<\"'*“‘«")
	start = stop - len(piece)
	piece = strings.TrimRight(piece, ")]}>\"'*”’»,.;:!?")
	piece = withoutLine(piece)
	stop = start + len(piece)
	if len(piece) < 2 {
		return span{}, false
	}
	found := func(typ string) (span, bool) { return newSpan(text, start, stop, kindShape, typ), true }
	switch {
	case strings.Contains(piece, "://"):
		return address(text, start, stop)
	case piece[0] == '@':
		if strings.ContainsRune(piece, '/') && wordOf(piece[1:], "-_./") {
			return found("technology") // a package with its scope
		}
		if len(piece) > 2 && wordOf(piece[1:], "-_.") && letter(rune(piece[1])) {
			s := newSpan(text, start+1, stop, kindShape, "person")
			s.from = start
			return s, true
		}
	case strings.ContainsRune(piece, '@'):
		if user, host, _ := strings.Cut(piece, "@"); wordOf(user, "-_.+") && wordOf(host, "-.") &&
			strings.ContainsRune(host, '.') {
			return found("person")
		}
	case isPath(piece):
		return found(fileType(piece))
	case strings.ContainsRune(piece, '/'):
		if host, _, _ := strings.Cut(piece, "/"); wordOf(piece, "-_./") && domain(host) {
			return found("technology") // a package by its address, such as github.com/someone/something
		}
	case isTicket(piece), isComponent(piece):
		return found("")
	case strings.ContainsRune(piece, '_') && wordOf(piece, "_") && letter(rune(piece[0])) &&
		strings.IndexByte(piece, '_') < len(piece)-1:
		if strings.ToUpper(piece) == piece {
			return found("config") // an environment variable
		}
		return found("")
	}
	return span{}, false
}

// withoutLine removes the position in a file: main.go:32 and main.go:32:5 become main.go.
func withoutLine(s string) string {
	for range 2 {
		i := strings.LastIndexByte(s, ':')
		if i < 1 || i == len(s)-1 || !onlyDigits(s[i+1:]) {
			break
		}
		s = s[:i]
	}
	return s
}

// address returns the host of a URL as a name. Its span covers the whole URL.
func address(text string, start, stop int) (span, bool) {
	i := strings.Index(text[start:stop], "://")
	from := start + i + len("://")
	host := text[from:stop]
	if n := strings.IndexAny(host, "/?#"); n >= 0 {
		host = host[:n]
	}
	if n := strings.LastIndexByte(host, '@'); n >= 0 {
		from, host = from+n+1, host[n+1:]
	}
	if strings.HasPrefix(host, "www.") {
		from, host = from+4, host[4:]
	}
	if n := strings.IndexByte(host, ':'); n >= 0 {
		host = host[:n]
	}
	s := span{from: start, to: stop, kind: kindHost}
	if wordOf(host, "-.") && domain(host) {
		s = newSpan(text, from, from+len(host), kindHost, "")
		s.from, s.to = start, stop
	}
	return s, true
}

// wordOf reports whether s consists only of ASCII letters, digits and the given signs.
func wordOf(s, signs string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(signs, c) >= 0) {
			return false
		}
	}
	return len(s) > 0
}

// domain reports whether s looks like a host name: a letter on both sides of a dot.
func domain(s string) bool {
	i := strings.LastIndexByte(s, '.')
	return i > 0 && i < len(s)-2 && letter(rune(s[i+1])) && strings.IndexFunc(s[:i], letter) >= 0
}

// isPath reports whether s is a file, by its extension, or a path, by its beginning or end.
func isPath(s string) bool {
	if !wordOf(strings.ReplaceAll(s, `\`, "/"), "-_./~+@:") || strings.Contains(s, "//") || strings.Contains(s, "...") {
		return false
	}
	if drive := len(s) > 3 && s[1:3] == `:\`; strings.ContainsRune(s, ':') && !drive ||
		strings.ContainsRune(s, '\\') && !drive && strings.Count(s, `\`) < 2 {
		return false
	}
	dirs := strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '\\' })
	if len(dirs) == 0 {
		return false
	}
	name := dirs[len(dirs)-1]
	if i := strings.LastIndexByte(name, '.'); i >= 0 && fileExtensions[strings.ToLower(name[i+1:])] {
		return i > 0 && technologies[lowered(name)] == "" || i == 0 && len(name) > 3
	}
	for _, start := range []string{"/", "./", "../", "~/"} {
		if strings.HasPrefix(s, start) {
			return len(dirs) > 1 && strings.IndexFunc(name, letter) >= 0
		}
	}
	slashes := strings.Count(s, "/")
	return len(dirs) > 1 && topDirectories[dirs[0]] || slashes >= 3 && !domain(dirs[0]) ||
		slashes == 1 && len(s) > 3 && strings.HasSuffix(s, "/") && letter(rune(s[0]))
}

// fileType returns "config" for a configuration file and "file" for any other, by the extension.
func fileType(path string) string {
	if i := strings.LastIndexByte(path, '.'); i >= 0 && configExtensions[strings.ToLower(path[i+1:])] {
		return "config"
	}
	return "file"
}

// isComponent reports whether s is the name of a program's component: api-gateway, billing-worker.
func isComponent(s string) bool {
	i := strings.LastIndexByte(s, '-')
	if i < 2 || !componentEndings[s[i+1:]] || !wordOf(s, "-") || s != strings.ToLower(s) {
		return false
	}
	first, _, _ := strings.Cut(s, "-")
	return !functionWords[first] && !onlyDigits(first)
}

// isTicket reports whether s is a key of an issue tracker: OPS-77.
func isTicket(s string) bool {
	project, number, ok := strings.Cut(s, "-")
	if !ok || len(project) < 2 || len(project) > 10 || len(number) > 7 || !onlyDigits(number) || number == "" {
		return false
	}
	for i := 0; i < len(project); i++ {
		if c := project[i]; !('A' <= c && c <= 'Z' || i > 0 && '0' <= c && c <= '9') {
			return false
		}
	}
	return true
}
