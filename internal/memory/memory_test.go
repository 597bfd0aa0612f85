package memory_test

import (
	"errors"
	"testing"
	"time"

	"memory-graph/internal/memory"
)

func TestParseID_ReadsWhatStringWrites(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"t56", "e1", "r34", "m7", "c9223372036854775807"} {
		id, err := memory.ParseID(s)
		if err != nil || id.String() != s {
			t.Errorf("%q reads as %v, %v", s, id, err)
		}
	}
	for _, s := range []string{"", "t", "56", "t0", "t-1", "t+1", "t01", "x5", "t5 ", "T5", "t9223372036854775808",
		"t5.0"} {
		_, err := memory.ParseID(s)
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.InvalidArgument || e.Hint == "" {
			t.Errorf("%q gives %v", s, err)
		}
	}
}

func TestParseTime_TakesTheContractsForms(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2026-03-18T09:30:00Z":        "2026-03-18T09:30:00Z",
		"2026-03-18T10:30:00+01:00":   "2026-03-18T09:30:00Z",
		"2026-03-18T09:30:00.123456Z": "2026-03-18T09:30:00Z",
		"2026-03-18 09:30:00":         "2026-03-18T09:30:00Z",
		" 2026-03-18 ":                "2026-03-18T00:00:00Z",
		"2026-03-18T09:30:00":         "2026-03-18T09:30:00Z",
		"0001-01-01":                  "",
		"9999-12-31T23:59:59Z":        "9999-12-31T23:59:59Z",
	} {
		got, err := memory.ParseTime("since", in)
		if err != nil || memory.RFC3339(got) != want {
			t.Errorf("%q reads as %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "yesterday", "26", "2026-13-01", "18.03.2026", "9999-12-31T23:59:59-01:00",
		"2026-03-18T9"} {
		_, err := memory.ParseTime("since", in)
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.InvalidArgument || e.Hint == "" {
			t.Errorf("%q gives %v", in, err)
		}
	}
}

func TestStoredTimes_ComeBackAndSortAsTheyFollow(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 18, 9, 30, 0, 123_000_000, time.FixedZone("", 3600))
	for _, s := range []string{memory.Millis(at), memory.Seconds(at)} {
		got, err := memory.ParseStored(s)
		if err != nil || got.Sub(at).Abs() >= time.Second {
			t.Errorf("%q reads as %v, %v", s, got, err)
		}
	}
	if a, b := memory.Millis(at), memory.Millis(at.Add(time.Millisecond)); a >= b {
		t.Errorf("%q does not sort before %q", a, b)
	}
	if memory.Seconds(time.Time{}) != "" || memory.RFC3339(time.Time{}) != "" {
		t.Error("the zero time is not formatted as an empty string")
	}
}

func TestAsError_HidesACauseThatIsNotForTheCaller(t *testing.T) {
	t.Parallel()
	cause := errors.New("secret detail")
	e := memory.AsError(cause)
	if e.Code != memory.Internal || !errors.Is(e, cause) || e.Error() == cause.Error() {
		t.Errorf("%+v", e)
	}
	known := memory.Errorf(memory.NotFound, "no %s: %w", "boat", cause).WithHint("Ask %s.", "again")
	if got := memory.AsError(known); got != known || got.Error() != "no boat: secret detail Ask again." ||
		!errors.Is(got, cause) {
		t.Errorf("%+v", got)
	}
	if memory.AsError(nil) != nil {
		t.Error("AsError(nil) is not nil")
	}
}

func FuzzParseTime(f *testing.F) {
	f.Add("2026-03-18")
	f.Add("2026-03-18T10:30:00+01:00")
	f.Fuzz(func(t *testing.T, s string) {
		at, err := memory.ParseTime("since", s)
		if err == nil && (at.Year() < 1 || at.Year() > 9999 || at.Location() != time.UTC) {
			t.Errorf("%q reads as %v", s, at)
		}
	})
}
