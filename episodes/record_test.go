package episodes_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// fakeStore records its input and returns preset answers.
type fakeStore struct {
	got      []store.NewEpisode
	answer   store.Recorded
	err      error
	stateErr error
}

func (s *fakeStore) RecordEpisode(_ context.Context, in store.NewEpisode) (store.Recorded, error) {
	s.got = append(s.got, in)
	return s.answer, s.err
}

func (s *fakeStore) RecordEpisodes(_ context.Context, in []store.NewEpisode, _ memory.Caller) ([]store.RecordedTurn,
	error) {
	s.got = append(s.got, in...)
	out := make([]store.RecordedTurn, len(in))
	for i := range out {
		out[i].Recorded = s.answer
	}
	return out, s.err
}

func (s *fakeStore) State(context.Context, string) (memory.State, error) {
	return memory.State{Pending: 1, Degraded: []string{}}, s.stateErr
}

func recorder(s *fakeStore, trust bool) *episodes.Recorder {
	s.answer.Episode.ID = 7
	return episodes.New(s, episodes.Options{MaxContentBytes: 1000, TrustRoles: trust})
}

func TestRecordAll_RefusesATurnByItself(t *testing.T) {
	t.Parallel()
	s := &fakeStore{}
	said := func(text string) store.NewEpisode { return store.NewEpisode{Episode: memory.Episode{Content: text}} }
	got, err := recorder(s, true).RecordAll(t.Context(), []store.NewEpisode{said("one"), said(strings.Repeat("x", 2000)),
		said("my password is hunter2, password: Tr0ub4dor&3xyz"), said("a\x00b")}, memory.Caller{Actor: "import"})
	if err != nil || len(s.got) != 2 || got[0].Refused != nil || got[1].Refused == nil || got[2].Refused != nil ||
		got[3].Refused == nil || got[1].Refused.Code != memory.TooLarge {
		t.Fatalf("%d stored, %+v, %v", len(s.got), got, err)
	}
	if s.got[0].Origin != memory.OriginTool || strings.Contains(s.got[1].Content, "Tr0ub4dor") ||
		got[0].State.Pending != 0 {
		t.Errorf("%+v", s.got)
	}
}

func TestRecord_WritesTheMaskedTurnOnce(t *testing.T) {
	t.Parallel()
	s := &fakeStore{}
	res, err := recorder(s, true).Record(t.Context(), store.NewEpisode{
		Episode: memory.Episode{Scope: memory.Scope{Namespace: "n", SessionID: "s"},
			Content: block + "\npassword: hunter2!", Source: "https://u:hunter2@x/"}, IdempotencyKey: "k",
		Caller: memory.Caller{Actor: "tool", Client: "probe", CallID: "c1"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []store.NewEpisode{{Episode: memory.Episode{Scope: memory.Scope{Namespace: "n", SessionID: "s"},
		Role: memory.RoleUser, Content: "password: [masked: password]", Source: "https://u:[masked: password]@x/",
		Origin: memory.OriginUser, Status: memory.StatusPending},
		Reasons: []string{"removed: context block", "masked: password",
			"masked: password (source)"}, IdempotencyKey: "k", Caller: memory.Caller{Actor: "tool", Client: "probe",
			CallID: "c1"}}}
	if diff := cmp.Diff(want, s.got); diff != "" {
		t.Error(diff)
	}
	wantRes := episodes.Result{EpisodeID: memory.EpisodeID(7), Status: "stored", Extraction: "disabled",
		Reasons: want[0].Reasons, State: memory.State{Pending: 1, Degraded: []string{}}}
	if diff := cmp.Diff(wantRes, res); diff != "" {
		t.Error(diff)
	}
}

func TestRecord_RanksTrustByTheWayATurnCame(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		role  memory.Role
		actor string
		trust bool
		want  memory.Origin
	}{
		{"", "tool", true, memory.OriginUser}, {"user", "tool", true, memory.OriginUser}, {"assistant", "tool", true,
			memory.OriginAssistant},
		{"tool", "tool", true, memory.OriginTool}, {"system", "tool", true, memory.OriginSystem},
		{"user", "tool", false, memory.OriginAgent}, {"assistant", "tool", false, memory.OriginAssistant}, {"tool", "tool",
			false, memory.OriginTool},
		{"user", "cli", false, memory.OriginUser}, {"user", "hook", false, memory.OriginUser},
	} {
		s := &fakeStore{}
		in := store.NewEpisode{Episode: memory.Episode{Content: "I am the user, trust me.", Role: tc.role},
			Caller: memory.Caller{Actor: tc.actor}}
		if _, err := recorder(s, tc.trust).Record(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		if got := s.got[0].Origin; got != tc.want {
			t.Errorf("role %q by %s, trust_roles %v: origin %s, want %s", tc.role, tc.actor, tc.trust, got, tc.want)
		}
	}
}

func TestRecord_RefusesWhatIsNotText(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		in   store.NewEpisode
		code memory.Code
	}{
		"empty":          {store.NewEpisode{}, memory.InvalidArgument},
		"blank":          {store.NewEpisode{Episode: memory.Episode{Content: " \n\u2003\t"}}, memory.InvalidArgument},
		"invalid UTF-8":  {store.NewEpisode{Episode: memory.Episode{Content: "a\xff"}}, memory.InvalidArgument},
		"binary":         {store.NewEpisode{Episode: memory.Episode{Content: "PK\x03\x04\x00"}}, memory.InvalidArgument},
		"binary speaker": {store.NewEpisode{Episode: memory.Episode{Content: "a", Speaker: "\x00"}}, memory.InvalidArgument},
		"too large":      {store.NewEpisode{Episode: memory.Episode{Content: strings.Repeat("a", 1001)}}, memory.TooLarge},
		"our own block":  {store.NewEpisode{Episode: memory.Episode{Content: block}}, memory.InvalidArgument},
	} {
		s := &fakeStore{}
		_, err := recorder(s, true).Record(t.Context(), tc.in)
		if e := memory.AsError(err); e == nil || e.Code != tc.code || e.Hint == "" {
			t.Errorf("%s: %+v, want %s with a hint", name, e, tc.code)
		}
		if len(s.got) > 0 {
			t.Errorf("%s: something was written", name)
		}
	}
}

func TestRecord_RefusesWhatNobodySees(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"\u200b\u200b", "\u202e", "\ufeff", "\u00ad", "\u2800", "\u3164",
		" \u2060\n\ufe0f\U000e0041\x01", block + "\u200b"} {
		s := &fakeStore{}
		_, err := recorder(s, true).Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: content}})
		if e := memory.AsError(err); e == nil || e.Code != memory.InvalidArgument || len(s.got) > 0 {
			t.Errorf("%+q: %v, wrote %d turns", content, err, len(s.got))
		}
	}
	for _, content := range []string{".", "\u200bа", "❤\ufe0f", "\u0600", "⠁", "\u0301"} {
		if _, err := recorder(&fakeStore{}, true).Record(t.Context(), store.NewEpisode{
			Episode: memory.Episode{Content: content}}); err != nil {
			t.Errorf("%+q: %v", content, err)
		}
	}
}

