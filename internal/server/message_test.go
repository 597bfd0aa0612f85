package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// both sends a message to a server over stdio and over HTTP, each after an initialize, and returns the answers.
func both(t *testing.T, message string) map[string]answer {
	t.Helper()
	answers := map[string]answer{}
	for _, a := range exchange(t, &fakeMemory{}, hello+message+"\n") {
		if a.ID != 0.0 {
			answers["stdio"] = a
		}
	}
	addr, _ := serveHTTP(t, &fakeMemory{}, nil)
	_, _, header := post(t, addr, hello, nil)
	status, body, _ := post(t, addr, message, map[string]string{"Mcp-Session-Id": header.Get("Mcp-Session-Id")})
	var a answer
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatalf("status %d, not JSON: %.200q", status, body)
	}
	answers["HTTP"] = a
	return answers
}

func TestServer_AnswersDeepNestingWithTheIDOfTheRequest(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	objects := strings.Repeat(`{"id":9,"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	for name, tc := range map[string]struct {
		message string
		want    any
	}{
		"id before":     {`{"jsonrpc":"2.0","id":5,"method":"ping","params":` + deep + `}`, 5.0},
		"id behind":     {`{"jsonrpc":"2.0","method":"ping","params":` + deep + `, "id" : "a\"b" }`, `a"b`},
		"ids inside":    {`{"jsonrpc":"2.0","method":"ping","params":` + objects + `,"id":6}`, 6.0},
		"id as a value": {`{"jsonrpc":"id","method":"id","params":` + deep + `,"id":7}`, 7.0},
		"never closed":  {`{"jsonrpc":"2.0","id":8,"method":"ping","params":` + strings.Repeat("[", 100_000), 8.0},
		"as an argument": {
			`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"retrieve","arguments":{"query":` + deep +
				`}}}`, 5.0},
		"an object as id": {`{"jsonrpc":"2.0","id":{"a":1},"method":"ping","params":` + deep + `}`, nil},
		"a huge id": {`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 5000) + `","method":"ping","params":` + deep +
			`}`, nil},
		"a deep batch": {`[{"jsonrpc":"2.0","id":5,"method":"ping","params":` + deep + `}]`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for transport, a := range both(t, tc.message) {
				if a.ID != tc.want || a.Error == nil || a.Error.Code != -32700 ||
					!strings.Contains(a.Error.Message, "nested deeper than 10000") {
					t.Errorf("%s: id %v, want %v; %+v", transport, a.ID, tc.want, a.Error)
				}
			}
		})
	}
}

func TestServer_SaysWhichPlaceOfARequestHasTheWrongType(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ method, params, want string }{
		{"initialize", `"x"`, "params is a string and must be an object"},
		{"initialize", `{"protocolVersion":5}`, "params.protocolVersion is a number and must be a string"},
		{"initialize", `{"clientInfo":{"name":[]}}`, "params.clientInfo.name is an array and must be a string"},
		{"initialize", `{"capabilities":{"roots":{"listChanged":"yes"}}}`,
			"params.capabilities.roots.listChanged is a string and must be a boolean"},
		{"initialize", `{"clientInfo":{"name":"a","version":"1","icons":[{"src":5}]}}`,
			"a field of params has a type or value that the protocol does not allow in initialize"},
		{"ping", `5`, "params is a number and must be an object"},
		{"ping", `[1]`, "params is an array and must be an object"},
		{"ping", `{"_meta":true}`, "params._meta is a boolean and must be an object"},
		{"tools/list", `{"cursor":5}`, "params.cursor is a number and must be a string"},
		{"tools/list", `[]`, "params is an array and must be an object"},
		{"tools/call", `"x"`, "params is a string and must be an object"},
		{"tools/call", `[1]`, "params is an array and must be an object"},
		{"tools/call", `{"name":5}`, "params.name is a number and must be a string"},
		{"tools/call", `{"name":"retrieve","task":5}`, "params.task is a number and must be an object"},
		{"tools/call", `{"Name":5}`,
			"a field of params has a type or value that the protocol does not allow in tools/call"},
		{"resources/list", `{"cursor":{}}`, "params.cursor is an object and must be a string"},
		{"resources/read", `{"uri":5}`, "params.uri is a number and must be a string"},
		{"resources/read", `{"uri":"memory://entity/1","arguments":"x"}`,
			"params.arguments is a string and must be an object"},
		{"resources/subscribe", `{"uri":5}`, "params.uri is a number and must be a string"},
		{"resources/unsubscribe", `[]`, "params is an array and must be an object"},
		{"prompts/list", `true`, "params is a boolean and must be an object"},
		{"prompts/get", `{"name":["x"]}`, "params.name is an array and must be a string"},
		{"prompts/get", `{"name":"memory_context","arguments":{"message":5}}`,
			"params.arguments.message is a number and must be a string"},
		{"completion/complete", `{"ref":5}`, "params.ref is a number and must be an object"},
		{"completion/complete", `{"ref":{"type":5}}`, "params.ref.type is a number and must be a string"},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":5}}`,
			"params.argument.name is a number and must be a string"},
		{"completion/complete", `{"ref":{"type":"strange"}}`,
			"a field of params has a type or value that the protocol does not allow in completion/complete"},
		{"server/discover", `[1]`, "params is an array and must be an object"},
		{"subscriptions/listen", `{"notifications":5}`, "params.notifications is a number and must be an object"},
		{"resources/templates/list", `{"Cursor":5}`,
			"a field of params has a type or value that the protocol does not allow in resources/templates/list"},
	} {
		t.Run(tc.method+" "+tc.params, func(t *testing.T) {
			t.Parallel()
			message := fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":%q,"params":%s}`, tc.method, tc.params)
			for transport, a := range both(t, message) {
				if a.Error == nil || a.Error.Code != -32600 || a.Error.Message != "invalid request: "+tc.want || a.ID != 3.0 {
					t.Errorf("%s: id %v, %+v, want %q", transport, a.ID, a.Error, tc.want)
				}
			}
		})
	}
}

// Errors of the checks before params are the same on every transport.
func TestServer_WordsWhatIsNoRequestTheSameOnEveryTransport(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`: "batches are not supported",
		`[1]`:                                 "batches are not supported",
		`"x"`:                                 "the message is not an object",
		`{"jsonrpc":"2.0","id":1,"method":7}`: "method is not a string",
		`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`: "id is neither a string nor an integer",
		`{"jsonrpc":2,"id":1,"method":"ping"}`:           `jsonrpc is not "2.0"`,
		`{"jsonrpc":"2.0","id":1}`:                       "method is missing",
		`{"jsonrpc":`:                                    "not JSON",
	} {
		for transport, a := range both(t, message) {
			if a.Error == nil || !strings.Contains(a.Error.Message, want) {
				t.Errorf("%s: %s: %+v, want %q", transport, message, a.Error, want)
			}
		}
	}
}
