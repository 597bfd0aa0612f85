package llm

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/invopop/jsonschema"

	"memory-graph/internal/endpoint"
)

// reply is the used part of the endpoint's answer.
type reply struct {
	model     string
	content   string
	refusal   string
	finish    string
	reasoning bool // the model reasoned; the reasoning may only be counted
}

// chat is the body of a request to chat/completions.
type chat struct {
	Model          string          `json:"model"`
	Messages       []message       `json:"messages"`
	ResponseFormat *responseFormat `json:"response_format,omitempty"`
	Temperature    *float64        `json:"temperature,omitempty"`
	MaxTokens      int             `json:"max_completion_tokens,omitempty"`
	Effort         string          `json:"reasoning_effort,omitempty"`
	Template       *template       `json:"chat_template_kwargs,omitempty"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type responseFormat struct {
	Type   string      `json:"type"`
	Schema *jsonSchema `json:"json_schema,omitempty"`
}

type jsonSchema struct {
	Name   string             `json:"name"`
	Strict bool               `json:"strict"`
	Schema *jsonschema.Schema `json:"schema"`
}

type template struct {
	Thinking bool `json:"enable_thinking"`
}

// chat returns the body of the request at a rung.
func (q *exchange) chat(r rung, h habits, maxTokens int) chat {
	system := q.System
	if r >= jsonObject {
		system += schemaInPrompt + q.form.text
	}
	body := chat{Model: q.Model, Messages: []message{{"system", system}, {"user", q.User}}, ResponseFormat: q.format(r)}
	if !h.noTemperature {
		body.Temperature = new(float64)
	}
	if !h.noMaxTokens {
		body.MaxTokens = maxTokens
	}
	if h.quiet { // OpenAI and Ollama read the first, vLLM, SGLang and llama.cpp the second
		if !h.noEffort {
			body.Effort = "none"
		}
		if !h.noTemplate {
			body.Template = &template{}
		}
	}
	return body
}

// schemaInPrompt introduces the schema if it cannot be a parameter.
const schemaInPrompt = "\n\nAnswer with one JSON object and nothing else: no explanation, no code fence. " +
	"It has every property of this JSON Schema and no other:\n"

// format returns the response format of a rung, nil for none.
func (q *exchange) format(r rung) *responseFormat {
	switch r {
	case strictSchema, looseSchema:
		return &responseFormat{"json_schema", &jsonSchema{q.Name, r == strictSchema, q.form.schema}}
	case jsonObject:
		return &responseFormat{Type: "json_object"}
	}
	return nil
}

// api is the transport to a chat completions API.
type api struct {
	c *Client
	endpoint.Client
}

func (t *api) close() { t.HTTP.CloseIdleConnections() }

// request books the question, and sends it once.
func (q *exchange) request(ctx context.Context, r rung, h habits, maxTokens int) (reply, *Error) {
	var prompt int64
	if len(q.c.options.Command) > 0 {
		prompt = tokens(q.prompt())
	}
	if e := q.book(ctx, prompt); e != nil {
		return reply{}, e
	}
	q.usage.Calls++
	q.usage.PromptTokens += prompt
	return q.c.send(ctx, q, r, h, maxTokens)
}

// completion is the used part of an answer. Endpoints return reasoning under several names, or only count it.
type completion struct {
	Model   string `json:"model"`
	Choices []struct {
		FinishReason string `json:"finish_reason"`
		Message      struct {
			Content   string          `json:"content"`
			Refusal   string          `json:"refusal"`
			Reasoning json.RawMessage `json:"reasoning"`
			Contents  json.RawMessage `json:"reasoning_content"`
			Thinking  json.RawMessage `json:"thinking"`
		} `json:"message"`
	} `json:"choices"`
	Usage struct {
		PromptTokens     int64 `json:"prompt_tokens"`
		CompletionTokens int64 `json:"completion_tokens"`
		Details          struct {
			ReasoningTokens int64 `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// send implements transport.
func (t *api) send(ctx context.Context, q *exchange, r rung, h habits, maxTokens int) (reply, *Error) {
	var got completion
	answer, err := t.Post(ctx, "chat/completions", q.chat(r, h, maxTokens), &got)
	var odd *json.UnmarshalTypeError // of a part; the others are decoded
	if answer != nil && answer.Status >= 300 || err != nil && !errors.As(err, &odd) {
		return reply{}, q.c.explain(ctx, err, answer)
	}
	if len(got.Choices) == 0 {
		if said := q.c.tidy(string(got.Error)); said != "" && said != "null" { // errors with status 200
			return reply{}, q.c.fail(Failing, nil, "answered with an error: %s", said)
		}
		return reply{}, q.c.notTheAPI(answer)
	}
	q.usage.PromptTokens += max(0, got.Usage.PromptTokens)
	q.usage.CompletionTokens += max(0, got.Usage.CompletionTokens)
	m := got.Choices[0].Message
	out := reply{
		model:     got.Model,
		content:   strings.TrimSpace(m.Content),
		refusal:   m.Refusal,
		finish:    got.Choices[0].FinishReason,
		reasoning: got.Usage.Details.ReasoningTokens > 0,
	}
	for _, field := range []json.RawMessage{m.Reasoning, m.Contents, m.Thinking} {
		out.reasoning = out.reasoning || len(field) > 0 && string(field) != "null" && string(field) != `""`
	}
	return out, nil
}
