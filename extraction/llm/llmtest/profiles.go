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
	// OpenAI takes every form, keeps the rules of strict schemas to the letter, needs a key and refuses parameters that it
	// does not know. It counts its reasoning and does not show it.
	OpenAI Profile = "openai-strict"
	// Ollama takes schemas without looking at strict, and shows reasoning as "reasoning".
	Ollama Profile = "ollama"
	// LMStudio takes schemas and refuses json_object; nothing in a request switches reasoning off.
	LMStudio Profile = "lmstudio"
	// JSONObject takes json_object and refuses schemas; nothing in a request switches reasoning off.
	JSONObject Profile = "json_object-only"
	// VLLM takes every form, and shows reasoning as "reasoning_content".
	VLLM Profile = "vllm"
)

// Profiles are all of them.
var Profiles = []Profile{OpenAI, Ollama, LMStudio, JSONObject, VLLM}

func (p Profile) needsKey() bool { return p == OpenAI || p == JSONObject }

// parameters are those of the API that OpenAI takes of what a client may reasonably send.
var parameters = map[string]bool{
	"model": true, "messages": true, "response_format": true, "temperature": true, "max_completion_tokens": true,
	"max_tokens":       true,
	"reasoning_effort": true, "seed": true, "top_p": true, "stop": true, "n": true,
}

// read takes out of a request what answers and tests go by.
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

// refuses gives the status and the words with which the profile refuses a question, 0 where it takes it.
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

// thoughts shows reasoning as the profile does.
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

// parse reads a content as JSON for bending; nil where it is none.
func parse(content string) any {
	var v any
	if json.Unmarshal([]byte(content), &v) != nil {
		return nil
	}
	return v
}

// encode writes it back.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}
