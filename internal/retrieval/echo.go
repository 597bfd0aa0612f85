package retrieval

import "memory-graph/internal/text"

// echoShare is the share of a question's content words from which another question that has them asks the same.
const echoShare = .75

// markEchoes marks what is the question itself: clients store a message before the agent looks it up, and users ask
// again. It has every word that is looked for and answers nothing, so it is no evidence, and stands behind whatever
// else was found.
func markEchoes(q *parsedQuestion, cs []*candidate) {
	asked := make(map[string]bool, len(q.stems))
	for _, stem := range q.stems {
		asked[stem] = true
	}
	for _, c := range cs {
		c.echo = c.asks && asksOnly(c.turn.Content, asked)
	}
}

// asksOnly says whether a question has hardly a content word but the given ones.
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

// besideEcho says whether a candidate is here only because it stands beside the question.
func (c *candidate) besideEcho() bool {
	return c.neighbour && (c.prev != nil && c.prev.echo || c.next != nil && c.next.echo)
}
