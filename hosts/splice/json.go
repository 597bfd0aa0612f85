package splice

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// place is where hujson says that something is wrong.
var place = regexp.MustCompile(`^hujson: line (\d+), column (\d+): `)

// parseJSON reads a file whose root has to be an object. A file of white space and comments only has nothing in it: then the
// body that comes back ends with an empty object.
func parseJSON(body []byte) (hujson.Value, []byte, error) {
	if !utf8.Valid(body) {
		at := 0
		for at < len(body) {
			r, n := utf8.DecodeRune(body[at:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		line, column := position(body, at)
		return hujson.Value{}, nil, &Error{line, column, "it is not UTF-8"}
	}
	v, err := hujson.Parse(body)
	if err != nil {
		if whole, again := hujson.Parse(append(bytes.Clone(body), '\n')); again == nil { // a comment ends at the end of the file
			v, err = whole, nil
		}
	}
	if err != nil {
		nl := lineEnd(body)
		open := bytes.Clone(body)
		if len(open) > 0 && !bytes.HasSuffix(open, []byte("\n")) {
			open = append(open, nl...)
		}
		open = append(open, "{}"+nl...)
		if v, again := hujson.Parse(open); again == nil && v.StartOffset == len(open)-len(nl)-2 {
			return v, open, nil
		}
		return v, nil, jsonError(err)
	}
	if v.Value.Kind() != '{' {
		line, column := position(body, v.StartOffset)
		return v, nil, &Error{line, column, "it has to begin with {, since it holds settings"}
	}
	return v, body, nil
}

func jsonError(err error) error {
	text := err.Error()
	e := &Error{Why: strings.TrimPrefix(text, "hujson: ")}
	if m := place.FindStringSubmatch(text); m != nil {
		e.Line, _ = strconv.Atoi(m[1])   // digits
		e.Column, _ = strconv.Atoi(m[2]) // digits
		e.Why = text[len(m[0]):]
	}
	if strings.HasSuffix(e.Why, io.ErrUnexpectedEOF.Error()) {
		e.Why = strings.TrimSuffix(e.Why, io.ErrUnexpectedEOF.Error()) + "the file ends too early"
	}
	return e
}

func readJSON(body []byte) (Object, error) {
	v, _, err := parseJSON(body)
	if err != nil {
		return nil, err
	}
	o, _ := fromJSON(v).(Object)
	return o, nil
}

// fromJSON gives what a value holds.
func fromJSON(v hujson.Value) any {
	switch t := v.Value.(type) {
	case *hujson.Object:
		o := make(Object, 0, len(t.Members))
		for _, m := range t.Members {
			o = append(o, Member{literal(m.Name), fromJSON(m.Value)})
		}
		return o
	case *hujson.Array:
		list := make([]any, 0, len(t.Elements))
		for _, e := range t.Elements {
			list = append(list, fromJSON(e))
		}
		return list
	case hujson.Literal:
		switch t.Kind() {
		case '"':
			return t.String()
		case 't', 'f':
			return t.Bool()
		case '0':
			return Number(t)
		}
	}
	return nil
}

func literal(v hujson.Value) string {
	l, _ := v.Value.(hujson.Literal)
	return l.String()
}

// items are the parts of an object or a list, as a splice sees them.
type item struct {
	start int           // of the name, or of an element
	value *hujson.Value // whose end is the item's end
	name  string
}

func items(v *hujson.Value) []item {
	var list []item
	switch t := v.Value.(type) {
	case *hujson.Object:
		for i := range t.Members {
			list = append(list, item{t.Members[i].Name.StartOffset, &t.Members[i].Value, literal(t.Members[i].Name)})
		}
	case *hujson.Array:
		for i := range t.Elements {
			list = append(list, item{t.Elements[i].StartOffset, &t.Elements[i], strconv.Itoa(i)})
		}
	}
	return list
}

// locate walks down a path as far as it is there. It gives the last value and what of the path is left. A name that an
// object on the way has twice is an error: hosts do not agree which of the two counts.
func locate(body []byte, root *hujson.Value, path []string) (at *hujson.Value, rest []string, err error) {
	at = root
	for i, name := range path {
		var found *hujson.Value
		for _, it := range items(at) {
			if it.name != name {
				continue
			}
			if found != nil {
				line, column := position(body, it.start)
				return nil, nil, &Error{line, column, fmt.Sprintf("%q is there twice in one object", name)}
			}
			found = it.value
		}
		if found == nil {
			return at, path[i:], nil
		}
		at = found
	}
	return at, nil, nil
}

func setJSON(body []byte, path []string, v any) ([]byte, error) {
	root, body, err := parseJSON(body)
	if err != nil {
		return nil, err
	}
	at, rest, err := locate(body, &root, path)
	if err != nil {
		return nil, err
	}
	if len(rest) == 0 {
		style := styleOf(body, at)
		return apply(body, cut{at.StartOffset, at.EndOffset, style.render(v, lineIndent(body, at.StartOffset))}), nil
	}
	if at.Value.Kind() != '{' {
		return nil, noPlace(body, at, path[:len(path)-len(rest)], "an object")
	}
	return insert(body, at, &rest[0], nest(rest[1:], v)), nil
}

func appendJSON(body []byte, path []string, v any) ([]byte, error) {
	root, parsed, err := parseJSON(body)
	if err != nil {
		return nil, err
	}
	at, rest, err := locate(parsed, &root, path)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		return setJSON(body, path, []any{v})
	}
	if at.Value.Kind() != '[' {
		return nil, noPlace(parsed, at, path, "a list")
	}
	return insert(parsed, at, nil, v), nil
}

func noPlace(body []byte, at *hujson.Value, path []string, want string) error {
	line, column := position(body, at.StartOffset)
	return &Error{line, column, fmt.Sprintf("%s has to be %s", quoteDotted(path), want)}
}

// insert puts a value at the end of an object, under a name, or of a list.
func insert(body []byte, into *hujson.Value, name *string, v any) []byte {
	style := styleOf(body, into)
	own := lineIndent(body, into.StartOffset)
	list := items(into)
	from, to := into.StartOffset+1, into.EndOffset-1 // between the braces
	indent := own + style.unit
	var cuts []cut
	comma := ""
	if n := len(list); n > 0 {
		last := list[n-1]
		if start := last.start; isBlank(body[lineStart(body, start):start]) {
			indent = lineIndent(body, start)
		}
		from = last.value.EndOffset
		if last.value.AfterExtra != nil { // there is a comma already, and there shall be one
			from += len(last.value.AfterExtra) + 1
			comma = ","
		} else {
			cuts = append(cuts, cut{from, from, ","})
		}
	}
	text := style.render(v, indent)
	if name != nil {
		text = quoteJSON(*name) + ":" + style.space + text
	}
	text += comma
	rest := body[from:to]
	kept := len(bytes.TrimRight(rest, " \t\r\n")) // comments
	switch {
	case !style.lines && len(list) == 0 && kept == 0:
		cuts = append(cuts, cut{from, to, text})
	case !style.lines:
		cuts = append(cuts, cut{from + kept, from + kept, style.space + text})
	case kept == 0 && len(list) == 0:
		cuts = append(cuts, cut{from, to, style.nl + indent + text + style.nl + own})
	default:
		end := ""
		if !bytes.Contains(rest[kept:], []byte("\n")) {
			end = style.nl + own
		}
		at := from + kept
		if end != "" {
			cuts = append(cuts, cut{at, to, style.nl + indent + text + end})
		} else {
			cuts = append(cuts, cut{at, at, style.nl + indent + text})
		}
	}
	return apply(body, cuts...)
}

// removeJSON takes an item away with its comma and, where it stands on lines of its own, these lines. Comments stay.
func removeJSON(body []byte, path []string) ([]byte, error) {
	root, body, err := parseJSON(body)
	if err != nil {
		return nil, err
	}
	if _, rest, err := locate(body, &root, path); err != nil || len(rest) > 0 {
		return body, err
	}
	at, _, _ := locate(body, &root, path[:len(path)-1]) // it has just been there
	list := items(at)
	i := 0
	for list[i].name != path[len(path)-1] {
		i++
	}
	it := list[i]
	var cuts []cut
	end := it.value.EndOffset
	comma := end + len(it.value.AfterExtra) // where its comma is, if it has one
	switch {
	case i < len(list)-1 || it.value.AfterExtra != nil:
		if isBlank(body[end:comma]) {
			end = comma + 1
		} else {
			cuts = append(cuts, cut{comma, comma + 1, ""})
		}
	case i > 0: // the last one, without a comma: then the one before loses its comma
		before := list[i-1].value
		at := before.EndOffset + len(before.AfterExtra)
		cuts = append(cuts, cut{at, at + 1, ""})
	}
	start := it.start
	if from := lineStart(body, start); isBlank(body[from:start]) && from > at.StartOffset {
		start = from - 1 // the end of the line before
		if start > 0 && body[start-1] == '\r' {
			start--
		}
		if stop := bytes.IndexByte(body[end:], '\n'); stop >= 0 && !isBlank(body[end:end+stop]) && !bytes.HasPrefix(bytes.TrimLeft(body[end:], " \t"), []byte("//")) {
			start = it.start // others share the line
		}
	} else if i > 0 {
		for start > 0 && (body[start-1] == ' ' || body[start-1] == '\t') {
			start--
		}
	} else {
		for end < len(body) && (body[end] == ' ' || body[end] == '\t') {
			end++
		}
	}
	out := apply(body, append(cuts, cut{start, end, ""})...)
	if len(list) > 1 {
		return out, nil
	}
	// nothing is left between the braces: white space goes too
	if root, out, err = parseJSON(out); err != nil {
		return nil, err
	}
	if left, rest, err := locate(out, &root, path[:len(path)-1]); err == nil && len(rest) == 0 && isBlank(out[left.StartOffset+1:left.EndOffset-1]) {
		out = apply(out, cut{left.StartOffset + 1, left.EndOffset - 1, ""})
	}
	return out, nil
}
