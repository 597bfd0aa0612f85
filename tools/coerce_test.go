package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/tools"
)

func TestArguments_AreTakenWhereTheMeaningIsPlain(t *testing.T) {
	t.Parallel()
	base := retrieval.Request{Scope: memory.Scope{Namespace: "default"}, Limit: 10, BudgetTokens: 500}
	with := func(f func(*retrieval.Request)) retrieval.Request { r := base; f(&r); return r }
	var there stand
	list := all(t, &there, tools.Defaults())
	for arguments, want := range map[string]retrieval.Request{
		``:                                    base,
		`null`:                                base,
		`{}`:                                  base,
		`{"query":null,"limit":null}`:         base,
		`{"query":"  ","ids":[],"cursor":""}`: base,
		`{"strategy":"","roles":[""]}`:        base,
		`{"query":42}`:                        with(func(r *retrieval.Request) { r.Query = "42" }),
		`{"query":12345678901234567890}`:      with(func(r *retrieval.Request) { r.Query = "12345678901234567890" }),
		`{"limit":"42"}`:                      with(func(r *retrieval.Request) { r.Limit = 42 }),
		`{"limit":7.0,"explain":"true"}`:      with(func(r *retrieval.Request) { r.Limit, r.Explain = 7, true }),
		`{"limit":5e1,"explain":false}`:       with(func(r *retrieval.Request) { r.Limit = 50 }),
		`{"roles":"user"}`:                    with(func(r *retrieval.Request) { r.Roles = []memory.Role{"user"} }),
		`{"ids":"t5"}`: with(func(r *retrieval.Request) {
			r.IDs,
				r.Limit = []memory.ID{memory.EpisodeID(5)}, 1
		}),
		`{"sessionId":"s","budgetTokens":"0"}`: with(func(r *retrieval.Request) {
			r.Scope.SessionID, r.BudgetTokens = "s",
				0
		}),
		`{"namespace":"","project":7}`:      with(func(r *retrieval.Request) { r.Scope.Project = "7" }),
		`{"namespace":" 'odd\"; --%_ 日本 "}`: with(func(r *retrieval.Request) { r.Scope.Namespace = ` 'odd"; --%_ 日本 ` }),
		`{"since":"2026-03-18","until":"2026-03-18T10:00:00+02:00"}`: with(func(r *retrieval.Request) {
			r.Since, r.Until = time.Date(2026, 3, 18, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 18, 8, 0, 0, 0, time.UTC)
		}),
	} {
		mem := &fakeMemory{}
		there.Memory = mem
		if r := run(t, list["retrieve"], arguments); r.isError {
			t.Errorf("%s: %s", arguments, r.text)
			continue
		}
		if diff := cmp.Diff(want, mem.request); diff != "" {
			t.Errorf("%s:\n%s", arguments, diff)
		}
	}
}

