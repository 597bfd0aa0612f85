package dates_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction/dates"
)

// ref is a Wednesday.
var ref = time.Date(2026, 3, 18, 15, 30, 20, 0, time.UTC)

var relations = [...]string{"at", "since", "until", "by", "before", "after"}

// show writes a span as "relation from/until": days without their hours.
func show(text string, s dates.Span) string {
	layout := func(t time.Time) string {
		return strings.TrimSuffix(t.Format("2006-01-02T15:04:05"), "T00:00:00")
	}
	about := ""
	if s.About {
		about = "~"
	}
	return fmt.Sprintf("%s: %s %s%s/%s", text[s.Start:s.Stop], relations[s.Relation], about, layout(s.From),
		layout(s.Until))
}

func resolved(text string, ref time.Time) []string {
	var out []string
	for _, s := range dates.Resolve(text, ref) {
		out = append(out, show(text, s))
	}
	return out
}

func TestResolve_NamesTimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"at the end of last year", []string{"the end of last year: at ~2025-12-01/2026-01-01"}},
		{"at the beginning of this year", []string{"the beginning of this year: at ~2026-01-01/2026-02-01"}},
		{"the end of last month", []string{"the end of last month: at ~2026-02-25/2026-03-01"}},
		// ISO
		{"Decision (2026-03-18): use sqlite", []string{"2026-03-18: at 2026-03-18/2026-03-19"}},
		{"since 2024/02/29.", []string{"since 2024/02/29: since 2024-02-29/2024-03-01"}},
		{"at 2026-03-18T09:30:00+01:00 it broke",
			[]string{"2026-03-18T09:30:00+01:00: at 2026-03-18T08:30:00/2026-03-18T08:30:01"}},
		{"at 2026-03-18T09:30Z", []string{"2026-03-18T09:30Z: at 2026-03-18T09:30:00/2026-03-18T09:31:00"}},
		{"2026-03-18 09:30 deploy", []string{"2026-03-18 09:30: at 2026-03-18T09:30:00/2026-03-18T09:31:00"}},
		{"until 2024-03 it ran", []string{"until 2024-03: until 2024-03-01/2024-04-01"}},
		// a day of a month
		{"We met on 5 October 2025.", []string{"on 5 October 2025: at 2025-10-05/2025-10-06"}},
		{"from 5 October we shipped", []string{"from 5 October: since 2025-10-05/2025-10-06"}},
		{"the release will be on October 5th", []string{"on October 5th: at 2026-10-05/2026-10-06"}},
		{"October 5, 2023 was fine", []string{"October 5, 2023: at 2023-10-05/2023-10-06"}},
		{"On Saturday, the 5th of October 2024, we left",
			[]string{"On Saturday, the 5th of October 2024: at 2024-10-05/2024-10-06"}},
		{"5 Oct", []string{"5 Oct: at 2025-10-05/2025-10-06"}},
		{"Mar 18", []string{"Mar 18: at 2026-03-18/2026-03-19"}},
		{"on 20 march we moved", []string{"on 20 march: at 2025-03-20/2025-03-21"}},
		{"I was born on February 29", []string{"on February 29: at 2024-02-29/2024-03-01"}},
		// a change ahead, and what is of the past
		{"from January I work at Globex", []string{"from January: since 2027-01-01/2027-02-01"}},
		{"from 5 January I work at Globex", []string{"from 5 January: since 2027-01-05/2027-01-06"}},
		{"I work at Globex from January.", []string{"from January: since 2027-01-01/2027-02-01"}},
		{"from May on we use Globex", []string{"from May: since 2026-05-01/2026-06-01"}},
		{"from January I worked at Globex", []string{"from January: since 2026-01-01/2026-02-01"}},
		{"the report from January is wrong", []string{"from January: since 2026-01-01/2026-02-01"}},
		{"I work on the report from January with Ann", []string{"from January: since 2026-01-01/2026-02-01"}},
		{"starting monday i work at Globex", []string{"starting monday: since 2026-03-23/2026-03-24"}},
		{"starting monday i worked at Globex", []string{"starting monday: since 2026-03-16/2026-03-17"}},
		{"I resigned, my last day is 3 january", []string{"is 3 january: until 2027-01-03/2027-01-04"}},
		{"I resigned, my last day will be on 3 April", []string{"on 3 April: until 2026-04-03/2026-04-04"}},
		{"I resigned, my last day was 3 january", []string{"3 january: at 2026-01-03/2026-01-04"}},
		// months and years
		{"I joined in March 2024", []string{"in March 2024: at 2024-03-01/2024-04-01"}},
		{"Sept 2024", []string{"Sept 2024: at 2024-09-01/2024-10-01"}},
		{"We switched in February.", []string{"in February: at 2026-02-01/2026-03-01"}},
		{"Flux is gone since March.", []string{"since March: since 2026-03-01/2026-04-01"}},
		{"since may I use it", []string{"since may: since 2025-05-01/2025-06-01"}},
		{"I'll move in February", []string{"in February: at 2027-02-01/2027-03-01"}},
		{"I'm in Rome until May", []string{"until May: until 2026-05-01/2026-06-01"}},
		{"I lived in Rome until May", []string{"until May: until 2025-05-01/2025-06-01"}},
		{"We need it by June.", []string{"by June: by 2026-06-01/2026-07-01"}},
		{"In 2020, Ann left", []string{"In 2020: at 2020-01-01/2021-01-01"}},
		{"since 2019 it works", []string{"since 2019: since 2019-01-01/2020-01-01"}},
		{"I have used it since about 2019", []string{"since about 2019: since ~2019-01-01/2020-01-01"}},
		{"before 2020 and after 2022", []string{"before 2020: before 2020-01-01/2021-01-01",
			"after 2022: after 2022-01-01/2023-01-01"}},
		{"as of April 2025", []string{"as of April 2025: since 2025-04-01/2025-05-01"}},
		{"starting in 2021", []string{"starting in 2021: since 2021-01-01/2022-01-01"}},
		// days in numbers of which one can only be the day
		{"on 31/12/2024 I left", []string{"on 31/12/2024: at 2024-12-31/2025-01-01"}},
		{"12/31/2024", []string{"12/31/2024: at 2024-12-31/2025-01-01"}},
		{"since 31.12.2024", []string{"since 31.12.2024: since 2024-12-31/2025-01-01"}},
		{"on 05/05/2025", []string{"on 05/05/2025: at 2025-05-05/2025-05-06"}},
		// seasons, quarters and parts of what is named
		{"I joined in the summer of 2023", []string{"in the summer of 2023: at ~2023-06-01/2023-09-01"}},
		{"since spring 2022", []string{"since spring 2022: since ~2022-03-01/2022-06-01"}},
		{"winter 2021 was cold", []string{"winter 2021: at ~2021-12-01/2022-03-01"}},
		{"last summer we met", []string{"last summer: at ~2025-06-01/2025-09-01"}},
		{"last winter", []string{"last winter: at ~2025-12-01/2026-03-01"}},
		{"in Q3 2023", []string{"in Q3 2023: at 2023-07-01/2023-10-01"}},
		{"in early 2022", []string{"in early 2022: at ~2022-01-01/2022-05-01"}},
		{"since mid-2022", []string{"since mid-2022: since ~2022-05-01/2022-09-01"}},
		{"at the end of 2022", []string{"the end of 2022: at ~2022-12-01/2023-01-01"}},
		{"in late March 2024", []string{"in late March 2024: at ~2024-03-21/2024-04-01"}},
		// ranges
		{"from 2019 to 2021", []string{"from 2019: since 2019-01-01/2020-01-01", "to 2021: until 2021-01-01/2022-01-01"}},
		{"I lived there from March to May 2024",
			[]string{"from March: since 2024-03-01/2024-04-01", "to May 2024: until 2024-05-01/2024-06-01"}},
		{"between November and February we were away",
			[]string{"between November: since 2025-11-01/2025-12-01", "and February: until 2026-02-01/2026-03-01"}},
		{"from Friday to Monday I was ill", []string{"from Friday: since 2026-03-13/2026-03-14",
			"to Monday: until 2026-03-16/2026-03-17"}},
		// days around
		{"yesterday", []string{"yesterday: at 2026-03-17/2026-03-18"}},
		{"today's stand-up", []string{"today's: at 2026-03-18/2026-03-19"}},
		{"See you tomorrow morning", []string{"tomorrow morning: at 2026-03-19T04:00:00/2026-03-19T12:00:00"}},
		{"the day before yesterday", []string{"the day before yesterday: at 2026-03-16/2026-03-17"}},
		{"this afternoon", []string{"this afternoon: at 2026-03-18T12:00:00/2026-03-18T18:00:00"}},
		{"Last night the build broke", []string{"Last night: at 2026-03-17T18:00:00/2026-03-18T06:00:00"}},
		{"tonight", []string{"tonight: at 2026-03-18T18:00:00/2026-03-19T06:00:00"}},
		// weekdays and periods
		{"we met on Monday", []string{"on Monday: at 2026-03-16/2026-03-17"}},
		{"we met on Wednesday", []string{"on Wednesday: at 2026-03-18/2026-03-19"}},
		{"we will meet on Monday", []string{"on Monday: at 2026-03-23/2026-03-24"}},
		{"Will met us on Monday", []string{"on Monday: at 2026-03-16/2026-03-17"}},
		{"I need it by Friday", []string{"by Friday: by 2026-03-20/2026-03-21"}},
		{"last Wednesday", []string{"last Wednesday: at 2026-03-11/2026-03-12"}},
		{"last Monday", []string{"last Monday: at 2026-03-16/2026-03-17"}},
		{"this friday", []string{"this friday: at 2026-03-20/2026-03-21"}},
		{"next Friday", []string{"next Friday: at 2026-03-27/2026-03-28"}},
		{"last week", []string{"last week: at 2026-03-09/2026-03-16"}},
		{"last weekend", []string{"last weekend: at 2026-03-14/2026-03-16"}},
		{"next weekend", []string{"next weekend: at 2026-03-28/2026-03-30"}},
		{"this week's notes", []string{"this week's: at 2026-03-16/2026-03-23"}},
		{"since last month", []string{"since last month: since 2026-02-01/2026-03-01"}},
		{"We stopped using it last year.", []string{"last year: at 2025-01-01/2026-01-01"}},
		{"last quarter", []string{"last quarter: at 2025-10-01/2026-01-01"}},
		{"last March", []string{"last March: at 2025-03-01/2025-04-01"}},
		{"next march", []string{"next march: at 2027-03-01/2027-04-01"}},
		// ago
		{"I moved to Helix a month ago.", []string{"a month ago: at ~2026-02-18/2026-02-19"}},
		{"3 days ago", []string{"3 days ago: at 2026-03-15/2026-03-16"}},
		{"about two weeks ago", []string{"about two weeks ago: at ~2026-03-04/2026-03-05"}},
		{"a couple of years ago", []string{"a couple of years ago: at ~2024-03-18/2024-03-19"}},
		{"a few days ago", []string{"a few days ago: at ~2026-03-15/2026-03-16"}},
		{"half a year ago", []string{"a year ago: at ~2025-09-18/2025-09-19"}},
		{"20 minutes ago", []string{"20 minutes ago: at 2026-03-18T15:10:00/2026-03-18T15:11:00"}},
		{"until two years ago", []string{"until two years ago: until ~2024-03-18/2024-03-19"}},
		{"in the last 3 days", []string{"in the last 3 days: at 2026-03-15/2026-03-18T15:30:21"}},
		{"for the past two years", []string{"the past two years: since 2024-03-18/2026-03-18T15:30:21"}},
		{"two weeks from now", []string{"two weeks from now: at ~2026-04-01/2026-04-02"}},
	} {
		if diff := cmp.Diff(c.want, resolved(c.text, ref)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestResolve_TakesNothingElse(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "it may be so", "March on!", "we march in step", "May I ask?", "the may be", "you may 5 times",
		"03/04/2026", "3.4.2026", "31/02/2024", "31.12.1820", "in summer", "the spring release", "in early access",
		"the end of the road", "mid-size", "Q3", "Q5 2024", "late", "a 1999.5 mm screw", "v2.0.1", "192.168.20.19",
		"at 12:30", "in 2000 lines", "after 2000 steps", "since 2000 commits", "in 2020px",
		"port 2020", "room 2019", "PR #2021", "in 2.2020", "1.2024", "2024", "backup-2026-03-18.tar", "/log/2026/03/18",
		"https://x.org/2026-03-18/a", "2026-13-01", "2026-02-30",
		"31 June 2024", "the 3rd of them", "the 3rd", "30 February", "Monday", "Mondays", "every Monday", "Sat down",
		"the Sun", "by Sun", "in the Sun",
		"a letter from April", "painted by June", "April said so", "May 3 of us come?", "3 may be enough", "the 1st may be",
		"half past three", "at last", "the last of them",
		"last week of school", "the next week", "the next day", "years ago", "two and a half years ago", "2 years and 3 " +
			"months ago", "twenty five years ago", "1.5 years ago", "10,000 years ago", "long ago",
		"a year", "three weeks", "for three years", "an hour", "in 10 minutes", "5000 years ago", "this may work", "lastweek",
		"x=2026-03-18", "5–7 march", "$2020", "in 2020%", "-yesterday-ish",
	} {
		if got := resolved(text, ref); got != nil {
			t.Errorf("%q names %q", text, got)
		}
	}
}

func TestResolve_WithoutAReferenceFindsAbsoluteTimesOnly(t *testing.T) {
	t.Parallel()
	got := resolved("yesterday, on Monday, in March, 3 days ago, on 5 October, since 2020 and on 5 October 2021",
		time.Time{})
	want := []string{"since 2020: since 2020-01-01/2021-01-01", "on 5 October 2021: at 2021-10-05/2021-10-06"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}

func TestResolve_CountsFromTheDayInUTC(t *testing.T) {
	t.Parallel()
	early := time.Date(2026, 3, 31, 1, 0, 0, 0, time.FixedZone("", 2*3600)) // still the 30th
	want := []string{"today: at 2026-03-30/2026-03-31", "a month ago: at ~2026-02-28/2026-03-01"}
	if diff := cmp.Diff(want, resolved("today or a month ago", early)); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}

func TestSpan_SaysWhenSomethingBeganAndEnded(t *testing.T) {
	t.Parallel()
	march, april := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 4, 1, 0, 0, 0, 0, time.UTC)
	var never time.Time
	for text, want := range map[string][2]time.Time{
		"in March 2024": {march, march}, "since March 2024": {march, never}, "until March 2024": {never, march},
		"by March 2024": {never, never}, "before March 2024": {never, never}, "after March 2024": {april, april},
	} {
		s := dates.Resolve(text, ref)[0]
		if diff := cmp.Diff(want, [2]time.Time{s.Began(), s.Ended()}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{
		"from March to May 2024", "between Friday and Monday", "the day before yesterday at 2026-03-18T09:30:00Z",
		"half a year ago, 5 Oct",
		"Sat, the 29th of February", "for the last few weeks\xff", "as of 9999-12-31", "0001-01-01 23:59",
	} {
		f.Add(s, int64(1773847820))
	}
	f.Fuzz(func(t *testing.T, text string, seconds int64) {
		ref := time.Unix(seconds%(250_000_000_000), 0)
		if y := ref.Year(); y < 1 || y > 9999 {
			ref = time.Time{}
		}
		last := 0
		for _, s := range dates.Resolve(text, ref) {
			if s.Start < last || s.Stop <= s.Start || s.Stop > len(text) {
				t.Fatalf("%q: span %d to %d behind %d", text, s.Start, s.Stop, last)
			}
			last = s.Stop
			if !s.From.Before(s.Until) || s.From.Year() < 1 || s.Until.Year() > 9999 || s.From.Location() != time.UTC ||
				s.Until.Location() != time.UTC {
				t.Fatalf("%q: from %s to %s", text, s.From, s.Until)
			}
		}
	})
}
