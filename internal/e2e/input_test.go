package e2e_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The server is one process for all that a host ever sends: after each of these it still stores and finds.
func TestInput_OfAnyKindIsSurvived(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	h := start(t, db)
	h.initialize()
	id := h.store(arguments{"content": "the canary sings"})
	alive := func(after string) {
		t.Helper()
		if a := h.retrieve(arguments{"query": "canary", "limit": 1}); len(a.Episodes) != 1 || a.Episodes[0].ID != id {
			t.Fatalf("after %s: %+v", after, a.Episodes)
		}
	}

	for name, tt := range map[string]struct {
		tool string
		args arguments
		code string
	}{
		"no content":          {"store_episode", arguments{}, "invalid_argument"},
		"empty content":       {"store_episode", arguments{"content": ""}, "invalid_argument"},
		"white space":         {"store_episode", arguments{"content": " \t\n\u00a0\u3000\u2003"}, "invalid_argument"},
		"300 KiB":             {"store_episode", arguments{"content": strings.Repeat("word ", 60<<10)}, "too_large"},
		"300 KiB of one word": {"store_episode", arguments{"content": strings.Repeat("x", 300<<10)}, "too_large"},
		"binary":              {"store_episode", arguments{"content": "PNG\x00\x01\x02\x1a"}, "invalid_argument"},
		"a list for content": {"store_episode", arguments{"content": []any{1, nil, map[string]any{}}},
			"invalid_argument"},
		"an object for content":  {"store_episode", arguments{"content": map[string]any{"a": 1}}, "invalid_argument"},
		"unknown argument":       {"store_episode", arguments{"content": "x", "colour": "red"}, "invalid_argument"},
		"unknown argument, read": {"retrieve", arguments{"qeury": "x"}, "invalid_argument"},
		"deep nesting":           {"store_episode", arguments{"content": nested(5000)}, "invalid_argument"},
		"deep unknown argument":  {"retrieve", arguments{"deep": nested(5000)}, "invalid_argument"},
		"300 KiB query":          {"retrieve", arguments{"query": strings.Repeat("word ", 60<<10)}, "too_large"},
		"limit of words":         {"retrieve", arguments{"limit": "ten"}, "invalid_argument"},
		"huge limit":             {"retrieve", arguments{"limit": 1e300}, "invalid_argument"},
		"negative limit":         {"retrieve", arguments{"limit": -1}, "invalid_argument"},
		"made-up cursor":         {"retrieve", arguments{"cursor": "AAAA"}, "invalid_argument"},
		"control in namespace":   {"store_episode", arguments{"content": "x", "namespace": "a\x1b[31m"}, "invalid_argument"},
		"long namespace": {"store_episode", arguments{"content": "x", "namespace": strings.Repeat("n", 201)},
			"invalid_argument"},
		"id beyond numbers":     {"retrieve", arguments{"ids": []string{"t99999999999999999999"}}, "invalid_argument"},
		"year beyond calendars": {"retrieve", arguments{"since": "99999-01-01"}, "invalid_argument"},
	} {
		h.refuses(tt.tool, tt.args, tt.code)
		alive(name)
	}

	for _, query := range []string{
		`"`, `""`, `'`, `"canary`, `canary"`, `canary* OR *`, `NEAR(canary sings, 2)`, `content: canary`,
		`{content speaker}: canary`, `^canary`,
		`canary AND NOT sings`, `-canary`, `+canary`, `(canary`, `canary)`, `canary; DROP TABLE mg_episodes; --`, `%`, `_`,
		`%canary%`, `c_nary`, `\`,
		`canary\`, "canary\x00sings", "canary\u202egnis", `!!!`, `🙂`, `the of and`, strings.Repeat(`"(`,
			2000), strings.Repeat("canary ", 1000),
	} {
		a, err := h.call("retrieve", arguments{"query": query})
		var refused *toolError
		if errors.As(err, &refused) && refused.Code == "invalid_argument" && strings.Contains(query, "\x00") {
			err = nil // what cannot be stored may be refused
		}
		if err != nil {
			t.Errorf("query %.40q: %v", query, err)
		}
		if query == `%` && len(a.Episodes) > 1 || query == `c_nary` && a.Strategy == "text" && len(a.Episodes) > 0 {
			t.Errorf("%q is taken for a pattern: %+v", query, a.Episodes)
		}
		alive(fmt.Sprintf("query %.40q", query))
	}

	for name, line := range map[string][]byte{
		"garbage": []byte("\x00\xff\xfe garbage }{"),
		"invalid UTF-8 arguments": []byte(
			`{"jsonrpc":"2.0","id":"u","method":"tools/call","params":{"name":"store_episode","arguments":{"content":"caf` +
				"\xe9" + `"}}}`),
		"5 MB": []byte(
			`{"jsonrpc":"2.0","id":"l","method":"tools/call","params":{"name":"store_episode","arguments":{"content":"` +
				strings.Repeat("x", 5<<20) + `"}}}`),
		"20 MB": []byte(`{"jsonrpc":"2.0","id":"m","method":"ping","params":{"x":"` +
			strings.Repeat("x", 20<<20) + `"}}`),
		"100,000 brackets": []byte(strings.Repeat("[", 100_000)),
		"100,000 objects": []byte(`{"jsonrpc":"2.0","id":"d","method":"tools/call","params":` +
			strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + "}"),
		"blank": []byte("   \r"),
		"an unknown tool": []byte(
			`{"jsonrpc":"2.0","id":"t","method":"tools/call","params":{"name":"erase_everything","arguments":{}}}`),
		"no parameters":          []byte(`{"jsonrpc":"2.0","id":"p","method":"tools/call"}`),
		"parameters of a string": []byte(`{"jsonrpc":"2.0","id":"q","method":"tools/call","params":"all"}`),
	} {
		h.line(line)
		alive("the line " + name)
	}
	h.mu.Lock()
	for _, stray := range h.strays { // the lines' answers, which have ids of their own or none
		if !strings.Contains(stray, `"jsonrpc":"2.0"`) || !strings.Contains(stray, `"error"`) {
			t.Errorf("answered %.200q; want an error", stray)
		}
	}
	h.strays = nil
	h.mu.Unlock()

	// Half of an emoji, as a host sends that cuts its texts by UTF-16, cannot be kept as it is; the rest is.
	h.line([]byte(
		`{"jsonrpc":"2.0","id":"s","method":"tools/call","params":{"name":"store_episode","arguments":{"content":"half \ud83d moon"}}}`))
	if a := h.retrieve(arguments{"query": "moon", "strategy": "text"}); len(a.Episodes) != 1 ||
		a.Episodes[0].Content != "half \ufffd moon" {
		t.Errorf("found %+v", a.Episodes)
	}
	h.mu.Lock()
	h.strays = nil
	h.mu.Unlock()

	if stored := h.all(); len(stored) != 2 {
		t.Errorf("%d turns are stored; want the canary and the moon: %.500v", len(stored), stored)
	}
	h.settled()
	h.stop()
	sound(t, db, 2)
}

