package memory

import (
	"strings"
	"time"
)

// Layouts of stored times, always UTC: the axis of validity has seconds, the axis of knowledge three
// decimals, so that the order of writes is never lost.
const (
	StoredSeconds = "2006-01-02 15:04:05"
	StoredMillis  = "2006-01-02 15:04:05.000"
)

// Seconds writes a time as the validity axis stores it. The zero time gives "".
func Seconds(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(StoredSeconds)
}

// Millis writes a time as the knowledge axis stores it. The zero time gives "".
func Millis(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(StoredMillis)
}

// ParseStored reads a stored time of either axis; "" gives the zero time.
func ParseStored(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.ParseInLocation(StoredSeconds, s, time.UTC) // accepts a fraction behind the seconds
}

// RFC3339 writes a time as answers carry it: UTC with Z, seconds. The zero time gives "".
func RFC3339(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// ParseTime reads a caller's time: RFC 3339, "YYYY-MM-DD HH:MM:SS" (UTC) or a date (its first instant, UTC).
// Years 0001 to 9999. The error is InvalidArgument and names the argument.
func ParseTime(argument, s string) (time.Time, error) {
	in := strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339Nano, StoredSeconds, "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, in, time.UTC); err == nil {
			t = t.UTC()
			if t.Year() < 1 || t.Year() > 9999 {
				break
			}
			return t, nil
		}
	}
	return time.Time{}, Errorf(InvalidArgument, "%s: %q is not a time.", argument, s).
		WithHint("Use RFC 3339 (2026-03-18T09:30:00Z), YYYY-MM-DD HH:MM:SS or a date.")
}
