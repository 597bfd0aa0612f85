package memory_test

import (
	"testing"
	"time"

	"memory-graph/internal/memory"
)

func TestParsePeriod_KeepsThePrecision(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, instant, shown string }{
		{"2019", "2019-01-01T00:00:00Z", "2019"},
		{" 2019 ", "2019-01-01T00:00:00Z", "2019"},
		{"in 2019", "2019-01-01T00:00:00Z", "2019"},
		{"since 2019", "2019-01-01T00:00:00Z", "2019"},
		{"2019-05", "2019-05-01T00:00:00Z", "2019-05"},
		{"2019/05", "2019-05-01T00:00:00Z", "2019-05"},
		{"05/2019", "2019-05-01T00:00:00Z", "2019-05"},
		{"March 2020", "2020-03-01T00:00:00Z", "2020-03"},
		{"march 2020", "2020-03-01T00:00:00Z", "2020-03"},
		{"Mar 2020", "2020-03-01T00:00:00Z", "2020-03"},
		{"Sept. 2020", "2020-09-01T00:00:00Z", "2020-09"},
		{"since March of 2020", "2020-03-01T00:00:00Z", "2020-03"},
		{"March 5th, 2020", "2020-03-05T00:00:00Z", "2020-03-05T00:00:00Z"},
		{"5 March 2020", "2020-03-05T00:00:00Z", "2020-03-05T00:00:00Z"},
		{"2020-03-05", "2020-03-05T00:00:00Z", "2020-03-05T00:00:00Z"},
		{"2020-03-05 09:30", "2020-03-05T09:30:00Z", "2020-03-05T09:30:00Z"},
		{"2020-03-05T09:30:00+02:00", "2020-03-05T07:30:00Z", "2020-03-05T07:30:00Z"},
	} {
		at, unit, err := memory.ParsePeriod("valid_from", c.in)
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		if got := memory.RFC3339(at); got != c.instant || unit.Show(at) != c.shown {
			t.Errorf("%q is %s, shown as %s; want %s, shown as %s", c.in, got, unit.Show(at), c.instant, c.shown)
		}
	}
}

func TestParsePeriod_RefusesWhatIsNoTime(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"yesterday", "20190", "0000", "2019-13", "Mars 2020", "early 2019", "32 March 2020",
		"the summer of 2019", "1552867200", "2019-00", "-2019", "19"} {
		if at, _, err := memory.ParsePeriod("valid_from", in); memory.AsError(err) == nil || err == nil {
			t.Errorf("%q is %v", in, at)
		}
	}
}

func TestUnit_EndsWithItsPeriod(t *testing.T) {
	t.Parallel()
	at := time.Date(2020, 2, 1, 0, 0, 0, 0, time.UTC)
	for unit, want := range map[memory.Unit]string{
		"": "2020-02-01T00:00:00Z", memory.Month: "2020-03-01T00:00:00Z", memory.Year: "2021-02-01T00:00:00Z"} {
		if got := memory.RFC3339(unit.End(at)); got != want {
			t.Errorf("a %q from %s ends at %s, want %s", unit, memory.RFC3339(at), got, want)
		}
	}
}
