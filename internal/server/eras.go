package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"memory-graph/internal/memory"
)

// This file has what mcp-go lacks for one of the two eras of the protocol: modern (2026-07-28, without handshake and
// sessions) and legacy (2025-11-25 and before). docs/dependencies.md lists the parts. Each can be removed once mcp-go
// has it.

// unsupported returns the error for a protocol version that this server does not have, or nil. mcp-go rejects only
// versions after 2026-07-28, and answers others as legacy requests. declared is the version in the request's _meta, and
// header the one in the header MCP-Protocol-Version; "" if there is none.
func unsupported(e envelope, declared, header string) *mcp.JSONRPCError {
	version := header
	if version == "" {
		version = declared
	}
	if version == "" || mcp.IsValidProtocolVersion(version) || declared != "" && declared != version ||
		e.id == nil || e.method == string(mcp.MethodInitialize) {
		return nil
	}
	const longest = 100 // bytes
	answer := mcp.UnsupportedProtocolVersionError{
		Version: strings.ToValidUTF8(version[:min(len(version), longest)], ""), Supported: mcp.ValidProtocolVersions,
	}.JSONRPCError()
	answer.ID = mcp.NewRequestId(e.id)
	return &answer
}

// declaredVersion returns the protocol version in the _meta of a message; "" if there is none.
func declaredVersion(line []byte) string {
	if !bytes.Contains(line, []byte(mcp.MetaKeyProtocolVersion)) {
		return ""
	}
	var m struct {
		Params struct {
			Meta struct {
				Version string `json:"io.modelcontextprotocol/protocolVersion"`
			} `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(line, &m) != nil {
		return "" // checkRequest names the field with the wrong type
	}
	return m.Params.Meta.Version
}

// failure is what a handler of a resource or a prompt reports in addition to its error, because mcp-go answers every
// error of these handlers with -32603.
type failure struct {
	code       int
	candidates []memory.Candidate // what an ambiguous name may mean
}

type failureKey struct{}

// withFailure returns a context in which report stores the code of an error.
func withFailure(ctx context.Context) (context.Context, *failure) {
	f := new(failure)
	return context.WithValue(ctx, failureKey{}, f), f
}

// report stores the protocol's code for an error, and returns the error with the text that callers of tools see.
func report(ctx context.Context, err error) error {
	e := memory.AsError(err)
	if f, ok := ctx.Value(failureKey{}).(*failure); ok {
		f.candidates = e.Candidates
		switch e.Code {
		case memory.NotFound:
			f.code = mcp.RESOURCE_NOT_FOUND
			if mcp.IsModernProtocol(mcpserver.RequestProtocolVersion(ctx)) {
				f.code = mcp.INVALID_PARAMS
			}
		case memory.InvalidArgument, memory.Ambiguous, memory.TooLarge:
			f.code = mcp.INVALID_PARAMS
		}
	}
	return errors.New(e.Error())
}

// repair returns an error answer with the code that report stored. The answer to an unknown resource also gets its URI
// as data, as the protocol asks for.
func (f *failure) repair(e mcp.JSONRPCError, line []byte) mcp.JSONRPCError {
	var read struct {
		Method mcp.MCPMethod `json:"method"`
		Params struct {
			URI string `json:"uri"`
		} `json:"params"`
	}
	if json.Unmarshal(line, &read) != nil {
		return e
	}
	if f.code != 0 && e.Error.Code == mcp.INTERNAL_ERROR {
		e.Error.Code = f.code
	} else if strings.HasSuffix(e.Error.Message, mcpserver.ErrResourceNotFound.Error()) {
		e.Error.Message = fmt.Sprintf("There is no resource %.200q. Read memory://entity/{id}, memory://episode/{id} or "+
			"memory://context/{message}.", read.Params.URI)
	} else {
		return e
	}
	if read.Method == mcp.MethodResourcesRead {
		e.Error.Data = struct {
			URI        string             `json:"uri"`
			Candidates []memory.Candidate `json:"candidates,omitempty"`
		}{read.Params.URI, f.candidates}
	}
	return e
}

// repaired serves a read of a resource or a prompt over HTTP. The answer is one JSON object, never a stream.
func repaired(next http.Handler, body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, failed := withFailure(r.Context())
		held := &heldAnswer{header: w.Header(), status: http.StatusOK}
		next.ServeHTTP(held, r.WithContext(ctx))
		out := held.body.Bytes()
		var e mcp.JSONRPCError
		if json.Unmarshal(out, &e) == nil && e.Error.Code != 0 {
			fixed := failed.repair(e, body)
			if b, err := json.Marshal(fixed); err == nil {
				out = append(b, '\n')
			}
			if fixed.Error.Code == mcp.INVALID_PARAMS && mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
				held.status = http.StatusBadRequest
			}
		}
		w.WriteHeader(held.status)
		_, _ = w.Write(out) // a client that has gone needs no answer
	})
}

// heldAnswer keeps an answer until it is repaired.
type heldAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (h *heldAnswer) Header() http.Header         { return h.header }
func (h *heldAnswer) WriteHeader(status int)      { h.status = status }
func (h *heldAnswer) Write(p []byte) (int, error) { return h.body.Write(p) }

// turnsLast is how long a client of protocol 2026-07-28 may keep a turn that it has read. A turn never changes, but it
// can be forgotten. Facts and context blocks change with every turn, so a client may not keep them.
const turnsLast = time.Minute

// keepTurns sets how long the result of resources/read lasts.
func keepTurns(ctx context.Context, _ any, req *mcp.ReadResourceRequest, res *mcp.ReadResourceResult) {
	if mcpserver.IsModernRequest(ctx) && strings.HasPrefix(req.Params.URI, strings.TrimSuffix(episodeURI, "{id}")) {
		res.SetCacheHints(turnsLast.Milliseconds(), mcp.CacheScopePrivate)
	}
}

// stayOpen keeps the stream of subscriptions/listen open until the client or the server ends it. mcp-go ends a stream
// without notifications at once, and its acknowledgment, which must come first, may then come last or be lost. This
// server has no notifications to offer, so every stream is such a stream.
func stayOpen(ctx context.Context, _ any, _ *mcp.SubscriptionsListenRequest, _ *mcp.SubscriptionsListenResult) {
	<-ctx.Done()
}
