package retrieval

import (
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

const (
	// echoShare is the share of a stored question's content words that the asked question must contain to make it an
	// echo.
	echoShare = .75

	// A question in other words is an echo from this cosine on, if it has at most so many words: a longer one tells
	// something. The question that is being answered may have any length.
	echoCosine = .4
	echoWords  = 12

	// answering is the time for which the last question of a session counts as the one that is being answered.
	answering = 10 * time.Minute
)

// markEchoes marks candidates that are the question itself, in the same or in other words. Hosts store a message before
// the agent searches for it, and users ask again. An echo contains the words of the question and answers nothing, so it
// is not evidence and ranks last. The candidates must be linked.
func markEchoes(q *parsedQuestion, cs []*candidate, now time.Time) {
	asked := make(map[string]bool, len(q.stems))
	for _, stem := range q.stems {
		asked[stem] = true
	}
	for _, c := range cs {
		c.echo = c.asks && (c.reading == nil || c.reading.found()) && asksOnly(c.turn.Content, asked) ||
			c.cosine >= echoCosine && (c.words <= echoWords || c.beingAnswered(now)) && text.IsQuestion(c.turn.Content)
	}
}

// beingAnswered reports whether the candidate is the last turn of its session, and the user said it just now.
func (c *candidate) beingAnswered(now time.Time) bool {
	return c.turn.Role == memory.RoleUser && c.next == nil && !c.turn.OccurredAt.Before(now.Add(-answering))
}

// asksOnly reports whether nearly all content words of a text are among the given stems.
func asksOnly(content string, stems map[string]bool) bool {
	seen := map[string]bool{}
	shared := 0
	for _, t := range text.Tokens(content) {
		if t.Stop() || seen[t.Stem] {
			continue
		}
		seen[t.Stem] = true
		if stems[t.Stem] {
			shared++
		}
	}
	return shared > 0 && float64(shared) >= echoShare*float64(len(seen))
}

// besideEcho reports whether a candidate was found only as a neighbour of an echo.
func (c *candidate) besideEcho() bool {
	return c.neighbour && (c.prev != nil && c.prev.echo || c.next != nil && c.next.echo)
}
