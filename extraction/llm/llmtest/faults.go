package llmtest

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// Fault is a way to fail, or to answer badly.
type Fault string

// The faults. The first group replaces the answer, the second refuses its form, the third changes it, and the fourth
// changes the facts in it.
const (
	None Fault = ""

	TooMany      Fault = "429"
	TooManyUntil Fault = "429 with Retry-After" // Retry-After is AskedToWait seconds
	ServerError  Fault = "500"
	Overloaded   Fault = "503 without JSON"
	Hang         Fault = "hang"
	Page         Fault = "200 with HTML"
	SoftError    Fault = "200 with an error"
	Redirect     Fault = "redirect"
	WrongKey     Fault = "401"
	NoCredit     Fault = "402"
	NoSuchModel  Fault = "404"
	TooLong      Fault = "400, too long"
	NoTemp       Fault = "400 on temperature"
	BadRequest   Fault = "400 without a reason"

	NoStrict     Fault = "400 on strict"
	NoSchema     Fault = "400 on json_schema"
	NoJSONObject Fault = "400 on json_object"
	NoForm       Fault = "400 on response_format"

	Reset       Fault = "reset in the body"
	Thinks      Fault = "empty, reasoning" // unless the request disables reasoning
	Nothing     Fault = "empty"
	Fenced      Fault = "fenced"
	ThinkTag    Fault = "<think> in the content"
	Prose       Fault = "prose around it"
	Truncated   Fault = "truncated"
	Array       Fault = "an array"
	Refuses     Fault = "refusal"
	Filtered    Fault = "filtered"
	OtherModel  Fault = "another model"
	NoChoices   Fault = "no choices"
	HalfJSON    Fault = "half the JSON, finished"
	TwoObjects  Fault = "two objects"
	MissingTurn Fault = "a turn is missing"

	WrongTypes   Fault = "wrong types"
	UnknownField Fault = "unknown fields"
	Invented     Fault = "invented names"
	SelfEdges    Fault = "self edges"
	Thousand     Fault = "1,000 entities"
	Misquoted    Fault = "invented quotes"
)

// AskedToWait is the Retry-After of TooManyUntil, in seconds.
const AskedToWait = 7

// Faults are all faults, None first.
var Faults = []Fault{
	None, TooMany, TooManyUntil, ServerError, Overloaded, Hang, Page, SoftError, Redirect, WrongKey, NoCredit, NoSuchModel,
	TooLong, NoTemp, BadRequest,
	NoStrict, NoSchema, NoJSONObject, NoForm,
	Reset, Thinks, Nothing, Fenced, ThinkTag, Prose, Truncated, Array, Refuses, Filtered, OtherModel, NoChoices, HalfJSON,
	TwoObjects, MissingTurn,
	WrongTypes, UnknownField, Invented, SelfEdges, Thousand, Misquoted,
}

