package store_test

import (
	"testing"

	"memory-graph/internal/memory"
)

func TestNames_HeadsAndTailsUpdateWhatIsShown(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	scope := memory.Scope{Namespace: "n"}
	made, err := s.CreateEntity(t.Context(), scope, memory.EntityDraft{Name: "Neovim", Type: "tool", Aliases: []string{
		"the editor of Ann"}, Origin: memory.OriginUser, Method: memory.MethodSupplied}, memory.Caller{Actor: "tool"})
	if err != nil {
		t.Fatal(err)
	}
	versions := 1
	for _, c := range []struct {
		tail   string
		origin memory.Origin
		method memory.Method
		want   string
	}{
		{"NeoVim", memory.OriginUser, memory.MethodSupplied, "NeoVim"},
		{"neovim", memory.OriginUser, memory.MethodRule, "NeoVim"}, // typed in small letters
		{"neovim", memory.OriginUser, memory.MethodSupplied, "NeoVim"},
		{"NEOVIM", memory.OriginTool, memory.MethodSupplied, "NeoVim"}, // a tool about something more trusted
		{made.Entity.Ref().String(), memory.OriginUser, memory.MethodSupplied, "NeoVim"},
		{"The editor of Ann", memory.OriginUser, memory.MethodSupplied, "NeoVim"}, // the name only describes it
		{"The editor of Ann", memory.OriginUser, memory.MethodSupplied, "NeoVim"},
	} {
		out, err := s.CreateRelation(t.Context(), scope, memory.RelationDraft{Head: "Ann", HeadType: "person",
			Relation: "uses", Tail: c.tail, CreateMissing: true, Origin: c.origin, Method: c.method}, 0,
			memory.Caller{Actor: "tool"})
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Relationship.Tail.Name; got != c.want || out.Relationship.Tail.ID != made.Entity.ID {
			t.Errorf("after %q of origin %s by %s the tail is shown as %q; want %q", c.tail, c.origin, c.method, got, c.want)
		}
	}
	versions++
	if list, _, err := s.History(t.Context(), "n", made.Entity.Ref(), 0, 20); err != nil || len(list) != versions {
		t.Errorf("%d versions, %v; want %d: a name that is shown already writes none", len(list), err, versions)
	}
}

func TestNames_AnEndThatVectorsFoundIsThatEntity(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	scope := memory.Scope{Namespace: "n"}
	made, err := s.CreateEntity(t.Context(), scope, memory.EntityDraft{Name: "Initech Corporation", Type: "organization",
		Origin: memory.OriginUser, Method: memory.MethodSupplied}, memory.Caller{Actor: "tool"})
	if err != nil {
		t.Fatal(err)
	}
	for _, near := range []map[string]memory.Likeness{{"Initech Corp": {Same: made.Entity.ID}}, nil} { // now an alias
		out, err := s.CreateRelation(t.Context(), scope, memory.RelationDraft{Head: "Ann", HeadType: "person",
			Relation: "works_at", Tail: "Initech Corp", CreateMissing: true, Origin: memory.OriginUser,
			Method: memory.MethodSupplied, Near: near}, 0, memory.Caller{Actor: "tool"})
		if err != nil || out.Relationship.Tail.ID != made.Entity.ID {
			t.Errorf("near %v: the tail is %+v, %v; want %s", near, out.Relationship.Tail, err, made.Entity.Ref())
		}
	}
	out, err := s.CreateRelation(t.Context(), scope, memory.RelationDraft{Head: "Ann", Relation: "knows",
		Tail: "Initrode", CreateMissing: true, Origin: memory.OriginUser, Method: memory.MethodSupplied,
		Near: map[string]memory.Likeness{"Initrode": {Similar: []memory.Hit{{ID: made.Entity.ID, Score: .75}}}}}, 0,
		memory.Caller{Actor: "tool"})
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := s.LinksOf(t.Context(), memory.EdgeQuery{Namespace: "n", Nodes: []int64{out.Relationship.Tail.ID},
		Relations: []string{"similar_to"}}, memory.Filter{}, 0, 9)
	if err != nil || len(list) != 1 || list[0].Tail.ID != made.Entity.ID {
		t.Errorf("proposed: %+v, %v; want similar_to %s", list, err, made.Entity.Ref())
	}
}
