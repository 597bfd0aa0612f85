package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestRecordEpisode_KeepsEveryField(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 18, 9, 30, 0, 123_456_789, time.UTC)
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	in := store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "ns", Project: "p", User: "u",
		SessionID: "s"}, Role: memory.RoleAssistant, Speaker: "Ada", Source: "chat",
		Content: "line\nwith 'quotes', NUL \x00 and 猫", OccurredAt: time.Date(2024, 1, 2, 3, 4, 5, 6,
			time.FixedZone("", 3600)), Origin: memory.OriginAssistant, Status: memory.StatusQuarantined}, Reasons: []string{
		"odd"}, IdempotencyKey: "k", Caller: memory.Caller{Actor: "tool"}}
	want := memory.Episode{ID: 1, Scope: in.Scope, Seq: 1, Role: in.Role, Speaker: in.Speaker, Source: in.Source,
		Content: in.Content,
		OccurredAt: time.Date(2024, 1, 2, 2, 4, 5, 0,
			time.UTC), CreatedAt: now.Truncate(time.Millisecond), Origin: in.Origin, Status: in.Status}
	if diff := cmp.Diff(store.Recorded{Episode: want}, record(t, s, in)); diff != "" {
		t.Error("recorded:", diff)
	}
	found, err := s.Episodes(context.Background(), "ns", []int64{1})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]memory.Episode{want}, found); diff != "" {
		t.Error("read:", diff)
	}
}

