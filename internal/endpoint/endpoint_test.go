package endpoint_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/endpoint"
)

// said is one answer of a transport: a status with headers, or an error.
type said struct {
	status int
	header map[string]string
	body   string
	err    error
}

// transport gives the answers one after the other, and repeats the last.
type transport struct {
	answers  []said
	requests []*http.Request
}

func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	next := t.answers[min(len(t.requests), len(t.answers)-1)]
	t.requests = append(t.requests, r)
	if next.err != nil {
		return nil, next.err
	}
	h := http.Header{"Content-Type": {"application/json"}}
	for name, value := range next.header {
		h.Set(name, value)
	}
	return &http.Response{StatusCode: next.status, Header: h, Body: io.NopCloser(strings.NewReader(next.body))}, nil
}

func client(t *testing.T, answers ...said) (*endpoint.Client, *transport) {
	t.Helper()
	u, err := url.Parse("http://user:pass-word@example.org/v1?version=2")
	if err != nil {
		t.Fatal(err)
	}
	tr := &transport{answers: answers}
	return &endpoint.Client{BaseURL: u, HTTP: &http.Client{Transport: tr,
		CheckRedirect: endpoint.HTTP().CheckRedirect}, MaxBytes: 100}, tr
}

func TestPost_TriesAgainWhileTheEndpointIsBusy(t *testing.T) {
	t.Parallel()
	good := said{status: 200, body: `{"n": 7}`}
	for _, c := range []struct {
		name     string
		answers  []said
		requests int
		from, to time.Duration // the pauses, in all
		status   int
	}{
		{"at once", []said{good}, 1, 0, 0, 200},
		{"429, 500", []said{{status: 429}, {status: 500}, good}, 3, 1125 * time.Millisecond, 1500 * time.Millisecond, 200},
		{"408, 409", []said{{status: 408}, {status: 409}, good}, 3, 1125 * time.Millisecond, 1500 * time.Millisecond, 200},
		{"no connection", []said{{err: syscall.ECONNREFUSED}, good}, 2, 375 * time.Millisecond, 500 * time.Millisecond, 200},
		{"always", []said{{status: 503}}, 3, 1125 * time.Millisecond, 1500 * time.Millisecond, 503},
		{"a pause asked for", []said{{status: 429, header: map[string]string{"Retry-After": "30"}}, good}, 2,
			30 * time.Second, 30 * time.Second, 200},
		{"too long a pause", []said{{status: 429, header: map[string]string{"Retry-After": "121"}}, good}, 1, 0, 0, 429},
		{"another status", []said{{status: 400}, good}, 1, 0, 0, 400},
		{"a header says no", []said{{status: 500, header: map[string]string{"X-Should-Retry": "false"}}, good}, 1, 0, 0, 500},
		{"a header says yes", []said{{status: 400, header: map[string]string{"X-Should-Retry": "true"}}, good}, 2,
			375 * time.Millisecond, 500 * time.Millisecond, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				api, tr := client(t, c.answers...)
				api.Retries = 2
				var got struct{ N int }
				began := time.Now()
				a, err := api.Post(t.Context(), "embeddings", "x", &got)
				if err != nil || a.Status != c.status || (got.N == 7) != (c.status == 200) {
					t.Errorf("answer %+v, %v, content %+v; want status %d", a, err, got, c.status)
				}
				if took := time.Since(began); took < c.from || took > c.to || len(tr.requests) != c.requests {
					t.Errorf("%d requests in %s, want %d in %s to %s", len(tr.requests), took, c.requests, c.from, c.to)
				}
			})
		})
	}
}

func TestPost_EndsWithItsContextBetweenAttempts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api, tr := client(t, said{status: 429, header: map[string]string{"Retry-After": "60"}})
		api.Retries = 2
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := api.Post(ctx, "embeddings", "x", nil); !errors.Is(err, context.DeadlineExceeded) ||
			len(tr.requests) != 1 {
			t.Errorf("%v after %d requests, want the context's error after one", err, len(tr.requests))
		}
	})
}

