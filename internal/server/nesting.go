package server

import "encoding/json"

// maxNesting is the maximum nesting of arrays and objects that encoding/json reads.
const maxNesting = 10000

// longestID is the maximum length, in bytes with quotes, of an id in a message that encoding/json cannot read.
const longestID = 1 << 10

// nestedID reports whether a message is nested deeper than maxNesting, and returns its id, nil if there is none. It
// scans the bytes once and does not recurse.
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

// stringEnd returns the index after the string that begins at i.
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

// valueAfterColon returns the string or number that follows a key ending at i; nil if there is none.
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
