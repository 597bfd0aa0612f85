package store_test

import (
	"math/rand/v2"
	"time"

	"memory-graph/internal/memory"
)

// call is one call of a history, in a form that can be played again. Entities and facts have the model's numbers. A
// call about one that does not exist is skipped.
type call struct {
	kind       string
	after      time.Duration // since the previous call
	head, tail int64
	byName     bool   // head and tail are given by name, not by id
	typ        string // the type that is given with a name
	relation   string
	sentence   string
	confidence *float64
	strength   *float64
	from, end  time.Time
	ended      bool
	origin     memory.Origin
	method     memory.Method
	said       time.Time // the facts come with a turn of this time; zero: with a tool call
	fact       int64     // the fact to supersede or change
	by         int64     // the fact that supersedes it
	at         time.Time
	replace    bool          // the rest of the call is the new fact
	undo       int           // how many calls back
	latest     bool          // undo names no call
	keep       time.Duration // how long eviction leaves what has ended
}

// The people and things of every history. They are few, so that facts meet.
var cast = []struct{ name, typ string }{
	{"Alice", "person"}, {"Ticket 9", "project"}, {"Acme", "organization"}, {"Globex", "organization"}, {"Go",
		"language"}, {"Rust", "language"},
}

var verbs = []string{"works_at", "works_at", "employs", "works_for", "uses", "used_by", "prefers", "likes", "dislikes",
	"assigned_to", "works_with", "friends_with"}

// kinds are drawn by weight. Calls that are often refused have a higher weight.
var kinds = []struct {
	kind   string
	weight int
}{
	{"create", 20}, {"reinforce", 16}, {"supersede", 27}, {"end", 17}, {"schedule", 17}, {"retroactive", 19}, {"undo",
		20}, {"merge", 14}, {"unmerge", 5},
	{"observe", 2}, {"update", 2}, {"expire", 2}, {"evict", 10},
}

// draw chooses the next call.
func (h *history) draw(rng *rand.Rand) call {
	sum := 0
	for _, k := range kinds {
		sum += k.weight
	}
	c := call{after: h.pause(rng)}
	for n, i := rng.IntN(sum), 0; n >= 0; i++ {
		c.kind = kinds[i].kind
		n -= kinds[i].weight
	}
	h.now = h.now.Add(c.after) // for the dates; play sets it again
	defer func() { h.now = h.now.Add(-c.after) }()
	h.drawFact(rng, &c)
	switch c.kind {
	case "create":
		c.from, c.end = time.Time{}, time.Time{}
		if rng.IntN(4) == 0 {
			c.from = h.date(rng, 0, 12)
		}
	case "reinforce":
		h.drawLive(rng, &c)
	case "supersede":
		h.drawSupersede(rng, &c)
	case "end":
		if rng.IntN(4) > 0 {
			h.drawLive(rng, &c)
		}
		if c.ended = rng.IntN(4) > 0; !c.ended || rng.IntN(2) == 0 {
			c.end = h.date(rng, -36, 0)
		}
	case "schedule":
		if rng.IntN(2) == 0 {
			h.drawLive(rng, &c)
		}
		c.ended, c.end = rng.IntN(4) == 0, h.date(rng, 1, 12)
	case "retroactive":
		if rng.IntN(3) == 0 {
			c.said = h.earlier(rng)
		} else {
			c.from = h.date(rng, -36, 0)
		}
	case "merge":
		h.drawPair(rng, &c)
	case "undo":
		c.undo = 1 + rng.IntN(2)*rng.IntN(4)
		c.latest = rng.IntN(4) == 0
	case "update":
		h.drawUpdate(rng, &c)
	case "evict":
		c.keep = []time.Duration{time.Millisecond, time.Hour, 30 * 24 * time.Hour}[rng.IntN(3)]
	}
	return c
}

// drawPair makes the call one about two unmerged entities, if there are two.
func (h *history) drawPair(rng *rand.Rand, c *call) {
	for range 20 {
		if h.mergeable(c.head, c.tail) {
			return
		}
		n := h.model.Entities()
		c.head, c.tail = 1+rng.Int64N(n), 1+rng.Int64N(n)
	}
}

// pause is the time before a call. Sometimes it is less than a second, so that facts begin and end within the same
// second.
func (h *history) pause(rng *rand.Rand) time.Duration {
	unit := []time.Duration{time.Millisecond, 100 * time.Millisecond, time.Minute, 12 * time.Hour,
		24 * time.Hour}[rng.IntN(5)]
	return unit * time.Duration(1+rng.IntN(30))
}

