package server_test

import (
	"bytes"
	"strings"
	"testing"

	"memory-graph/internal/server"
)

func TestStdio_ReadOnlyOffersNoWritesAndSaysWhyItRefusesOne(t *testing.T) {
	t.Parallel()
	mem, o := &fakeMemory{}, options()
	o.Tools.ReadOnly = true
	in := hello + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n" +
		call(2, "store_episode", map[string]any{"content": "The launch is on Friday."}) + call(3, "no_such_tool", nil)
	var out bytes.Buffer
	if err := server.ServeStdio(t.Context(), mem, o, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	byID := map[any]answer{}
	for _, a := range parse(t, out.String()) {
		byID[a.ID] = a
	}
	for id, want := range map[float64]struct{ has, hasNot string }{
		0: {`"instructions":"`, "store_episode"},
		1: {`"name":"retrieve"`, "store_episode"},
		2: {`"code":"read_only"`, "episode_id"},
	} {
		got := string(byID[id].Result)
		if !strings.Contains(got, want.has) || strings.Contains(got, want.hasNot) {
			t.Errorf("answer %v has no %s, or %s: %s", id, want.has, want.hasNot, got)
		}
	}
	if !strings.Contains(string(byID[2.0].Result), `"isError":true`) {
		t.Errorf("a rejected write is not an error: %s", byID[2.0].Result)
	}
	if byID[3.0].Error == nil {
		t.Error("an unknown tool is not a protocol error")
	}
	if n := len(mem.stored()); n > 0 {
		t.Errorf("%d turns were stored", n)
	}
}
