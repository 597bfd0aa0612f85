package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/openai"
	"memory-graph/internal/memory"
)

const key = "sk-very-secret"

// asked is the content of a request.
type asked struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions *int     `json:"dimensions"`
}

// serve starts an endpoint and returns the options to reach it. The handler gets the decoded request and its number.
func serve(t *testing.T, handle func(w http.ResponseWriter, r *http.Request, in asked, n int)) openai.Options {
	t.Helper()
	var n atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in asked
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Errorf("request: %v", err)
		}
		handle(w, r, in, int(n.Add(1)))
	}))
	t.Cleanup(s.Close)
	return openai.Options{BaseURL: s.URL + "/v1", Model: "test-model", APIKey: key, Dimensions: 3}
}

type vector struct {
	Index     int       `json:"index"`
	Embedding []float64 `json:"embedding"`
	Object    string    `json:"object"`
}

func reply(w http.ResponseWriter, data ...vector) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": "test-model", "data": data})
}

// letters returns a vector that distinguishes texts by length, first byte and last byte.
func letters(text string) []float64 {
	return []float64{float64(len(text)), float64(text[0]), float64(text[len(text)-1])}
}

func answerAll(w http.ResponseWriter, in asked) {
	var data []vector
	for i, text := range in.Input {
		data = append(data, vector{Index: i, Embedding: letters(text)})
	}
	slices.Reverse(data) // the order must not matter
	reply(w, data...)
}

func mustNew(t *testing.T, o openai.Options) *openai.Embedder {
	t.Helper()
	e, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// wantUnavailable checks the code, and that the message names the endpoint and not the key.
func wantUnavailable(t *testing.T, o openai.Options, err error, part string) {
	t.Helper()
	var me *memory.Error
	if !errors.As(err, &me) || me.Code != memory.Unavailable {
		t.Fatalf("error %v, want one that is Unavailable", err)
	}
	if !strings.Contains(me.Error(), o.BaseURL) || !strings.Contains(me.Error(), part) {
		t.Errorf("error %q, want it to name %s and say %q", me, o.BaseURL, part)
	}
	if all := fmt.Sprintf("%v %+v", me, me.Err); strings.Contains(all, key) {
		t.Errorf("the key is in the error: %s", all)
	}
}

func TestEmbed_KeepsTheOrderOfTextsOverSeveralRequests(t *testing.T) {
	t.Parallel()
	var sizes []int
	o := serve(t, func(w http.ResponseWriter, r *http.Request, in asked, _ int) {
		sizes = append(sizes, len(in.Input))
		if r.URL.Path != "/v1/embeddings" || r.Header.Get("Authorization") != "Bearer "+key || in.Model != "test-model" ||
			in.Dimensions == nil || *in.Dimensions != 3 {
			t.Errorf("asked %s %q %+v", r.URL.Path, r.Header.Get("Authorization"), in)
		}
		answerAll(w, in)
	})
	o.Batch = 2
	texts := []string{"one", "three", "five5", "z", "seventeen"}
	rows, err := mustNew(t, o).Embed(context.Background(), embedding.Document, texts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{2, 2, 1}, sizes); diff != "" {
		t.Errorf("sizes of requests (-want +got):\n%s", diff)
	}
	for i, text := range texts {
		v := letters(text)
		length := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
		for j := range v {
			if math.Abs(float64(rows[i][j])-v[j]/length) > 1e-6 {
				t.Errorf("%q: %v, want the direction of %v with length 1", text, rows[i], v)
				break
			}
		}
	}
}

func TestEmbed_TriesAgainWhenTheEndpointIsBusy(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusTooManyRequests, http.StatusInternalServerError} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			o := serve(t, func(w http.ResponseWriter, _ *http.Request, in asked, n int) {
				if n == 1 {
					w.Header().Set("Retry-After-Ms", "1")
					w.WriteHeader(status)
					return
				}
				answerAll(w, in)
			})
			if _, err := mustNew(t, o).Embed(context.Background(), embedding.Query, []string{"x"}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestEmbed_SaysWhatTheEndpointAnswered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind, body string
		status           int
		want             string
	}{
		{"OpenAI's form", "application/json", `{"error":{"message":"input too long for sk-very-secret","type":"x"}}`, 400,
			"400 Bad Request: input too long for (key)"},
		{"a text", "application/json", `{"error":"model crashed"}`, 500,
			`500 Internal Server Error: {"error":"model crashed"}`},
		{"no JSON", "text/html", "<html>oops</html>", 502, "502 Bad Gateway: <html>oops</html>"},
		{"empty", "application/json", "", 503, "503 Service Unavailable."},
		{"wrong key", "application/json", `{"error":{"message":"Incorrect key sk-very-********"}}`, 401,
			"refused the key: 401 Unauthorized. Check"},
		{"no such model", "application/json", `{"error":{"message":"no model test-model"}}`, 404,
			`404 Not Found: no model test-model. Check the base URL`},
		{"a page instead of an answer", "text/html", "<html>hi</html>", 200,
			"answered 200, but not with an embeddings response"},
		{"half an answer", "application/json", `{"data":[{"ind`, 200, "answered 200, but not with an embeddings response"},
		{"another object", "application/json", `{"models":[]}`, 200, "returned 0 vectors for 1 texts"},
		{"null", "application/json", `null`, 200, "returned 0 vectors for 1 texts"},
		{"base64", "application/json", `{"data":[{"index":0,"embedding":"AAAA"}]}`, 200, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := serve(t, func(w http.ResponseWriter, _ *http.Request, _ asked, _ int) {
				w.Header().Set("Content-Type", c.kind)
				w.Header().Set("X-Should-Retry", "false")
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			})
			_, err := mustNew(t, o).Embed(context.Background(), embedding.Document, []string{"x"})
			wantUnavailable(t, o, err, c.want)
			if strings.Contains(err.Error(), "********") {
				t.Errorf("a part of the key is in the error: %v", err)
			}
		})
	}
}

