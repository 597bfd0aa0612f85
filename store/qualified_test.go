package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
)

// of is a fact about a person whom the words name with a qualifier.
func of(head, qualifier, says, relation, tail string) memory.RelationDraft {
	d := does(head, relation, tail)
	d.HeadIs = memory.Qualifier{Text: qualifier, Relation: says}
	return d
}

func TestQualified_TellsPeopleOfOneNameApart(t *testing.T) {
	t.Parallel()
	const group, firm, job = "member_of", "works_at", "works_as"
	list := func(d ...memory.RelationDraft) []memory.RelationDraft { return d }
	sales, support := of("Tom", "sales", group, "uses", "Vim"), of("Tom", "support", group, "uses", "Go")
	legal, agrees := of("Tom", "legal", group, "uses", "Helix"), of("Tom", "Sales", group, "uses", "Go")
	person := func(name string) memory.RelationDraft {
		d := does(name, "lives_in", "York")
		d.HeadType = "person"
		return d
	}
	for name, tc := range map[string]struct {
		known []memory.RelationDraft
		said  memory.RelationDraft
		want  string
	}{
		"nothing is known":       {nil, sales, "Tom"},
		"another group":          {list(sales), support, "Tom (support)"},
		"the same group":         {list(sales), agrees, "Tom"},
		"a fact names the group": {list(does("Tom", group, "the support team")), support, "Tom"},
		"a fact names another":   {list(does("Tom", group, "sales")), support, "Tom (support)"},
		"another employer":       {list(does("Tom", firm, "Acme")), of("Tom", "Beta", firm, "uses", "Go"), "Tom (Beta)"},
		"another occupation":     {list(does("Tom", job, "engineer")), of("Tom", "cook", job, "uses", "Go"), "Tom (cook)"},
		"a group, and a firm":    {list(does("Tom", firm, "Acme")), support, "Tom (support)"},
		"nothing of a group":     {list(does("Tom", "lives_in", "Leeds")), support, "Tom (support)"},
		"the name has it":        {list(sales), does("Tom from support", "uses", "Go"), "Tom (support)"},
		"the name has the known": {list(sales), does("Tom from the sales team", "uses", "Go"), "Tom"},
		"the name of a thing": {list(does("Ann", "uses", "Vim")),
			memory.RelationDraft{Head: "Letter from Paris", Relation: "uses", Tail: "Go"}, "Letter from Paris"},
		"my, and unknown":      {list(does("Tom", "uses", "Vim")), person("Tom my brother"), "Tom (brother)"},
		"my, and known":        {list(does("Ann", "sibling_of", "Tom")), person("my brother Tom"), "Tom"},
		"no sort, and a fact":  {list(does("Tom", firm, "Acme")), of("Tom", "a", "", "uses", "Go"), "Tom (a)"},
		"no sort, other facts": {list(does("Tom", "uses", "Vim")), of("Tom", "a", "", "uses", "Go"), "Tom (a)"},
		"a third one":          {list(sales, support), legal, "Tom (legal)"},
		"the second one again": {list(sales, support), support, "Tom (support)"},
	} {
		n := newNamesakes(t)
		for _, d := range tc.known {
			n.said("", d)
		}
		got := n.said("", tc.said).Found.Relations[0].Relationship.Head.Name
		if got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}

// "My sister Eva" means the sister, even if facts and times favour another Eva. Ann's friend Ann is never Ann herself.
func TestQualified_WhoSomebodyIsToTheSpeakerChooses(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	known := does("User", "sibling_of", "Eva")
	known.TailType = "person"
	n.said("", known)
	n.said("", of("Eva", "finance", "member_of", "uses", "Go"), does("Eva", "uses", "Rust"), does("Eva", "uses", "C"))
	sister := of("Eva", "sister", memory.Kin, "uses", "Vim")
	sister.HeadIs.Known = true
	cousin := of("Eva", "cousin", memory.Kin, "uses", "Vim")
	cousin.HeadIs.Known = true
	for _, tc := range []struct {
		said memory.RelationDraft
		want string
	}{{sister, "Eva"}, {cousin, "Eva (cousin)"}} {
		if got := n.said("", tc.said).Found.Relations[0].Relationship.Head.Name; got != tc.want {
			t.Errorf("my %s: %s, want %s", tc.said.HeadIs.Text, got, tc.want)
		}
	}
	n.said("", am("User", "Ann"))
	friend := does("User", "friend_of", "Ann")
	friend.TailIs = memory.Qualifier{Text: "friend", Relation: memory.Kin, Besides: "User"}
	friend.Fact = "User is friend of Ann."
	for range 2 {
		r := n.said("", friend).Found.Relations[0].Relationship
		if r.Tail.Name != "Ann (friend)" || r.Fact != "Ann is friend of Ann (friend)." {
			t.Errorf("%s: %q", r.Tail.Name, r.Fact)
		}
	}
}

func TestQualified_ACallersNameWithAQualifierIsAnotherOne(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	for _, name := range []string{"Tom (support)", "Tom", "Tom (legal)", "Tom (support)", "Tom"} {
		n.create(name, "person")
	}
	want := []string{"Tom (support) (person)", "Tom (person)", "Tom (legal) (person)"}
	if diff := cmp.Diff(want, n.all()); diff != "" {
		t.Error(diff)
	}
	if got, err := n.resolve("Tom"); got != "e2 Tom" || err != nil {
		t.Errorf("Tom is %s, %v", got, err)
	}
}

// The bare name means one of them by what is known and when they were mentioned. A tie is ambiguous.
func TestQualified_TheBareNameMeansTheOneThatDominates(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.said("", of("Tom", "sales", "member_of", "uses", "Vim"))
	n.said("", of("Tom", "support", "member_of", "uses", "Go"))
	if got, err := n.resolve("Tom"); memory.AsError(err).Code != memory.Ambiguous {
		t.Errorf("a tie: %s, %v", got, err)
	}
	n.said("", of("Tom", "support", "member_of", "uses", "Rust"), does("Tom", "uses", "Helix")) // the same call
	if got, err := n.resolve("Tom"); got != "e3 Tom (support)" || err != nil {
		t.Errorf("after more facts: %s, %v", got, err)
	}
}

func TestQualified_ToolsFindWhatTheWordsCallSomebody(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.said("", does("Tom", "lives_in", "Leeds"))
	n.said("", of("Tom", "support", "member_of", "lives_in", "York"), does("Tom from support", "uses", "Go"))
	for _, name := range []string{"Tom (support)", "Tom from support", "tom from the support team"} {
		if got, err := n.resolve(name); got != "e3 Tom (support)" || err != nil {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
	want := []string{"Tom lives_in Leeds", "Tom (support) lives_in York", "Tom (support) uses Go"}
	if diff := cmp.Diff(want, n.facts()); diff != "" {
		t.Error(diff)
	}
}

// A read of an earlier time keeps its answer: the bare name means the entity with that name, as before qualifiers
// existed.
func TestQualified_AnEarlierReadKeepsItsAnswer(t *testing.T) {
	t.Parallel()
	n := newNamesakes(t)
	n.said("", of("Tom", "sales", "member_of", "uses", "Vim"))
	before := n.now
	n.now = n.now.Add(time.Hour)
	n.said("", of("Tom", "support", "member_of", "uses", "Go"))
	for _, at := range []time.Time{before, n.now} {
		e, err := n.s.ResolveEntity(t.Context(), "n", "Tom", "", memory.AsOf{KnownAt: at})
		if err != nil || e.Name != "Tom" {
			t.Errorf("known at %s: %s, %v", at, e.Name, err)
		}
	}
	aliased := n.create("Mercury (planet)", "concept").Entity
	if _, _, err := n.s.UpdateEntity(t.Context(), "n", memory.EntityChange{Entity: aliased.Ref().String(),
		AddAliases: []string{"Mercury"}}, memory.Caller{Actor: "tool"}); err != nil {
		t.Fatal(err)
	}
	n.fact(memory.MethodRule, "Mercury", "project", "uses", "Go", "")
	if got, err := n.resolve("Mercury"); err != nil || got != aliased.Ref().String()+" Mercury (planet)" {
		t.Errorf("the alias of a thing: %s, %v", got, err)
	}
}
