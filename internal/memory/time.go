package memory

import "time"

// Layouts of stored times, always UTC. The validity axis stores seconds. The knowledge axis stores milliseconds, which
// preserve the order of writes.
const (
	StoredSeconds = "2006-01-02 15:04:05"
	StoredMillis  = "2006-01-02 15:04:05.000"
)

// Seconds formats a time as the validity axis stores it. It returns "" for the zero time.
func Seconds(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(StoredSeconds)
}

// Millis formats a time as the knowledge axis stores it. It returns "" for the zero time.
func Millis(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(StoredMillis)
}

// ParseStored parses a stored time of either axis. It returns the zero time for "".
func ParseStored(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.ParseInLocation(StoredSeconds, s, time.UTC) // accepts a fraction after the seconds
}

// RFC3339 formats a time as answers show it: UTC with Z, in seconds. It returns "" for the zero time.
func RFC3339(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// ParseTime parses a caller's time: RFC 3339, "YYYY-MM-DD HH:MM:SS" (UTC), a date, a month or a year (its first
// instant, UTC). Years 0001 to 9999. The error has the code InvalidArgument and names the argument.
func ParseTime(argument, s string) (time.Time, error) {
	t, _, err := ParsePeriod(argument, s)
	return t, err
}

// MaxAhead is how far in the future the time of a turn may be. Clocks and time zones differ by less.
const MaxAhead = 24 * time.Hour
