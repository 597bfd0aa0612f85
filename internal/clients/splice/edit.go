package splice

import (
	"bytes"
	"fmt"

	"github.com/tailscale/hujson"
)

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
	return &Error{line, column, fmt.Sprintf("%s must be %s", quoteDotted(path), want)}
}

// insert adds a value at the end of an object, under a name, or of a list.
func insert(body []byte, into *hujson.Value, name *string, v any) []byte {
	style := styleOf(body, into)
	own := lineIndent(body, into.StartOffset)
	list := items(into)
	from, to := into.StartOffset+1, into.EndOffset-1 // inside the braces
	indent := own + style.unit
	var cuts []cut
	comma := ""
	if n := len(list); n > 0 {
		last := list[n-1]
		if start := last.start; isBlank(body[lineStart(body, start):start]) {
			indent = lineIndent(body, start)
		}
		from = last.value.EndOffset
		if last.value.AfterExtra != nil { // the last item has a trailing comma: keep that style
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
	kept := len(bytes.TrimRight(rest, " \t\r\n")) // ignoring trailing white space; comments stay
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

// removeJSON removes an item with its comma, and its lines if it has lines of its own. Comments stay.
func removeJSON(body []byte, path []string) ([]byte, error) {
	root, body, err := parseJSON(body)
	if err != nil {
		return nil, err
	}
	if _, rest, err := locate(body, &root, path); err != nil || len(rest) > 0 {
		return body, err
	}
	at, _, _ := locate(body, &root, path[:len(path)-1]) // it was found above
	list := items(at)
	i := 0
	for list[i].name != path[len(path)-1] {
		i++
	}
	it := list[i]
	var cuts []cut
	end := it.value.EndOffset
	comma := end + len(it.value.AfterExtra) // position of its comma, if any
	switch {
	case i < len(list)-1 || it.value.AfterExtra != nil:
		if isBlank(body[end:comma]) {
			end = comma + 1
		} else {
			cuts = append(cuts, cut{comma, comma + 1, ""})
		}
	case i > 0: // the last one without a comma: remove the comma before it
		before := list[i-1].value
		at := before.EndOffset + len(before.AfterExtra)
		cuts = append(cuts, cut{at, at + 1, ""})
	}
	start := it.start
	if from := lineStart(body, start); isBlank(body[from:start]) && from > at.StartOffset {
		start = from - 1 // the end of the previous line
		if start > 0 && body[start-1] == '\r' {
			start--
		}
		if stop := bytes.IndexByte(body[end:], '\n'); stop >= 0 && !isBlank(body[end:end+stop]) &&
			!bytes.HasPrefix(bytes.TrimLeft(body[end:], " \t"), []byte("//")) {
			start = it.start // other items share the line
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
	// Remove the white space left between the braces.
	if root, out, err = parseJSON(out); err != nil {
		return nil, err
	}
	if left, rest, err := locate(out, &root, path[:len(path)-1]); err == nil && len(rest) == 0 &&
		isBlank(out[left.StartOffset+1:left.EndOffset-1]) {
		out = apply(out, cut{left.StartOffset + 1, left.EndOffset - 1, ""})
	}
	return out, nil
}
