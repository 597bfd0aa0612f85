package llm

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestReach_SaysWhetherTheEndpointAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		listed bool
		kind   Kind
	}{
		"the model is listed":      {200, `{"data":[{"id":"other"},{"id":"m"}]}`, true, ""},
		"with a tag":               {200, `{"data":[{"id":"m:latest"}]}`, true, ""},
		"another model":            {200, `{"data":[{"id":"other"}]}`, false, ""},
		"an empty list":            {200, `{"data":[]}`, true, ""},
		"no list is to be had":     {404, ``, true, ""},
		"a wrong key":              {401, `{}`, false, Unauthorized},
		"a page":                   {200, `<html>`, false, Misconfigured},
		"a redirect":               {302, ``, false, Misconfigured},
		"a server that is broken":  {502, `bad`, false, Failing},
		"a server that has enough": {429, ``, false, RateLimited},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer k" {
				t.Errorf("%s: %s %s", name, r.Method, r.URL.Path)
			}
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		client, err := New(Options{BaseURL: server.URL + "/v1", Model: "m", APIKey: "k"})
		if err != nil {
			t.Fatal(err)
		}
		missing, err := client.Reach(t.Context(), time.Minute, "m")
		listed := len(missing) == 0
		var e *Error
		if kind := Kind(""); errors.As(err, &e) {
			kind = e.Kind
			if kind != c.kind {
				t.Errorf("%s: %v", name, err)
			}
		} else if listed != c.listed || c.kind != "" {
			t.Errorf("%s: listed %v, %v", name, listed, err)
		}
		server.Close()
		if _, err := client.Reach(t.Context(), time.Minute, "m"); !errors.As(err, &e) || e.Kind != Unreachable ||
			strings.Contains(err.Error(), "/models") {
			t.Errorf("%s, gone: %v", name, err)
		}
	}
	hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer hanging.Close()
	client, err := New(Options{BaseURL: hanging.URL + "/v1", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	var e *Error
	if _, err := client.Reach(t.Context(), 20*time.Millisecond, "m"); !errors.As(err, &e) || e.Kind != TimedOut {
		t.Errorf("hanging: %v", err)
	}
}
