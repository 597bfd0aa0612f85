package store_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store/internal/factmodel"
)

// compare expects that the store and the model hold equal facts.
func (h *history) compare() error {
	if n := h.model.Facts(); n != int64(len(h.facts)-1) {
		return fmt.Errorf("the model has %d facts and the store gave %d", n, len(h.facts)-1)
	}
	rows, err := h.s.Relationships(h.t.Context(), h.scope.Namespace, h.facts[1:], memory.AsOf{})
	if err != nil {
		return err
	}
	all := map[int64]factmodel.Fact{}
	for id := int64(1); id <= h.model.Facts(); id++ {
		all[id] = h.model.Fact(id)
	}
	if err := h.equal(all, rows); err != nil {
		return err
	}
	for i, r := range rows {
		// A call that leaves the same call episode twice within ten minutes leaves it once.
		want := h.model.Evidence(int64(i + 1))
		if turns := slices.DeleteFunc(slices.Clone(want), func(n int) bool { return h.left[n] }); len(r.Evidence) < max(1,
			len(turns)) || len(r.Evidence) > len(want) {
			return fmt.Errorf("r%d has evidence %v; want %d of it, %d of which are turns", i+1, r.Evidence, len(want),
				len(turns))
		}
		if r.Active(h.now) != h.model.Live(int64(i+1), h.now) {
			return fmt.Errorf("r%d active: %v", i+1, r.Active(h.now))
		}
	}
	return nil
}

// equal expects that rows of the store equal these facts of the model.
func (h *history) equal(want map[int64]factmodel.Fact, rows []memory.Relationship) error {
	var missing, extra []string
	left := map[string]int{}
	for id, f := range want {
		left[h.line(h.facts[id], f)]++
	}
	for _, r := range rows {
		line := h.row(r)
		if left[line] == 0 {
			extra = append(extra, line)
		}
		left[line]--
	}
	for line, n := range left {
		if n > 0 {
			missing = append(missing, line)
		}
	}
	if len(missing)+len(extra) == 0 {
		return nil
	}
	slices.Sort(missing)
	slices.Sort(extra)
	return fmt.Errorf("the store has\n    %s\n  where the model has\n    %s", strings.Join(extra, "\n    "),
		strings.Join(missing, "\n    "))
}

// line formats a fact of the model with the store's ids.
func (h *history) line(id int64, f factmodel.Fact) string {
	by := int64(0)
	if f.SupersededBy != 0 {
		by = h.facts[f.SupersededBy]
	}
	return factLine(id, h.ent[f.Head], f.Relation, h.ent[f.Tail], f, f.From, f.End, by)
}

// row formats a row of the store in the same way. A scheduled end counts as an end, due or not.
func (h *history) row(r memory.Relationship) string {
	end := r.ValidUntil
	if end.IsZero() {
		end = r.ExpiresAt
	}
	f := factmodel.Fact{Sentence: r.Fact, Class: r.EdgeClass, Confidence: r.Confidence, Strength: r.Strength,
		Origin: r.Origin, Method: r.Method}
	return factLine(r.ID, r.Head.ID, r.Relation, r.Tail.ID, f, r.ValidFrom, end, r.SupersededBy)
}

func factLine(id, head int64, relation string, tail int64, f factmodel.Fact, from, end time.Time, by int64) string {
	return fmt.Sprintf("r%d: e%d %s e%d [%s, %s) by r%d, %s %s %.9f, strength %g, %s, %q",
		id, head, relation, tail, memory.Seconds(from), memory.Seconds(
			end), by, f.Origin, f.Method, f.Confidence, f.Strength, f.Class, f.Sentence)
}

// verify reads both at random points of the two axes, and checks the file.
func (h *history) verify(seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 14))
	h.now = h.now.Add(time.Duration(rng.IntN(60*24)) * time.Hour) // ends may have come since
	h.p.now = h.now
	places := []memory.AsOf{{}, {ValidAt: h.now}, {KnownAt: h.now}}
	for range 4 {
		places = append(places, memory.AsOf{ValidAt: h.instant(rng, false)}, memory.AsOf{KnownAt: h.instant(rng, true)},
			memory.AsOf{ValidAt: h.instant(rng, false), KnownAt: h.instant(rng, true)})
	}
	for i, at := range places {
		err := h.read(at)
		if err == nil && i%4 == 0 {
			err = h.names(at.KnownAt)
		}
		if err != nil {
			return fmt.Errorf("read at %s of what was known at %s (now %s): %w", memory.Seconds(at.ValidAt),
				memory.Millis(at.KnownAt), memory.Millis(h.now), err)
		}
	}
	for id := int64(1); id <= h.model.Facts(); id++ {
		if err := h.past(id); err != nil {
			return fmt.Errorf("history of r%d: %w", id, err)
		}
	}
	return h.sound()
}

