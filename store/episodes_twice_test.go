package store_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestRecordEpisode_WhatAHookAndACallBringIsOneTurn(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)
	type said struct {
		after                 time.Duration // since the previous turn
		source, session, text string
		key                   string
		role                  memory.Role
		late                  time.Duration // of a hook's turn that waited: since it was said
		namespace             string
	}
	hook := func(text, key string) said {
		return said{source: "hook:claude-code", session: "h", text: text, key: "hook:claude-code:" + key}
	}
	call := func(text string) said { return said{text: text} }
	later := func(d time.Duration, s said) said { s.after = d; return s }
	in := func(session string, s said) said { s.session = session; return s }
	as := func(role memory.Role, s said) said { s.role = role; return s }
	for name, tc := range map[string]struct {
		said []said
		want []int // the number of the stored turn for each
	}{
		"the hook first": {[]said{hook("a", "1"), call("a")}, []int{1, 1}},
		"the call first": {[]said{as("assistant", call("a")), as("assistant", hook("a", "1"))},
			[]int{1, 1}},
		"with others between": {[]said{hook("a", "1"), hook("b", "2"), hook("c", "3"), in("x", call("a"))},
			[]int{1, 2, 3, 1}},
		"a second one later in the session": {[]said{hook("ok", "1"), call("ok"), hook("b", "2"), hook("ok", "3"),
			call("ok")}, []int{1, 1, 2, 3, 3}},
		"the call first, and then a second one": {[]said{call("ok"), hook("ok", "1"), hook("b", "2"), hook("ok", "3")},
			[]int{1, 1, 2, 3}},
		"a repeated delivery": {[]said{call("a"), hook("a", "1"), later(time.Hour, hook("a", "1"))},
			[]int{1, 1, 1}},
		"nine minutes":   {[]said{hook("a", "1"), later(9*time.Minute, call("a"))}, []int{1, 1}},
		"eleven minutes": {[]said{hook("a", "1"), later(11*time.Minute, call("a"))}, []int{1, 2}},
		"a hook's turn that waited": {[]said{call("a"),
			{after: time.Hour, source: "hook:codex", text: "a", key: "hook:codex:1", late: time.Hour}}, []int{1, 1}},
		"another role":      {[]said{hook("a", "1"), as("assistant", call("a"))}, []int{1, 2}},
		"other words":       {[]said{hook("a", "1"), call("A")}, []int{1, 2}},
		"another namespace": {[]said{hook("a", "1"), {text: "a", namespace: "other"}}, []int{1, 2}},
		"two hooks":         {[]said{hook("a", "1"), hook("b", "2"), hook("a", "3")}, []int{1, 2, 3}},
		"two calls":         {[]said{in("x", call("a")), in("y", call("a"))}, []int{1, 2}},
		"two calls of one session later": {[]said{hook("a", "1"), in("x", call("a")), in("x", call("b")),
			in("x", call("a"))}, []int{1, 1, 2, 1}},
		"a call with a key": {[]said{hook("a", "1"), {text: "a", key: "mine"}}, []int{1, 1}},
		"a fact's own evidence": {[]said{{text: "a", source: "call", role: "assistant"},
			as("assistant", hook("a", "1"))}, []int{1, 2}},
		"keys that only guard a delivery": {[]said{{source: "hook:codex", session: "s", text: "a", key: memory.OnceKey + "1"},
			{source: "hook:codex", session: "s", text: "a", key: memory.OnceKey + "2"}}, []int{1, 1}},
		"a guarded delivery of words that came again later": {[]said{{source: "hook:codex", session: "s", text: "ok",
			key: memory.OnceKey + "1"},
			{source: "hook:codex", session: "s", text: "b", key: memory.OnceKey + "2"}, {source: "hook:codex", session: "s",
				text: "ok", key: memory.OnceKey + "3"},
			{source: "hook:codex", session: "s", text: "ok", key: memory.OnceKey + "1"}}, []int{1, 2, 3, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := start
			s := open(t, filepath.Join(t.TempDir(), "memory.db"), store.Options{Now: func() time.Time { return now }})
			number := map[int64]int{}
			var got []int
			for _, x := range tc.said {
				now = now.Add(x.after + time.Second)
				e := turn(x.session, x.text)
				e.Source, e.IdempotencyKey = x.source, x.key
				if x.namespace != "" {
					e.Scope.Namespace = x.namespace
				}
				if x.role != "" {
					e.Role = x.role
				}
				if x.source != "" {
					e.OccurredAt = now.Add(-x.late)
				}
				r := record(t, s, e)
				if number[r.Episode.ID] == 0 {
					number[r.Episode.ID] = len(number) + 1
				}
				got = append(got, number[r.Episode.ID])
			}
			if fmt.Sprint(got) != fmt.Sprint(tc.want) {
				t.Errorf("turns %v, want %v", got, tc.want)
			}
		})
	}
}
