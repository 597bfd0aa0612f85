package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// tracked counts the lines of a stream, so messages can name the line. It rejects an element larger than maxElement. It
// replaces values nested deeper than maxDepth by 0, so the rest of the stream stays readable.
type tracked struct {
	r     io.Reader
	read  int64   // bytes read so far
	ends  []int64 // offsets of the line ends that line has not counted yet
	lines int     // line ends that line has counted
	from  int64   // offset of the current element

	depth           int
	inText, escaped bool
	deep            []int64 // offsets of values nested too deep, one per element, or per field of an element
	noted           bool
}

// maxDepth is the maximal nesting of values, in levels.
const maxDepth = 200

var (
	errElement = fmt.Errorf("it is larger than the %d MiB that one conversation or memory may have", maxElement>>20)
	tooDeep    = fmt.Sprintf("it is nested deeper than %d levels: left out", maxDepth)
)

func (t *tracked) Read(p []byte) (int, error) {
	if t.read-t.from > maxElement {
		return 0, errElement
	}
	n, err := t.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			t.ends = append(t.ends, t.read+int64(i))
		}
		p[i] = t.flat(b, t.read+int64(i))
	}
	t.read += int64(n)
	return n, err
}

// flat returns the replacement of a byte.
func (t *tracked) flat(b byte, at int64) byte {
	was := t.depth
	switch {
	case t.escaped:
		t.escaped = false
	case t.inText:
		t.inText, t.escaped = b != '"', b == '\\'
	case b == '"':
		t.inText = true
	case b == '{', b == '[':
		if t.depth++; t.depth == maxDepth+1 {
			if !t.noted {
				t.deep, t.noted = append(t.deep, at), true
			}
			return '0'
		}
	case b == '}', b == ']':
		t.depth = max(0, t.depth-1)
		t.noted = t.noted && t.depth > messageDepth
	}
	if was > maxDepth && b != '\n' {
		return ' '
	}
	return b
}

// deepIn reports whether a part of the stream has a value nested too deep. from must not decrease between calls.
func (t *tracked) deepIn(from, to int64) bool {
	for len(t.deep) > 0 && t.deep[0] < from {
		t.deep = t.deep[1:]
	}
	return len(t.deep) > 0 && t.deep[0] < to
}

// line returns the number of the line of an offset, from 1. offset must not decrease between calls.
func (t *tracked) line(offset int64) int {
	passed := 0
	for passed < len(t.ends) && t.ends[passed] < offset {
		passed++
	}
	t.lines += passed
	t.ends = slices.Delete(t.ends, 0, passed)
	return t.lines + 1
}

// refused is an error of the sink, as opposed to an error of the file.
type refused struct{ error }

// refusing marks an error of the sink.
func refusing(err error) error {
	if err != nil {
		return refused{err}
	}
	return nil
}

// ofText reports whether the content is invalid, too large or cut off, as opposed to a failed read.
func ofText(err error) bool {
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &typed) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, errElement)
}

// elementReader passes one element of a list to the sink. It returns the sink's error.
type elementReader func(line int, raw json.RawMessage, to Sink) error

// elements says how to read the elements of a file.
type elements struct {
	each elementReader
	// readers for lists with other elements in an outer object, by the list's name
	named map[string]elementReader
	mend  bool // import the complete parts of an element that was cut off
	// gets the other fields of an outer object that has lists; may be nil
	rest func(own map[string]json.RawMessage)
}

// lists are the fields of an outer object that contain elements.
var lists = []string{"conversations", "memories", "results", "items", "data"}

// readElements reads a list of objects one by one. The list is the whole file, a field of an outer object, or a
// sequence of objects.
func readElements(ctx context.Context, r io.Reader, to Sink, of elements) error {
	t := &tracked{r: r}
	dec := json.NewDecoder(t)
	cut := func(err error) error {
		var taking refused
		switch {
		case err == nil, err == io.EOF:
			return nil
		case errors.As(err, &taking):
			return taking.error
		case ofText(err):
			to.Problem(t.line(dec.InputOffset()), WhyBroken(err)+"; nothing after it can be read")
			return nil
		}
		return broken(err)
	}
	for {
		first, err := dec.Token()
		if err != nil {
			return cut(err)
		}
		switch first {
		case json.Delim('['):
			err = of.list(ctx, dec, t, to, of.each)
		case json.Delim('{'):
			err = of.object(ctx, dec, t, to)
		default:
			to.Problem(t.line(dec.InputOffset()), fmt.Sprintf("%v is neither a list nor an object", first))
		}
		if err == io.EOF { // a list or an object is still open
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return cut(err)
		}
	}
}

