package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// Sections of a WebAssembly module that outline treats specially.
const (
	customSection = 0
	codeSection   = 10
)

// emptyBody is a function that traps: its size, no locals, unreachable, end.
const emptyBody = "\x03\x00\x00\x0b"

// outline returns a WebAssembly module without the bodies of its functions, nine tenths of SQLite's. The runtime
// decodes and validates the whole module at each start, also if it then reads the compiled code of all bodies from its
// cache: this takes more than half of the time in which SQLite starts. An outline may be loaded only with the compiled
// code of its module. It carries a checksum of the bodies, since its own digest names the file in the cache. An error
// means that the module is malformed.
func outline(module []byte) ([]byte, error) {
	const header = 8
	if len(module) < header {
		return nil, errors.New("a module without a header")
	}
	out := append(make([]byte, 0, len(module)/8), module[:header]...)
	var bodies []byte
	for rest := module[header:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, fmt.Errorf("section %d is cut", rest[0])
		}
		section := rest[:1+n+int(size)]
		content := section[1+n:]
		switch section[0] {
		case customSection: // names for debugging
		case codeSection:
			count, n := binary.Uvarint(content)
			if n <= 0 || count > uint64(len(content)) {
				return nil, errors.New("the section of code is cut")
			}
			bodies = content
			list := binary.AppendUvarint(nil, count)
			for range count {
				list = append(list, emptyBody...)
			}
			out = append(binary.AppendUvarint(append(out, codeSection), uint64(len(list))), list...)
		default:
			out = append(out, section...)
		}
		rest = rest[len(section):]
	}
	if bodies == nil {
		return nil, errors.New("a module without code")
	}
	sum := crc32.Checksum(bodies, crc32.MakeTable(crc32.Castagnoli))
	mark := fmt.Sprintf("\x08outlined%d bytes, %08x", len(bodies), sum)
	return append(binary.AppendUvarint(append(out, customSection), uint64(len(mark))), mark...), nil
}
