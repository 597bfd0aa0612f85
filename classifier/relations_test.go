package classifier

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSignals_TellWhatReplacesAndWhatBuildsUpon(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		last, text string
		on, off    []string
	}{
		{"The server is on port 8080.", "the port is 8081", []string{"another value", "another value, declares", "another number, stated", "of it, declares", "stated, declares"}, []string{"denies what was said", "reported", "another number, asked"}},
		{"The server is on port 8080.", "use port 8081 for the mock", []string{"another value, command", "a number, command"}, []string{"another value, declares", "stated, declares", "stated, a value"}},
		{"The server is on port 8080.", "port 8080 then", []string{"the same value", "of it, short"}, []string{"another value", "another number, stated"}},
		{"Which port should it be?", "8081", []string{"asked, a value"}, []string{"stated, a value", "another number, stated"}},
		{"The lamp in the hall turns on at sunset.", "not the hall, the porch", []string{"denies what was said", "denies what was said, no question"}, []string{"asked, a value"}},
		{"I added the cache to the gateway.", "the cache was not needed", []string{"what was said is denied", "reported", "reported, declares"}, []string{"denies what was said", "long, none of it"}},
		{"I'll look at the logs.", "who takes care of the flowers on friday", []string{"announced", "some words, none of it"}, []string{"of it", "much of it", "stated, a value"}},
		{"", "TypeError: x is undefined", []string{"error"}, []string{"error, again", "stated", "asked, a value"}},
		{"Run it again.", "exit status 2", []string{"error", "error, again"}, nil},
		{"Run it again.", "no errors any more", nil, []string{"error", "error, again"}},
	} {
		s := exampleOf(Message{Text: c.text, Previous: []string{c.last}[:min(1, len(c.last))]}).signals
		value := func(name string) float32 {
			i := slices.Index(s.names, name)
			if i < 0 {
				t.Fatalf("there is no signal %q", name)
			}
			return s.values[i]
		}
		for _, name := range c.on {
			if value(name) == 0 {
				t.Errorf("%q behind %q lacks %q", c.text, c.last, name)
			}
		}
		for _, name := range c.off {
			if value(name) != 0 {
				t.Errorf("%q behind %q has %q", c.text, c.last, name)
			}
		}
	}
}

func TestSignals_HaveTheirNamesOnce(t *testing.T) {
	t.Parallel()
	names := slices.Sorted(slices.Values(signalsOf(Message{}, nil, nil, nil).names))
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			t.Errorf("two signals are called %q", names[i])
		}
	}
}

func TestShapes_KeepSmallWordsAndWhatWasSaid(t *testing.T) {
	t.Parallel()
	last := "It listens on port 8080."
	all := "Start the gateway.\n" + last
	for text, want := range map[string][]string{
		"the port is 8081":          {"/^ the =", "/the = is", "/= is #", "/is # $"},
		"gateway tests, not 8080":   {"/^ ~ *", "/~ * not", "/* not #=", "/not #= $"},
		"our new blue house burned": {"/^ our *", "/our * $"},
		"":                          nil,
		"ok":                        {"/^ ok $"},
	} {
		if diff := cmp.Diff(want, shapes(cut(text), cut(last), cut(all))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestLoss_CountsAllClassesTheSame(t *testing.T) {
	t.Parallel()
	each := evenly([]Class{Correction, Correction, Correction, NewTopic})
	if each[Correction]*3 != each[NewTopic] {
		t.Errorf("three corrections count %f each, one new topic %f", each[Correction], each[NewTopic])
	}
}
