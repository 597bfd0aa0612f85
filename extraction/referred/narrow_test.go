package referred_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction/mentions"
	"memory-graph/extraction/referred"
	"memory-graph/internal/memory"
)

func TestResolve_EndsNothingThatTheWordsDoNotEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		held  []string
		found string // what the rules found
		want  []string
	}{
		{"Larder now also uses Postgres", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"Larder now uses Postgres in addition to MySQL", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"Larder uses both Postgres and MySQL now", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"Larder now uses Postgres for sessions.", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"Larder now uses Postgres in CI", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"Larder runs on Postgres now in CI", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"Larder runs on Postgres now on my laptop", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"Larder runs on Postgres now for the tests.", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"Larder runs on Postgres 16 now, but only during the demo", nil, "Larder uses Postgres",
			[]string{"Larder uses Postgres"}},
		{"Larder runs on Postgres now (locally)", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"In CI, Larder runs on Postgres now", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"We moved house. Larder runs on Postgres now in CI.", nil, "Larder uses Postgres",
			[]string{"Larder uses Postgres"}},
		{"Ida maintains Larder now during the holidays", []string{"Bob maintains Larder"}, "Ida maintains Larder",
			[]string{"Ida maintains Larder"}},
		{"Larder runs on Postgres now for good", nil, "Larder uses Postgres", []string{"Larder uses Postgres, news"}},
		{"Larder runs on Postgres now, and I live in Ghent", nil, "Larder uses Postgres",
			[]string{"Larder uses Postgres, news"}},
		{"In the end, Larder runs on Postgres now", nil, "Larder uses Postgres", []string{"Larder uses Postgres, news"}},
		{"In dev Larder uses Postgres. Larder uses Postgres now.", nil, "Larder uses Postgres",
			[]string{"Larder uses Postgres, news"}},
		{"Larder mostly runs on Postgres now", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"Larder now uses Postgres.", nil, "Larder uses Postgres", []string{"Larder uses Postgres, news"}},
		{"Larder switched to Postgres for sessions.", nil, "Larder uses Postgres",
			[]string{"Larder uses Postgres, news"}},
		{"We upgraded Postgres to 17", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"We changed Postgres to listen on 5433", nil, "Larder uses Postgres", []string{"Larder uses Postgres"}},
		{"My new dentist is Bert.", []string{"Petra dentist_of Sam"}, "", []string{}},
		{"My new dentist is Bert.", []string{"Petra dentist_of User"}, "",
			[]string{"not Petra dentist_of User, news", "Bert dentist_of User, news"}},
		{"Bert is my new dentist.", []string{"Petra dentist_of Sam"}, "", []string{}},
		{"For Globex, the new contact is Petra.", []string{"Bert contact_of Acme"}, "", []string{}},
		{"For Acme, the new contact is Petra.", []string{"Bert contact_of Acme"}, "",
			[]string{"not Bert contact_of Acme, news", "Petra contact_of Acme, news"}},
		{"Our contact is now Dr. Claes.", []string{"Bert contact_of User"}, "",
			[]string{"not Bert contact_of User, news", "Dr. Claes contact_of User, news"}},
		{"J. Maes is our contact now. Tom is not.", []string{"Bert contact_of User"}, "",
			[]string{"not Bert contact_of User, news", "J. Maes contact_of User, news"}},
		{"The contact is now Mr. and Mrs. Jones.", []string{"Bert contact_of Acme"}, "", []string{}},
		{"The contact is now Monday.", []string{"Bert contact_of Acme"}, "", []string{}},
		{"The contact is now Director.", []string{"Bert contact_of Acme"}, "", []string{}},
		{"The contact is now Sales Director.", []string{"Bert contact_of Acme"}, "", []string{}},
		{"The contact is now Head of Sales.", []string{"Bert contact_of Acme"}, "", []string{}},
		{"The contact is now Nobody.", []string{"Bert contact_of Acme"}, "", []string{}},
		{"The contact is now Petra in Ghent.", []string{"Bert contact_of Acme"}, "", []string{}},
		{"The contact is now Dean van Berg.", []string{"Bert contact_of Acme"}, "",
			[]string{"not Bert contact_of Acme, news", "Dean van Berg contact_of Acme, news"}},
		{"If the disk is full and Redis is gone, restart the box.", []string{"Larder uses Redis"}, "", []string{}},
		{"Bob said the deploy failed and Redis is gone.", []string{"Larder uses Redis"}, "", []string{}},
		{"Redis is dead, please restart it.", []string{"Larder uses Redis"}, "", []string{}},
		{"Redis was shut down.", []string{"Larder uses Redis"}, "", []string{}},
		{"Redis got killed.", []string{"Larder uses Redis"}, "", []string{}},
		{"The deploy failed. Redis is gone.", []string{"Larder uses Redis"}, "", []string{"not Larder uses Redis, news"}},
		// what no table of kinds has
		{"Sentry is gone, we switched to Bugsink", []string{"Larder uses Sentry"}, "User uses Bugsink",
			[]string{"Larder uses Bugsink, news", "not Larder uses Sentry, news"}},
		{"Sentry is gone. We switched to Bugsink.", []string{"Larder uses Sentry"}, "User uses Bugsink",
			[]string{"Larder uses Bugsink, news", "not Larder uses Sentry, news"}},
		{"Sentry is gone, we use Bugsink now", []string{"Larder uses Sentry"}, "User uses Bugsink",
			[]string{"Larder uses Bugsink, news", "not Larder uses Sentry, news"}},
		{"Froblix is gone, we switched to Redis", []string{"Larder uses Froblix"}, "User uses Redis",
			[]string{"Larder uses Redis, news", "not Larder uses Froblix, news"}},
		{"Sentry is gone. We use Bugsink now.", []string{"Larder uses Sentry"}, "User uses Bugsink",
			[]string{"User uses Bugsink, news", "not Larder uses Sentry, news"}},
		{"Sentry is gone, we switched to Bugsink", []string{"Larder uses Sentry"}, "User uses Bugsink,User uses Frob",
			[]string{"User uses Bugsink, news", "User uses Frob", "not Larder uses Sentry, news"}},
		{"Sentry is gone, we switched to Vim", []string{"Larder uses Sentry"}, "User uses Vim",
			[]string{"User uses Vim, news", "not Larder uses Sentry, news"}},
		{"Sentry is gone, we switched to Bugsink for the mails", []string{"Larder uses Sentry"}, "User uses Bugsink",
			[]string{"User uses Bugsink, news", "not Larder uses Sentry, news"}},
		{"Sentry is gone. I use Vim.", []string{"Larder uses Sentry"}, "User uses Vim",
			[]string{"User uses Vim", "not Larder uses Sentry, news"}},
		{"Sentry is gone. I use GlitchTip.", []string{"Larder uses Sentry"}, "User uses GlitchTip",
			[]string{"User uses GlitchTip", "not Larder uses Sentry, news"}},
	} {
		var found memory.Findings
		for one := range strings.SplitSeq(c.found, ",") {
			if one != "" {
				f := fact(one)
				found.Relations = append(found.Relations, memory.RelationDraft{Head: f.Head, Relation: f.Relation, Tail: f.Tail})
			}
		}
		in := input(c.text, c.held...)
		in.Known = mentions.NewDictionary()
		in.Known.Add("Globex", "Acme", "Bert", "Petra", "Sam")
		got := referred.Resolve(in, found)
		if diff := cmp.Diff(c.want, shown(got.Relations)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestResolve_WhatHoldsStillIsUsedInsteadOfWhatTookItsPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		found []string // the first one is said to hold still
		want  bool
	}{
		{"Larder still uses MySQL.", []string{"Larder uses MySQL"}, true},
		{"Actually, Larder still uses MySQL", []string{"Larder uses MySQL"}, true},
		{"Larder still uses MySQL for reports.", []string{"Larder uses MySQL"}, false},
		{"In CI, Larder still uses MySQL.", []string{"Larder uses MySQL"}, false},
		{"Larder sometimes still uses MySQL.", []string{"Larder uses MySQL"}, false},
		{"Larder also still uses MySQL.", []string{"Larder uses MySQL"}, false},
		{"Larder still uses MySQL and Postgres.", []string{"Larder uses MySQL", "Larder uses Postgres"}, false},
		{"Larder still uses MySQL and Redis.", []string{"Larder uses MySQL", "Larder uses Redis"}, true},
		{"Larder still uses MySQL, Pantry uses Postgres.", []string{"Larder uses MySQL", "Pantry uses Postgres"}, true},
		{"Ann still works at Acme.", []string{"Ann works_at Acme"}, true},
		{"Ann still knows Bob.", []string{"Ann knows Bob"}, false},
	} {
		var found memory.Findings
		for i, one := range c.found {
			f := fact(one)
			found.Relations = append(found.Relations, memory.RelationDraft{Head: f.Head, Relation: f.Relation, Tail: f.Tail,
				Still: i == 0})
		}
		if got := referred.Resolve(input(c.text), found).Relations[0].Still; got != c.want {
			t.Errorf("%q: still is %v", c.text, got)
		}
	}
}
