package communities_test

import (
	"strings"
	"testing"

	"memory-graph/internal/memory"
)

func TestSummary_OfAForgottenFactIsGoneAtOnceAndStaysGone(t *testing.T) {
	t.Parallel()
	for name, during := range map[string]bool{"after a refresh": false, "while the model is asked": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			told := tell(t, s, memory.OriginUser, work...)
			gone := memory.RelationshipID(told.Relations[1].Relationship.ID) // Bea works at Acme
			forget := func() {
				if _, err := s.Forget(t.Context(), ns, []memory.ID{gone}, true, memory.Caller{}); err != nil {
					t.Error(err)
				}
			}
			var m *model
			if during {
				m = &model{answer: func(n int) (string, string, error) {
					if n == 1 {
						forget()
					}
					return "Work", map[bool]string{true: "Bea works at Acme.", false: "They work."}[n == 1], nil
				}}
			}
			r := refresher(s, m)
			refresh(t, s, r)
			if !during {
				if !strings.Contains(list(t, s)[0].Summary, "Bea works at Acme") {
					t.Fatalf("the summary does not tell the fact: %+v", list(t, s))
				}
				forget()
			}
			if c := list(t, s)[0]; c.Summary != "" || c.Name != "Ann, Acme and Go" || c.Fingerprint != nil {
				t.Errorf("after forgetting: %+v", c)
			}
			refresh(t, s, r)
			if c := list(t, s)[0]; c.Summary == "" || strings.Contains(c.Summary, "Bea works at Acme") {
				t.Errorf("after the next refresh: %+v", c)
			}
		})
	}
}

func TestSummary_IsStaleOnceAFactOfItHasEnded(t *testing.T) {
	t.Parallel()
	s := open(t)
	told := tell(t, s, memory.OriginUser, append(append([]string{}, work...), band...)...)
	r := refresher(s, &model{})
	refresh(t, s, r)
	if _, err := s.Supersede(t.Context(), memory.Scope{Namespace: ns},
		memory.Supersession{ID: told.Relations[1].Relationship.ID}, memory.Caller{}); err != nil {
		t.Fatal(err)
	}
	stale := 0
	for _, c := range list(t, s) {
		if c.Stale() {
			stale++
		}
	}
	if stale != 1 {
		t.Errorf("%d communities are stale: %+v", stale, list(t, s))
	}
	refresh(t, s, r)
	for _, c := range list(t, s) {
		if c.Stale() || strings.Contains(c.Summary, "Bea works at Acme") {
			t.Errorf("after the next refresh: %+v", c)
		}
	}
}

// A community whose members are forgotten is named after those that stay, and never after one that is withheld.
func TestName_AfterForgettingIsThatOfTheMembersWhoStay(t *testing.T) {
	t.Parallel()
	s := open(t)
	tell(t, s, memory.OriginUser, work...)
	refresh(t, s, refresher(s, nil))
	before := list(t, s)[0]
	forget := func(name string) {
		t.Helper()
		e, err := s.ResolveEntity(t.Context(), ns, name, "", memory.AsOf{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Forget(t.Context(), ns, []memory.ID{e.Ref()}, true, memory.Caller{}); err != nil {
			t.Fatal(err)
		}
	}
	forget("Acme")
	c := list(t, s)[0]
	if !strings.Contains(before.Name, "Acme") || c.Name == "" || strings.Contains(c.Name, "Acme") {
		t.Errorf("the name was %q and is %q", before.Name, c.Name)
	}
	if found, err := s.CommunityNamed(t.Context(), ns, c.Name); err != nil || found.ID != c.ID {
		t.Errorf("by its name: %+v, %v", found, err)
	}
	forget("Ann")
	forget("Bea")
	if c := list(t, s)[0]; c.Name != "Go" {
		t.Errorf("of the last member: %q", c.Name)
	}
}
