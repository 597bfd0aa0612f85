package llm

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	api "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

// reply is the used part of the endpoint's answer.
type reply struct {
	model     string
	content   string
	refusal   string
	finish    string
	reasoning bool // the model reasoned; the reasoning may only be counted
}

// params returns the request parameters at a rung.
func (q *exchange) params(r rung, h habits, maxTokens int) (api.ChatCompletionNewParams, []option.RequestOption) {
	system := q.System
	if r >= jsonObject {
		system += schemaInPrompt + q.form.text
	}
	p := api.ChatCompletionNewParams{
		Model:          q.Model,
		Messages:       []api.ChatCompletionMessageParamUnion{api.SystemMessage(system), api.UserMessage(q.User)},
		ResponseFormat: q.format(r),
	}
	if !h.noTemperature {
		p.Temperature = param.NewOpt(0.0)
	}
	if maxTokens > 0 && !h.noMaxTokens {
		p.MaxCompletionTokens = param.NewOpt(int64(maxTokens))
	}
	var options []option.RequestOption
	if h.quiet { // OpenAI and Ollama read the first, vLLM, SGLang and llama.cpp the second
		if !h.noEffort {
			p.ReasoningEffort = "none"
		}
		if !h.noTemplate {
			options = append(options, option.WithJSONSet("chat_template_kwargs", map[string]any{"enable_thinking": false}))
		}
	}
	return p, options
}

// schemaInPrompt introduces the schema if it cannot be a parameter.
const schemaInPrompt = "\n\nAnswer with one JSON object and nothing else: no explanation, no code fence. " +
	"It has every property of this JSON Schema and no other:\n"

// format returns the response format of a rung.
func (q *exchange) format(r rung) (f api.ChatCompletionNewParamsResponseFormatUnion) {
	switch r {
	case strictSchema, looseSchema:
		f.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: q.Name, Schema: q.form.schema, Strict: param.NewOpt(r == strictSchema),
		}}
	case jsonObject:
		f.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	return f
}

// endpoint is the transport to a chat completions API.
type endpoint struct {
	c       *Client
	service api.ChatCompletionService
}

func (t *endpoint) close() { t.c.options.HTTP.CloseIdleConnections() }

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

// send implements transport.
func (t *endpoint) send(ctx context.Context, q *exchange, r rung, h habits, maxTokens int) (reply, *Error) {
	p, options := q.params(r, h, maxTokens)
	var response *http.Response // the library loses the status of {"error": "text"}
	answer, err := t.service.New(ctx, p, append(options, option.WithResponseInto(&response))...)
	if err != nil {
		return reply{}, q.c.explain(ctx, err, response)
	}
	if answer == nil {
		return reply{}, q.c.notTheAPI(response)
	}
	if len(answer.Choices) == 0 {
		if said := q.c.tidy(answer.JSON.ExtraFields["error"].Raw()); said != "" && said != "null" { // errors with status 200
			return reply{}, q.c.fail(Failing, nil, "answered with an error: %s", said)
		}
		return reply{}, q.c.notTheAPI(response)
	}
	q.usage.PromptTokens += max(0, answer.Usage.PromptTokens)
	q.usage.CompletionTokens += max(0, answer.Usage.CompletionTokens)
	choice := answer.Choices[0]
	out := reply{
		model:   answer.Model,
		content: strings.TrimSpace(choice.Message.Content),
		refusal: choice.Message.Refusal,
		finish:  choice.FinishReason,
	}
	// Endpoints return reasoning under several names, or only count it.
	out.reasoning = answer.Usage.CompletionTokensDetails.ReasoningTokens > 0
	for _, name := range []string{"reasoning", "reasoning_content", "thinking"} {
		field := choice.Message.JSON.ExtraFields[name].Raw()
		out.reasoning = out.reasoning || field != "" && field != "null" && field != `""`
	}
	return out, nil
}

var errTooLong = errors.New("the answer is too long")

// limitAnswers limits the size of answers, so that an endpoint cannot exhaust the memory.
func limitAnswers(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	response, err := next(r)
	if response != nil && response.Body != nil {
		response.Body = &limited{ReadCloser: response.Body, left: MaxAnswerBytes}
	}
	return response, err
}

// limited fails after left bytes.
type limited struct {
	io.ReadCloser
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.ReadCloser.Read(p[:min(int64(len(p)), l.left+1)])
	if l.left -= int64(n); l.left < 0 {
		return 0, errTooLong
	}
	return n, err
}
