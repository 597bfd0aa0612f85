package supersession_test

import (
	"strings"
	"testing"
	"time"

	"memory-graph/internal/retrieval/supersession"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// near is a pair of turns that are as near as such turns of two sessions are, and found by their question.
func near(earlier, later string) supersession.Pair {
	return supersession.Pair{Earlier: supersession.Read(earlier, "", ""), Later: supersession.Read(later, "", ""), Forth: 3, Back: 3, Nearest: true, NearestBack: true, SameSpeaker: true, Found: .7}
}

func points(question, earlier, later string) float64 {
	return near(earlier, later).Points(supersession.ReadQuestion(question, now))
}

func TestPoints_ALaterTurnTakesThePlaceOfWhatItContradicts(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"When is the rehearsal?", "The rehearsal is on Monday at 18:00.", "The rehearsal is on Wednesday, same room."},
		{"How much is the fee?", "The fee is 120 euros.", "They raised the fee to 140 euros."},
		{"What is the address of the printer?", "The printer answers on 10.0.0.7.", "The printer has 10.0.3.9 since the move."},
		{"Do we ship in March?", "We ship in March.", "No, we don't ship in March any more."},
		{"What about the garden party?", "The garden party is at Ida's.", "No garden party, she is ill."},
		{"Which colour has the gate?", "The gate gets painted blue.", "The gate is red, blue was sold out."},
		{"Who is our vet?", "Our vet is Dr. Amari.", "Dr. Amari retired, our vet is Dr. Novak."},
		{"Which version do we run?", "We run version 1.22 of it.", "We run version 1.24 of it."},
		{"How many grams of salt?", "It needs 9 grams of salt.", "It needs 7 grams of salt."},
	} {
		if got := points(c[0], c[1], c[2]); got < supersession.Enough {
			t.Errorf("%.1f points for %q after %q", got, c[2], c[1])
		}
	}
}

func TestPoints_WhatHoldsBesideItTakesNoPlace(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"How many eggs for the pancakes?", "The pancakes take three eggs.", "The sponge cake takes five eggs."},
		{"When is the rehearsal?", "The rehearsal is on Monday.", "The performance is on Saturday."},
		{"Where is the rehearsal?", "The rehearsal is in the old school.", "At the rehearsal they sang well."},
		{"What do I know about Hannes?", "Hannes plays the tuba.", "Hannes has a sister."},
		{"How tall is the blue shelf?", "The blue shelf is 180 cm tall.", "The oak shelf is 210 cm tall."},
		{"Which port has the proxy?", "The proxy listens on 8080.", "The exporter listens on 9100."},
	} {
		if got := points(c[0], c[1], c[2]); got >= supersession.Enough {
			t.Errorf("%.1f points for %q after %q", got, c[2], c[1])
		}
	}
}

func TestPoints_WhatIsNoMoreLosesItsPlace(t *testing.T) {
	t.Parallel()
	asked := supersession.ReadQuestion("Who bakes our bread?", now)
	p := near("Our bread comes from Hallmann, rye mostly.", "Hallmann has closed, we go to the station now.")
	other := near("Our bread comes from Hallmann, rye mostly.", "The cinema has closed, we go to the station now.")
	p.Forth, p.Back, other.Forth, other.Back = 1, 1, 1, 1
	p.Found, other.Found = .4, .4
	if a, b := p.Points(asked), other.Points(asked); a < b+1.5 {
		t.Errorf("%.1f points where what was told of closed, %.1f where something else did", a, b)
	}
}

func TestPoints_TooMuchAddsNothing(t *testing.T) {
	t.Parallel()
	const question, earlier = "At how many degrees do we wash?", "We wash at 60 degrees."
	added := points(question, earlier, "We wash at 40 degrees, too.")
	for _, later := range []string{"60 was too hot, we wash at 40 degrees.", "Also, we wash at 40 degrees.", "We wash at 40 degrees, as well as we can."} {
		if got := points(question, earlier, later); got < added+1.5 {
			t.Errorf("%.1f points for %q, %.1f where it is added", got, later, added)
		}
	}
	if as := points(question, earlier, "We wash at 40 degrees as well."); as > added+.5 {
		t.Errorf("%.1f points for what holds as well", as)
	}
}

