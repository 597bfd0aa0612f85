package dates_test

import (
	"testing"
	"time"

	"memory-graph/extraction/dates"
)

func TestOne_IsAsPreciseAsTheWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{ // ref is Wednesday, 18 March 2026, 15:30:20
		"now":                 "2026-03-18T15:30:20Z",
		"today":               "2026-03-18T00:00:00Z",
		"yesterday":           "2026-03-17T00:00:00Z",
		"since yesterday":     "2026-03-17T00:00:00Z",
		"last week":           "2026-03-09T00:00:00Z",
		"3 weeks ago":         "2026-02-25T00:00:00Z",
		"last month":          "2026-02",
		"two months ago":      "2026-01",
		"last summer":         "2025-06",
		"summer 2021":         "2021-06",
		"the summer of 2021":  "2021-06",
		"spring 2022":         "2022-03",
		"Q3 2020":             "2020-07",
		"early 2019":          "2019",
		"since early 2019":    "2019",
		"late 2019":           "2019",
		"the end of 2019":     "2019-12",
		"mid-March 2020":      "2020-03",
		"mid March 2020":      "2020-03",
		"late March 2020":     "2020-03",
		"last year":           "2025",
		"two years ago":       "2024",
		"about two years ago": "2024",
		"since 2019":          "2019",
		"before 2019":         "",
		"soon":                "",
		"Ann":                 "",
		"2019 or 2020":        "",
		"last week in Rome":   "",
		"":                    "",
	} {
		span, ok := dates.One(text, ref)
		at, unit := span.Period(span.Began())
		if got := unit.Show(at); got != want || ok == (want == "" && text != "before 2019") {
			t.Errorf("%q: %s, %v; want %s", text, got, ok, want)
		}
	}
	if span, ok := dates.One("now", time.Time{}); ok {
		t.Errorf("now without a present is %v", span)
	}
}
