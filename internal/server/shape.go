package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// need is the JSON type that a value in a request must have, and the types of its fields.
type need struct {
	kind string // the JSON type with its article, as kindOf returns it
	in   map[string]need
	each *need // the type of every field, if in is nil
}

var (
	text     = need{kind: "a string"}
	boolean  = need{kind: "a boolean"}
	texts    = need{kind: "an object", each: &text}
	anything = object(nil)
)

// object is an object with these fields. It may have others, and each field may be missing or null.
func object(in map[string]need) need { return need{kind: "an object", in: in} }

// request describes a method: the types of its params, and the mcp-go type into which the whole request must fit.
type request struct {
	params need
	target func() any
}

func requestOf[T any](params map[string]need) request {
	all := map[string]need{"_meta": anything}
	maps.Copy(all, params)
	return request{object(all), func() any { return new(T) }}
}

// requests are the methods that this server answers. mcp-go makes the same checks, but its errors name its Go types; a
// client needs the path in its own JSON.
var requests = map[mcp.MCPMethod]request{
	mcp.MethodInitialize: requestOf[mcp.InitializeRequest](map[string]need{
		"protocolVersion": text,
		"clientInfo":      object(map[string]need{"name": text, "version": text, "title": text}),
		"capabilities": object(map[string]need{
			"roots": object(map[string]need{
				"listChanged": boolean}), "sampling": anything, "elicitation": anything, "experimental": anything,
		}),
	}),
	mcp.MethodPing:           requestOf[mcp.PingRequest](nil),
	mcp.MethodServerDiscover: requestOf[mcp.DiscoverRequest](nil),
	mcp.MethodSubscriptionsListen: requestOf[mcp.SubscriptionsListenRequest](
		map[string]need{"notifications": anything}),
	mcp.MethodToolsList:              requestOf[mcp.ListToolsRequest](map[string]need{"cursor": text}),
	mcp.MethodResourcesList:          requestOf[mcp.ListResourcesRequest](map[string]need{"cursor": text}),
	mcp.MethodResourcesTemplatesList: requestOf[mcp.ListResourceTemplatesRequest](map[string]need{"cursor": text}),
	mcp.MethodPromptsList:            requestOf[mcp.ListPromptsRequest](map[string]need{"cursor": text}),
	mcp.MethodResourcesRead: requestOf[mcp.ReadResourceRequest](map[string]need{"uri": text,
		"arguments": anything}),
	mcp.MethodResourcesSubscribe:   requestOf[mcp.SubscribeRequest](map[string]need{"uri": text}),
	mcp.MethodResourcesUnsubscribe: requestOf[mcp.UnsubscribeRequest](map[string]need{"uri": text}),
	mcp.MethodPromptsGet:           requestOf[mcp.GetPromptRequest](map[string]need{"name": text, "arguments": texts}),
	// Tools check their own arguments.
	mcp.MethodToolsCall: requestOf[mcp.CallToolRequest](map[string]need{"name": text, "task": anything}),
	mcp.MethodCompletionComplete: requestOf[mcp.CompleteRequest](map[string]need{
		"ref":      object(map[string]need{"type": text, "name": text, "uri": text}),
		"argument": object(map[string]need{"name": text, "value": text}),
		"context":  object(map[string]need{"arguments": texts}),
	}),
}

// checkRequest is a hook that mcp-go runs on the raw form of every request, on all transports, before it decodes the
// request. The client sees its error as an invalid request.
func checkRequest(_ context.Context, _, message any) error {
	line, ok := message.(json.RawMessage)
	if !ok {
		return nil // from a client in the same process, which is typed
	}
	var req struct {
		Method mcp.MCPMethod   `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(line, &req) != nil {
		return nil // mcp-go has decoded this before
	}
	known, ok := requests[req.Method]
	if !ok {
		return nil // unknown method: mcp-go reports it
	}
	if wrong := mismatch("params", req.Params, known.params); wrong != "" {
		return errors.New("invalid request: " + wrong)
	}
	if json.Unmarshal(line, known.target()) != nil {
		return fmt.Errorf("invalid request: a field of params has a type or value that the protocol does not allow in %s",
			req.Method)
	}
	return nil
}

// mismatch describes the first value that does not have the required type; "" if there is none.
func mismatch(path string, raw json.RawMessage, n need) string {
	got := kindOf(raw)
	if got == "" {
		return ""
	}
	if got != n.kind {
		return fmt.Sprintf("%s is %s and must be %s", path, got, n.kind)
	}
	if len(n.in) == 0 && n.each == nil {
		return ""
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return ""
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		inner, known := n.in[key]
		if n.each != nil {
			inner, known = *n.each, true
		}
		if !known {
			continue
		}
		const longestKey = 100 // bytes
		if wrong := mismatch(path+"."+key[:min(len(key), longestKey)], fields[key], inner); wrong != "" {
			return wrong
		}
	}
	return ""
}

// kindOf returns the type of a JSON value with its article. It returns "" for a missing value or null, which the
// protocol allows for every field.
func kindOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return ""
	default:
		return "a number"
	}
}
