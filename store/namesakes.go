package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/aliases"
	"memory-graph/internal/memory"
)

// namesake is one of several nodes of one name, with the properties that distinguish them.
type namesake struct {
	node
	facts    int64     // active facts that somebody more trusted than a tool stated, up to memory.MaxFactsCounted
	fact     string    // the surest of them
	lastSeen time.Time // when it was last mentioned
}

// longAgo is the minimum time between the last mentions by which the latest mentioned namesake dominates.
const longAgo = 24 * time.Hour

// clearlyMore is the minimum number of facts by which a namesake with more facts dominates.
const clearlyMore = 2

// settle chooses among the nodes that a name may mean. ok is false if there are none. The error is Ambiguous if none
// of them dominates.
func settle(ctx context.Context, c *conn, now time.Time, name string, fit []node) (n node, ok bool, err error) {
	if len(fit) < 2 {
		if len(fit) == 0 {
			return node{}, false, nil
		}
		return fit[0], true, nil
	}
	list, err := namesakes(ctx, c, now, fit)
	if err != nil {
		return node{}, false, err
	}
	if best, ok := dominant(name, list); ok {
		return best, true, nil
	}
	e := memory.Errorf(memory.Ambiguous, "%q may be any of %d.", clip(name), len(fit)).WithHint("Say which by its id.")
	for _, n := range list {
		e.Candidates = append(e.Candidates, n.candidate())
	}
	return node{}, false, e
}

// dominant returns the namesake that is clearly meant. A name with a capital means the only namesake with this
// displayed spelling. Otherwise it is the namesake with at least twice the facts of every other and at least two more,
// or the only one of several things that has a fact, or the one with no fewer facts than any other and a last mention
// at least a day later. A person, a place or a memory of the name keeps the tie.
func dominant(name string, list []namesake) (node, bool) {
	shown := memory.Shown(name)
	var spelled []namesake
	for _, n := range list {
		if n.name == shown {
			spelled = append(spelled, n)
		}
	}
	// "Tom" in a text may also be Tom (support), unless a caller gave that name to somebody else
	open := slices.ContainsFunc(list, func(n namesake) bool { return n.namesake })
	if len(spelled) == 1 && shown != strings.ToLower(shown) && (!open || spelled[0].typing == typeStated) {
		return spelled[0].node, true
	}
	things := !slices.ContainsFunc(list, func(n namesake) bool { return !software(n.node) })
	for _, better := range []func(a, b namesake) bool{
		func(a, b namesake) bool { return a.facts >= 2*b.facts && a.facts-b.facts >= clearlyMore },
		func(a, b namesake) bool { return things && a.facts > 0 && b.facts == 0 },
		func(a, b namesake) bool { return a.facts >= b.facts && a.lastSeen.Sub(b.lastSeen) >= longAgo },
	} {
		for _, a := range list {
			if !slices.ContainsFunc(list, func(b namesake) bool { return a.id != b.id && !better(a, b) }) {
				return a.node, true
			}
		}
	}
	return node{}, false
}

func (n namesake) candidate() memory.Candidate {
	out := memory.Candidate{ID: n.ref().String(), Name: n.name, Type: n.typ, Facts: &n.facts, Fact: n.fact}
	if !n.lastSeen.IsZero() {
		out.LastMentioned = memory.RFC3339(n.lastSeen)
	}
	return out
}

// countedFact is the condition on an active fact r that counts for a namesake. ?2 is the present. Links and facts from
// tools do not count, because neither may decide whom a name means.
const countedFact = `r.valid_until IS NULL AND (r.expires_at IS NULL OR r.expires_at > ?2) AND r.origin <> 'tool'
	AND r.method NOT IN ` + linkedMethods

