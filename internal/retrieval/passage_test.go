package retrieval

import (
	"strings"
	"testing"

	"memory-graph/internal/text"
)

// essay is a long turn with one sentence that matters, between sentences that share single words with a question.
var essay = strings.Repeat("A harbour has a budget. ", 20) + "The budget of the harbour party is 900 euros. " +
	strings.Repeat("Parties cost money. ", 30)

func read(content string, words map[string]int64, question string) (*reading, termWeights) {
	r := newReader(text.Parse(question))
	x := r.read("", content)
	return x, r.weigh(frequencies{words, 1000}, []*reading{x})
}

func TestPassage_IsWhereTheWordsStandTogether(t *testing.T) {
	t.Parallel()
	x, w := read(essay, map[string]int64{"budget": 20, "harbour": 20, "parti": 20, "euro": 1},
		"How many euros is the budget of the harbour party?")
	score, at := w.best(x)
	if got := at.of(essay); score <= 0 || !strings.Contains(got, "900 euros") || len(text.Tokens(got)) > passageTokens {
		t.Errorf("score %v, passage %q", score, got)
	}
}

func TestPassage_IsTheBeginningWithoutAWord(t *testing.T) {
	t.Parallel()
	x, w := read(essay, map[string]int64{"zebra": 1}, "zebra")
	if score, at := w.best(x); score != 0 || at.from != 0 || at.to == 0 || at.to == len(essay) {
		t.Errorf("score %v, passage %v", score, at)
	}
	x, w = read("", nil, "zebra")
	if score, at := w.best(x); score != 0 || at != (passage{}) {
		t.Errorf("of nothing: score %v, passage %v", score, at)
	}
}

func TestPassage_CountsPhrasesOfAnIdentifier(t *testing.T) {
	t.Parallel()
	words := map[string]int64{"192": 9, "168": 9, "1": 9, "20": 9}
	together, w := read("The printer is 192.168.1.20 now.", words, "192.168.1.20")
	apart, _ := read("Of 192 printers 20 are 1 of 168.", words, "192.168.1.20")
	a, _ := w.best(together)
	b, _ := w.best(apart)
	if a <= b {
		t.Errorf("the address scores %v, its numbers alone %v", a, b)
	}
}

func TestTermWeights_CommonWordsCountOnlyAlone(t *testing.T) {
	t.Parallel()
	frequent := map[string]int64{"boat": 500, "zebra": 1}
	_, w := read("a boat", frequent, "zebra boat")
	if w.weights[0] <= 0 || w.weights[1] != 0 {
		t.Errorf("weights of a rare and a common word: %v", w.weights)
	}
	if _, w = read("a boat", frequent, "boat"); w.weights[0] <= 0 {
		t.Errorf("the weight of a common word alone: %v", w.weights)
	}
	// In a memory of essays, a word in 30 % of the turns is not common.
	long := strings.Repeat("A harbour has many things. ", 60)
	if _, w = read(long, map[string]int64{"boat": 300, "zebra": 1}, "zebra boat"); w.weights[1] <= 0 {
		t.Errorf("weights among essays: %v", w.weights)
	}
}

func TestText_CountsByTheShareOfTheQuestionThatIsFound(t *testing.T) {
	t.Parallel()
	known := map[string]int64{"boat": 2, "island": 1}
	for question, want := range map[string][2]float64{ // of the best turn, at least and at most
		"boat island":                  {1, 1},
		"boat harbour":                 {.3, .5},
		"boat harbour captain":         {.2, .35},
		"boat island harbour":          {.6, .7},
		"boat of which harbour island": {.6, .7},
	} {
		cs := turns("s", "Ann: a boat*", "Ann: the island*", "Ann: nothing")
		link(cs)
		connect(cs, parsed(question), frequencies{known, 1000})
		best := max(cs[0].text, cs[1].text)
		if best < want[0]-1e-9 || best > want[1]+1e-9 {
			t.Errorf("%q: the best text score is %.2f, want %v", question, best, want)
		}
		if cs[0].session.text != best {
			t.Errorf("%q: the best session has %.2f, the best turn %.2f", question, cs[0].session.text, best)
		}
		if cs[2].text != 0 {
			t.Errorf("%q: a turn without a word has %.2f", question, cs[2].text)
		}
	}
}

func FuzzPassage(f *testing.F) {
	f.Add("Ann went. Bob; stayed\n\nhome? no", "where did Ann go")
	f.Add(essay, "budget 192.168.1.20 東京")
	f.Fuzz(func(t *testing.T, content, question string) {
		r := newReader(text.Parse(question))
		x := r.read("", content)
		words := map[string]int64{}
		for _, s := range r.stems {
			words[s] = 1
		}
		_, at := r.weigh(frequencies{words, 10}, []*reading{x}).best(x)
		if at.from < 0 || at.to > len(content) || at.from > at.to {
			t.Errorf("passage %v of %d bytes", at, len(content))
		}
		if n := len(text.Tokens(content)); strings.IndexByte(content, '\xff') < 0 && x.tokens < n-len(x.sentences) {
			t.Errorf("%d tokens read of %d", x.tokens, n)
		}
	})
}

// A heading names the subject of the text below it, so its words count in a passage that does not contain it.
func TestPassage_AHeadingCountsInEveryPassage(t *testing.T) {
	t.Parallel()
	for first, counts := range map[string]bool{
		"The harbour party\n":   true,
		"The harbour party.\n":  false,
		"The harbour party: \n": false,
		"The harbour party " + strings.Repeat("and so on ", 9) + "\n": false,
	} {
		of := func(first string) float64 {
			x, w := read(first+strings.Repeat("Nothing is known. ", 40)+"It costs 900 euros.", map[string]int64{"euro": 1,
				"harbour": 60}, "How many euros for the harbour?")
			score, _ := w.best(x)
			return score
		}
		if got := of(first) > of("Something else\n"); got != counts {
			t.Errorf("%q: counts is %t, want %t", first, got, counts)
		}
	}
}