func TestBest_IsNeverLessThanThePoints(t *testing.T) {
	t.Parallel()
	lines := []string{"The fee is 120 euros.", "They raised the fee to 140 euros.", "Hallmann has closed, we go to the station now.", "No garden party, she is ill.",
		"I took it to the cellar, too.", "The garden party is at Ida's.", "", "At seven on Monday", strings.Repeat("word ", supersession.MaxWords+1)}
	for _, question := range []string{"How much is the fee?", "Where is it?", "Who comes?", "Which parties do we give?", "When?"} {
		asked := supersession.ReadQuestion(question, now)
		for _, a := range lines {
			for _, b := range lines {
				p := near(a, b)
				points := p.Points(asked)
				both := p.Best(asked)
				p.Earlier = nil
				one := p.Best(asked)
				p.Later = nil
				if none := p.Best(asked); points > both || points > one || points > none {
					t.Errorf("%q, %q after %q: %v points, at best %v, %v, %v", question, b, a, points, both, one, none)
				}
			}
		}
	}
}

func TestPoints_WeighsWhoSpeaksAndHowNearTheyAre(t *testing.T) {
	t.Parallel()
	asked := supersession.ReadQuestion("Where do I work?", now)
	p := near("I work at Acme.", "I switched to Globex.")
	best := p.Points(asked)
	for name, worse := range map[string]func(*supersession.Pair){
		"somebody else":  func(p *supersession.Pair) { p.SameSpeaker = false },
		"farther":        func(p *supersession.Pair) { p.Forth = 1 },
		"not nearest":    func(p *supersession.Pair) { p.NearestBack = false },
		"less found":     func(p *supersession.Pair) { p.Found = 0 },
		"says it adds":   func(p *supersession.Pair) { p.Later = supersession.Read("I also switched to Globex.", "", "") },
		"nothing to say": func(p *supersession.Pair) { p.Later = supersession.Read("", "", "") },
	} {
		q := p
		worse(&q)
		if got := q.Points(asked); got >= best {
			t.Errorf("%s: %.1f points, %.1f without", name, got, best)
		}
	}
	if many := p.Points(supersession.ReadQuestion("Which companies do I work for?", now)); many >= best {
		t.Errorf("%.1f points where several are asked for, %.1f for one", many, best)
	}
}

func TestReadQuestion_KnowsTheTimeAskedAbout(t *testing.T) {
	t.Parallel()
	september := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	for question, want := range map[string]supersession.When{
		"Where does Marta live?":                         supersession.Now,
		"Which plan are we on?":                          supersession.Now,
		"What time do we meet tomorrow?":                 supersession.Now,
		"How old is the bridge?":                         supersession.Now,
		"Who is first on the list?":                      supersession.Now,
		"What do I have to do before the exam?":          supersession.Now,
		"broker address":                                 supersession.Now,
		"What address did the broker have in September?": supersession.Then,
		"What was the price in September 2026?":          supersession.Then,
		"What was the price at the end of September?":    supersession.Then,
		"Which tiles did he want at first?":              supersession.First,
		"Where did I live before the move?":              supersession.First,
		"What is my old address?":                        supersession.First,
		"What was the original port, originally?":        supersession.First,
		"Where did she use to work? Where used to?":      supersession.First,
		"How was I cheated?":                             supersession.Past,
		"Who nearly served nuts?":                        supersession.Past,
		"Which countries has she visited?":               supersession.Past,
		"What would he like?":                            supersession.Past,
		"Who won?":                                       supersession.Past,
	} {
		asked := supersession.ReadQuestion(question, now)
		if asked.When != want || want == supersession.Then && !asked.Until.Equal(september) {
			t.Errorf("%q is about %v (until %v), want %v", question, asked.When, asked.Until, want)
		}
	}
}

func TestReadQuestion_TheBeginningOfAPeriodIsItsFirstThird(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 9, 11, 0, 0, 0, 0, time.UTC)
	if got := supersession.ReadQuestion("What did I pay at the beginning of September?", now); got.When != supersession.Then || !got.Until.Equal(want) {
		t.Errorf("%v until %v, want %v", got.When, got.Until, want)
	}
}

func FuzzPoints(f *testing.F) {
	f.Add("When is it?", "It is on 3 May at 7:45pm, 1st row, 12 %, €5.", "No, it's v1.2.3 at quarter to two, #0d1117 — “ok”")
	f.Add("", "", "")
	f.Add("which which which", "no no no", "\xff’’’ -- .")
	f.Fuzz(func(t *testing.T, question, earlier, later string) {
		_ = supersession.Read(earlier, question, later)
		_ = supersession.ReadQuestion(question, now).Wanted.In(earlier, later)
		a := near(earlier, later).Points(supersession.ReadQuestion(question, now))
		if b := near(earlier, later).Points(supersession.ReadQuestion(question, now)); a != b || a > 30 || a < -10 {
			t.Fatalf("%v points, then %v", a, b)
		}
	})
}
