package retrieval

import (
	"math"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// candidate is one episode that may answer, with all that the features read. It is filled from the store and the
// indexes before any score is made, so that scoring is a pure function.
type candidate struct {
	turn      memory.Rankable
	bm25      float64 // 0 where text did not find it
	text      float64 // bm25 / the best bm25, 0..1
	textRank  int     // from 1, 0 where text did not find it
	cosine    float64
	z         float64 // the cosine's distance from the mean in standard deviations, 0 without vectors
	hasVector bool
	neighbour bool    // it is here only because it stands beside a good one
	reached   bool    // it is here only because the walk came to it
	replaces  bool    // it is here only because it replaced a good one
	mass      float64 // how much of its time the walk spends here, 0..1

	prev, next *candidate // in the same session, nil at its ends, where not loaded, and without a session
	session    *session   // nil without a session

	words       int
	asks        bool // ends with a question mark
	echo        bool // is the question itself, asked before
	tellsWhen   bool // carries a date or places something in time
	namedByAsk  bool // the question names this turn's speaker
	othersNamed bool // the question names another speaker, and not this one
}

// session sums up the candidates of one session.
type session struct {
	text float64 // √Σ bm25² of its turns / the best session's, 0..1
	z    float64 // the best z of its turns
}

// conversational says whether the episode is a turn of a session: the features of conversations are silent elsewhere.
func (c *candidate) conversational() bool { return c.session != nil }

// readContent fills what the turn's own text says.
func (c *candidate) readContent() {
	content := strings.TrimSpace(c.turn.Content)
	c.words = countWords(content)
	c.asks = strings.HasSuffix(content, "?") || strings.HasSuffix(content, "？")
	c.tellsWhen = tellsWhen(content)
}

// countWords counts what stands between white space, without making anything of it.
func countWords(s string) int {
	n, inside := 0, false
	for i := 0; i < len(s); i++ {
		space := s[i] == ' ' || s[i] >= '\t' && s[i] <= '\r'
		if !space && !inside {
			n++
		}
		inside = !space
	}
	return n
}

// connect links neighbours, sums up sessions and reads speakers: everything that needs all candidates at once.
func connect(cs []*candidate, q *parsedQuestion) {
	type place struct {
		session string
		seq     int64
	}
	at := make(map[place]*candidate, len(cs))
	squares := map[string]float64{}
	sessions := map[string]*session{}
	best := 0.0
	for _, c := range cs {
		c.readContent()
		id := c.turn.SessionID
		if id == "" {
			continue
		}
		at[place{id, c.turn.Seq}] = c
		s := sessions[id]
		if s == nil {
			s = &session{z: math.Inf(-1)}
			sessions[id] = s
		}
		c.session = s
		squares[id] += c.bm25 * c.bm25
		best = max(best, squares[id])
		s.z = max(s.z, c.z)
	}
	for id, s := range sessions {
		if best > 0 {
			s.text = math.Sqrt(squares[id] / best)
		}
	}
	named := map[string]bool{}
	anyNamed := false
	for _, c := range cs {
		if s := c.turn.Speaker; s != "" {
			if _, known := named[s]; !known {
				named[s] = q.mentions(s)
				anyNamed = anyNamed || named[s]
			}
		}
	}
	for _, c := range cs {
		if c.session == nil {
			continue
		}
		c.prev = at[place{c.turn.SessionID, c.turn.Seq - 1}]
		c.next = at[place{c.turn.SessionID, c.turn.Seq + 1}]
		if c.turn.Speaker != "" {
			c.namedByAsk = named[c.turn.Speaker]
			c.othersNamed = anyNamed && !c.namedByAsk
		}
	}
}

// sameSpeaker says whether two turns come from one mouth.
func sameSpeaker(a, b memory.Rankable) bool {
	return a.Role == b.Role && (a.Speaker == b.Speaker || text.Prepare(a.Speaker) == text.Prepare(b.Speaker))
}
