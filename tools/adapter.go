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

	"github.com/invopop/jsonschema"
	"github.com/mark3labs/mcp-go/mcp"

	"memory-graph/internal/memory"
)

// spec describes a tool, except for its argument and result types.
type spec struct {
	name        string
	title       string
	description string // embedded text
	readOnly    bool
	idempotent  bool // repeating a call changes nothing more
	destructive bool // the tool may lose data: a host should ask its user first
	bounds
}

// definition returns the tool as hosts see it.
func (s spec) definition(description string, input, output json.RawMessage) mcp.Tool {
	no := false
	return mcp.Tool{
		Name:            s.name,
		Title:           s.title,
		Description:     strings.TrimSpace(description),
		RawInputSchema:  input,
		RawOutputSchema: output,
		// All four are set: hosts assume the worst of a missing hint, destructive and open-world.
		Annotations: mcp.ToolAnnotation{
			ReadOnlyHint: &s.readOnly, DestructiveHint: &s.destructive, IdempotentHint: &s.idempotent, OpenWorldHint: &no,
		},
	}
}

// define returns a tool that calls a typed function. decode reads the arguments into In. Out becomes the structured
// content of the result and, as the same JSON, its text.
func define[In, Out any](o Options, s spec, run func(context.Context, In) (Out, error)) (Tool, error) {
	sig, err := newSignature(s.name, "the arguments", reflect.TypeFor[In](), s.bounds)
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", s.name, err)
	}
	schema, err := inputSchema(sig, false)
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", s.name, err)
	}
	t, err := shell[In, Out]{spec: s, input: schema, output: reflect.TypeFor[Out](), run: run,
		decode: func(arguments json.RawMessage) (in In, err error) {
			err = sig.decode(arguments, reflect.ValueOf(&in).Elem())
			return in, err
		},
		encode: func(out Out) (answer, error) {
			body, err := json.Marshal(out)
			return answer{texts: []string{string(body)}, structured: body}, err
		},
	}.tool(o)
	t.Unlisted = sig.unlisted()
	t.schemas = func() (arguments, result *jsonschema.Schema, err error) {
		arguments, err = inputSchema(sig, true)
		return arguments, reflectSchema(reflect.TypeFor[Out]()), err
	}
	return t, err
}

// answer is the result of a call: the structured content, and the texts for hosts that show only text. The first text
// is the result; others are remarks.
type answer struct {
	texts      []string
	structured json.RawMessage
}

// shell holds the parts of a tool and surrounds run with decoding, encoding, logging and recovery from panics.
type shell[In, Out any] struct {
	spec
	input  *jsonschema.Schema
	output reflect.Type // of the structured content
	decode func(arguments json.RawMessage) (In, error)
	run    func(context.Context, In) (Out, error)
	encode func(Out) (answer, error)
}

func (t shell[In, Out]) tool(o Options) (Tool, error) {
	input, err := json.Marshal(t.input)
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", t.name, err)
	}
	output, err := outputSchema(t.output)
	if err != nil {
		return Tool{}, fmt.Errorf("define tool %s: %w", t.name, err)
	}
	log := o.log().With("tool", t.name)
	logged := func(ctx context.Context, arguments json.RawMessage) (answer, error) {
		start := time.Now()
		a, err := t.guard(ctx, arguments)
		shown := 0
		for _, text := range a.texts {
			shown += len(text)
		}
		took := time.Since(start)
		logCall(ctx, log, took, len(arguments), shown, err)
		if o.Observe != nil {
			code := memory.Code("")
			if err != nil {
				code = memory.AsError(err).Code
			}
			o.Observe(t.name, code, took)
		}
		return a, err
	}
	return Tool{Definition: t.definition(t.description, input, output), ReadOnly: t.readOnly, answer: logged}, nil
}

// panicked is a recovered panic as the cause of an Internal error. It keeps the stack for the log.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// guard decodes the arguments, runs the tool and encodes its result. It turns a panic into an error.
func (t shell[In, Out]) guard(ctx context.Context, arguments json.RawMessage) (a answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			a, err = answer{}, memory.AsError(&panicked{r, debug.Stack()})
		}
	}()
	// encoding/json replaces invalid bytes with U+FFFD, which would store something other than what was sent.
	if !utf8.Valid(arguments) {
		return answer{}, memory.Errorf(memory.InvalidArgument, "the arguments of %s are not valid UTF-8.", t.name).
			WithHint("Send text as UTF-8; leave binary data out.")
	}
	in, err := t.decode(arguments)
	if err != nil {
		return answer{}, err
	}
	out, err := t.run(ctx, in)
	if err != nil {
		return answer{}, interrupted(err)
	}
	return t.encode(out)
}

// interrupted turns the end of a call's context into an error for the caller.
func interrupted(err error) error {
	var worded *memory.Error
	if errors.As(err, &worded) || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := memory.Errorf(memory.Unavailable, "the call was cancelled or timed out.").
		WithHint("Repeat it. With the same idempotency_key nothing is stored twice.")
	e.Err = err
	return e
}

// success returns a result with its text and its structured content.
func success(a answer) *mcp.CallToolResult {
	content := make([]mcp.Content, len(a.texts))
	for i, text := range a.texts {
		content[i] = mcp.NewTextContent(text)
	}
	return &mcp.CallToolResult{Content: content, RawStructuredContent: a.structured}
}

// failure returns an error as a result for the caller. The cause is only logged.
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

// among lists the candidates of an ambiguous name, for hosts that show only text.
func among(candidates []memory.Candidate) string {
	if len(candidates) == 0 {
		return ""
	}
	const most = 10 // listed here; the structured content has all
	list := make([]string, min(most, len(candidates)))
	for i := range list {
		c := candidates[i]
		list[i] = c.ID + " " + clip(c.Name) + " (" + apart(c) + ")"
	}
	text := " Candidates: " + strings.Join(list, ", ")
	if more := len(candidates) - most; more > 0 {
		return fmt.Sprintf("%s and %d more.", text, more)
	}
	return text + "."
}

// apart returns what tells a candidate from its namesakes.
func apart(c memory.Candidate) string {
	parts := []string{c.Type}
	if c.Facts != nil {
		parts = append(parts, c.CountedFacts())
	}
	if c.Fact != "" {
		parts[len(parts)-1] += fmt.Sprintf(" such as %q", c.Fact)
	}
	if c.LastMentioned != "" {
		parts = append(parts, "last mentioned "+c.LastMentioned)
	}
	return strings.Join(parts, "; ")
}

// logCall writes one line per call: at debug level after success, a mistake of the caller or a call that it cancelled,
// louder after other failures.
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
		if !errors.Is(e.Err, context.Canceled) { // a caller that no longer waits is no failure
			level = slog.LevelWarn
		}
	}
	attrs = append(attrs, slog.String("code", string(e.Code)), slog.String("error", e.Message))
	if p, ok := e.Err.(*panicked); ok {
		attrs = append(attrs, slog.String("cause", p.Error()), slog.String("stack", string(p.stack)))
	} else if e.Err != nil {
		attrs = append(attrs, slog.String("cause", e.Err.Error()))
	}
	log.LogAttrs(ctx, level, "call failed", attrs...)
}