// namesakes reads the properties that distinguish nodes of one name, in the order of the nodes.
func namesakes(ctx context.Context, c *conn, now time.Time, nodes []node) ([]namesake, error) {
	ids := make([]int64, len(nodes))
	out := make([]namesake, len(nodes))
	for i, n := range nodes {
		ids[i], out[i] = n.id, namesake{node: n}
	}
	const facts = `(SELECT r.id, r.confidence FROM mg_relationships r WHERE r.head_id = e.id AND ` + countedFact +
		` UNION ALL SELECT r.id, r.confidence FROM mg_relationships r WHERE r.tail_id = e.id AND ` + countedFact +
		` LIMIT ?3)`
	err := c.query(ctx, `SELECT j.key, e.last_seen_at, (SELECT count(*) FROM `+facts+`),
		(SELECT iif(x.fact <> '', x.fact, h.name || ' ' || replace(x.relation, '_', ' ') || ' ' || t.name)
			FROM (SELECT id FROM `+facts+` ORDER BY confidence DESC, id LIMIT 1) f JOIN mg_relationships x ON x.id = f.id
			JOIN mg_entities h ON h.id = x.head_id JOIN mg_entities t ON t.id = x.tail_id)
		FROM json_each(?1) j CROSS JOIN mg_entities e ON e.id = j.value`, func(s cursor) (err error) {
		n := &out[s.int(0)]
		n.facts, n.fact = s.int64(2), clip(s.text(3))
		n.lastSeen, err = memory.ParseStored(s.text(1))
		return err
	}, idList(ids), memory.Seconds(now), memory.MaxFactsCounted)
	return out, err
}

// variant is another canonical name for what a name means, and the condition that a node of this name must meet.
type variant struct {
	name string
	fits func(node) bool
}

func (v variant) fitting(found []node) []node {
	var fit []node
	for _, n := range found {
		if v.fits(n) {
			n.described = true
			fit = append(fit, n)
		}
	}
	return fit
}

// software reports whether a node may be a technology.
func software(n node) bool {
	return n.kind == memory.NodeEntity && !memory.IsPerson(n.typ) && !memory.IsPlace(n.typ)
}

// built reports whether a node may be an application or a service that people build, not a technology.
func built(n node) bool { return software(n) && !slices.Contains(memory.TypeFamily("tool"), n.typ) }

// builtNouns follow the name of something that people build: "the Larder app" is Larder.
var builtNouns = []string{" app", " application", " project"}

// variants returns other names for what a canonical name means, the likeliest first.
func (s *Store) variants(canonical string) []variant {
	var out []variant
	if base, q, ok := memory.NamedBy(canonical); ok {
		out = append(out, variant{q.Name(base), func(n node) bool { return memory.IsPerson(n.typ) || n.assumed() }})
	}
	for _, name := range s.techs.Others(canonical) {
		out = append(out, variant{name, software})
	}
	if name, ok := s.techs.Described(canonical); ok {
		for _, name := range append([]string{name}, s.techs.Others(name)...) {
			out = append(out, variant{name, software})
		}
		return out
	}
	if name, ok := dotted(canonical); ok {
		out = append(out, variant{name, func(n node) bool { return n.kind == memory.NodeEntity }})
	}
	bare := aliases.Bare(canonical)
	if bare != canonical {
		out = append(out, variant{bare, built})
	}
	for _, noun := range builtNouns {
		name, ok := strings.CutSuffix(bare, noun)
		if _, technology := s.techs.Usual(name); ok && !technology {
			out = append(out, variant{name, built})
		}
	}
	return out
}

// abbreviated are endings of names that are written with a dot or without.
var abbreviated = []string{"inc", "co", "corp", "ltd", "bros", "jr", "sr"}

// dotted adds the dot to a name that ends with an abbreviation, or removes it: "acme inc." and "acme inc" are one name.
// ok is false for other names.
func dotted(canonical string) (name string, ok bool) {
	name, dot := strings.CutSuffix(canonical, ".")
	if !dot {
		name = canonical + "."
	}
	last := strings.TrimSuffix(canonical[strings.LastIndexByte(canonical, ' ')+1:], ".")
	return name, len(last) < len(strings.TrimSuffix(canonical, ".")) && slices.Contains(abbreviated, last)
}

// alsoCalled returns further names for a new node: the other names of a technology that the name is or describes, or a
// person's name without its qualifier.
func (w *writing) alsoCalled(name, typ string) []string {
	switch base, _, ok := memory.Qualified(name); {
	case memory.IsPerson(typ) && ok:
		return []string{base}
	case memory.IsPerson(typ) || memory.IsPlace(typ):
		return nil
	}
	canonical := memory.Canonical(name)
	if thing, ok := w.s.techs.Described(canonical); ok && (typ == "" || memory.MayBeOne(typ, "technology")) {
		return append([]string{thing}, w.s.techs.Others(thing)...)
	}
	return w.s.techs.Others(canonical)
}

// onlyDescribes reports whether a name describes the technology that another name is the name of: "the Postgres
// database" beside "PostgreSQL".
func (s *Store) onlyDescribes(name, other string) bool {
	_, describes := s.techs.Described(memory.Canonical(name))
	_, named := s.techs.Usual(memory.Canonical(other))
	return describes && named
}
