package store

import "os"

// walLong is the size in bytes from which a write-ahead log is moved into the file before the first write. The next
// process after one that ended without closing reads the whole log to open the file.
const walLong = 2 << 20

// shortenLog moves a long write-ahead log into the file, so that the next write begins the log anew. Without this, the
// log would grow without end if each process writes once and ends without closing, as hooks do: the process that finds
// all of the log moved is never the one that writes. It waits for nobody. A failure leaves the log as it is.
func shortenLog(c *conn, path string) {
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > walLong {
		_ = c.script("PRAGMA wal_checkpoint(PASSIVE)")
	}
}