// past compares all versions of a fact. A scheduled end that becomes due is not a change, and versions without a
// duration do not count.
func (h *history) past(id int64) error {
	var want, got []string
	add := func(to *[]string, line string, from, until time.Time) {
		line = memory.Millis(from) + " " + line
		if n := len(*to); !from.Equal(until) && (n == 0 || (*to)[n-1][24:] != line[24:]) {
			*to = append(*to, line)
		}
	}
	for _, v := range h.model.History(id) {
		add(&want, h.line(h.facts[id], v.Meaning), v.Created, v.Expired)
	}
	versions, more, err := h.s.History(h.t.Context(), h.scope.Namespace, memory.RelationshipID(h.facts[id]), 0, 1000)
	if err != nil || more {
		return fmt.Errorf("more %v, %w", more, err)
	}
	slices.SortFunc(versions, func(a, b memory.Version) int { return int(a.ID - b.ID) })
	for i, v := range versions {
		if v.Number != i+1 || v.Relationship == nil || v.Event.ID == 0 || v.Cause == "" {
			return fmt.Errorf("version %d is %+v", i+1, v)
		}
		add(&got, h.row(*v.Relationship), v.CreatedAt, v.ExpiredAt)
	}
	if !slices.Equal(want, got) {
		return fmt.Errorf("the store has\n    %s\n  where the model has\n    %s", strings.Join(got, "\n    "),
			strings.Join(want, "\n    "))
	}
	return nil
}

