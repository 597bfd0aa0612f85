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

// place matches the position in hujson's errors.
var place = regexp.MustCompile(`^hujson: line (\d+), column (\d+): `)

// parseJSON parses a file whose root must be an object. If the file has only white space and comments, it returns the
// body with an empty object appended.
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
		// A comment may end at the end of the file, without a newline.
		if whole, again := hujson.Parse(append(bytes.Clone(body), '\n')); again == nil {
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
		return v, nil, &Error{line, column, "it must begin with {"}
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

// fromJSON converts a parsed value.
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

// item is a member of an object or an element of a list.
type item struct {
	start int           // start of the name or of the element
	value *hujson.Value // the item ends with the value
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

// locate follows a path as far as it exists. It returns the last value and the rest of the path. A duplicate name in an
// object on the way is an error: hosts disagree about which one counts.
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
				return nil, nil, &Error{line, column, fmt.Sprintf("%q occurs twice in one object", name)}
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
