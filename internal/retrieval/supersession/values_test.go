package supersession

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValues_ReadsWhatCanDiffer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []value
	}{
		{"35 grams at 7:00, and two cats", []value{{Number, "35", "gram"}, {Clock, "7:00", ""}, {Number, "2", "cat"}}},
		{"It is 19.50 or 22 euros", []value{{Number, "19.50", "."}, {Money, "22", ""}}},
		{"$5 of 12% or eight percent", []value{{Money, "5", ""}, {Percent, "12", ""}, {Percent, "8", ""}}},
		{"mail post@club.example", []value{{Code, "post@club.example", "@"}}},
		{"on 3 May, the 21st of June, Mondays", []value{{Date, "may3", ""}, {Date, "21", ""}, {Date, "jun", ""}, {Day, "monday", ""}}},
		{"you may go", nil},
		{"192.168.1.20 or TK-4471 with 0926 and #0d1117", []value{{Code, "192.168.1.20", "0.0.0.0"}, {Code, "tk-4471", "a-0"}, {Code, "0926", "0000"}, {Code, "0d1117", "hex000000"}}},
		{"at quarter to two, at 7pm, at noon", []value{{Clock, "quarter to 2", ""}, {Clock, "7pm", ""}, {Clock, "noon", ""}}},
		{"Ask Ida's brother in Ghent", []value{{Name, "ida", ""}, {Name, "ghent", ""}}},
		{"a dark green wall, twenty-five tiles", []value{{Colour, "green", ""}, {Number, "25", "tile"}}},
		{"Go v1.24 and 20mg", []value{{Number, "1.24", "."}, {Number, "20", "mg"}}},
	} {
		if diff := cmp.Diff(c.want, values(split(c.text)), cmp.AllowUnexported(value{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestChange_TellsAChangeFromANewThing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{
		"I switched to tea": 1, "from now on at six": 1, "Dr. Falk RETIRED.": 1, "no longer here": 1, "make it minus 12": .5, "a new lamp": .5, "38 mm on it since noon": .5, "since I know her": 0,
		"bookings move to the cellar": 1,
		"the lamp is on":              0, "we finally went over there again": 0, "": 0,
	} {
		if got := change(split(text)); got != want {
			t.Errorf("change(%q) = %v, want %v", text, got, want)
		}
	}
}