func TestEmbed_RefusesVectorsThatDoNotFit(t *testing.T) {
	t.Parallel()
	good := []float64{1, 2, 3}
	for _, c := range []struct {
		name string
		data []vector
		want string
	}{
		{"too short", []vector{{0, good, ""}, {1, good[:2], ""}}, "a vector of 2 components instead of 3"},
		{"empty", []vector{{0, good, ""}, {1, nil, ""}}, "a vector of 0 components instead of 3"},
		{"too few", []vector{{0, good, ""}}, "returned 1 vectors for 2 texts"},
		{"too many", []vector{{0, good, ""}, {1, good, ""}, {2, good, ""}}, "returned 3 vectors for 2 texts"},
		{"same index", []vector{{1, good, ""}, {1, good, ""}}, "index 1"},
		{"index too large", []vector{{0, good, ""}, {2, good, ""}}, "index 2"},
		{"index below 0", []vector{{0, good, ""}, {-1, good, ""}}, "index -1"},
		{"zero", []vector{{0, good, ""}, {1, []float64{0, 0, 0}, ""}}, "all zero or not finite"},
		{"too large for float32", []vector{{0, good, ""}, {1, []float64{1e300, 0, 0}, ""}}, "all zero or not finite"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := serve(t, func(w http.ResponseWriter, _ *http.Request, _ asked, _ int) { reply(w, c.data...) })
			rows, err := mustNew(t, o).Embed(context.Background(), embedding.Document, []string{"a", "b"})
			wantUnavailable(t, o, err, c.want)
			if rows != nil {
				t.Errorf("returned vectors and an error: %v", rows)
			}
		})
	}
}

// hang does not answer until the client has gone or the test ends.
func hang(t *testing.T) openai.Options {
	over := make(chan struct{})
	o := serve(t, func(_ http.ResponseWriter, r *http.Request, _ asked, _ int) {
		select {
		case <-r.Context().Done():
		case <-over:
		}
	})
	t.Cleanup(func() { close(over) })
	return o
}

func TestEmbed_GivesUpAfterTheTimeout(t *testing.T) {
	t.Parallel()
	o := hang(t)
	o.Timeout = 50 * time.Millisecond
	_, err := mustNew(t, o).Embed(context.Background(), embedding.Query, []string{"x"})
	wantUnavailable(t, o, err, "did not answer within 50ms")
}

