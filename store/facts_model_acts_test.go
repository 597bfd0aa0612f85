package store_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
	"memory-graph/store/internal/factmodel"
)

func (h *history) supersede(c call, by memory.Caller) (bool, error) {
	in := factmodel.Supersession{Fact: c.fact, Replacement: c.by, At: c.at}
	var id, replacement int64
	if c.fact > 0 {
		id = h.facts[c.fact]
	}
	if c.by > 0 {
		replacement = h.facts[c.by]
	}
	out := memory.Supersession{ID: id, ReplacementID: replacement, At: c.at}
	words := fmt.Sprintf("supersede r%d by r%d at %s", c.fact, c.by, c.at.Format(time.DateTime))
	if c.replace && c.fact > 0 {
		c.head = h.model.Fact(c.fact).Head
		claim, draft := h.fact(c)
		draft.Head, claim.HeadName = "", ""
		in.New, out.Replacement = &claim, &draft
		claim.Said, claim.End = time.Time{}, time.Time{}
		draft.ValidUntil = time.Time{}
		words += " with " + h.words(claim)
	}
	h.note("%s", words)
	want, refused := h.model.Supersede(in)
	got, err := h.s.Supersede(h.t.Context(), h.scope, out, by)
	if err := refusal(err, refused); err != nil {
		return false, err
	}
	if refused != "" {
		return false, nil
	}
	if got.Ended.ID != id || (got.Replacement != nil) != (want.Fact != 0) {
		return true, fmt.Errorf("ended %d with %v; want %d with %d", got.Ended.ID, got.Replacement, id, want.Fact)
	}
	if got.Replacement != nil {
		if err := same("fact", &h.facts, want.Fact, got.Replacement.ID); err != nil {
			return true, err
		}
	}
	return true, h.outcome(want, want.Status, got.Also, got.Conflicts)
}

func (h *history) update(c call, by memory.Caller) (bool, error) {
	if c.fact == 0 {
		h.note("nothing to update")
		return false, nil
	}
	in := factmodel.Change{Fact: c.fact, Confidence: c.confidence, Strength: c.strength}
	out := memory.RelationChange{ID: h.facts[c.fact], Confidence: c.confidence, Strength: c.strength}
	if c.sentence != "" {
		in.Sentence, out.Fact = &c.sentence, &c.sentence
	}
	if !c.from.IsZero() {
		in.From, out.ValidFrom = &c.from, &c.from
	}
	if !c.end.IsZero() || c.ended {
		in.End, out.ValidUntil = &c.end, &c.end
	}
	h.note("update_relation r%d %+v", c.fact, in)
	refused := h.model.Update(in)
	got, _, err := h.s.UpdateRelation(h.t.Context(), h.scope.Namespace, out, by)
	if err := refusal(err, refused); err != nil {
		return false, err
	}
	if refused == "" && got.ID != out.ID {
		return true, fmt.Errorf("gives fact %d; want %d", got.ID, out.ID)
	}
	return refused == "", nil
}

func (h *history) merge(c call, by memory.Caller) (bool, error) {
	ref := func(id int64) string { return memory.NodeID(memory.NodeEntity, h.ent[id]).String() }
	if c.kind == "unmerge" {
		for id := int64(1); id <= h.model.Entities() && !h.merged(c.head); id++ {
			c.head = id
		}
	}
	if c.kind == "merge" && (h.merged(c.head) || c.head != c.tail && !h.mergeable(c.head, c.tail)) ||
		c.kind == "unmerge" && !h.merged(c.head) {
		h.note("nothing to %s", c.kind)
		return false, nil
	}
	if c.kind == "unmerge" {
		h.note("unmerge e%d", c.head)
		refused := h.model.Unmerge(c.head)
		_, err := h.s.Unmerge(h.t.Context(), h.scope.Namespace, ref(c.head), by)
		return refused == "", refusal(err, refused)
	}
	h.note("merge e%d of e%d", c.head, c.tail)
	want, refused := h.model.Merge(c.head, c.tail)
	got, err := h.s.MergeEntities(h.t.Context(), h.scope.Namespace, ref(c.head), ref(c.tail), by)
	if err := refusal(err, refused); err != nil {
		return false, err
	}
	if refused != "" {
		return false, nil
	}
	var conflicts []int64
	for _, c := range got.Conflicts {
		conflicts = append(conflicts, c.ID)
	}
	slices.Sort(conflicts)
	return true, cmp.Or(
		equal("conflicts", h.stored(want.Conflicts), slices.Compact(conflicts)),
		equal("joined", h.stored(want.Joined), got.Joined),
		equal("retracted", h.stored(want.Retracted), got.Retracted))
}

// evict archives what ended a while ago. The model knows no archive: no answer may show that there is one.
func (h *history) evict(keep time.Duration) error {
	h.note("evict what ended %v ago", keep)
	var before, after strings.Builder
	export := func(to *strings.Builder) error {
		_, err := h.s.Export(h.t.Context(), []string{h.scope.Namespace}, to, nil)
		return err
	}
	if err := export(&before); err != nil {
		return err
	}
	out, err := h.s.Evict(h.t.Context(), store.Eviction{Retention: keep, MaxEntities: 3})
	if err := cmp.Or(err, export(&after)); err != nil {
		return err
	}
	h.p.archived += out.Facts
	h.p.unseen += out.Entities
	if before.String() != after.String() {
		return fmt.Errorf("the export changes: %s", gocmp.Diff(before.String(), after.String()))
	}
	return nil
}

func (h *history) merged(id int64) bool { return h.model.Entity(id).MergedInto != 0 }

// mergeable reports whether the histories merge two entities. Merges of merged entities have their own tests, because
// docs/facts.md does not define their names in between.
func (h *history) mergeable(into, from int64) bool {
	if into == from || h.merged(into) || h.merged(from) {
		return false
	}
	for other := int64(1); other <= h.model.Entities(); other++ {
		if h.model.Entity(other).MergedInto == from {
			return false
		}
	}
	return true
}

func equal(what string, want, got []int64) error {
	if got = slices.Sorted(slices.Values(got)); !slices.Equal(want, got) {
		return fmt.Errorf("%s %v; want %v", what, got, want)
	}
	return nil
}

func (h *history) undo(c call, by memory.Caller) (bool, error) {
	if c.undo > len(h.callIDs) {
		h.note("nothing to undo")
		return false, nil
	}
	id := h.callIDs[len(h.callIDs)-c.undo]
	if c.latest {
		if id = h.newest(); id == "" {
			h.note("nothing to undo")
			return false, nil
		}
	}
	asked := h.scope.Namespace + " " + id
	h.note("undo %s (latest: %v)", id, c.latest)
	if c.latest {
		asked = ""
	}
	refused := h.model.Undo(id)
	_, err := h.s.Undo(h.t.Context(), h.scope.Namespace, asked, by)
	if err := refusal(err, refused); err != nil {
		return false, err
	}
	if refused == "" {
		h.undos[strings.TrimPrefix(by.CallID, h.scope.Namespace+" ")] = true
	}
	return refused == "", nil
}

// newest returns the last call that is not an undo and is in force: the call that undo without a call undoes.
func (h *history) newest() string {
	for _, id := range slices.Backward(h.callIDs) {
		if !h.undos[id] && h.model.InForce(id) {
			return id
		}
	}
	return ""
}
