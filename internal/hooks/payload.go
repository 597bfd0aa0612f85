package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// payload is the members of a JSON object, as they came.
type payload map[string]json.RawMessage

// readPayload takes the members of an object one by one, so that those before a cut or a broken place are had. The
// error says what is wrong with the rest.
func readPayload(data []byte) (payload, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // PowerShell puts it before what it pipes
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
		key, _ := name.(string) // the decoder takes nothing else for a name
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

// longText is what no id and no path is, in bytes: half of one of those would name another.
const longText = 4 << 10

// cutString gives the long string behind a name whose end was cut off, as far as it goes.
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

// first gives the first of the named members that has a text.
func (p payload) first(names []string) string {
	for _, name := range names {
		if s := p.text(name); s != "" {
			return s
		}
	}
	return ""
}

// raw gives the first of the named members that is there and not null.
func (p payload) raw(names ...string) json.RawMessage {
	for _, name := range names {
		if v := p[name]; len(v) > 0 && !bytes.Equal(v, []byte("null")) {
			return v
		}
	}
	return nil
}

// text gives what a member says: a string, or the strings and text blocks of a list, as newer forms of a payload may
// have them in a string's place. Bytes that no text has are taken out.
func (p payload) text(name string) string { return textOf(p[name], 4) }

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
		if json.Unmarshal(raw, &block) != nil || block.Type != "" && block.Type != "text" {
			return ""
		}
		return textOf(block.Text, depth-1)
	}
	return ""
}

// clean takes out what a turn cannot have: NUL bytes. encoding/json has made the rest UTF-8.
func clean(s string) string { return strings.ReplaceAll(s, "\x00", "") }
