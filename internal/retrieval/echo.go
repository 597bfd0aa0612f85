package retrieval

import "memory-graph/internal/text"

// echoShare is the share of a stored question's content words that the asked question must contain to make it an echo.
const echoShare = .75

// markEchoes marks candidates that are the question itself. Clients store a message before the agent searches for it,
// and users ask again. An echo contains every word of the question and answers nothing, so it is not evidence and ranks
// last.
func markEchoes(q *parsedQuestion, cs []*candidate) {
	asked := make(map[string]bool, len(q.stems))
	for _, stem := range q.stems {
		asked[stem] = true
	}
	for _, c := range cs {
		c.echo = c.asks && (c.reading == nil || c.reading.found()) && asksOnly(c.turn.Content, asked)
	}
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
