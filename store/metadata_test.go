package store_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
	"memory-graph/store"
)

func topic(value string) memory.Label { return memory.Label{Kind: memory.LabelTopic, Value: value} }

// labelled retains a memory with labels.
func labelled(t *testing.T, s *store.Store, title string, labels ...memory.Label) memory.Entity {
	t.Helper()
	out, err := s.Retain(t.Context(), inN, store.NewMemory{Title: title, Content: title + ".", Labels: labels,
		Origin: memory.OriginAgent, Method: memory.MethodSupplied}, memory.Caller{Actor: "tool", CallID: title})
	if err != nil {
		t.Fatal(err)
	}
	return out.Memory
}

// sharing returns the shared_node facts of a memory: the names of their tails, sorted.
func sharing(t *testing.T, s *store.Store, of memory.Entity) []string {
	t.Helper()
	list, _, err := s.LinksOf(t.Context(), memory.EdgeQuery{Namespace: ns, Nodes: []int64{of.ID},
		Relations: []string{"shared_node"}}, memory.Filter{}, 0, 20)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, f := range list {
		out = append(out, f.Tail.Name)
		if len(f.Evidence) > 0 {
			t.Errorf("the note that stands in for the evidence of %s is named: %v", f.Tail.Name, f.Evidence)
		}
	}
	slices.Sort(out)
	return out
}

func TestSearchWithLabels_FindsMemoriesByWordsOfTheirLabels(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	pager := labelled(t, s, "Who is paged", topic("Dashboard"), memory.Label{Kind: memory.LabelCategory,
		Value: "billing-rollout"})
	colours := labelled(t, s, "Colours of the dashboard", topic("design"))
	labelled(t, s, "Something else", topic("garden"))
	for query, want := range map[string][]int64{
		"rollout": {pager.ID}, "rollout alarms": {pager.ID}, "bill": {pager.ID}, "dashboard": {colours.ID, pager.ID},
		"out": nil, "topic": nil, "category": nil, "o'neil %_": nil,
	} {
		hits, err := s.SearchWithLabels(t.Context(), ns, strings.Fields(query), 5)
		var got []int64
		for _, h := range hits {
			got = append(got, h.ID)
			if h.Score <= 0 {
				t.Errorf("%s: score %v", query, h.Score)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q finds %v, want %v: %v", query, got, want, err)
		}
	}
	if hits, err := s.SearchWithLabels(t.Context(), "other", []string{"rollout"}, 5); err != nil || len(hits) > 0 {
		t.Errorf("another namespace: %v, %v", hits, err)
	}
}

func TestMetadata_TurnsAndMemoriesShareNodes(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := turn("a", "Rollout alarms ring in the on-call channel.")
	in.Scope = inN
	in.Labels = []memory.Label{topic("Dashboard"), {Kind: memory.LabelType, Value: "decision"}}
	said := record(t, s, in).Episode
	colours := labelled(t, s, "Colours", topic("dashboard"), topic(" Dashboard "))
	if diff := cmp.Diff([]string{"topic: Dashboard"}, sharing(t, s, colours)); diff != "" {
		t.Error(diff)
	}
	led, err := s.RelationshipsEvidenced(t.Context(), memory.EdgeQuery{Namespace: ns}, memory.Filter{}, []int64{said.ID},
		false, 9)
	if err != nil || len(led) != 1 || led[0].Head.ID != colours.ID {
		t.Errorf("the turn's topic leads to %+v, %v; want the memory", led, err)
	}
	nodes, err := s.NodesOf(t.Context(), ns, []int64{said.ID})
	if err != nil || len(nodes) != 2 {
		t.Errorf("nodes of the turn: %+v, %v; want its topic and its type", nodes, err)
	}
	list, _, err := s.ListEntities(t.Context(), store.EntityFilter{Namespace: ns}, 0, 9)
	if err != nil || len(list) != 1 || list[0].ID != colours.ID {
		t.Errorf("listed: %+v, %v; want the memory and no node of metadata", list, err)
	}
	if faults, err := s.CheckGraph(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("faults %+v, %v", faults, err)
	}
}

func TestMetadata_OfANewVersionReplacesTheOld(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	first := labelled(t, s, "Colours", topic("dashboard"), topic("paint"))
	labelled(t, s, "Colours") // says nothing of metadata
	if diff := cmp.Diff([]string{"topic: dashboard", "topic: paint"}, sharing(t, s, first)); diff != "" {
		t.Error(diff)
	}
	labelled(t, s, "Colours", topic("paint"), topic("ink"))
	if diff := cmp.Diff([]string{"topic: ink", "topic: paint"}, sharing(t, s, first)); diff != "" {
		t.Error(diff)
	}
}

func TestMetadata_GoesWithTheLastThatHasIt(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	one, two := labelled(t, s, "Colours", topic("paint")), labelled(t, s, "Brushes", topic("paint"))
	forget := func(e memory.Entity) {
		t.Helper()
		if _, err := s.Forget(t.Context(), ns, []memory.ID{e.Ref()}, true,
			agent); err != nil {
			t.Fatal(err)
		}
	}
	forget(one)
	if diff := cmp.Diff([]string{"topic: paint"}, sharing(t, s, two)); diff != "" {
		t.Error(diff)
	}
	forget(two)
	left := labelled(t, s, "Canvas", topic("paint"))
	if diff := cmp.Diff([]string{"topic: paint"}, sharing(t, s, left)); diff != "" {
		t.Error(diff)
	}
	if left.ID <= two.ID {
		t.Errorf("the id %d was given twice", left.ID)
	}
}

func TestNotes_OfLinksAreNeverFound(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{})
	a, b := linkable(t, s, "a", memory.OriginAgent), linkable(t, s, "b", memory.OriginAgent)
	alike(t, s, a, .9, b)
	if got := searchIDs(t, s, "computed from vectors", memory.Filter{Namespace: "default"}); len(got) > 0 {
		t.Errorf("search finds %v", got)
	}
	list, err := s.Relationships(t.Context(), "default", []int64{1, 2}, memory.AsOf{})
	if err != nil || len(list) != 2 || len(list[0].Evidence)+len(list[1].Evidence) > 0 {
		t.Errorf("links %+v, %v; want two without evidence that anybody could read", list, err)
	}
	if faults, err := s.CheckGraph(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("faults %+v, %v", faults, err)
	}
}