func TestArguments_AreRefusedWithWhatIsAllowed(t *testing.T) {
	t.Parallel()
	var there stand
	list := all(t, &there, tools.Defaults())
	for _, tc := range []struct {
		tool, arguments string
		words           []string
	}{
		{"retrieve", `{"qery":"x"}`, []string{`"qery"`, "query", "budget_tokens"}},
		{"retrieve", `{"a":1,"b":2}`, []string{`"a", "b"`}},
		{"retrieve", `[]`, []string{"a list", "object"}},
		{"retrieve", `"x"`, []string{"not an object"}},
		{"retrieve", `{"limit":2.5}`, []string{"limit", "2.5", "whole number from 1 to 50"}},
		{"retrieve", `{"limit":0}`, []string{"limit", "0", "1 to 50"}},
		{"retrieve", `{"limit":51}`, []string{"51", "1 to 50"}},
		{"retrieve", `{"limit":-1}`, []string{"-1"}},
		{"retrieve", `{"limit":"many"}`, []string{"many", "whole number"}},
		{"retrieve", `{"limit":"0x10"}`, []string{"0x10"}},
		{"retrieve", `{"limit":"1_0"}`, []string{"1_0"}},
		{"retrieve", `{"limit":1e400}`, []string{"1e400"}},
		{"retrieve", `{"limit":true}`, []string{"true", "whole number"}},
		{"retrieve", `{"budget_tokens":-1}`, []string{"budget_tokens", "-1"}},
		{"retrieve", `{"query":["x"]}`, []string{"query", "a list", "a string"}},
		{"retrieve", `{"query":{"a":1}}`, []string{"query", "an object"}},
		{"retrieve", `{"query":true}`, []string{"query", "a string"}},
		{"retrieve", `{"explain":1}`, []string{"explain", "true or false"}},
		{"retrieve", `{"ids":{"a":1}}`, []string{"ids", "list of strings"}},
		{"retrieve", `{"ids":["t1",null]}`, []string{"ids"}},
		{"retrieve", `{"ids":[["t1"]]}`, []string{"ids"}},
		{"retrieve", `{"ids":["56"]}`, []string{`"56"`, "t56"}},
		{"retrieve", `{"query":"a","ids":["t1"]}`, []string{"query and ids"}},
		{"retrieve", `{"session_id":"a","sessionId":"b"}`, []string{"twice", "session_id", "sessionId"}},
		{"retrieve", `{"strategy":"dfs"}`, []string{`"dfs"`, "auto, text, vector, fused, bfs, hybrid, synapse, walk"}},
		{"retrieve", `{"roles":["user","robot"]}`, []string{`"robot"`, "assistant"}},
		{"retrieve", `{"detail":"all"}`, []string{`"all"`, "summary"}},
		{"retrieve", `{"since":"yesterday"}`, []string{"since", "yesterday", "RFC 3339"}},
		{"retrieve", `{"since":"2026-02-02","until":"2026-02-02"}`, []string{"since", "until"}},
		{"retrieve", `{"cursor":"!"}`, []string{"cursor"}},
		{"retrieve", `{"cursor":"` + strings.Repeat("a", 5000) + `"}`, []string{"cursor"}},
		{"retrieve", `{"namespace":"a\u0000b"}`, []string{"namespace", "control"}},
		{"retrieve", `{"namespace":"` + strings.Repeat("n", 201) + `"}`, []string{"namespace", "201", "200"}},
		{"retrieve", "{\"query\":\"a\xffb\"}", []string{"UTF-8"}},
		{"store_episode", `{}`, []string{"content is missing", "content*"}},
		{"store_episode", `{"content":null}`, []string{"content is missing"}},
		{"store_episode", `{"content":" \n\u2003"}`, []string{"content is empty"}},
		{"store_episode", `{"content":"a","role":"robot"}`, []string{`"robot"`, "user, assistant, tool, system"}},
		{"store_episode", `{"content":"a","occurred_at":"` + strings.Repeat("9", 500) + `"}`, []string{"occurred_at"}},
		{"store_episode", `{"content":"a","idempotency_key":"` + strings.Repeat("k", 513) + `"}`,
			[]string{"idempotency_key", "512"}},
		{"store_episode", `{"content":"a","speaker":"x\u0007"}`, []string{"speaker", "control"}},
		{"store_episode", `{"content":` + strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000) + `}`,
			[]string{"content", "a list"}},
	} {
		mem := &fakeMemory{}
		there.Memory = mem
		r := run(t, list[tc.tool], tc.arguments)
		failed(t, r, "invalid_argument", tc.words...)
		if mem.calls > 0 {
			t.Errorf("%.80s reached the memory", tc.arguments)
		}
		if len(r.text) > 700 {
			t.Errorf("%.80s: an error of %d bytes", tc.arguments, len(r.text))
		}
	}
}

func TestArguments_OverALimitAreTooLarge(t *testing.T) {
	t.Parallel()
	o := tools.Defaults()
	list := all(t, &fakeMemory{}, o)
	at := func(n int) string { return `"` + strings.Repeat("é", n/2) + `"` }
	if r := run(t, list["store_episode"], `{"content":`+at(o.MaxContentBytes)+`}`); r.isError {
		t.Errorf("content at the limit: %s", r.text)
	}
	failed(t, run(t, list["store_episode"], `{"content":`+at(o.MaxContentBytes+2)+`}`), "too_large", "262146", "262144")
	failed(t, run(t, list["retrieve"], `{"query":`+at(o.MaxQueryBytes+2)+`}`), "too_large")
}

