package llm

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// decode reads text as exactly one JSON value. Numbers keep their spelling. Duplicate members, more than one value, and
// values nested too deep are errors, because a lenient decoder would silently drop a part of such an answer.
func decode(text string) (any, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("it is not UTF-8")
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := value(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is text after the JSON")
	}
	return v, nil
}

// value reads the next value of any type.
func value(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, noJSON(err)
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if depth > 2*maxDepth {
		return nil, errors.New("it is nested too deep")
	}
	if delim == '[' {
		items := []any{}
		for d.More() {
			v, err := value(d, depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, v)
		}
		_, err := d.Token()
		return items, noJSON(err)
	}
	members := map[string]any{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, noJSON(err)
		}
		name, ok := t.(string)
		if !ok {
			return nil, errors.New("it is not JSON")
		}
		if _, twice := members[name]; twice {
			return nil, errors.New("an object has a duplicate property")
		}
		v, err := value(d, depth+1)
		if err != nil {
			return nil, err
		}
		members[name] = v
	}
	_, err = d.Token()
	return members, noJSON(err)
}

// noJSON replaces an error of the decoder by one that does not quote the text.
func noJSON(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the JSON is incomplete")
	}
	return errors.New("it is not JSON")
}

// read checks a content against the form and decodes it into target, a pointer to the form's struct.
func (f *form) read(content string, target any) error {
	v, err := decode(content)
	if err != nil {
		return err
	}
	if err := fits(f.schema, v, "the answer"); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(content), target); err != nil {
		return errors.New("a number is out of range") // everything else is checked already
	}
	return nil
}

const fence = "```"

// unwrap returns the JSON object in a free-text answer: after a block of thoughts, in the only fenced block, or from
// the first to the last brace. The text around it must not hold another object. unwrap does not check the JSON; read
// does.
func unwrap(text string) (string, error) {
	text = strings.TrimSpace(text)
	for _, tag := range []string{"think", "thinking", "reasoning"} {
		if rest, ok := strings.CutPrefix(text, "<"+tag+">"); ok {
			_, after, closed := strings.Cut(rest, "</"+tag+">")
			if !closed {
				return "", errors.New("its block of thoughts is not closed")
			}
			text = strings.TrimSpace(after)
		}
	}
	if before, rest, ok := strings.Cut(text, fence); ok && !strings.Contains(before, "{") {
		inside, after, closed := strings.Cut(rest, fence)
		if !closed {
			return "", errors.New("its code block is not closed")
		}
		if strings.Contains(after, fence) || strings.Contains(after, "{") {
			return "", errors.New("it has more than one object")
		}
		// The rest of the line after the fence is the name of a language.
		if line, body, ok := strings.Cut(inside, "\n"); ok && !strings.ContainsAny(line, "{[") {
			inside = body
		}
		return strings.TrimSpace(inside), nil
	}
	start := strings.IndexByte(text, '{')
	if start < 0 {
		return "", errors.New("it has no JSON object")
	}
	if strings.HasPrefix(text, "[") {
		return "", errors.New("it is an array, not an object")
	}
	stop := strings.LastIndexByte(text, '}')
	if stop < start {
		return "", errors.New("the JSON is incomplete")
	}
	return text[start : stop+1], nil
}
