package supersession_test

import (
	"strings"
	"testing"
	"time"

	"memory-graph/internal/retrieval/supersession"
)

var (
	now  = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	rent = supersession.ReadQuestion("How much is my rent?", now)
)

// likely returns two turns about one thing, that the question finds both.
func likely(earlier, later string) supersession.Pair {
	turn := func(content string, rank int) *supersession.Turn {
		return &supersession.Turn{Content: content, Z: 2, Rank: rank}
	}
	return supersession.Pair{Earlier: turn(earlier, 0), Later: turn(later, 1), Deviation: 2, Nearest: true}
}

func TestPoints_ALaterTurnWithAChangeAndAnotherNumberSupersedes(t *testing.T) {
	t.Parallel()
	p := likely("The rent is 840 a month.", "They raised it, 895 from January.")
	if got := p.Points(rent); got < supersession.Enough {
		t.Errorf("%.2f points: %s", got, p.Why(rent))
	}
	if why := p.Why(rent); !strings.Contains(why, "word for a change") {
		t.Error(why)
	}
}

func TestPoints_EachSignalCounts(t *testing.T) {
	t.Parallel()
	const earlier, later = "The rent is 840 a month.", "They raised it, 895 from January."
	whole := likely(earlier, later).Points(rent)
	for name, change := range map[string]func(*supersession.Pair){
		"no change":            func(p *supersession.Pair) { p.Later.Content = "It is 895 from January." },
		"something new":        func(p *supersession.Pair) { p.Later.Content = "It is 895 now." },
		"the same number":      func(p *supersession.Pair) { p.Later.Content = "They raised it, from 840." },
		"no earlier number":    func(p *supersession.Pair) { p.Earlier.Content = "The rent is high." },
		"also":                 func(p *supersession.Pair) { p.Later.Content += " They also painted the hall." },
		"too":                  func(p *supersession.Pair) { p.Later.Content += " The cellar too." },
		"only a question":      func(p *supersession.Pair) { p.Later.Asks = true },
		"a nearer turn":        func(p *supersession.Pair) { p.Nearest = false },
		"less similar":         func(p *supersession.Pair) { p.Deviation = 1 },
		"not found":            func(p *supersession.Pair) { p.Later.Rank = 40 },
		"not what is asked of": func(p *supersession.Pair) { p.Earlier.Z = 1 },
	} {
		p := likely(earlier, later)
		if change(&p); p.Points(rent) >= whole {
			t.Errorf("%s: %.2f points, %.2f without", name, p.Points(rent), whole)
		}
	}
}

func TestPoints_ASimilarTurnThatTheQuestionDoesNotFindSupersedesNothing(t *testing.T) {
	t.Parallel()
	p := likely("The rent is 840 a month.", "The rent of the garage is 60.")
	p.Later.Rank = 40
	if got := p.Points(rent); got >= supersession.Enough {
		t.Errorf("%.2f points: %s", got, p.Why(rent))
	}
}

func TestReadQuestion_KnowsTheTimeAskedAbout(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]supersession.When{
		"Where do I live?":                    supersession.Now,
		"How many problems have I solved?":    supersession.Now,
		"Where did I live?":                   supersession.Past,
		"Who repaired the boat?":              supersession.Past,
		"Where did I live at first?":          supersession.First,
		"What was my rent before the move?":   supersession.First,
		"How long did we date before moving?": supersession.Past,
		"When did I start to run?":            supersession.Past,
		"Where did I use to work?":            supersession.First,
		"What is my old number?":              supersession.First,
		"Where did I live in March 2026?":     supersession.Then,
		"Where will I live in December 2026?": supersession.Now,
		"Who is first in line?":               supersession.Now,
		"What's the name of my dentist?":      supersession.Now,
		"":                                    supersession.Now,
	} {
		if got := supersession.ReadQuestion(question, now).When; got != want {
			t.Errorf("%q: %v, want %v", question, got, want)
		}
	}
	at := now.AddDate(0, -1, 0)
	if a := rent.AsOf(at); a.When != supersession.Then || !a.Until.Equal(at) {
		t.Errorf("%+v", a)
	}
}
