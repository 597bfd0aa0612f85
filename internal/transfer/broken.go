package transfer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// errNull reports null in place of an object.
var errNull = errors.New("it is null, not an object")

// WhyBroken describes a JSON error for users: the field, the kind of its value and the expected kind, without Go types.
func WhyBroken(err error) string {
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typed):
		what, _, _ := strings.Cut(typed.Value, " ") // "number 1.5"
		field := typed.Field
		if field == "" {
			field = "it"
		}
		return fmt.Sprintf("%s is %s, not %s", field, kindWords[what], wanted(typed.Type))
	case errors.Is(err, errNull):
		return err.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), err.Error() == "unexpected end of JSON input":
		return "broken JSON: it is cut off"
	}
	if strings.HasSuffix(err.Error(), "exceeded max depth") { // encoding/json has no error value for this
		return "it is nested too deep"
	}
	return "broken JSON: " + strings.TrimPrefix(err.Error(), "json: ")
}

// kindWords names the kinds of JSON values.
var kindWords = map[string]string{"number": "a number", "string": "a text", "bool": "true or false", "array": "a list",
	"object": "an object"}

// wanted names the JSON kind for a Go type.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return kindWords["string"]
	case reflect.Bool:
		return kindWords["bool"]
	case reflect.Slice, reflect.Array:
		return kindWords["array"]
	case reflect.Map, reflect.Struct:
		return kindWords["object"]
	case reflect.Pointer:
		return wanted(t.Elem())
	}
	return kindWords["number"]
}

// mend repairs a value that was cut off. It keeps the complete parts down to a depth, where 1 is the fields of an
// object. ok is false if there are none.
func mend(raw []byte, depth int) (whole []byte, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var open []byte // the closing delimiters of the open objects and lists
	var key []bool  // for each, whether a key comes next
	cut, closing := 0, ""
	for {
		token, err := dec.Token()
		if err != nil {
			break
		}
		at := int(dec.InputOffset())
		switch token {
		case json.Delim('{'), json.Delim('['):
			closer := byte(']')
			if token == json.Delim('{') {
				closer = '}'
			}
			open, key = append(open, closer), append(key, closer == '}')
			continue
		case json.Delim('}'), json.Delim(']'):
			open, key = open[:len(open)-1], key[:len(key)-1]
		default:
			if n := len(key); n > 0 && key[n-1] {
				key[n-1] = false
				continue
			}
			if _, number := token.(json.Number); number && at == len(raw) {
				continue // more digits may have followed
			}
		}
		if n := len(key); n > 0 {
			key[n-1] = open[n-1] == '}'
		}
		if len(open) == 0 {
			return raw[:at], true
		}
		if len(open) <= depth {
			cut, closing = at, string(open)
		}
	}
	if cut == 0 {
		return nil, false
	}
	whole = append(whole, raw[:cut]...)
	for i := len(closing) - 1; i >= 0; i-- {
		whole = append(whole, closing[i])
	}
	return whole, json.Valid(whole)
}