func TestRecordEpisode_Duplicates(t *testing.T) {
	t.Parallel()
	type edit = func(*store.NewEpisode)
	key := func(k string) edit { return func(e *store.NewEpisode) { e.IdempotencyKey = k } }
	on := func(session, day string) edit {
		return func(e *store.NewEpisode) {
			at, _ := time.Parse(time.DateOnly, day)
			e.Scope.SessionID, e.OccurredAt = session, at.Add(7*time.Hour+900*time.Millisecond)
		}
	}
	for name, c := range map[string]struct {
		first, second edit
		between       string // a turn between the two
		after         time.Duration
		want          store.Recorded // its Episode aside
	}{
		"the same words at once":           {want: store.Recorded{Duplicate: true}},
		"the same words within the window": {after: 10 * time.Minute, want: store.Recorded{Duplicate: true}},
		"the same words later":             {after: 10*time.Minute + time.Second},
		"the clock was set back":           {after: -time.Hour},
		"a turn between":                   {between: "something else"},
		"another role":                     {second: func(e *store.NewEpisode) { e.Role = memory.RoleAssistant }},
		"another speaker":                  {second: func(e *store.NewEpisode) { e.Speaker = "Bob" }},
		"another session":                  {second: func(e *store.NewEpisode) { e.Scope.SessionID = "other" }},
		"another namespace":                {second: func(e *store.NewEpisode) { e.Scope.Namespace = "other" }},
		"no session": {first: func(e *store.NewEpisode) { e.Scope.SessionID = "" },
			second: func(e *store.NewEpisode) { e.Scope.SessionID = "" }, want: store.Recorded{Duplicate: true}},
		"another day":                {first: on("", "2026-01-01"), second: on("", "2026-02-01")},
		"another day in the session": {first: on("s", "2026-01-01"), second: on("s", "2026-02-01")},
		"a day, where none was said": {first: on("", "0001-01-01"), second: on("", "2099-01-01")},
		"the same time": {first: on("", "2026-01-01"), second: on("", "2026-01-01"),
			want: store.Recorded{Duplicate: true}},
		"the same time, told once": {first: on("", "2026-01-01"),
			second: func(e *store.NewEpisode) { e.Scope.SessionID = "" }, want: store.Recorded{Duplicate: true}},
		"a hook's, later": {first: on("s", "2026-01-01"),
			second: func(e *store.NewEpisode) {
				on("s", "2026-01-02")(e)
				e.Source = memory.HookSource +
					"x"
			}, want: store.Recorded{Duplicate: true}},
		"no session, another project": {first: func(e *store.NewEpisode) { e.Scope.SessionID = "" },
			second: func(e *store.NewEpisode) { e.Scope.SessionID, e.Scope.Project = "", "p" }},
		"two keys":     {first: key("1"), second: key("2")},
		"one key only": {first: key("1"), want: store.Recorded{Duplicate: true}},
		"the same key": {first: key("1"), second: key("1"),
			want: store.Recorded{Duplicate: true, SameKey: true}},
		"the same key, much later, a turn between": {first: key("1"), second: key("1"), between: "x", after: 24 * time.Hour,
			want: store.Recorded{Duplicate: true, SameKey: true}},
		"the same key, other words": {first: key("1"),
			second: func(e *store.NewEpisode) {
				e.IdempotencyKey, e.Content = "1",
					"other"
			}, want: store.Recorded{Duplicate: true, SameKey: true, Differs: true}},
		"the same key, another namespace": {first: key("1"),
			second: func(e *store.NewEpisode) { e.IdempotencyKey, e.Scope.Namespace = "1", "other" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var offset atomic.Int64
			s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time {
				return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(offset.Load()))
			}})
			make := func(e edit) store.NewEpisode {
				in := turn("s", "ok")
				if e != nil {
					e(&in)
				}
				return in
			}
			first := record(t, s, make(c.first))
			if c.between != "" {
				record(t, s, turn("s", c.between))
			}
			offset.Store(int64(c.after))
			got := record(t, s, make(c.second))
			if got.Duplicate && got.Episode.ID != first.Episode.ID {
				t.Errorf("a duplicate of t%d, want of t%d", got.Episode.ID, first.Episode.ID)
			}
			got.Episode = memory.Episode{}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A model of the rules for duplicates in plain Go agrees with the store on random sequences of turns.
func TestRecordEpisode_DuplicatesFollowTheRule(t *testing.T) {
	t.Parallel()
	var now time.Time
	s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
	var n int64
	rapid.Check(t, func(r *rapid.T) {
		n++ // each check has its own namespace
		now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		type stored struct {
			in store.NewEpisode
			at time.Time
			id int64
		}
		last, byKey, count := map[memory.Scope]stored{}, map[string]stored{}, 0
		for range rapid.IntRange(1, 25).Draw(r, "turns") {
			now = now.Add(time.Duration(rapid.SampledFrom([]int{0, 1, 599, 600, 601}).Draw(r, "wait")) * time.Second)
			in := turn(rapid.SampledFrom([]string{"", "a", "b"}).Draw(r, "session"),
				rapid.SampledFrom([]string{"ok", "yes"}).Draw(r, "content"))
			in.Scope.Namespace = itoa(n)
			in.IdempotencyKey = rapid.SampledFrom([]string{"", "", "k1", "k2"}).Draw(r, "key")
			in.Speaker = rapid.SampledFrom([]string{"", "Ada"}).Draw(r, "speaker")
			var want int64
			prev, ok := last[in.Scope]
			if k, seen := byKey[in.IdempotencyKey]; seen && in.IdempotencyKey != "" {
				want = k.id
			} else if ok && prev.in.Content == in.Content && prev.in.Speaker == in.Speaker && now.Sub(
				prev.at) <= 10*time.Minute &&
				(in.IdempotencyKey == "" || prev.in.IdempotencyKey == "") {
				want = prev.id
			}
			got, err := s.RecordEpisode(context.Background(), in)
			if err != nil {
				r.Fatal(err)
			}
			if got.Duplicate != (want != 0) || got.Duplicate && got.Episode.ID != want {
				r.Fatalf("%+v: duplicate %v of t%d, want of t%d", in, got.Duplicate, got.Episode.ID, want)
			}
			if !got.Duplicate {
				count++
				st := stored{in, now, got.Episode.ID}
				last[in.Scope] = st
				if in.IdempotencyKey != "" {
					byKey[in.IdempotencyKey] = st
				}
			}
		}
		all, err := s.NewestEpisodes(context.Background(), memory.Filter{Namespace: itoa(n)}, 0, 100)
		if err != nil || len(all) != count {
			r.Fatalf("%d episodes, %v; want %d", len(all), err, count)
		}
	})
}

func TestRecordEpisode_QueuesItsJobsOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := openNew(t)
	if _, err := s.EnsureGeneration(ctx, store.Identity{Provider: "builtin", Model: "m", Dimensions: 4}); err != nil {
		t.Fatal(err)
	}
	in := turn("s", "hello")
	in.Jobs = []string{"extract"}
	record(t, s, in)
	record(t, s, in) // a duplicate
	counts, err := s.Counts(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]store.JobCount{{Kind: "embed", Status: "pending", N: 1},
		{Kind: "extract", Status: "pending", N: 1}}, counts.Jobs); diff != "" {
		t.Error(diff)
	}
	state, err := s.State(ctx, "default")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(memory.State{Pending: 2, Degraded: []string{}}, state); diff != "" {
		t.Error(diff)
	}
	if state, err := s.State(ctx, "other"); err != nil || state.Pending != 0 {
		t.Errorf("another namespace's state: %+v, %v", state, err)
	}
}

