package store_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
	"memory-graph/store/internal/factmodel"
)

// history is one namespace, on which the store and the model get the same calls.
type history struct {
	t          *testing.T
	p          *playground
	s          *store.Store
	now        time.Time
	scope      memory.Scope
	model      *factmodel.Model
	ent, facts []int64 // the store's ids, by the model's ids, from 1
	played     []call
	log        []string
	callIDs    []string        // the calls that changed something, or may have
	undos      map[string]bool // which of them undid another call
	counts     map[string]int
	first      int64 // no episode of the history has a smaller id
	episodes   int
	left       map[int]bool // which of them are call episodes
}

// history begins a history. Its entities exist already.
func (p *playground) history(t *testing.T) *history {
	t.Helper()
	p.namespaces++
	h := &history{undos: map[string]bool{}, t: t, p: p, s: p.s, now: time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC),
		scope: memory.Scope{Namespace: fmt.Sprintf("history %d", p.namespaces)},
		model: factmodel.New(), ent: []int64{0}, facts: []int64{0}, counts: map[string]int{}, left: map[int]bool{}}
	mark, err := p.s.RecordEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Role: memory.RoleUser,
		Scope: memory.Scope{Namespace: "marks"}, Content: h.scope.Namespace, OccurredAt: h.now,
		Origin: memory.OriginUser, Status: memory.StatusDone}})
	if err != nil {
		t.Fatal(err)
	}
	h.first = mark.Episode.ID
	for i, e := range cast {
		if err := h.observe(e.name, e.typ, .9, h.begin(time.Second, fmt.Sprintf("cast %d", i))); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// begin sets the clock and returns the caller of the next call.
func (h *history) begin(after time.Duration, id string) memory.Caller {
	h.now = h.now.Add(after)
	h.p.now = h.now
	h.model.Begin(h.now, id)
	return memory.Caller{Actor: "test", CallID: h.scope.Namespace + " " + id}
}

func (h *history) observe(name, typ string, confidence float64, by memory.Caller) error {
	id, created, want := h.model.Observe(name, typ, confidence)
	out, err := h.s.CreateEntity(h.t.Context(), h.scope,
		memory.EntityDraft{Name: name, Type: typ, Confidence: &confidence, Origin: memory.OriginAgent,
			Method: memory.MethodSupplied}, by)
	if err := refusal(err, want); err != nil || want != "" {
		return err
	}
	if created != out.Created {
		return fmt.Errorf("create_entity of %q says created %v; want %v", name, out.Created, created)
	}
	return same("entity", &h.ent, id, out.Entity.ID)
}

// refusal expects an error with this code, or none for "".
func refusal(err error, want memory.Code) error {
	switch {
	case code(err) == want && (err == nil) == (want == ""):
		return nil
	case err == nil:
		return fmt.Errorf("succeeds; want %q", want)
	}
	return fmt.Errorf("gives %w; want %q", err, want)
}

// same expects that the store's id belongs to the model's id. It records the store's id of a new object.
func same(what string, ids *[]int64, model, stored int64) error {
	if model == int64(len(*ids)) {
		if slices.Contains(*ids, stored) {
			return fmt.Errorf("%s %d of the store is not new", what, stored)
		}
		*ids = append(*ids, stored)
	}
	if model >= int64(len(*ids)) || (*ids)[model] != stored {
		return fmt.Errorf("%s %d of the store is not number %d of the model", what, stored, model)
	}
	return nil
}

// play plays a call on both. The store must refuse what the model refuses, without changing anything.
func (h *history) play(c call) error {
	if c.fact > h.model.Facts() || c.by > h.model.Facts() || max(c.head, c.tail) > h.model.Entities() {
		return nil
	}
	// no caller gets such an id
	if h.model.Entity(h.model.Root(c.head)).Mention || h.model.Entity(h.model.Root(c.tail)).Mention {
		return nil
	}
	h.played = append(h.played, c)
	kept := h.model
	h.model = kept.Clone()
	id := fmt.Sprintf("call %d", len(h.played))
	by := h.begin(c.after, id)
	ok, err := h.do(c, by)
	if err == nil && !ok {
		h.model = kept
	}
	if err == nil {
		err = h.compare()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", h.log[len(h.log)-1], err)
	}
	if !ok {
		h.counts["refused "+c.kind]++
		return nil
	}
	if h.model.Called(id) {
		h.callIDs = append(h.callIDs, id)
	}
	if c.kind == "unmerge" {
		c.kind = "merge"
	}
	h.counts[c.kind]++
	return nil
}

func (h *history) note(format string, args ...any) {
	h.log = append(h.log, h.now.Format("2006-01-02 15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// do plays the call. ok is false if the model, and so the store, refused it.
func (h *history) do(c call, by memory.Caller) (ok bool, err error) {
	switch c.kind {
	case "supersede":
		return h.supersede(c, by)
	case "undo":
		return h.undo(c, by)
	case "merge", "unmerge":
		return h.merge(c, by)
	case "update":
		return h.update(c, by)
	case "expire":
		h.note("expire due ends")
		_, err = h.s.ExpireDue(h.t.Context(), h.now)
		return true, err
	case "evict":
		return true, h.evict(c.keep)
	case "observe":
		name := cast[int(c.head)%len(cast)]
		typ := c.typ
		if typ == "" && !c.byName {
			typ = name.typ
		}
		confidence := .9
		if c.confidence != nil {
			confidence = min(*c.confidence, .9)
		}
		h.note("create_entity %s %s %v", name.name, typ, confidence)
		if _, _, code := h.model.Clone().Observe(name.name, typ, confidence); code == memory.Ambiguous {
			return false, nil // which of several namesakes dominates is not modelled
		}
		return true, h.observe(name.name, typ, confidence, by)
	}
	return h.claim(c, by)
}

// ends returns head and tail of a call's fact, for the model and for the store. A name gives the type of the call too.
func (h *history) ends(c call) (head, tail int64, headRef, tailRef string) {
	one := func(id int64) (int64, string) {
		if c.byName && int(id) <= len(cast) {
			// which of several namesakes dominates is not modelled
			name := cast[id-1].name
			if found := h.model.Means(name, c.typ); len(found) == 1 && h.owners(name) == 1 {
				return found[0], name
			}
		}
		return h.model.Root(id), memory.NodeID(memory.NodeEntity, h.ent[id]).String()
	}
	head, headRef = one(c.head)
	tail, tailRef = one(c.tail)
	return head, tail, headRef, tailRef
}

// owners returns how many entities of the model have a name.
func (h *history) owners(name string) (n int) {
	for id := int64(1); id <= h.model.Entities(); id++ {
		e := h.model.Entity(id)
		if canonical := memory.Canonical(name); e.MergedInto == 0 && (e.Canonical == canonical ||
			slices.Contains(e.Aliases, canonical)) {
			n++
		}
	}
	return n
}

// typed returns the type that a call gives for one end of its fact: none with an id.
func (h *history) typed(ref string, c call) string {
	if nameOnly(ref) == "" {
		return ""
	}
	return c.typ
}

// nameOnly returns a reference that is a name, "" for an id.
func nameOnly(ref string) string {
	if _, err := memory.ParseID(ref); err == nil {
		return ""
	}
	return ref
}

// fact returns the call's fact, for the model and for the store.
func (h *history) fact(c call) (factmodel.Claim, memory.RelationDraft) {
	head, tail, headRef, tailRef := h.ends(c)
	h.episodes++
	h.left[h.episodes] = c.said.IsZero()
	return factmodel.Claim{Head: head, Tail: tail, HeadName: nameOnly(headRef), TailName: nameOnly(tailRef),
			Relation: c.relation, Sentence: c.sentence, Confidence: c.confidence,
			Strength: c.strength,
			From:     c.from, End: c.end, Ended: c.ended, Origin: c.origin, Method: c.method, Said: c.said,
			Evidence: h.episodes},
		memory.RelationDraft{Head: headRef, HeadType: h.typed(headRef, c), Tail: tailRef, TailType: h.typed(tailRef, c),
			Relation: c.relation, Fact: c.sentence, Confidence: c.confidence,
			Strength:  c.strength,
			ValidFrom: c.from, ValidUntil: c.end, Ended: c.ended, Origin: c.origin, Method: c.method}
}

func (h *history) claim(c call, by memory.Caller) (bool, error) {
	claim, draft := h.fact(c)
	h.note("%s: %s", c.kind, h.words(claim))
	want, refused := h.model.Claim(claim)
	var got memory.RelationWrite
	var err error
	if c.said.IsZero() {
		got, err = h.s.CreateRelation(h.t.Context(), h.scope, draft, 0, by)
	} else {
		got, refused, err = h.turn(c, draft, by, refused)
	}
	if err := refusal(err, refused); err != nil {
		return false, err
	}
	if refused != "" {
		return false, nil
	}
	if err := same("fact", &h.facts, want.Fact, got.Relationship.ID); err != nil {
		return true, err
	}
	return true, cmp.Or(h.outcome(want, got.Status, got.Superseded, got.Conflicts), h.observed(want))
}

// turn stores the fact with a turn of the call's time. It reports a refused fact as an item's error.
func (h *history) turn(c call, d memory.RelationDraft, by memory.Caller, refused memory.Code) (memory.RelationWrite,
	memory.Code, error) {
	out, err := h.s.RecordEpisode(h.t.Context(),
		store.NewEpisode{Episode: memory.Episode{Scope: h.scope, Role: memory.RoleUser,
			Content: fmt.Sprintf("turn %d", h.episodes), OccurredAt: c.said, Origin: memory.OriginUser,
			Status: memory.StatusDone}, Relations: []memory.RelationDraft{
			d}, Caller: memory.Caller{Actor: by.Actor, CallID: by.CallID}})
	switch {
	case err != nil:
		return memory.RelationWrite{}, refused, err
	case len(out.Errors) == 1 && refused != "":
		return memory.RelationWrite{}, refused, &memory.Error{Code: refused}
	case len(out.Errors) > 0 || len(out.Relations) != 1:
		return memory.RelationWrite{}, refused, fmt.Errorf("store_episode: %+v", out)
	}
	return out.Relations[0], refused, nil
}

// observed expects that the fact was last observed now.
func (h *history) observed(want factmodel.Outcome) error {
	rows, err := h.s.Relationships(h.t.Context(), h.scope.Namespace, []int64{h.facts[want.Fact]}, memory.AsOf{})
	if err != nil || len(rows) != 1 {
		return fmt.Errorf("the fact is not there: %v, %w", rows, err)
	}
	if at := h.model.Observed(want.Fact); want.Status == memory.RelationReinforced && h.model.Live(want.Fact, h.now) &&
		!rows[0].LastObservedAt.Equal(at) {
		return fmt.Errorf("was last observed at %s; want %s", rows[0].LastObservedAt, at)
	}
	return nil
}

func (h *history) outcome(want factmodel.Outcome, status memory.RelationStatus, superseded []int64,
	conflicts []memory.FactConflict) error {
	var named []int64
	for _, c := range conflicts {
		named = append(named, c.ID)
	}
	w := fmt.Sprint(want.Status, h.stored(want.Superseded), h.stored(want.Conflicts))
	slices.Sort(named)
	superseded = slices.Sorted(slices.Values(superseded))
	if g := fmt.Sprint(status, append([]int64{}, superseded...), append([]int64{}, named...)); g != w {
		return fmt.Errorf("gives status, superseded and conflicts %s; want %s", g, w)
	}
	return nil
}

// stored returns the store's ids, sorted.
func (h *history) stored(model []int64) []int64 {
	out := []int64{}
	for _, id := range model {
		if id < int64(len(h.facts)) {
			out = append(out, h.facts[id])
		}
	}
	slices.Sort(out)
	return out
}

func (h *history) words(c factmodel.Claim) string {
	date := func(name string, t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return " " + name + " " + t.Format(time.DateTime)
	}
	s := fmt.Sprintf("e%d %s e%d by %s, %s", c.Head, c.Relation, c.Tail, c.Origin, c.Method)
	if c.Confidence != nil {
		s += fmt.Sprintf(" %v", *c.Confidence)
	}
	if c.Ended {
		s += " ENDED"
	}
	return s + date("from", c.From) + date("end", c.End) + date("said", c.Said)
}