// list reads the elements of a list and its closing bracket. The opening bracket was read before.
func (of elements) list(ctx context.Context, dec *json.Decoder, t *tracked, to Sink, element elementReader) error {
	for dec.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.from = dec.InputOffset()
		var raw json.RawMessage
		err := dec.Decode(&raw)
		line := t.line(dec.InputOffset() - int64(len(raw)))
		if err != nil {
			if whole, ok := of.cutOff(dec, line, to, messageDepth); ok {
				if e := element(line, whole, to); e != nil {
					return refusing(e)
				}
			}
			return err
		}
		if t.deepIn(dec.InputOffset()-int64(len(raw)), dec.InputOffset()) {
			to.Problem(line, tooDeep)
			continue
		}
		if err := element(line, raw, to); err != nil {
			return refusing(err)
		}
	}
	_, err := dec.Token()
	return err
}

// messageDepth is the nesting of messages in a conversation.
const messageDepth = 2

// cutOff returns the complete parts of a conversation, or of one of its fields, that was cut off.
func (of elements) cutOff(dec *json.Decoder, line int, to Sink, depth int) (whole []byte, ok bool) {
	if !of.mend {
		return nil, false
	}
	rest, err := io.ReadAll(dec.Buffered())
	if err != nil {
		return nil, false // the caller reports why the element cannot be read
	}
	if whole, ok = mend(rest, depth); ok {
		to.Note(line, "the conversation is cut off: its complete messages are imported")
	}
	return whole, ok
}

// object reads an object whose opening brace was read before: the elements of its lists, or the object itself as an
// element if it has none.
func (of elements) object(ctx context.Context, dec *json.Decoder, t *tracked, to Sink) error {
	line := t.line(dec.InputOffset())
	own, size := map[string]json.RawMessage{}, 0
	list, deep := false, false
	for dec.More() {
		t.from = dec.InputOffset()
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		element := of.named[name]
		if element == nil && slices.Contains(lists, name) {
			element = of.each
		}
		if element != nil {
			open, err := dec.Token()
			if err != nil {
				return err
			}
			if open == json.Delim('[') {
				list = true
				if err := of.list(ctx, dec, t, to, element); err != nil {
					return err
				}
				continue
			}
			at := t.line(dec.InputOffset())
			if err := skip(dec, open); err != nil {
				return err
			}
			if open != nil {
				to.Problem(at, fmt.Sprintf("%s is not a list: left out", name))
			}
			continue
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			whole, ok := of.cutOff(dec, line, to, messageDepth-1)
			if !ok {
				return err
			}
			own[name] = whole
			if e := of.whole(line, own, to); e != nil {
				return e
			}
			return err
		}
		deep = t.deepIn(dec.InputOffset()-int64(len(raw)), dec.InputOffset()) || deep
		own[name] = raw
		if size += len(name) + len(raw); size > maxElement {
			return errElement
		}
	}
	if list && of.rest != nil {
		of.rest(own)
	}
	if _, err := dec.Token(); err != nil || list {
		return err
	}
	if deep {
		to.Problem(line, tooDeep)
		return nil
	}
	return of.whole(line, own, to)
}

// whole passes an object that is itself an element to the sink.
func (of elements) whole(line int, fields map[string]json.RawMessage, to Sink) error {
	raw, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	return refusing(of.each(line, raw, to))
}

// skip skips the rest of a value whose first token was read.
func skip(dec *json.Decoder, first json.Token) error {
	if _, opens := first.(json.Delim); !opens {
		return nil
	}
	for depth := 1; depth > 0; {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}
