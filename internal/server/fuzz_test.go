package server_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"memory-graph/internal/server"
	"memory-graph/tools"
)

// FuzzStdio sends arbitrary input and then a ping to a server. Each line of stdout must be one JSON-RPC message, no
// answer may show internals, and the ping must be answered.
func FuzzStdio(f *testing.F) {
	for _, s := range []string{
		"", "\n\n", "{}", "[]", "nonsense", hello, call(1, "store_episode", map[string]any{"content": "tea"}), call(2,
			"retrieve", map[string]any{"limit": "x"}),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"retrieve"}}`,
		`{"jsonrpc":"2.0","id":[1],"method":"tools/call"}`, `{"jsonrpc":"2.0","id":1e400,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`, "\x00\xff\xfe",
		`{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, input string) {
		var out bytes.Buffer
		o := server.Options{Tools: tools.Defaults(), MaxLineBytes: 64 << 10}
		in := input + "\n" + `{"jsonrpc":"2.0","id":"last ping","method":"ping"}` + "\n"
		if err := server.ServeStdio(t.Context(), &fakeMemory{}, o, strings.NewReader(in), &out); err != nil {
			t.Fatalf("ServeStdio: %v", err)
		}
		ping := false
		for line := range strings.Lines(out.String()) {
			var m struct {
				JSONRPC string
				ID      any
				Method  string
				Result  json.RawMessage
				Error   *struct{ Message string }
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
				t.Errorf("not JSON-RPC: %q", line)
			}
			if m.Method == "" && (m.Result == nil) == (m.Error == nil) {
				t.Errorf("neither result nor error, or both: %q", line)
			}
			if m.Error != nil && (strings.Contains(m.Error.Message, "panic") ||
				strings.Contains(m.Error.Message, "runtime error")) {
				t.Errorf("the answer shows internals: %q", line)
			}
			ping = ping || m.ID == "last ping"
		}
		if !ping {
			t.Errorf("the ping after %q was not answered", input)
		}
	})
}
