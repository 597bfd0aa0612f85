package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// speaks stores a turn of the user with what the rules find in it, as a call with the name of the last word.
func speaks(t *testing.T, s *store.Store, words string, found ...memory.RelationDraft) memory.ID {
	t.Helper()
	for i := range found {
		found[i].CreateMissing, found[i].Origin, found[i].Method = true, memory.OriginUser, memory.MethodRule
		found[i].Fact = found[i].Head + " " + found[i].Relation + " " + found[i].Tail + "."
	}
	out, err := s.RecordEpisode(t.Context(), store.NewEpisode{Episode: memory.Episode{Scope: inN, Role: memory.RoleUser,
		Content: words, Origin: memory.OriginUser, Status: memory.StatusDone},
		Caller:  memory.Caller{Actor: "test", CallID: words[strings.LastIndex(words, " ")+1:]},
		Reading: store.Reading{Found: memory.Findings{Relations: found}}})
	if err != nil || len(out.Found.Refused) > 0 {
		t.Fatalf("%v, %+v", err, out.Found.Refused)
	}
	return memory.EpisodeID(out.Episode.ID)
}

func TestForget_OfTheTurnThatNamesTheSpeakerTakesTheName(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path, store.Options{})
	speaks(t, s, "I like tea", does("User", "likes", "tea"))
	names := speaks(t, s, "I'm Annabel. I know Bob", am("User", "Annabel"), does("User", "knows", "Bob"))
	speaks(t, s, "I prefer tabs", does("User", "prefers", "tabs"))
	speaks(t, s, "Bob knows me", does("Bob", "knows", "User"))
	annabel, err := s.ResolveEntity(t.Context(), ns, "User", "", memory.AsOf{})
	if err != nil || annabel.Name != "Annabel" {
		t.Fatalf("%+v, %v", annabel, err)
	}
	dry := forget(t, s, false, names)
	want := memory.Forgotten{DryRun: true, Episodes: 1, Relationships: 1, Entities: 1,
		Objects: append([]memory.ID{names}, append(refs("r2"), annabel.Ref())...)}
	if diff := cmp.Diff(want, dry); diff != "" {
		t.Errorf("dry run: %s", diff)
	}
	forget(t, s, true, names)
	isSound(t, s)
	user, err := s.ResolveEntity(t.Context(), ns, "User", "", memory.AsOf{})
	if err != nil || user.Name != "User" || user.MergedInto != 0 {
		t.Fatalf("%+v, %v", user, err)
	}
	all, err := s.Relationships(t.Context(), ns, []int64{1, 2, 3, 4}, memory.AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	var facts []string
	for _, r := range all {
		facts = append(facts, r.Head.Name+"/"+r.Fact)
	}
	if diff := cmp.Diff([]string{"User/User likes tea.", "User/User prefers tabs.", "Bob/Bob knows User."},
		facts); diff != "" {
		t.Error(diff)
	}
	speaks(t, s, "I use Go", does("User", "uses", "Go"))
	if r, err := s.Relationships(t.Context(), ns, []int64{5}, memory.AsOf{}); err != nil || r[0].Head.Name != "User" {
		t.Errorf("%+v, %v", r, err)
	}
	if out, err := s.Undo(t.Context(), ns, "tabs", agent); err != nil || len(out.Changes) != 2 {
		t.Errorf("undo of a call that stays: %+v, %v", out, err)
	}
	defer func() {
		forget(t, s, true, refs("t1", "t3", "t4", "t5")...)
		if left, err := s.QueryInts(`SELECT count(*) FROM mg_entities`); err != nil || left[0] != 0 {
			t.Errorf("the speaker stays without any turn: %v, %v", left, err)
		}
	}()
	if out, err := s.Undo(t.Context(), ns, "tea", agent); err == nil {
		t.Errorf("undone, although other facts rest on the speaker: %+v", out)
	}
	isSound(t, s)
	for _, name := range []string{path, path + "-wal"} {
		raw, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if at := bytes.Index(bytes.ToLower(raw), []byte("annabel")); at >= 0 {
			t.Errorf("the name is in %s: %q", filepath.Base(name), raw[max(0, at-60):min(len(raw), at+60)])
		}
	}
}

func TestForget_OfAllTurnsOfANamedSpeakerTakesTheSpeaker(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	names := speaks(t, s, "I'm Ann. I work at Acme", am("User", "Ann"), does("User", "works_at", "Acme"))
	if out := forget(t, s, true, names); out.Entities != 3 {
		t.Errorf("%+v", out)
	}
	left, err := s.QueryInts(`SELECT (SELECT count(*) FROM mg_entities) + (SELECT count(*) FROM mg_entity_versions)`)
	if err != nil || left[0] != 0 {
		t.Errorf("%v, %v", left, err)
	}
	isSound(t, s)
}

func TestForget_KeepsTheNameThatSomethingElseGives(t *testing.T) {
	t.Parallel()
	for what, give := range map[string]func(*testing.T, *store.Store){
		"the same words again": func(t *testing.T, s *store.Store) { speaks(t, s, "My name is Ann", am("User", "Ann")) },
		"another turn": func(t *testing.T, s *store.Store) {
			speaks(t, s, "Bob likes Ann", does("Bob", "likes", "Ann"))
		},
		"a supplied fact": func(t *testing.T, s *store.Store) { relate(t, s, draft("Ann", "uses", "Go")) },
		"a caller": func(t *testing.T, s *store.Store) {
			if _, _, err := s.UpdateEntity(t.Context(), ns, memory.EntityChange{Entity: "Ann",
				Description: ptr("a plumber")}, memory.Caller{CallID: "by hand"}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := openNew(t)
			names := speaks(t, s, "I'm Ann. I like tea", am("User", "Ann"), does("User", "likes", "tea"))
			give(t, s)
			forget(t, s, true, names)
			if e, err := s.ResolveEntity(t.Context(), ns, "User", "", memory.AsOf{}); err != nil || e.Name != "Ann" {
				t.Errorf("%+v, %v", e, err)
			}
			isSound(t, s)
		})
	}
}

func TestPurge_TakesTheNameOfTheSpeaker(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	speaks(t, s, "I'm Ann. I like tea", am("User", "Ann"), does("User", "likes", "tea"))
	p := store.Purge{Namespace: ns, Before: time.Now().Add(time.Hour)}
	dry, err := s.Purge(t.Context(), p, false, agent)
	if err != nil || dry.Entities != 3 {
		t.Fatalf("%+v, %v", dry, err)
	}
	out, err := s.Purge(t.Context(), p, true, agent)
	if err != nil || out.Entities != 3 {
		t.Errorf("%+v, %v", out, err)
	}
	if left, err := s.QueryInts(`SELECT count(*) FROM mg_entities`); err != nil || left[0] != 0 {
		t.Errorf("%v, %v", left, err)
	}
}
