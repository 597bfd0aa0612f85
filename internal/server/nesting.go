package server

import "encoding/json"

// maxNesting is how deep arrays and objects may be nested: encoding/json reads no more.
const maxNesting = 10000

// longestID bounds the ids that are looked for in messages that encoding/json does not read, in bytes with quotes.
const longestID = 1 << 10

// nestedID says whether a message is nested deeper than maxNesting, and finds its id, nil if there is none. It goes
// over the bytes once and does not recurse, however deep they are nested.
func nestedID(line []byte) (id any, deep bool) {
	depth := 0
	for i := 0; i < len(line); {
		switch line[i] {
		case '[', '{':
			depth++
			deep = deep || depth > maxNesting
		case ']', '}':
			depth--
		case '"':
			end := stringEnd(line, i)
			if depth == 1 && line[0] == '{' && string(line[i:end]) == `"id"` {
				if found := valueAfterColon(line, end); found != nil {
					id = found
				}
			}
			i = end
			continue
		}
		i++
	}
	if !deep {
		return nil, false
	}
	return id, true
}

// stringEnd gives the place behind the string that begins at i.
func stringEnd(line []byte, i int) int {
	for i++; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(line)
}

// valueAfterColon reads the string or number behind a key that ends at i; nil where there is none.
func valueAfterColon(line []byte, i int) any {
	if i = skipSpace(line, i); i == len(line) || line[i] != ':' {
		return nil
	}
	begin := skipSpace(line, i+1)
	end := begin
	if begin < len(line) && line[begin] == '"' {
		end = stringEnd(line, begin)
	} else {
		for end < len(line) && end-begin <= longestID && line[end] != ',' && line[end] != '}' {
			end++
		}
	}
	var v any
	if end-begin > longestID || json.Unmarshal(line[begin:end], &v) != nil {
		return nil
	}
	switch v.(type) {
	case string, float64:
		return v
	}
	return nil
}

func skipSpace(line []byte, i int) int {
	for i < len(line) && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r' || line[i] == '\n') {
		i++
	}
	return i
}