// nested is a list of lists as deep as asked for.
func nested(depth int) any {
	var v any = "x"
	for range depth {
		v = []any{v}
	}
	return v
}

// A namespace is a name and nothing else: what is stored under one is found there and nowhere else.
func TestInput_OddNamespacesAreApart(t *testing.T) {
	t.Parallel()
	h := start(t, newDB(t), "MEMORY_GRAPH_EMBEDDER=none")
	names := []string{"default", "Default", "default ", "%", "_", "*", "' OR 1=1 --", `"quoted"`, "../../../etc/passwd",
		"日本語", "é", "e\u0301", "🦊", "null", "0", strings.Repeat("n", 200)}
	ids := map[string]string{}
	for i, name := range names {
		ids[name] = h.store(arguments{"content": fmt.Sprintf("number %d of the namespaces", i), "namespace": name})
	}
	for _, name := range names {
		for _, args := range []arguments{{"namespace": name}, {"namespace": name, "query": "namespaces"},
			{"namespace": name, "query": "number", "strategy": "text"}} {
			if a := h.retrieve(args); len(a.Episodes) != 1 || a.Episodes[0].ID != ids[name] {
				t.Errorf("%v: %+v; want %s alone", args, a.Episodes, ids[name])
			}
		}
		for _, other := range names {
			if other != name {
				h.refuses("retrieve", arguments{"namespace": name, "ids": []string{ids[other]}}, "not_found")
			}
		}
	}
	h.stop()
}
