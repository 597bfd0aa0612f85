package store

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
)

// IsMemory reports whether the file at path bears the mark of this program, whatever state its content is in. It reads
// the file's first bytes and opens no database. A memory whose first changes are still in the journal beside it has no
// mark yet; Open recognises it. The error is that of the file system.
func IsMemory(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // opened read-only
	const marked, length = 68, 72    // where SQLite keeps the application id
	var head [length]byte
	if _, err := io.ReadFull(f, head[:]); err == io.EOF || err == io.ErrUnexpectedEOF {
		return false, nil
	} else if err != nil {
		return false, err
	}
	return bytes.HasPrefix(head[:], []byte("SQLite format 3\x00")) &&
		binary.BigEndian.Uint32(head[marked:]) == applicationID, nil
}
