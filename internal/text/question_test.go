package text

import "testing"

func TestIsQuestion(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"Which port does the gateway use?":           true,
		"is the cat going to Belfast or not?":        true,
		"who is on call this week":                   true,
		"whats my share of the rent":                 true,
		"who’s got the pager while I am away":        true,
		"what memory limit is Tusk on at the moment": true,
		"how much did we pay for the van":            true,
		"and how many people in Ghent are vegan":     true,
		"which week in August am I away":             true,
		"remind me who was for Kafka":                true,
		"wann ist der Termin":                        true,
		"welche Datenbank hat der Shop":              true,
		"when we deploy the build is slow":           false,
		"where I live it is cold":                    false,
		"what I like is tea":                         false,
		"what a day that was":                        false,
		"how nice this is":                           false,
		"Who leads the Zephyr project":               false,
		"remind me to call Ben":                      false,
		"The build is slow. Why is that?":            false,
		"The gateway listens on port 9191":           false,
		"was a long day but was fun":                 false,
		"who is it":                                  true,
		"what":                                       false,
		"":                                           false,
	} {
		if got := IsQuestion(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}
