package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// payload holds the raw members of a JSON object.
type payload map[string]json.RawMessage

// readPayload reads the members of an object one by one, so it keeps those before a cut or invalid place. The error
// describes the problem with the rest.
func readPayload(data []byte) (payload, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // PowerShell prepends it to piped text
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("the payload is empty")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	open, err := d.Token()
	if err != nil {
		return nil, broken(err, d.InputOffset())
	}
	if open != json.Delim('{') {
		return nil, errors.New("the payload is not a JSON object")
	}
	p := payload{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return p, broken(err, d.InputOffset())
		}
		key, _ := name.(string) // the decoder accepts only strings as names
		at := d.InputOffset()
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			if s, ok := cutString(data[at:]); ok {
				p[key] = s
			}
			return p, broken(err, d.InputOffset())
		}
		p[key] = value
	}
	if _, err := d.Token(); err != nil {
		return p, broken(err, d.InputOffset())
	}
	return p, nil
}

// longText is the minimum length in bytes of a cut value that is kept. Ids and paths are shorter, and a part of one
// would name something else.
const longText = 4 << 10

// cutString returns the beginning of a long string whose end was cut off.
func cutString(rest []byte) (json.RawMessage, bool) {
	rest = bytes.TrimLeft(rest, ": \t\r\n")
	if len(rest) < longText || rest[0] != '"' {
		return nil, false
	}
	for range len(`\u0000`) { // an escape may have been cut
		if s := append(bytes.ToValidUTF8(rest, nil), '"'); json.Valid(s) {
			return s, true
		}
		rest = rest[:len(rest)-1]
	}
	return nil, false
}

func broken(err error, at int64) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the payload is cut off at byte %d", at)
	}
	return fmt.Errorf("the payload is not JSON from byte %d on: %w", at, err)
}

// with returns the payload with the members of one of its objects; its own members come first. name may be "".
func (p payload) with(name string) payload {
	var inner payload
	if name == "" || json.Unmarshal(p[name], &inner) != nil || inner == nil {
		return p
	}
	maps.Copy(inner, p)
	return inner
}

// first returns the text of the first named member that has one.
func (p payload) first(names []string) string {
	for _, name := range names {
		if s := p.text(name); s != "" {
			return s
		}
	}
	return ""
}

// raw returns the first named member that is present and not null.
func (p payload) raw(names ...string) json.RawMessage {
	for _, name := range names {
		if v := p[name]; len(v) > 0 && !bytes.Equal(v, []byte("null")) {
			return v
		}
	}
	return nil
}

// text returns the text of a member: a string, or the joined strings and text blocks of a list, which newer payloads
// may have. It removes NUL bytes.
func (p payload) text(name string) string { return textOf(p[name], 4) }

// textBlocks are the types of blocks that have a text.
var textBlocks = []string{"", "text", "input_text", "output_text"}

func textOf(raw json.RawMessage, depth int) string {
	if len(raw) == 0 || depth == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return ""
		}
		return clean(s)
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return ""
		}
		var parts []string
		for _, item := range list {
			if s := textOf(item, depth-1); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, "\n")
	case '{':
		var block struct {
			Type string          `json:"type"`
			Text json.RawMessage `json:"text"`
		}
		if json.Unmarshal(raw, &block) != nil || !slices.Contains(textBlocks, block.Type) {
			return ""
		}
		return textOf(block.Text, depth-1)
	}
	return ""
}

// clean removes NUL bytes, which a turn cannot contain. encoding/json has already ensured valid UTF-8.
func clean(s string) string { return strings.ReplaceAll(s, "\x00", "") }