// drawFact fills in a random fact.
func (h *history) drawFact(rng *rand.Rand, c *call) {
	n := int(h.model.Entities())
	c.head, c.tail = int64(1+rng.IntN(n)), int64(1+rng.IntN(n))
	if rng.IntN(2) == 0 {
		c.head = 1
	}
	c.byName = rng.IntN(3) == 0
	if rng.IntN(3) == 0 {
		c.typ = []string{"person", "location", "project", "service", "concept"}[rng.IntN(5)]
	}
	c.relation = verbs[rng.IntN(len(verbs))]
	c.origin = []memory.Origin{memory.OriginUser, memory.OriginAgent, memory.OriginAgent, memory.OriginAssistant,
		memory.OriginTool}[rng.IntN(5)]
	c.method = []memory.Method{memory.MethodSupplied, memory.MethodSupplied, memory.MethodRule, memory.MethodRuleHedged,
		memory.MethodModelStated, memory.MethodModelImplied}[rng.IntN(6)]
	if rng.IntN(2) == 0 {
		v := []float64{.4, .5, .64, .65, .66, .8, .95}[rng.IntN(7)]
		c.confidence = &v
	}
	if rng.IntN(6) == 0 {
		v := []float64{.2, .5, 1}[rng.IntN(3)]
		c.strength = &v
	}
	if rng.IntN(3) == 0 {
		c.sentence = []string{"As it was told.", "As it was told again."}[rng.IntN(2)]
	}
	if rng.IntN(4) == 0 {
		c.said = h.earlier(rng)
	}
}

// drawLive makes the call one about an active fact.
func (h *history) drawLive(rng *rand.Rand, c *call) {
	if id := h.live(rng); id != 0 {
		f := h.model.Fact(id)
		c.head, c.relation, c.tail, c.byName = f.Head, f.Relation, f.Tail, false
		if c.ended || rng.IntN(2) == 0 {
			c.origin = memory.OriginUser
		}
	}
}

// live returns an active fact, 0 for none.
func (h *history) live(rng *rand.Rand) int64 {
	var live []int64
	for id := int64(1); id <= h.model.Facts(); id++ {
		if h.model.Live(id, h.now) {
			live = append(live, id)
		}
	}
	if len(live) == 0 {
		return 0
	}
	return live[rng.IntN(len(live))]
}

func (h *history) drawSupersede(rng *rand.Rand, c *call) {
	c.fact = h.live(rng)
	if n := h.model.Facts(); n > 0 && rng.IntN(20) == 0 {
		c.fact = 1 + rng.Int64N(n) // most likely an ended one
	}
	if c.fact != 0 && rng.IntN(2) == 0 {
		if c.at = h.date(rng, -12, 6); c.at.Before(h.model.Fact(c.fact).From) && rng.IntN(5) > 0 {
			c.at = time.Time{}
		}
	}
	switch rng.IntN(4) {
	case 0:
		c.by = h.live(rng)
	case 1, 2:
		c.replace = true
		if rng.IntN(2) == 0 {
			c.from = h.date(rng, -24, 6)
		}
		if c.fact != 0 && rng.IntN(2) == 0 {
			c.relation = h.model.Fact(c.fact).Relation
		}
	}
}

func (h *history) drawUpdate(rng *rand.Rand, c *call) {
	c.fact = h.live(rng)
	c.strength, c.from = nil, time.Time{}
	switch rng.IntN(4) {
	case 0:
		c.from = h.date(rng, -24, 0)
	case 1:
		c.end = h.date(rng, -6, 6)
	case 2:
		v := []float64{.3, .5, .9}[rng.IntN(3)]
		c.strength = &v
	}
}

// earlier returns a time at which something may have been said.
func (h *history) earlier(rng *rand.Rand) time.Time {
	if at := h.date(rng, -36, 0); at.Before(h.now) {
		return at
	}
	return h.now
}

// date returns a day between two months, relative to now. Half of the time it is one at which a fact began or ended.
func (h *history) date(rng *rand.Rand, from, to int) time.Time {
	lowest, highest := h.now.AddDate(0, from, 0), h.now.AddDate(0, to, 0)
	if n := h.model.Facts(); n > 0 && rng.IntN(2) == 0 {
		f := h.model.Fact(1 + rng.Int64N(n))
		for _, at := range []time.Time{f.From, f.End} {
			if !at.IsZero() && at.After(lowest) && at.Before(highest) {
				return at
			}
		}
	}
	return lowest.AddDate(0, rng.IntN(to-from+1), rng.IntN(2)).Truncate(24 * time.Hour)
}
