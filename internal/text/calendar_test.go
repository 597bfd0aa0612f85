package text_test

import (
	"testing"
	"time"

	"memory-graph/internal/text"
)

func TestCalendar_AbbreviationsMeanWhatTheyBegin(t *testing.T) {
	t.Parallel()
	for short, month := range text.ShortMonths {
		if name := month.String(); text.Months[lower(name)] != month || lower(name)[:3] != short[:3] {
			t.Errorf("%s is %s", short, name)
		}
	}
	for short, day := range text.ShortWeekdays {
		if name := day.String(); text.Weekdays[lower(name)] != day || lower(name)[:3] != short[:3] {
			t.Errorf("%s is %s", short, name)
		}
	}
	for m := time.January; m <= time.December; m++ {
		if text.Months[lower(m.String())] != m {
			t.Errorf("%s is missing", m)
		}
	}
}

func TestWithout_LeavesTheTablesAsTheyAre(t *testing.T) {
	t.Parallel()
	set := text.Without(text.Words(text.Months), "may")
	if set["may"] || !set["june"] || len(set) != len(text.Months)-1 || text.Months["may"] != time.May {
		t.Errorf("%v of %v", set, text.Months)
	}
}

func lower(s string) string { return string(s[0]|0x20) + s[1:] }