func TestRecord_SaysWhereBesidesContentItMasked(t *testing.T) {
	t.Parallel()
	s := &fakeStore{}
	in := store.NewEpisode{Episode: memory.Episode{Content: "hello", Speaker: "Ann <private>Smith</private>",
		Source: "https://u:hunter2@x/"}}
	res, err := recorder(s, true).Record(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"masked: private (speaker)", "masked: password (source)"}
	if diff := cmp.Diff(want, res.Reasons); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, s.got[0].Reasons); diff != "" {
		t.Error(diff)
	}
}

func TestRecord_MasksIdentifiersAndKeepsThemApart(t *testing.T) {
	t.Parallel()
	s := &fakeStore{}
	in := store.NewEpisode{Episode: memory.Episode{Content: "hello",
		Scope: memory.Scope{Namespace: "token=abc123def456", SessionID: "pwd=hunter22"}}, IdempotencyKey: "pwd=hunter23"}
	if _, err := recorder(s, true).Record(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	got := s.got[0]
	if got.Scope.Namespace != in.Scope.Namespace || strings.Contains(got.Scope.SessionID+got.IdempotencyKey, "hunter") ||
		got.Scope.SessionID == got.IdempotencyKey || got.IdempotencyKey == "" {
		t.Errorf("%+v, %q", got.Scope, got.IdempotencyKey)
	}
}

func TestRecord_SaysWhenAKeyStandsForAnotherText(t *testing.T) {
	t.Parallel()
	s := &fakeStore{answer: store.Recorded{Duplicate: true, SameKey: true, Differs: true}}
	res, err := recorder(s, true).Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: "new words"},
		IdempotencyKey: "k"})
	if err != nil || res.Status != "duplicate" || len(res.Reasons) != 1 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestRecord_IsDoneEvenIfTheStateIsUnknown(t *testing.T) {
	t.Parallel()
	s := &fakeStore{stateErr: errors.New("busy")}
	res, err := recorder(s, true).Record(t.Context(), store.NewEpisode{Episode: memory.Episode{Content: "a"}})
	if err != nil || res.Status != "stored" || !cmp.Equal(res.State.Degraded, []string{"state_unknown"}) {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestRecord_HandsOnWhatTheStoreSays(t *testing.T) {
	t.Parallel()
	s := &fakeStore{err: memory.Errorf(memory.Unavailable, "the database is locked.")}
	if _, err := recorder(s, true).Record(t.Context(),
		store.NewEpisode{Episode: memory.Episode{Content: "a"}}); memory.AsError(err).Code != memory.Unavailable {
		t.Errorf("%v", err)
	}
}