func TestEmbed_StopsWithItsContext(t *testing.T) {
	t.Parallel()
	e := mustNew(t, hang(t))
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := e.Embed(ctx, embedding.Query, []string{"x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
	if _, err := e.Embed(ctx, embedding.Query, []string{"x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: error %v, want the context's", err)
	}
}

func TestEmbed_SaysThatNobodyIsThere(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	o := openai.Options{BaseURL: s.URL, Model: "m", APIKey: key, Known: 3, Retries: -1}
	_, err := mustNew(t, o).Embed(context.Background(), embedding.Query, []string{"x"})
	wantUnavailable(t, o, err, "cannot be reached")

	o.BaseURL = strings.Replace(s.URL, "http://", "http://user:pass-word@", 1)
	_, err = mustNew(t, o).Embed(context.Background(), embedding.Query, []string{"x"})
	if me := memory.AsError(err); strings.Contains(fmt.Sprint(me, me.Err), "pass-word") {
		t.Errorf("the password is in the error: %v, %v", me, me.Err)
	}
}

func TestEmbed_SendsTextsThatEndpointsAccept(t *testing.T) {
	t.Parallel()
	var got []string
	o := serve(t, func(w http.ResponseWriter, _ *http.Request, in asked, _ int) {
		got = in.Input
		answerAll(w, in)
	})
	o.MaxBytes = 8
	_, err := mustNew(t, o).Embed(context.Background(), embedding.Document,
		[]string{"", " \n", "a\xffb", "日本語です", "12345678", "123456789"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{" ", " ", "a\uFFFDb", "日本", "12345678", "12345678"}, got); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

func TestEmbed_OfNothingAsksNobody(t *testing.T) {
	t.Parallel()
	o := serve(t, func(http.ResponseWriter, *http.Request, asked, int) { t.Error("a request was sent") })
	if rows, err := mustNew(t, o).Embed(context.Background(), embedding.Document, nil); err != nil || rows == nil ||
		len(rows) != 0 {
		t.Errorf("got %v, %v; want an empty list", rows, err)
	}
}

func TestProbe_LearnsTheModelsOwnLength(t *testing.T) {
	t.Parallel()
	o := serve(t, func(w http.ResponseWriter, _ *http.Request, in asked, _ int) {
		if in.Dimensions != nil {
			t.Errorf("asked for %d dimensions", *in.Dimensions)
		}
		answerAll(w, in)
	})
	o.Dimensions = 0
	if _, err := openai.New(o); memory.AsError(err).Code != memory.InvalidArgument {
		t.Errorf("New without a length: %v, want InvalidArgument", err)
	}
	n, err := openai.Probe(context.Background(), o)
	if err != nil || n != 3 {
		t.Fatalf("Probe = %d, %v; want 3", n, err)
	}
	o.Known = n
	e := mustNew(t, o)
	if diff := cmp.Diff(embedding.Identity{Provider: "openai", Model: "test-model", Dimensions: 3},
		e.Identity()); diff != "" {
		t.Errorf("identity (-want +got):\n%s", diff)
	}
	if _, err := e.Embed(context.Background(), embedding.Document, []string{"x"}); err != nil {
		t.Error(err)
	}
}

func TestProbe_FindsAModelThatIgnoresTheDimensions(t *testing.T) {
	t.Parallel()
	o := serve(t, func(w http.ResponseWriter, _ *http.Request, in asked, _ int) { answerAll(w, in) })
	o.Dimensions = 2
	_, err := openai.Probe(context.Background(), o)
	wantUnavailable(t, o, err, "3 components instead of 2")
}

func TestNew_RefusesOptionsThatCannotWork(t *testing.T) {
	t.Parallel()
	for _, o := range []openai.Options{
		{Model: "m", Known: 3},
		{BaseURL: "localhost:11434/v1", Model: "m", Known: 3},
		{BaseURL: "file:///etc/passwd", Model: "m", Known: 3},
		{BaseURL: "http://", Model: "m", Known: 3},
		{BaseURL: "http://x\x7f:pass-word@h/v1", Model: "m", Known: 3},
		{BaseURL: "http://127.0.0.1/v1", Known: 3},
		{BaseURL: "http://127.0.0.1/v1", Model: "m", Dimensions: -1},
	} {
		_, err := openai.New(o)
		if err == nil || memory.AsError(err).Code != memory.InvalidArgument || strings.Contains(err.Error(), "pass-word") {
			t.Errorf("New(%+v): %v, want InvalidArgument", o, err)
		}
	}
}
