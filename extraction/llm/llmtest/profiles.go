package llmtest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Profile is a kind of endpoint.
type Profile string

// The profiles.
const (
	// OpenAI accepts every form, enforces the rules of strict schemas, requires a key, and refuses unknown parameters. It
	// counts its reasoning but does not show it.
	OpenAI Profile = "openai-strict"
	// Ollama accepts schemas, ignores strict, and shows reasoning as "reasoning".
	Ollama Profile = "ollama"
	// LMStudio accepts schemas and refuses json_object. A request cannot disable its reasoning.
	LMStudio Profile = "lmstudio"
	// JSONObject accepts json_object and refuses schemas. A request cannot disable its reasoning.
	JSONObject Profile = "json_object-only"
	// VLLM accepts every form, and shows reasoning as "reasoning_content".
	VLLM Profile = "vllm"
)

// Profiles are all profiles.
var Profiles = []Profile{OpenAI, Ollama, LMStudio, JSONObject, VLLM}

func (p Profile) needsKey() bool { return p == OpenAI || p == JSONObject }

// parameters are the parameters that the OpenAI profile accepts.
var parameters = map[string]bool{
	"model": true, "messages": true, "response_format": true, "temperature": true, "max_completion_tokens": true,
	"max_tokens":       true,
	"reasoning_effort": true, "seed": true, "top_p": true, "stop": true, "n": true,
}

// read returns the parts of a request that answers and tests use.
func (p Profile) read(body map[string]any) Request {
	q := Request{Body: body, Format: "text"}
	q.Model, _ = body["model"].(string)
	h := sha256.New()
	fmt.Fprintln(h, q.Model)
	messages, _ := body["messages"].([]any)
	for _, m := range messages {
		message, _ := m.(map[string]any)
		role, _ := message["role"].(string)
		content, _ := message["content"].(string)
		fmt.Fprintf(h, "%s %d\n%s\n", role, len(content), content)
		switch role {
		case "system":
			q.System += content
		case "user":
			q.User += content
		}
	}
	q.Key = hex.EncodeToString(h.Sum(nil))
	format, _ := body["response_format"].(map[string]any)
	if typ, _ := format["type"].(string); typ != "" {
		q.Format = typ
	}
	if schema, ok := format["json_schema"].(map[string]any); ok {
		q.Name, _ = schema["name"].(string)
		if strict, _ := schema["strict"].(bool); strict {
			q.Format += " strict"
		}
	}
	switch p {
	case OpenAI, Ollama:
		q.Quiet = body["reasoning_effort"] == "none"
	case VLLM:
		template, _ := body["chat_template_kwargs"].(map[string]any)
		q.Quiet = template["enable_thinking"] == false
	}
	return q
}

// refuses returns the status and the message with which the profile refuses a question; 0 if it accepts the question.
func (p Profile) refuses(q Request) (status int, why string) {
	if q.Model == "" || q.User == "" {
		return http.StatusBadRequest, "model and messages are required"
	}
	format, _ := q.Body["response_format"].(map[string]any)
	if strings.HasPrefix(q.Format, "json_schema") {
		named, _ := format["json_schema"].(map[string]any)
		if problems := CheckSchema(named); len(problems) > 0 {
			return http.StatusBadRequest, "Invalid schema for response_format: " + problems[0]
		}
	}
	if q.Format == "json_object" && !strings.Contains(strings.ToLower(q.System+q.User), "json") {
		return http.StatusBadRequest, "'messages' must contain the word 'json' in some form, to use 'response_format' of " +
			"type 'json_object'."
	}
	switch p {
	case OpenAI:
		for name := range q.Body {
			if !parameters[name] {
				return http.StatusBadRequest, "Unrecognized request argument supplied: " + name
			}
		}
	case LMStudio:
		if q.Format == "json_object" {
			return http.StatusBadRequest, "'response_format.type' must be 'json_schema' or 'text'"
		}
	case JSONObject:
		if strings.HasPrefix(q.Format, "json_schema") {
			return http.StatusBadRequest, "This response_format type is unavailable now"
		}
	}
	return 0, ""
}

// thoughts adds reasoning in the profile's form.
func (p Profile) thoughts(message, usage map[string]any) {
	switch p {
	case OpenAI:
		usage["completion_tokens_details"] = map[string]any{"reasoning_tokens": 512}
	case VLLM:
		message["reasoning_content"] = "First, who is meant?"
	default:
		message["reasoning"] = "First, who is meant?"
	}
}

// parse decodes JSON content for a fault to change; nil if it is not JSON.
func parse(content string) any {
	var v any
	if json.Unmarshal([]byte(content), &v) != nil {
		return nil
	}
	return v
}

// encode encodes it again.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
