package communities_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memory-graph/extraction/llm"
	"memory-graph/internal/communities"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// parrot repeats all that it is told.
type parrot struct{}

func (parrot) Model() string { return "parrot" }

func (parrot) Complete(_ context.Context, r llm.Request, into any) (llm.Usage, error) {
	if err := communities.Fill(into, "All", strings.Join(told.FindAllString(r.User, -1), " ")); err != nil {
		return llm.Usage{}, err
	}
	return llm.Usage{Calls: 1}, r.Check()
}

// told matches the names and relations of the test.
var told = regexp.MustCompile(`\b[nr]\d+x\b`)

// said stores a fact that somebody says in a project.
func said(rt *rapid.T, s *store.Store, scope memory.Scope, head, relation, tail string) {
	r, err := s.RecordEpisode(context.Background(), store.NewEpisode{Episode: memory.Episode{Scope: scope,
		Role: memory.RoleUser, Content: head + " " + relation + " " + tail, Origin: memory.OriginUser,
		Status: memory.StatusDone}, Relations: []memory.RelationDraft{{Head: head, Relation: relation, Tail: tail,
		Origin: memory.OriginUser, Method: memory.MethodSupplied, CreateMissing: true}}})
	if err != nil || len(r.Errors) > 0 {
		rt.Fatalf("%v, %+v", err, r.Errors)
	}
}

// Whoever asks within a user or a project is told only what was said there, whoever wrote the summaries and whatever
// happened since.
func TestReader_TellsAFilterOnlyWhatItSees(t *testing.T) {
	t.Parallel()
	s := open(t)
	space, whole, parts := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		space++
		namespace := fmt.Sprint("ns", space)
		scopes := []memory.Scope{{User: "ann"}, {User: "bo"}, {User: "ann", Project: "p"}, {Project: "q"}, {}}
		type fact struct {
			scope memory.Scope
			words []string
		}
		var facts []fact
		more := func(n int) {
			for range n {
				scope := rapid.SampledFrom(scopes).Draw(rt, "scope")
				scope.Namespace = namespace
				name := rapid.IntRange(0, 9)
				h, r, tl := name.Draw(rt, "head"), rapid.IntRange(0, 4).Draw(rt, "relation"), name.Draw(rt, "tail")
				if h == tl {
					continue
				}
				words := []string{fmt.Sprintf("n%dx", h), fmt.Sprintf("r%dx", r), fmt.Sprintf("n%dx", tl)}
				said(rt, s, scope, words[0], words[1], words[2])
				facts = append(facts, fact{scope, words})
			}
		}
		more(rapid.IntRange(1, 14).Draw(rt, "facts"))
		r := &communities.Refresher{Store: s, Parallel: 1, Log: refresher(s, nil).Log}
		if rapid.Bool().Draw(rt, "model") {
			r.Model = parrot{}
		}
		run := begin(t, s)
		if _, err := r.Refresh(t.Context(), run, namespace); err != nil {
			rt.Fatal(err)
		}
		if err := s.FinishRun(t.Context(), run); err != nil {
			rt.Fatal(err)
		}
		more(rapid.IntRange(0, 2).Draw(rt, "later"))
		stored, _, err := s.ListCommunities(t.Context(), store.CommunityFilter{Namespace: namespace}, 0, 100)
		if err != nil {
			rt.Fatal(err)
		}
		var ids []int64
		for _, c := range stored {
			ids = append(ids, c.ID)
		}
		for _, f := range []memory.Filter{{User: "ann"}, {User: "bo"}, {User: "cy"}, {Project: "p"}, {Project: "q"},
			{User: "bo", Project: "p"}, {Project: "q", Unassigned: true}, {Unassigned: true}} {
			f.Namespace = namespace
			sees := map[string]bool{}
			for _, k := range facts {
				unassigned := f.Unassigned && k.scope.Project == ""
				if (f.User == "" || f.User == k.scope.User) &&
					(f.Project == "" && !f.Unassigned || f.Project != "" && f.Project == k.scope.Project || unassigned) {
					for _, w := range k.words {
						sees[w] = true
					}
				}
			}
			found, err := communities.Reader{Store: s}.CommunitiesWithin(t.Context(), f, ids)
			if err != nil {
				rt.Fatal(err)
			}
			for _, c := range found {
				all := c.Name + " " + c.Summary
				for _, n := range c.Central {
					all += " " + n.Name
				}
				words := told.FindAllString(all, -1)
				for _, w := range words {
					if !sees[w] {
						rt.Errorf("%+v is told %q, which it does not see: %+v", f, w, c)
					}
				}
				if c.Summary == "" || len(words) == 0 || c.Size > len(sees) {
					rt.Errorf("%+v: %+v", f, c)
				}
				if c.Writer != "" || len(stored) > 0 && cmp.Equal(c, stored[0]) {
					whole++
				} else {
					parts++
				}
			}
		}
	})
	if whole == 0 || parts == 0 {
		t.Errorf("%d communities were seen whole, %d in part", whole, parts)
	}
}

func TestReader_ShowsWhatIsSeenWhole(t *testing.T) {
	t.Parallel()
	s := open(t)
	tell(t, s, memory.OriginUser, work...)
	refresh(t, s, refresher(s, new(model)))
	stored := list(t, s)
	get := func(f memory.Filter) []memory.Community {
		f.Namespace = ns
		found, err := communities.Reader{Store: s}.CommunitiesWithin(t.Context(), f, []int64{stored[0].ID})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for name, f := range map[string]memory.Filter{"everybody": {}, "without a project": {Unassigned: true}} {
		if diff := cmp.Diff(stored, get(f)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := get(memory.Filter{User: "bo"}); len(got) != 0 {
		t.Errorf("of facts of others: %+v", got)
	}
}
