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

// need is what JSON type a place of a request must have, and what the places in it must.
type need struct {
	kind string // as kindOf words it
	in   map[string]need
	each *need // of every field, where in names none
}

var (
	text     = need{kind: "a string"}
	boolean  = need{kind: "a boolean"}
	texts    = need{kind: "an object", each: &text}
	anything = object(nil)
)

// object is an object with these fields among others; every one may be missing or null.
func object(in map[string]need) need { return need{kind: "an object", in: in} }

// request is what a method takes, and the type into which mcp-go reads it, for the fields that params leaves out.
type request struct {
	params need
	target func() any
}

func requestOf[T any](params map[string]need) request {
	all := map[string]need{"_meta": anything}
	maps.Copy(all, params)
	return request{object(all), func() any { return new(T) }}
}

// requests are the methods that this server answers. mcp-go checks the same and words its errors in the names of its Go
// types; who calls needs the place in their own JSON.
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
	// Tools check their arguments.
	mcp.MethodToolsCall: requestOf[mcp.CallToolRequest](map[string]need{"name": text, "task": anything}),
	mcp.MethodCompletionComplete: requestOf[mcp.CompleteRequest](map[string]need{
		"ref":      object(map[string]need{"type": text, "name": text, "uri": text}),
		"argument": object(map[string]need{"name": text, "value": text}),
		"context":  object(map[string]need{"arguments": texts}),
	}),
}

// checkRequest is a hook that mcp-go runs on the raw form of every request, of any transport, before it reads it. Its
// error is shown to the client with the code of an invalid request.
func checkRequest(_ context.Context, _, message any) error {
	line, ok := message.(json.RawMessage)
	if !ok {
		return nil // from a client inside the process, which has types
	}
	var req struct {
		Method mcp.MCPMethod   `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if json.Unmarshal(line, &req) != nil {
		return nil // mcp-go has read as much before
	}
	known, ok := requests[req.Method]
	if !ok {
		return nil // not found
	}
	if wrong := mismatch("params", req.Params, known.params); wrong != "" {
		return errors.New("invalid request: " + wrong)
	}
	if json.Unmarshal(line, known.target()) != nil {
		return fmt.Errorf("invalid request: a field of params has a type or value that the protocol does not give it in %s",
			req.Method)
	}
	return nil
}

// mismatch words the first place that has another type than it needs; "" if there is none.
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
		const longestKey = 100 // bytes; nothing longer helps whoever reads the error
		if wrong := mismatch(path+"."+key[:min(len(key), longestKey)], fields[key], inner); wrong != "" {
			return wrong
		}
	}
	return ""
}

// kindOf gives the type of a JSON value with its article; "" where it is missing or null, which the protocol's fields
// may be.
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
