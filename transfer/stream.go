package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"memory-graph/memory"
)

// tracked counts the lines of a stream, so that a place in it can be told by its line. It refuses an element that is larger
// than maxElement.
type tracked struct {
	r     io.Reader
	read  int64   // bytes that were read
	ends  []int64 // where the lines end that were read and not asked about yet
	lines int     // those before
	from  int64   // where the element begins that is being read
}

var errElement = errors.New("it is larger than 256 MiB")

func (t *tracked) Read(p []byte) (int, error) {
	if t.read-t.from > maxElement {
		return 0, errElement
	}
	n, err := t.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			t.ends = append(t.ends, t.read+int64(i))
		}
	}
	t.read += int64(n)
	return n, err
}

// line gives the number of the line in which a byte lies. It must not go back.
func (t *tracked) line(offset int64) int {
	passed := 0
	for passed < len(t.ends) && t.ends[passed] < offset {
		passed++
	}
	t.lines += passed
	t.ends = slices.Delete(t.ends, 0, passed)
	return t.lines + 1
}

// elementReader takes one element of a list.
type elementReader func(line int, raw json.RawMessage, to Sink) error

// lists are the fields of an outer object whose elements are read.
var lists = []string{"conversations", "memories", "results", "items", "data"}

// readElements reads a list of objects, one after the other: the whole file, a field of the object that it is, or objects
// that follow each other.
func readElements(ctx context.Context, r io.Reader, to Sink, element elementReader) error {
	t := &tracked{r: r}
	dec := json.NewDecoder(t)
	cut := func(err error) error {
		if err == nil || err == io.EOF {
			return nil
		}
		var e *memory.Error
		if errors.As(err, &e) || errors.Is(err, context.Canceled) {
			return err
		}
		line := t.line(dec.InputOffset())
		to.Problem(line, whyBroken(err)+"; nothing behind it can be read")
		return nil
	}
	for {
		first, err := dec.Token()
		if err != nil {
			return cut(err)
		}
		switch first {
		case json.Delim('['):
			err = eachElement(ctx, dec, t, to, element)
		case json.Delim('{'):
			err = eachField(ctx, dec, t, to, element)
		default:
			to.Problem(t.line(dec.InputOffset()), fmt.Sprintf("%v is neither a list nor an object", first))
		}
		if err != nil {
			return cut(err)
		}
	}
}

// eachElement reads the elements of a list whose bracket was read, and the bracket behind.
func eachElement(ctx context.Context, dec *json.Decoder, t *tracked, to Sink, element elementReader) error {
	for dec.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.from = dec.InputOffset()
		var raw json.RawMessage
		err := dec.Decode(&raw)
		line := t.line(dec.InputOffset() - int64(len(raw)))
		if err != nil {
			return err
		}
		if err := element(line, raw, to); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

// eachField reads an object whose brace was read: the elements of the lists in it, or itself as an element where it has none.
func eachField(ctx context.Context, dec *json.Decoder, t *tracked, to Sink, element elementReader) error {
	line := t.line(dec.InputOffset())
	own := map[string]json.RawMessage{}
	list := false
	for dec.More() {
		t.from = dec.InputOffset()
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if slices.Contains(lists, name) {
			open, err := dec.Token()
			if err != nil {
				return err
			}
			if open == json.Delim('[') {
				list = true
				if err := eachElement(ctx, dec, t, to, element); err != nil {
					return err
				}
				continue
			}
			if _, isDelim := open.(json.Delim); isDelim {
				return fmt.Errorf("%s is no list", name)
			}
			continue
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		own[name] = raw
	}
	if _, err := dec.Token(); err != nil || list {
		return err
	}
	raw, err := json.Marshal(own)
	if err != nil {
		return err
	}
	return element(line, raw, to)
}