// before sends a response that replaces the answer; false if the fault is not of that group.
func (f Fault) before(s *Server, w http.ResponseWriter, r *http.Request, over <-chan struct{}) bool {
	switch f {
	case TooMany:
		refuse(w, http.StatusTooManyRequests, "Rate limit reached")
	case TooManyUntil:
		w.Header().Set("Retry-After", strconv.Itoa(AskedToWait))
		refuse(w, http.StatusTooManyRequests, "Rate limit reached")
	case ServerError:
		refuse(w, http.StatusInternalServerError, "model runner has unexpectedly stopped")
	case Overloaded:
		http.Error(w, "upstream connect error", http.StatusServiceUnavailable)
	case Hang:
		select {
		case <-r.Context().Done():
		case <-over:
		}
	case Page:
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>Sign in</title>"))
	case SoftError:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"error": {"code": 502, "message": "Upstream is gone"}}`))
	case Redirect:
		http.Redirect(w, r, "http://192.0.2.1/v1/chat/completions", http.StatusTemporaryRedirect)
	case WrongKey:
		refuse(w, http.StatusUnauthorized, "Incorrect API key provided: "+s.Key())
	case NoCredit:
		refuse(w, http.StatusPaymentRequired, "Insufficient Balance")
	case NoSuchModel:
		refuse(w, http.StatusNotFound, "model not found, try pulling it first")
	case TooLong:
		refuse(w, http.StatusBadRequest, "This model's maximum context length is 2048 tokens")
	case BadRequest:
		w.WriteHeader(http.StatusBadRequest)
	default:
		return false
	}
	return true
}

// refusesForm returns the message with which the fault refuses the form of a question, "" if it does not.
func (f Fault) refusesForm(q Request) string {
	_, temperature := q.Body["temperature"]
	switch {
	case f == NoTemp && temperature:
		return "Unsupported value: 'temperature' does not support 0 with this model."
	case f == NoStrict && q.Format == "json_schema strict":
		return "Unknown parameter: 'response_format.json_schema.strict'."
	case f == NoSchema && strings.HasPrefix(q.Format, "json_schema"):
		return "json_schema is not supported by this model"
	case f == NoJSONObject && q.Format == "json_object":
		return "response_format of type json_object is not supported"
	case f == NoForm && q.Format != "text":
		return "response_format is not supported"
	}
	return ""
}

// bend changes an answer.
func (f Fault) bend(p Profile, q Request, out, message, usage map[string]any) {
	content, _ := message["content"].(string)
	choice, _ := out["choices"].([]any)[0].(map[string]any)
	switch f {
	case Thinks:
		if !q.Quiet {
			message["content"] = ""
			p.thoughts(message, usage)
		}
	case Nothing:
		message["content"] = ""
	case Fenced:
		message["content"] = "```json\n" + content + "\n```"
	case ThinkTag:
		message["content"] = "<think>\nWho is meant? {maybe}\n</think>\n\n" + content
	case Prose:
		message["content"] = "Here is what I found:\n\n" + content + "\n\nLet me know if you need more."
	case Truncated:
		message["content"], choice["finish_reason"] = content[:len(content)/2], "length"
	case HalfJSON:
		message["content"] = content[:len(content)/2]
	case TwoObjects:
		message["content"] = content + "\n" + content
	case Array:
		message["content"] = "[" + content + "]"
	case Refuses:
		message["content"], message["refusal"] = nil, "I cannot help with that."
	case Filtered:
		message["content"], choice["finish_reason"] = "", "content_filter"
	case OtherModel:
		out["model"] = fmt.Sprintf("%s-%d", q.Model, q.N)
	case NoChoices:
		out["choices"] = []any{}
	default:
		message["content"] = f.facts(content)
	}
}

// facts changes an answer about facts.
func (f Fault) facts(content string) string {
	answer, _ := parse(content).(map[string]any)
	turns, _ := answer["turns"].([]any)
	if len(turns) == 0 || !f.ofFacts() {
		return content
	}
	if f == MissingTurn {
		answer["turns"] = turns[:len(turns)-1]
		return encode(answer)
	}
	for _, t := range turns {
		turn, _ := t.(map[string]any)
		entities, _ := turn["entities"].([]any)
		relations, _ := turn["relations"].([]any)
		switch f {
		case WrongTypes:
			turn["entities"] = "none"
		case UnknownField:
			turn["summary"] = "They talked."
		case Invented:
			for i := range 3 {
				entities = append(entities, entity(500+i, fmt.Sprintf("Grizzlewick %d", i)))
				relations = append(relations, relation(0, 500+i, "they use Grizzlewick"))
			}
			turn["entities"], turn["relations"] = entities, relations
		case SelfEdges:
			turn["relations"] = append(relations, relation(0, 0, ""), relation(1, 1, ""))
		case Thousand:
			for i := range 1000 {
				entities = append(entities, entity(1000+i, fmt.Sprintf("Thing %d", i)))
			}
			turn["entities"] = entities
		case Misquoted:
			for _, r := range relations {
				if r, ok := r.(map[string]any); ok {
					r["quote"] = "as everybody knows and nobody said"
				}
			}
		}
	}
	return encode(answer)
}

func (f Fault) ofFacts() bool {
	switch f {
	case MissingTurn, WrongTypes, UnknownField, Invented, SelfEdges, Thousand, Misquoted:
		return true
	}
	return false
}

// reset sends half of an answer and resets the connection.
func reset(t testing.TB, w http.ResponseWriter, body []byte) {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		t.Error("llmtest: the connection cannot be broken")
		return
	}
	conn, buffer, err := hijacker.Hijack()
	if err != nil {
		t.Errorf("llmtest: %v", err)
		return
	}
	fmt.Fprintf(buffer, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body),
		body[:len(body)/2])
	_ = buffer.Flush()
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
