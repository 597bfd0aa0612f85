package store_test

import (
	"slices"
	"testing"

	"memory-graph/internal/memory"
)

// Merges, undos, changes and forgetting that cannot be done are refused with an error and change nothing.
func TestBadInput_ToTakingBackIsRefused(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	ctx, n := t.Context(), c.scope.Namespace
	other := &spoken{p: c.p, scope: memory.Scope{Namespace: "other"}}
	theirs := other.say(t, "user: Eve works_at Evil from 2020-01-01").Relationship
	eve := theirs.Head.Ref().String()
	merge := func(into, from string) func() error {
		return func() error {
			_, err := c.s.MergeEntities(ctx, n, into, from, memory.Caller{CallID: "merge"})
			return err
		}
	}
	unmerge := func(entity string) func() error {
		return func() error { _, err := c.s.Unmerge(ctx, n, entity, memory.Caller{CallID: "unmerge"}); return err }
	}
	undo := func(namespace, call string) func() error {
		return func() error { _, err := c.s.Undo(ctx, namespace, call, memory.Caller{CallID: "undo"}); return err }
	}
	forget := func(ids ...memory.ID) func() error {
		return func() error { _, err := c.s.Forget(ctx, n, ids, true, memory.Caller{CallID: "forget"}); return err }
	}
	change := func(ch memory.RelationChange) func() error {
		return func() error { _, _, err := c.s.UpdateRelation(ctx, n, ch, memory.Caller{CallID: "change"}); return err }
	}
	if err := merge("Go", "Rust")(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.s.CreateRelation(ctx, c.scope, draft("Bob", "uses", "Zig"), 0,
		memory.Caller{CallID: "first"}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.s.CreateRelation(ctx, c.scope, draft("Bob", "owns", "Zig"), 0,
		memory.Caller{CallID: "second"}); err != nil {
		t.Fatal(err)
	}
	knows := c.facts["knows Bob"]
	high, before := 1.1, mustTime(t, "2019-01-01")
	for name, bad := range map[string]struct {
		call func() error
		code memory.Code
		says string
	}{
		"a merge with itself":                {merge("Alice", " ALICE "), memory.InvalidArgument, "ALICE"},
		"a merge with what it answers for":   {merge("Go", "Rust"), memory.InvalidArgument, "Rust"},
		"a merge of what is merged":          {merge("Alice", c.ids["Rust"]), memory.Conflict, c.ids["Rust"]},
		"a merge with nobody":                {merge("Alice", "Nobody"), memory.NotFound, "Nobody"},
		"a merge with another namespace's":   {merge("Alice", eve), memory.NotFound, eve},
		"a merge into another namespace's":   {merge(eve, "Alice"), memory.NotFound, eve},
		"a merge with one of two":            {merge("Alice", "Mercury"), memory.Ambiguous, "Mercury"},
		"a merge with no name":               {merge("Alice", "\x01"), memory.InvalidArgument, ""},
		"unmerging what is not merged":       {unmerge("Alice"), memory.Conflict, ""},
		"unmerging nobody":                   {unmerge("Nobody"), memory.NotFound, "Nobody"},
		"unmerging another namespace's":      {unmerge(eve), memory.NotFound, eve},
		"taking back no call":                {undo(n, "never"), memory.NotFound, "never"},
		"taking back another namespace's":    {undo("other", "first"), memory.NotFound, "first"},
		"taking back where nothing happened": {undo("nowhere", ""), memory.NotFound, "nowhere"},
		"taking back what others stand on":   {undo(n, "first"), memory.Conflict, "since"},
		"changing another namespace's fact": {change(memory.RelationChange{ID: theirs.ID, Confidence: ptr(.5)}),
			memory.NotFound, theirs.Ref().String()},
		"a fact's confidence above 1": {change(memory.RelationChange{ID: knows, Confidence: &high}),
			memory.InvalidArgument, "1.1"},
		"a fact's strength above 1": {change(memory.RelationChange{ID: knows, Strength: &high}),
			memory.InvalidArgument, "1.1"},
		"a fact's end before it begins": {change(memory.RelationChange{ID: knows, ValidUntil: &before}),
			memory.InvalidArgument, "2019-01-01"},
		"another end of what has ended": {change(memory.RelationChange{ID: c.facts["uses Perl"], ValidUntil: &before}),
			memory.Conflict, "2015-01-01"},
		"a class that is none": {change(memory.RelationChange{ID: knows, EdgeClass: ptr("magic")}),
			memory.InvalidArgument, "magic"},
		"forgetting nothing": {forget(), memory.InvalidArgument, "ids"},
		"forgetting what is not there": {forget(memory.EpisodeID(c.turn), memory.EpisodeID(4711)), memory.NotFound,
			"t4711"},
		"forgetting another namespace's fact": {forget(theirs.Ref()), memory.NotFound, theirs.Ref().String()},
		"forgetting another namespace's turn": {forget(memory.EpisodeID(theirs.Evidence[0])), memory.NotFound,
			memory.EpisodeID(theirs.Evidence[0]).String()},
		"forgetting another namespace's one": {forget(theirs.Head.Ref()), memory.NotFound, eve},
		"forgetting a community": {forget(memory.ID{Kind: memory.KindCommunity, Num: 1}), memory.InvalidArgument,
			"c1"},
	} {
		c.refused(t, name, bad.call, bad.code, bad.says)
	}
}

// Forgetting an episode also forgets the facts without other evidence, and leaves the rest intact.
func TestForget_OfWhatOtherFactsStandOn(t *testing.T) {
	t.Parallel()
	c := newCrowd(t)
	ctx, n := t.Context(), c.scope.Namespace
	later := c.say(t, "user: Alice works_at Globex from 2024-01-01").Relationship // ends "works_at Acme"
	again := c.say(t, "on 2026-07-01 user: Alice knows Bob").Relationship         // so this fact has two turns
	first, second := memory.EpisodeID(again.Evidence[0]), memory.EpisodeID(again.Evidence[1])
	before := c.rows(t)
	dry, err := c.s.Forget(ctx, n, []memory.ID{later.Ref(), first}, false, agent)
	if err != nil || !dry.DryRun || dry.Relationships != 1 {
		t.Fatalf("dry run %+v, %v", dry, err)
	}
	if after := c.rows(t); after["mg_relationships"] != before["mg_relationships"] ||
		after["mg_events"] != before["mg_events"] {
		t.Errorf("a dry run changed %v to %v", before, after)
	}
	done, err := c.s.Forget(ctx, n, []memory.ID{later.Ref(), first}, true, agent)
	if err != nil || done.DryRun || done.Relationships != dry.Relationships || done.Episodes != dry.Episodes ||
		done.Entities != dry.Entities {
		t.Fatalf("%+v, %v; the dry run said %+v", done, err, dry)
	}
	rows, err := c.s.Relationships(ctx, n, []int64{c.facts["works_at Acme"], later.ID, again.ID}, memory.AsOf{})
	if err != nil || len(rows) != 2 {
		t.Fatalf("%+v, %v", rows, err)
	}
	if acme := rows[0]; acme.ValidUntil.IsZero() || acme.SupersededBy != 0 {
		t.Errorf("what the forgotten fact had ended is %+v; want it ended, superseded by nothing that is gone", acme)
	}
	if knows := rows[1]; !slices.Equal(knows.Evidence, []int64{second.Num}) || !knows.Active(c.p.now) {
		t.Errorf("what another turn says too is %+v", knows)
	}
	// A fact goes with its last evidence, and the facts about an entity go with the entity.
	if done, err = c.s.Forget(ctx, n, []memory.ID{second}, true, agent); err != nil || done.Relationships != 1 {
		t.Errorf("the last turn: %+v, %v", done, err)
	}
	alice, err := memory.ParseID(c.ids["Alice"])
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.s.Forget(ctx, n, []memory.ID{alice}, true, agent); err != nil {
		t.Fatal(err)
	}
	if left, err := c.s.QueryInts(`SELECT count(*) FROM mg_relationships`); err != nil || left[0] != 0 {
		t.Errorf("%d facts about a forgotten head are left, %v", left, err)
	}
	if faults, err := c.s.CheckGraph(ctx); err != nil || len(faults) > 0 {
		t.Errorf("%+v, %v", faults, err)
	}
	if findings, err := c.s.IntegrityCheck(ctx); err != nil || len(findings) > 0 {
		t.Errorf("%v, %v", findings, err)
	}
}