// foundBy returns the turns that the words of a question find.
func foundBy(t *testing.T, s *store.Store, question string) []int64 {
	t.Helper()
	hits, err := s.SearchText(t.Context(), text.Parse(question), memory.Filter{Namespace: ns}, 9)
	if err != nil {
		t.Fatal(err)
	}
	out := []int64{}
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

func TestMetadata_ItsWordsFindTheTurnAfterImportAndRedo(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	in := turn("a", "Fridays are quiet at the lake.")
	in.Scope, in.Speaker, in.Imported = inN, "Ann", true
	in.Labels = []memory.Label{topic("dashboard"), {Kind: memory.LabelCategory, Value: "ops"}}
	in.Caller.CallID = "said"
	said := record(t, s, in).Episode.ID
	var file bytes.Buffer
	if _, err := s.Export(t.Context(), []string{ns}, &file, nil); err != nil {
		t.Fatal(err)
	}
	found := func(s *store.Store, when string, want ...int64) {
		t.Helper()
		for _, word := range []string{"dashboard", "ops", "ann", "lake"} {
			if diff := cmp.Diff(want, foundBy(t, s, word)); diff != "" {
				t.Errorf("%s, by %s (-want +got):\n%s", when, word, diff)
			}
		}
	}
	found(s, "stored", said)
	back, err := s.Undo(t.Context(), ns, "said", memory.Caller{CallID: "undo"})
	if err != nil {
		t.Fatal(err)
	}
	found(s, "undone", []int64{}...)
	if _, err := s.Undo(t.Context(), ns, back.UndoneBy, memory.Caller{CallID: "redo"}); err != nil {
		t.Fatal(err)
	}
	found(s, "redone", said)

	other := openNew(t)
	same := func(text string) string { return text }
	m := other.NewImporter(store.ImportOptions{Trusted: true, Problem: func(line int, reason string) {
		t.Errorf("line %d: %s", line, reason)
	}, Note: func(int, string) {}, Mask: same, MaskIdentifier: same})
	number := 0
	for line := range strings.Lines(file.String()) {
		number++
		l := store.TransferLine{Number: number}
		if err := json.Unmarshal([]byte(line), &l.Fields); err != nil {
			t.Fatal(err)
		}
		if err := m.Lines(t.Context(), []store.TransferLine{l}); err != nil { // each in a transaction of its own
			t.Fatal(err)
		}
	}
	found(other, "imported", said)
}

// A node that only turns of an undone import mention is not shown. It stays for an undo of the undo, and is forgotten
// with the last of these turns.
func TestForget_OfATurnThatWasTakenBackTakesItsHiddenNodes(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	var turns []memory.ID
	for _, call := range []string{"one", "two"} {
		in := turn("a", "Fridays are quiet at the lake, "+call+".")
		in.Scope, in.Imported, in.Labels = inN, true, []memory.Label{topic("dashboard")}
		in.Found.Mentions = []memory.Mention{{Name: "Quay 3", Start: 0, Stop: 6}}
		in.Caller.CallID = call
		turns = append(turns, memory.EpisodeID(record(t, s, in).Episode.ID))
	}
	undo := func(call string) string {
		t.Helper()
		back, err := s.Undo(t.Context(), ns, call, memory.Caller{CallID: "undo " + call})
		if err != nil {
			t.Fatal(err)
		}
		return back.UndoneBy
	}
	hidden := func(want ...string) {
		t.Helper()
		got, err := s.QueryTexts(`SELECT name FROM mg_entities ORDER BY name`)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("nodes (-want +got):\n%s%v", diff, err)
		}
	}
	undo("one")
	back := undo("two")
	hidden("Quay 3", "topic: dashboard")
	if _, err := s.Forget(t.Context(), ns, turns[:1], true, agent); err != nil {
		t.Fatal(err)
	}
	hidden("Quay 3", "topic: dashboard")
	if again := undo(back); again == "" || len(foundBy(t, s, "dashboard")) != 1 {
		t.Error("the other turn did not come back with its metadata")
	}
	undo("undo undo two")
	if _, err := s.Forget(t.Context(), ns, turns[1:], true, agent); err != nil {
		t.Fatal(err)
	}
	hidden()
}