func TestPost_SendsTheBodyAndNothingOfTheMachine(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"sk-1": "Bearer sk-1", "": ""} {
		api, tr := client(t, said{status: 200, body: "{}"})
		api.Key = key
		if _, err := api.Post(t.Context(), "chat/completions", map[string]string{"a": "<b>"}, &struct{}{}); err != nil {
			t.Fatal(err)
		}
		r := tr.requests[0]
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != "{\"a\":\"<b>\"}\n" {
			t.Errorf("sent %q, %v", body, err)
		}
		if got := r.URL.Redacted(); got != "http://user:xxxxx@example.org/v1/chat/completions?version=2" {
			t.Errorf("asked %s", got)
		}
		header := http.Header{"Accept": {"application/json"}, "Content-Type": {"application/json"},
			"User-Agent": {"memory-graph"}}
		if key == "" { // net/http takes the password of the URL
			want = "Basic dXNlcjpwYXNzLXdvcmQ="
		}
		header.Set("Authorization", want)
		if diff := cmp.Diff(header, r.Header); diff != "" {
			t.Errorf("headers (-want +got):\n%s", diff)
		}
	}
}

func TestPost_SaysWhyAnAnswerIsNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		answer said
		want   func(error) bool
	}{
		{"a page", said{status: 200, body: "<html>"},
			func(err error) bool { return err != nil }},
		{"cut", said{status: 200, body: `{"n":`}, func(err error) bool { return err != nil }},
		{"too long", said{status: 200, body: strings.Repeat(" ", 101)},
			func(err error) bool { return errors.Is(err, endpoint.ErrTooLong) }},
		{"another type", said{status: 200, body: `{"n":"x"}`},
			func(err error) bool { return errors.As(err, new(*json.UnmarshalTypeError)) }},
		{"a redirect", said{status: 307, header: map[string]string{"Location": "http://example.com/"}},
			func(err error) bool { return err == nil }},
		{"nobody", said{err: syscall.ECONNREFUSED}, func(err error) bool {
			return errors.Is(err, syscall.ECONNREFUSED) && !strings.Contains(err.Error(), "pass-word")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			api, tr := client(t, c.answer)
			var got struct{ N int }
			a, err := api.Post(t.Context(), "embeddings", "x", &got)
			if !c.want(err) || (a == nil) != (c.answer.err != nil) || len(tr.requests) != 1 {
				t.Errorf("answer %+v, error %v after %d requests", a, err, len(tr.requests))
			}
		})
	}
}

func TestWords_AreTheMessageOrTheBody(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"error":{"message":"too long","type":"x"}}`: "too long",
		`{"error":"crashed"}`:                         `{"error":"crashed"}`,
		`{"error":{"code":7}}`:                        `{"error":{"code":7}}`,
		"<html>\xff":                                  "<html>",
		"":                                            "",
		strings.Repeat("a", 5000):                     strings.Repeat("a", 4096),
	} {
		if got := (&endpoint.Answer{Body: []byte(body)}).Words(); got != want {
			t.Errorf("%.40q: %.40q, want %.40q", body, got, want)
		}
	}
}

func TestRetryAfter_IsReadInEachForm(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 18, 9, 0, 0, 0, time.UTC)
	const longest = (1 << 31) * time.Second
	for _, c := range []struct {
		name, value string
		want        time.Duration
		ok          bool
	}{
		{"Retry-After", "", 0, false}, {"Retry-After", "soon", 0, false}, {"Retry-After", "NaN", 0, false},
		{"Retry-After", "-3", 0, true}, {"Retry-After", "7", 7 * time.Second, true}, {"Retry-After", " 0.5", time.Second / 2,
			true},
		{"Retry-After", "99999999999999999999", longest, true}, {"Retry-After", "1e999", 0, false},
		{"Retry-After", "Wed, 18 Mar 2026 09:00:30 GMT", 30 * time.Second, true},
		{"Retry-After", "Tue, 17 Mar 2026 09:00:30 GMT", 0, true},
		{"Retry-After-Ms", "1500", 1500 * time.Millisecond, true}, {"Retry-After-Ms", "-1", 0, false},
	} {
		h := http.Header{}
		h.Set(c.name, c.value)
		if got, ok := endpoint.RetryAfter(h, now); got != c.want || ok != c.ok {
			t.Errorf("%s: %s is %s, %v; want %s, %v", c.name, c.value, got, ok, c.want, c.ok)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"7", "-3", "NaN", "1e308", "Wed, 18 Mar 2026 09:00:30 GMT"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, seconds, ms string) {
		got, ok := endpoint.RetryAfter(http.Header{"Retry-After": {seconds}, "Retry-After-Ms": {ms}}, time.Unix(0, 0))
		if got < 0 || !ok && got != 0 {
			t.Errorf("%q, %q: %s, %v", seconds, ms, got, ok)
		}
	})
}
