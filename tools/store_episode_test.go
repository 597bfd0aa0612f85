package tools_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/store"
	"memory-graph/tools"
)

func TestStoreEpisode_HandsOnTheTurn(t *testing.T) {
	t.Parallel()
	o := tools.Defaults()
	o.Namespace, o.Project, o.User = "home", "garden", "Ann"
	mem := &fakeMemory{result: episodes.Result{EpisodeID: memory.EpisodeID(7), Status: "stored", Extraction: "disabled"}}
	r := run(t, all(t, mem, o)["store_episode"], `{"content":"  I drink tea.\n","role":"assistant","speaker":" Bo ","occurredAt":"2026-03-18",
		"source":"chat","idempotency_key":"k1","user":"Cy","session_id":"s1"}`)
	want := store.NewEpisode{
		Episode: memory.Episode{Scope: memory.Scope{Namespace: "home", Project: "garden", User: "Cy", SessionID: "s1"},
			Content: "  I drink tea.\n", Role: memory.RoleAssistant, Speaker: "Bo", Source: "chat",
			OccurredAt: time.Date(2026, 3, 18, 0, 0, 0, 0,
				time.UTC)}, IdempotencyKey: "k1", Caller: memory.Caller{Actor: "tool"}}
	if diff := cmp.Diff(want, mem.input, cmpopts.IgnoreFields(memory.Caller{}, "CallID")); diff != "" {
		t.Error(diff)
	}
	equalJSON(t, `{"episode_id":"t7","status":"stored","extraction":"disabled","reasons":[],"entities":[],"relations":[],"superseded":[],
		"conflicts":[],"errors":[],"memory_state":{"pending":0,"failed":0,"degraded":[]}}`, r.text)
	equalJSON(t, r.text, string(r.body))
}