func TestErrors_SayWhatFailedAndHideTheCause(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		err  error
		code string
	}{
		{errors.New("disk I/O at sector 7"), "internal"},
		{fmt.Errorf("step: %w", memory.Errorf(memory.Unavailable, "the database is locked: %w.", errors.New("sector 7"))),
			"unavailable"},
		{fmt.Errorf("store: %w", context.Canceled), "unavailable"},
		{&memory.Error{Code: memory.Ambiguous, Message: "two.",
			Candidates: []memory.Candidate{{ID: "e1", Name: "n", Type: "t"}}}, "ambiguous"},
	} {
		var log bytes.Buffer
		o := tools.Defaults()
		o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		r := run(t, all(t, &fakeMemory{err: tc.err}, o)["retrieve"], `{}`)
		failed(t, r, tc.code)
		if tc.code == "internal" && (strings.Contains(r.text, "sector") || !strings.Contains(log.String(), "sector 7")) {
			t.Errorf("answer %q, log %q", r.text, log.String())
		}
		if errors.Is(tc.err, context.Canceled) && strings.Contains(log.String(), "level=WARN") {
			t.Errorf("a cancelled call warns: %q", log.String())
		}
		if tc.code == "ambiguous" && !strings.Contains(string(r.body), `"candidates":[{"id":"e1","name":"n","type":"t"}]`) {
			t.Errorf("candidates are missing: %s", r.body)
		}
	}
}

type panicking struct{ tools.Memory }

func (panicking) Retrieve(context.Context, retrieval.Request) (retrieval.Answer, error) {
	panic("index out of range")
}

func TestErrors_OfAPanicAreInternalWithTheStackInTheLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	o := tools.Defaults()
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	r := run(t, all(t, panicking{}, o)["retrieve"], `{}`)
	failed(t, r, "internal")
	if strings.Contains(string(r.body), "index") || !strings.Contains(log.String(), "index out of range") ||
		!strings.Contains(log.String(), "coerce_test.go") {
		t.Errorf("answer %s\nlog %s", r.body, log.String())
	}
}

func FuzzCall(f *testing.F) {
	for _, s := range []string{`{}`, `{"content":"x","role":"user"}`, `{"query":"x","limit":"3"}`,
		`{"ids":["t1"],"cursor":"e30"}`, `[1]`, "\xff", `{"limit":1e999}`} {
		f.Add(s)
	}
	for _, s := range []string{`{"action":"retrieve","limit":1}`, `{"start_entity":"a","max_hops":"2"}`,
		`{"name":"n","type":"t","confidence":"0.5"}`,
		`{"head":"a","relation":"r","tail":"b"}`,
		`{"content":"x","entities":[{"name":"n","type":1}],"relations":[{"head":"a"},null,3]}`,
		`{"relationship_id":"r1","replacement":{"tail":"b"}}`, `{"content":"x","relations":"[{\"head\":1}]"}`} {
		f.Add(s)
	}
	o := every()
	var there stand
	list := all(f, &there, o)
	f.Fuzz(func(t *testing.T, arguments string) {
		mem := &fakeMemory{result: episodes.Result{EpisodeID: memory.EpisodeID(1)}}
		there.Memory = mem
		for name, tool := range list {
			r := run(t, tool, arguments)
			if strings.Contains(string(r.body), `"code":"internal"`) {
				t.Errorf("%s: %s", name, r.body)
			}
			if !r.isError && !json.Valid([]byte(r.text)) {
				t.Errorf("%s: text is not JSON: %s", name, r.text)
			}
		}
		if !utf8.ValidString(mem.input.Content) || len(mem.input.Content) > o.MaxContentBytes ||
			mem.request.Limit > o.MaxResults {
			t.Errorf("let through: %+v %+v", mem.input, mem.request)
		}
	})
}
