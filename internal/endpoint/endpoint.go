// Package endpoint posts JSON to an OpenAI-compatible API and reads the answer: one request, or several while the
// endpoint is busy. It takes nothing from the environment but proxies, follows no redirect, and sends nothing about the
// machine (docs/decisions.md, "Two requests of our own").
package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// How many bytes of an answer with an error status are read, and how many are quoted if it is not in the API's form.
const (
	maxErrorBytes  = 64 << 10
	maxQuotedBytes = 4096
)

// ErrTooLong is the error of an answer that is longer than Client.MaxBytes.
var ErrTooLong = errors.New("the answer is too long")

// Client posts to one API. Its fields must not change while it is used.
type Client struct {
	BaseURL *url.URL     // up to and including /v1; a user and password in it are sent if there is no Key
	Key     string       // sent as a bearer token; "" for none
	HTTP    *http.Client // see HTTP
	// MaxBytes is the longest answer that is read.
	MaxBytes int64
	// Timeout is for each attempt, 0 for none. An attempt that ran out of time is not repeated.
	Timeout time.Duration
	// Retries is the number of attempts after the first, on 408, 409, 429, 5xx and when there was no connection.
	Retries int
}

// HTTP returns a client with connections of its own that follows no redirect: the request is for this address only.
func HTTP() *http.Client {
	transport := http.DefaultTransport
	if t, ok := transport.(*http.Transport); ok {
		transport = t.Clone()
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Answer is what an endpoint answered.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Post sends body as JSON to a path below BaseURL and decodes an answer with a status below 300 into into. The Answer
// is nil if none began, and is there beside an error if its content could not be read or decoded. A status of 300 or
// above is no error. Errors repeat neither the key nor the URL.
func (c *Client) Post(ctx context.Context, path string, body, into any) (*Answer, error) {
	return c.do(ctx, http.MethodPost, path, body, into)
}

// Get is Post without a body.
func (c *Client) Get(ctx context.Context, path string, into any) (*Answer, error) {
	return c.do(ctx, http.MethodGet, path, nil, into)
}

func (c *Client) do(ctx context.Context, method, path string, body, into any) (*Answer, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if body != nil {
		if err := encoder.Encode(body); err != nil {
			return nil, err
		}
	}
	for attempt := 0; ; attempt++ {
		a, err := c.once(ctx, method, path, text.Bytes())
		pause, again := c.again(a, err, attempt)
		if !again || ctx.Err() != nil {
			if a != nil && err == nil && a.Status < 300 {
				err = json.Unmarshal(a.Body, into)
			}
			return a, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
	}
}

// once makes one attempt.
func (c *Client) once(ctx context.Context, method, path string, body []byte) (*Answer, error) {
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Timeout)
		defer cancel()
	}
	r, err := http.NewRequestWithContext(ctx, method, c.BaseURL.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return nil, plain(err)
	}
	if len(body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "memory-graph")
	if c.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.Key)
	}
	response, err := c.HTTP.Do(r)
	if err != nil {
		return nil, plain(err)
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	a := &Answer{Status: response.StatusCode, Header: response.Header}
	limit := c.MaxBytes
	if a.Status >= 300 {
		limit = maxErrorBytes
	}
	a.Body, err = io.ReadAll(io.LimitReader(response.Body, limit+1))
	switch {
	case a.Status >= 300: // its beginning says enough
		return a, nil
	case err == nil && int64(len(a.Body)) > limit:
		err = ErrTooLong
	}
	return a, err
}

// plain returns the error without the request's URL, which may hold a password.
func plain(err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// The pauses between attempts, if the endpoint asks for none, and the longest that it may ask for.
const (
	firstPause = 500 * time.Millisecond
	mostPause  = 8 * time.Second
	mostAsked  = 2 * time.Minute
)

// again reports whether another attempt may follow, and after which pause. The header X-Should-Retry, which OpenAI's
// clients heed, decides before the status does.
func (c *Client) again(a *Answer, err error, attempt int) (time.Duration, bool) {
	if attempt >= c.Retries || errors.Is(err, context.DeadlineExceeded) {
		return 0, false
	}
	pause := min(firstPause<<min(attempt, 10), mostPause)
	pause -= rand.N(pause / 4) // clients that failed together do not come back together
	if a == nil {
		return pause, true
	}
	switch a.Header.Get("X-Should-Retry") {
	case "true":
	case "false":
		return 0, false
	default:
		if a.Status < 500 && a.Status != http.StatusRequestTimeout && a.Status != http.StatusConflict &&
			a.Status != http.StatusTooManyRequests {
			return 0, false
		}
	}
	if asked, ok := RetryAfter(a.Header, time.Now()); ok {
		pause = asked
	}
	return pause, pause <= mostAsked
}

// RetryAfter returns the pause that an answer asks for, not below 0 (RFC 9110, 10.2.3, and OpenAI's header in
// milliseconds). It is false if it asks for none.
func RetryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	const most = 1 << 31 // seconds, or milliseconds: longer than anybody waits, and within a Duration
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(min(ms, most) * float64(time.Millisecond)), true
	}
	said := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(said, 64); err == nil && s == s {
		return time.Duration(max(0, min(s, most)) * float64(time.Second)), true
	}
	if at, err := http.ParseTime(said); err == nil {
		return max(0, at.Sub(now)), true
	}
	return 0, false
}

// Words returns the endpoint's message in an error: error.message of the API's form, else the beginning of the body.
func (a *Answer) Words() string {
	var said struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(a.Body, &said) == nil && said.Error.Message != "" {
		return said.Error.Message
	}
	return strings.ToValidUTF8(string(a.Body[:min(len(a.Body), maxQuotedBytes)]), "")
}
