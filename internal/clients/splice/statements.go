package splice

import (
	"bytes"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// statement is a table header, or a key with its value.
type statement struct {
	from, to int      // including the line ending
	value    [2]int   // position of a key's value
	header   bool     // [a.b] or [[a.b]]
	list     bool     // [[a.b]]
	path     []string // from the root
}

// statements splits a valid file. Comments and blank lines belong to no statement.
func statements(body []byte) ([]statement, error) {
	var list []statement
	var table []string
	for at := 0; at < len(body); {
		switch b := body[at]; {
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
			at++
			continue
		case b == '#':
			at = lineAfter(body, at)
			continue
		}
		end, equals := endOfStatement(body, at)
		s := statement{from: lineStart(body, at), to: lineAfter(body, end), header: body[at] == '['}
		p := unstable.Parser{}
		p.Reset(body[at:end])
		if !p.NextExpression() {
			return nil, &Error{Why: "a statement in it cannot be parsed"}
		}
		expr := p.Expression()
		var key []string
		for it := expr.Key(); it.Next(); {
			key = append(key, string(it.Node().Data))
		}
		if s.header {
			s.path, s.list = key, expr.Kind == unstable.ArrayTable
			table = key
		} else {
			s.path = append(slices.Clone(table), key...)
			s.value = [2]int{equals + 1 + len(body[equals+1:end]) - len(bytes.TrimLeft(body[equals+1:end], " \t")), end}
		}
		list = append(list, s)
		at = s.to
	}
	return list, nil
}

// endOfStatement returns the end of the statement at an offset, without trailing blanks and comment, and the position
// of its equals sign.
func endOfStatement(body []byte, at int) (end, equals int) {
	depth, equals, last := 0, -1, at
	for i := at; i < len(body); {
		switch b := body[i]; {
		case b == '"' || b == '\'':
			i = endOfText(body, i)
			last = i
			continue
		case b == '#':
			if depth == 0 {
				return last, equals
			}
			i = lineAfter(body, i)
			continue
		case b == '\n':
			if depth == 0 {
				return last, equals
			}
		case b == '[' || b == '{':
			depth++
		case b == ']' || b == '}':
			depth--
		case b == '=' && equals < 0:
			equals = i
		}
		if b := body[i]; b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			last = i + 1
		}
		i++
	}
	return last, equals
}

// endOfText returns the end of the string at an offset, after its quotes.
func endOfText(body []byte, at int) int {
	quote := body[at]
	fence := bytes.Repeat([]byte{quote}, 3)
	if !bytes.HasPrefix(body[at:], fence) {
		for i := at + 1; i < len(body); i++ {
			switch {
			case body[i] == '\\' && quote == '"':
				i++
			case body[i] == quote:
				return i + 1
			}
		}
		return len(body)
	}
	for i := at + 3; i < len(body); i++ {
		if body[i] == '\\' && quote == '"' {
			i++
			continue
		}
		if bytes.HasPrefix(body[i:], fence) {
			for i += 3; i < len(body) && body[i] == quote; i++ { // up to two quotes belong to the string
			}
			return i
		}
	}
	return len(body)
}

func lineAfter(body []byte, at int) int {
	if n := bytes.IndexByte(body[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(body)
}
