package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"memory-graph/memory"
)

// spec is what a tool says about itself besides its types.
type spec struct {
	name        string
	title       string
	description string // embedded text
	readOnly    bool
	idempotent  bool // the same call again changes nothing more
	destructive bool // something may be lost or hard to get back, so that a host should ask its user first
	bounds
}

// definition is how hosts see the tool.
func (s spec) definition(description string, input, output json.RawMessage) mcp.Tool {
	no := false
	return mcp.Tool{
		Name:            s.name,
		Title:           s.title,
		Description:     strings.TrimSpace(description),
		RawInputSchema:  input,
		RawOutputSchema: output,
		// All four are set, because what a host assumes of a missing one is the worst: destructive and open to the world.
		Annotations: mcp.ToolAnnotation{
			ReadOnlyHint: &s.readOnly, DestructiveHint: &s.destructive, IdempotentHint: &s.idempotent, OpenWorldHint: &no,
		},
	}
}

// define makes a tool from a typed function: arguments are decoded into In by decode's rules, Out becomes the result's
// structured content and, as the same JSON, its text.
func define[In, Out any](o Options, s spec, run func(context.Context, In) (Out, error)) (Tool, error) {
	sig, err := newSignature(s.name, "the arguments", reflect.TypeFor[In](), s.bounds)
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", s.name, err)
	}
	schema, err := inputSchema(sig)
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", s.name, err)
	}
	input, err := json.Marshal(schema)
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", s.name, err)
	}
	output, err := outputSchema(reflect.TypeFor[Out]())
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", s.name, err)
	}
	def := s.definition(s.description, input, output)
	log := o.log().With("tool", s.name)
	call := func(ctx context.Context, arguments json.RawMessage) *mcp.CallToolResult {
		start := time.Now()
		body, err := guard(ctx, sig, arguments, run)
		logCall(ctx, log, time.Since(start), len(arguments), len(body), err)
		if err != nil {
			return failure(err)
		}
		return success(body)
	}
	return Tool{Definition: def, ReadOnly: s.readOnly, Unlisted: sig.unlisted(), call: call}, nil
}

// panicked is the cause of an Internal error that was a panic; it keeps the stack for the log.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// guard decodes, runs and encodes, and turns a panic of any of them into an error.
func guard[In, Out any](ctx context.Context, sig *signature, arguments json.RawMessage, run func(context.Context, In) (Out, error)) (body []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			body, err = nil, memory.AsError(&panicked{r, debug.Stack()})
		}
	}()
	// encoding/json would put U+FFFD where the bytes are wrong, and something else than was sent would be stored.
	if !utf8.Valid(arguments) {
		return nil, memory.Errorf(memory.InvalidArgument, "the arguments of %s are not valid UTF-8.", sig.name).
			WithHint("Send text as UTF-8; leave binary data out.")
	}
	var in In
	if err := sig.decode(arguments, reflect.ValueOf(&in).Elem()); err != nil {
		return nil, err
	}
	out, err := run(ctx, in)
	if err != nil {
		return nil, interrupted(err)
	}
	return json.Marshal(out)
}

// interrupted words the end of a call's context, which is nobody's mistake.
func interrupted(err error) error {
	var worded *memory.Error
	if errors.As(err, &worded) || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := memory.Errorf(memory.Unavailable, "the call was stopped before it was done.").
		WithHint("Repeat it; with the same idempotency_key nothing is stored twice.")
	e.Err = err
	return e
}

// success carries a result twice, as the contract wants it: structured, and as text for hosts that show only text.
func success(body []byte) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:              []mcp.Content{mcp.NewTextContent(string(body))},
		RawStructuredContent: body,
	}
}

// failure words an error for the caller; its cause stays in the log.
func failure(err error) *mcp.CallToolResult {
	e := memory.AsError(err)
	type detail struct {
		Code       memory.Code        `json:"code"`
		Message    string             `json:"message"`
		Hint       string             `json:"hint"`
		Candidates []memory.Candidate `json:"candidates,omitempty"`
	}
	return &mcp.CallToolResult{
		IsError:           true,
		Content:           []mcp.Content{mcp.NewTextContent(e.Error() + among(e.Candidates))},
		StructuredContent: map[string]detail{"error": {e.Code, e.Message, e.Hint, e.Candidates}},
	}
}

// among names the candidates of an ambiguous name for hosts that show only text.
func among(candidates []memory.Candidate) string {
	if len(candidates) == 0 {
		return ""
	}
	const most = 10 // named; structured content has them all
	list := make([]string, min(most, len(candidates)))
	for i := range list {
		c := candidates[i]
		list[i] = c.ID + " " + clip(c.Name) + " (" + c.Type + ")"
	}
	text := " Candidates: " + strings.Join(list, ", ")
	if more := len(candidates) - most; more > 0 {
		return fmt.Sprintf("%s and %d more.", text, more)
	}
	return text + "."
}

// logCall writes one line a call: quiet where all went well or the caller was mistaken, loud where we failed.
func logCall(ctx context.Context, log *slog.Logger, took time.Duration, in, out int, err error) {
	attrs := []slog.Attr{
		slog.String("client", client(ctx)), slog.Duration("took", took), slog.Int("bytes_in", in), slog.Int("bytes_out", out),
	}
	if err == nil {
		log.LogAttrs(ctx, slog.LevelDebug, "call", attrs...)
		return
	}
	e := memory.AsError(err)
	level := slog.LevelDebug
	switch e.Code {
	case memory.Internal:
		level = slog.LevelError
	case memory.Unavailable:
		level = slog.LevelWarn
	}
	attrs = append(attrs, slog.String("code", string(e.Code)), slog.String("error", e.Message))
	if p, ok := e.Err.(*panicked); ok {
		attrs = append(attrs, slog.String("cause", p.Error()), slog.String("stack", string(p.stack)))
	} else if e.Err != nil {
		attrs = append(attrs, slog.String("cause", e.Err.Error()))
	}
	log.LogAttrs(ctx, level, "call failed", attrs...)
}
