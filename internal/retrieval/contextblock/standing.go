package contextblock

import (
	"context"
	"math"
	"slices"
	"strings"

	"memory-graph/classifier"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/text"
)

// Standing facts. "Plan me a trip" needs the home town and the diet, with which it shares no word. So a request whose
// best answer depends on the user gets the nearest things that the user said of themselves, in a section of their own.
// The classifier tells how surely a request is of that kind, and makes the vector to look with. The share was chosen
// with the totals of a development set in view, so expect less elsewhere: docs/experiments.md, "Standing facts".
const (
	standingFrom = .5 // minimum probability that the best answer depends on the user
	standingNear = .5 // the share of the highest cosine from which a turn is shown
	standingRead = 24 // number of nearest turns read: many are of the subject, but tell nothing lasting
)

// Standing finds turns of the user by a vector.
type Standing interface {
	Standing(ctx context.Context, req retrieval.Request, vec []float32, limit int) ([]retrieval.FoundEpisode, error)
}

// standing returns the standing facts for a message, best first.
func (b *Builder) standing(ctx context.Context, req Request, find retrieval.Request, previous []string,
	class classifier.Result) ([]retrieval.FoundEpisode, error) {
	if b.Standing == nil || len(class.Standing) == 0 || class.Personal < standingFrom {
		return nil, nil
	}
	near, err := b.Standing.Standing(ctx, find, class.Standing, standingRead)
	if err != nil {
		return nil, err
	}
	var out []retrieval.FoundEpisode
	for _, f := range informative(near, req, previous) {
		if lasting(f) {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	from := standingNear * out[0].Score
	out = out[:min(len(out), found)]
	return slices.DeleteFunc(out, func(f retrieval.FoundEpisode) bool { return f.Score < from }), nil
}

// logit returns the log-odds of a probability.
func logit(p float64) float64 {
	p = min(max(p, 1e-9), 1-1e-9)
	return math.Log(p / (1 - p))
}

// lastingWords is the maximum length, in words, of a turn that states a standing fact. Longer turns are work.
const lastingWords = 40

// lasting reports whether a turn states something of the user that holds beyond its day: a statement in the first
// person, or a rule for the agent ("never force-push"), that nothing has replaced.
func lasting(f retrieval.FoundEpisode) bool {
	e := f.Episode
	if e.Role != memory.RoleUser || e.Status == memory.StatusQuarantined || len(f.SupersededBy) > 0 ||
		strings.Contains(e.Content, "?") {
		return false
	}
	tokens := text.Tokens(strings.NewReplacer("'", "", "’", "").Replace(e.Content))
	if len(tokens) == 0 || len(tokens) > lastingWords {
		return false
	}
	first := rules[tokens[0].Word]
	for _, t := range tokens {
		if passing[t.Word] {
			return false
		}
		first = first || persons[t.Word]
	}
	return first
}

var (
	// persons are words of the first person, without apostrophes.
	persons = wordSet(`i im ive id ill my mine me we were weve our ours us ich mein meine meinen meiner wir unser unsere
		je mon ma mes nous notre nos yo mi mis nosotros nuestra nuestro eu meu minha io mio mia ik mijn wij`)
	// rules begin what the user wants of the agent in general.
	rules = wordSet(`never always please dont prefer use keep call only nie immer bitte jamais toujours nunca siempre`)
	// passing are words of what is over soon.
	passing = wordSet(`today tonight tomorrow yesterday heute morgen gestern hoy mañana ayer demain hier`)
)

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