func ids(episodes []memory.Episode) []int64 {
	out := make([]int64, len(episodes))
	for i, e := range episodes {
		out[i] = e.ID
	}
	return out
}

func TestEpisodes_OrderAndNamespace(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	for i := range 4 {
		record(t, s, turn("s", fmt.Sprint(i)))
	}
	foreign := turn("s", "secret")
	foreign.Scope.Namespace = "other"
	r := record(t, s, foreign)
	found, err := s.Episodes(context.Background(), "default", []int64{3, 99, 1, r.Episode.ID})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{3, 1}, ids(found)); diff != "" {
		t.Error(diff)
	}
}

func TestNewestEpisodes_FiltersAndPages(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	day := func(d int) time.Time { return time.Date(2026, 3, d, 12, 0, 0, 0, time.UTC) }
	for i, d := range []int{5, 1, 3, 3, 9} { // ids 1–5
		e := turn(fmt.Sprint("s", i%2), fmt.Sprint(i))
		e.OccurredAt = day(d)
		if i == 4 {
			e.Scope.Project, e.Scope.User, e.Role = "p", "u", memory.RoleTool
		}
		record(t, s, e)
	}
	f := func(edit func(*memory.Filter)) memory.Filter {
		f := memory.Filter{Namespace: "default"}
		edit(&f)
		return f
	}
	for name, c := range map[string]struct {
		f             memory.Filter
		offset, limit int
		want          []int64
	}{
		"all":       {f(func(*memory.Filter) {}), 0, 10, []int64{5, 1, 4, 3, 2}},
		"a page":    {f(func(*memory.Filter) {}), 1, 2, []int64{1, 4}},
		"behind":    {f(func(*memory.Filter) {}), 9, 2, []int64{}},
		"session":   {f(func(f *memory.Filter) { f.SessionID = "s1" }), 0, 10, []int64{4, 2}},
		"or none":   {f(func(f *memory.Filter) { f.Project, f.Unassigned = "p", true }), 0, 10, []int64{5, 1, 4, 3, 2}},
		"q or none": {f(func(f *memory.Filter) { f.Project, f.Unassigned = "q", true }), 0, 10, []int64{1, 4, 3, 2}},
		"project":   {f(func(f *memory.Filter) { f.Project = "p" }), 0, 10, []int64{5}},
		"user":      {f(func(f *memory.Filter) { f.User = "u" }), 0, 10, []int64{5}},
		"roles": {f(func(f *memory.Filter) { f.Roles = []memory.Role{memory.RoleTool, memory.RoleSystem} }), 0, 10,
			[]int64{5}},
		"since":     {f(func(f *memory.Filter) { f.Since = day(5) }), 0, 10, []int64{5, 1}},
		"until":     {f(func(f *memory.Filter) { f.Until = day(3) }), 0, 10, []int64{2}},
		"namespace": {memory.Filter{Namespace: "other"}, 0, 10, []int64{}},
	} {
		found, err := s.NewestEpisodes(context.Background(), c.f, c.offset, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, ids(found)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
