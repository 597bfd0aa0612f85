package retrieval

import (
	"math"
	"strings"
	"sync"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// candidate is an episode that may answer the question, with everything that the features read. It is complete before
// any score is computed, so scoring is a pure function.
type candidate struct {
	turn      memory.Rankable
	bm25      float64 // 0 if text search did not find it
	indexed   float64 // bm25 / the best bm25, 0..1
	text      float64 // BM25 of its best passage / the best, times termWeights.share, 0..1
	passage   passage // its best passage; its beginning if it has no word of the question
	reading   *reading
	textRank  int // from 1; 0 if text search did not find it
	cosine    float64
	z         float64 // the cosine's distance from the mean, in standard deviations; 0 without vectors
	hasVector bool
	neighbour bool    // found only as a neighbour of a good candidate
	reached   bool    // found only by the walk
	replaces  bool    // found only because it replaced a good candidate
	fact      float64 // the similarity of the most similar fact that it states; 0 if it states none
	stated    float64 // how far this fact stands out
	mass      float64 // the share of the walk's time spent here, 0..1

	prev, next *candidate // in the same session; nil at its ends, if not loaded, and without a session
	session    *session   // nil without a session

	words       int
	asks        bool // ends with a question mark
	echo        bool // is the question itself, asked earlier
	tellsWhen   bool // contains a date or another expression of time
	namedByAsk  bool // the question names this turn's speaker
	othersNamed bool // the question names another speaker but not this one
}

// session sums up the candidates of one session.
type session struct {
	text float64 // BM25 of the session as one document / the best, times termWeights.share, 0..1
	z    float64 // the best z of its turns
}

// conversational reports whether the episode belongs to a session. Other episodes have no conversation features.
func (c *candidate) conversational() bool { return c.session != nil }

// readContent sets the fields that depend only on the text of the turn.
func (c *candidate) readContent() {
	content := strings.TrimSpace(c.turn.Content)
	c.words = countWords(content)
	c.asks = strings.HasSuffix(content, "?") || strings.HasSuffix(content, "？")
}

// quoted returns the part of the turn that counts for the question: its best passage, or all if it was not read.
func (c *candidate) quoted() string {
	if c.reading == nil {
		return c.turn.Content
	}
	return c.passage.of(c.turn.Content)
}

// countWords counts the words between white space without allocating.
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

// link links the candidates that are neighbours in a session.
func link(cs []*candidate) {
	type place struct {
		session string
		seq     int64
	}
	at := make(map[place]*candidate, len(cs))
	for _, c := range cs {
		if c.turn.SessionID != "" {
			at[place{c.turn.SessionID, c.turn.Seq}] = c
		}
	}
	for _, c := range cs {
		if c.turn.SessionID != "" {
			c.prev = at[place{c.turn.SessionID, c.turn.Seq - 1}]
			c.next = at[place{c.turn.SessionID, c.turn.Seq + 1}]
		}
	}
}

// connect reads the texts of all linked candidates, sums up the sessions and compares speakers.
func connect(cs []*candidate, q *parsedQuestion, f frequencies) {
	sessions := map[string]*session{}
	for _, c := range cs {
		id := c.turn.SessionID
		if id == "" {
			continue
		}
		s := sessions[id]
		if s == nil {
			s = &session{z: math.Inf(-1)}
			sessions[id] = s
		}
		c.session = s
		if !c.echo {
			s.z = max(s.z, c.z)
		}
	}
	for _, s := range sessions {
		if math.IsInf(s.z, -1) { // only echoes
			s.z = 0
		}
	}
	readText(cs, q, f)
	date := func(cs []*candidate) {
		for _, c := range cs {
			c.tellsWhen = tellsWhen(c.quoted())
		}
	}
	var beside sync.WaitGroup
	beside.Go(func() { date(cs[:len(cs)/2]) }) // half of them in parallel
	date(cs[len(cs)/2:])
	beside.Wait()
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
		if c.turn.Speaker != "" {
			c.namedByAsk = named[c.turn.Speaker]
			c.othersNamed = anyNamed && !c.namedByAsk
		}
	}
}

// sameSpeaker reports whether one speaker said both turns.
func sameSpeaker(a, b memory.Rankable) bool {
	return a.Role == b.Role && (a.Speaker == b.Speaker || text.Prepare(a.Speaker) == text.Prepare(b.Speaker))
}