// names compares which entity answers for each id, with its names and confidence.
func (h *history) names(k time.Time) error {
	for id := int64(1); id <= h.model.Entities(); id++ {
		root, want, known := h.model.EntityAt(id, k)
		e, err := h.s.ResolveEntity(h.t.Context(), h.scope.Namespace, memory.NodeID(memory.NodeEntity, h.ent[id]).String(),
			"", memory.AsOf{KnownAt: k})
		if !known {
			if err := refusal(err, memory.NotFound); err != nil {
				return fmt.Errorf("e%d: %+v, %w", id, e, err)
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("e%d: %w", id, err)
		}
		aliases := append([]string{want.Canonical},
			slices.DeleteFunc(slices.Clone(want.Aliases), func(a string) bool { return a == want.Canonical })...)
		w := fmt.Sprintf("e%d %q %s %q %.6f", h.ent[root], want.Name, want.Type, aliases, want.Confidence)
		if g := fmt.Sprintf("e%d %q %s %q %.6f", e.ID, e.Name, e.Type, append([]string{e.Canonical}, e.Aliases...),
			e.Confidence); g != w {
			return fmt.Errorf("e%d answers as %s; want %s", id, g, w)
		}
	}
	return nil
}

// instant returns a time at which a fact began, ended or was written, a time beside it, or any time.
func (h *history) instant(rng *rand.Rand, known bool) time.Time {
	if n := h.model.Facts(); n > 0 && rng.IntN(4) > 0 {
		versions := h.model.History(1 + rng.Int64N(n))
		v := versions[rng.IntN(len(versions))]
		at := []time.Time{v.Meaning.From, v.Meaning.End, v.Created}[rng.IntN(3)]
		beside := time.Second
		if known {
			at, beside = v.Created, time.Millisecond
		}
		if !at.IsZero() {
			return at.Add(time.Duration(rng.IntN(3)-1) * beside)
		}
	}
	return h.now.Add(-time.Duration(rng.IntN(400*24)) * time.Hour)
}

// read compares the results of all kinds of reads.
func (h *history) read(at memory.AsOf) error {
	want := h.model.At(at, h.now)
	ctx, ns := h.t.Context(), h.scope.Namespace
	rows, more, err := h.s.LinksOf(ctx, memory.EdgeQuery{Namespace: ns, Nodes: h.ent[1:], At: at}, memory.Filter{}, 0,
		1000)
	if err != nil || more {
		return fmt.Errorf("links: more %v, %w", more, err)
	}
	if err := h.equal(want, rows); err != nil {
		return fmt.Errorf("links: %w", err)
	}
	if !at.Now() { // without times Relationships returns ended facts too
		if rows, err = h.s.Relationships(ctx, ns, h.facts[1:], at); err != nil {
			return err
		}
		if err := h.equal(want, rows); err != nil {
			return fmt.Errorf("relationships: %w", err)
		}
	}
	if at.KnownAt.IsZero() && !at.ValidAt.IsZero() {
		if err := h.edgesAt(at.ValidAt, want); err != nil {
			return fmt.Errorf("links of one: %w", err)
		}
	}
	rows, more, err = h.s.RelationshipsAmong(ctx, memory.EdgeQuery{Namespace: ns, Nodes: h.ent[1:], At: at},
		memory.Filter{}, 1000)
	if err != nil || more {
		return fmt.Errorf("among all: more %v, %w", more, err)
	}
	if err := h.equal(want, rows); err != nil {
		return fmt.Errorf("among all: %w", err)
	}
	var every []int64
	for i := range int64(10 * historyLength) {
		every = append(every, h.first+i)
	}
	rows, err = h.s.RelationshipsEvidenced(ctx, memory.EdgeQuery{Namespace: ns, At: at}, memory.Filter{}, every, false,
		1000)
	if err != nil {
		return err
	}
	if err := h.equal(want, rows); err != nil {
		return fmt.Errorf("with evidence: %w", err)
	}
	return nil
}

// edgesAt reads the facts of the first entity, from both sides.
func (h *history) edgesAt(at time.Time, all map[int64]factmodel.Fact) error {
	rows, more, err := h.s.LinksOf(h.t.Context(),
		memory.EdgeQuery{Namespace: h.scope.Namespace, Nodes: h.ent[1:2], At: memory.AsOf{ValidAt: at}}, memory.Filter{}, 0,
		1000)
	if err != nil || more {
		return fmt.Errorf("more %v, %w", more, err)
	}
	want := maps.Clone(all)
	maps.DeleteFunc(want, func(_ int64, f factmodel.Fact) bool { return f.Head != 1 && f.Tail != 1 })
	return h.equal(want, rows)
}

// sound checks rules that no file may break. The statements count the violations in a namespace.
func (h *history) sound() error {
	for what, sql := range map[string]string{
		"fact that is active twice": `SELECT count(*) FROM (SELECT 1 FROM mg_facts r WHERE r.namespace = @n AND
			valid_until IS NULL
			GROUP BY head_id, relation, tail_id HAVING count(*) > 1)`,
		"fact without evidence": `SELECT count(*) FROM mg_facts r WHERE r.namespace = @n AND NOT EXISTS (SELECT 1 FROM
			mg_evidence WHERE relationship_id = r.id)`,
		"version that does not follow the one before": `SELECT count(*) FROM (SELECT created_at, lag(expired_at, 1,
			created_at)
			OVER (PARTITION BY relationship_id ORDER BY version_id) AS before FROM mg_relationship_versions WHERE namespace = @n)
			WHERE before IS NOT created_at`,
		"version that says what the one before said": `SELECT count(*) FROM (SELECT said, lag(said) OVER (PARTITION BY
			relationship_id ORDER BY version_id) AS before
			FROM (SELECT version_id, relationship_id, json_array(head_id, relation, tail_id, edge_class, fact, confidence,
			strength, valid_from, valid_until, expires_at,
			superseded_by, origin, method) AS said FROM mg_relationship_versions WHERE namespace = @n)) WHERE before = said`,
		"fact whose current version is not what it is": `SELECT count(*) FROM mg_facts r WHERE r.namespace = @n AND 1
			<> (SELECT count(*) FROM mg_relationship_versions v
			WHERE v.relationship_id = r.id AND v.expired_at IS NULL AND (v.head_id, v.relation, v.tail_id, v.fact, v.confidence,
			v.strength, v.origin, v.method)
			= (r.head_id, r.relation, r.tail_id, r.fact, r.confidence, r.strength, r.origin, r.method)
			AND v.valid_from IS r.valid_from AND v.valid_until IS r.valid_until AND v.expires_at IS r.expires_at AND
			v.superseded_by IS r.superseded_by)`,
		"version without an event": `SELECT count(*) FROM mg_relationship_versions v WHERE v.namespace = @n AND NOT EXISTS
			(SELECT 1 FROM mg_events WHERE id = v.event_id)`,
		"fact that is superseded by itself": `WITH RECURSIVE chain (start, id) AS (SELECT r.id, superseded_by FROM
			mg_facts r WHERE r.namespace = @n
			UNION SELECT start, superseded_by FROM chain JOIN mg_facts USING (id)) SELECT count(*) FROM chain WHERE start
			= id`,
	} {
		n, err := h.s.QueryInts(strings.ReplaceAll(sql, "@n", "'"+h.scope.Namespace+"'"))
		if err != nil {
			return err
		}
		if n[0] != 0 {
			return fmt.Errorf("%d times a %s", n, what)
		}
	}
	return nil
}
