package llm

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"sync"
	"time"

	api "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"memory-graph/internal/memory"
)

// Defaults of Options.
const (
	DefaultTimeout     = 15 * time.Second
	DefaultConcurrency = 2
)

// MaxAnswerBytes is the longest answer that is read: what is longer is no answer to anything that is asked here.
const MaxAnswerBytes = 4 << 20

// Options says which endpoint is asked, and how.
type Options struct {
	BaseURL string // up to and with /v1; required
	Model   string // the endpoint's name of the model; required
	APIKey  string // "" for endpoints that ask for none

	// Timeout is the longest wait for the answer to one question, with all requests that it takes; waiting for a turn
	// among others does not count. 0 is DefaultTimeout.
	Timeout time.Duration
	// Concurrency is how many requests the endpoint gets at once from this client; 0 is DefaultConcurrency.
	Concurrency int

	Now func() time.Time // nil is time.Now; pauses and what is remembered of the endpoint go by it
	// After is the clock that Timeout is waited for on, each question on a channel of its own; nil is that of the machine.
	After func(time.Duration) <-chan time.Time
	Log   *slog.Logger // told when the endpoint is paused, comes back or is asked otherwise; nil for nobody
	HTTP  *http.Client // nil for one of the client's own, which follows no redirects
}

// Client asks one endpoint. It is safe for concurrent use. Make one for an endpoint and hand it to all who ask: what it
// knows of the endpoint, and the limit on requests, is the client's.
type Client struct {
	options  Options
	endpoint string // for messages: without user, password and query
	service  api.ChatCompletionService
	places   chan struct{} // one for each request at once
	breaker  breaker

	mu       sync.Mutex
	dialects map[string]*dialect // by model
}

// New makes a client and talks to nobody. The error is InvalidArgument.
func New(o Options) (*Client, error) {
	u, err := url.Parse(o.BaseURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		// The value itself may hold a password, and net/url's error repeats it.
		return nil, memory.Errorf(memory.InvalidArgument, "llm_base_url is not an http or https address.").
			WithHint("Give the address up to and with /v1, such as http://127.0.0.1:11434/v1.")
	}
	if o.Model == "" {
		return nil, memory.Errorf(memory.InvalidArgument, "No language model is named.").
			WithHint("Set llm_model to one that the endpoint serves.")
	}
	if o.Timeout < 0 || o.Concurrency < 0 {
		return nil, memory.Errorf(memory.InvalidArgument,
			"A setting of the language model is below 0: timeout %s, concurrency %d.", o.Timeout, o.Concurrency)
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Concurrency == 0 {
		o.Concurrency = DefaultConcurrency
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.HTTP == nil {
		o.HTTP = ownHTTP()
	}
	options := []option.RequestOption{
		option.WithBaseURL(o.BaseURL),
		option.WithHTTPClient(o.HTTP),
		option.WithMaxRetries(0), // the queue tries again, with the memory of what happened
		option.WithMiddleware(limitAnswers),
	}
	if o.APIKey != "" {
		options = append(options, option.WithAPIKey(o.APIKey))
	}
	return &Client{
		options:  o,
		endpoint: fmt.Sprintf("%s://%s%s", u.Scheme, u.Host, u.Path),
		// The service alone, unlike the library's client, takes nothing from the environment.
		service:  api.NewChatCompletionService(options...),
		places:   make(chan struct{}, o.Concurrency),
		breaker:  breaker{now: o.Now},
		dialects: map[string]*dialect{},
	}, nil
}

// ownHTTP follows no redirect: what is asked goes where the settings say.
func ownHTTP() *http.Client {
	transport := http.DefaultTransport
	if t, ok := transport.(*http.Transport); ok {
		transport = t.Clone()
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Close drops the connections that wait for the next request. Requests under way end with their contexts.
func (c *Client) Close() { c.options.HTTP.CloseIdleConnections() }

// Model is the model that is asked where a Request names none.
func (c *Client) Model() string { return c.options.Model }

// Endpoint is the address without user, password and query, as it may be shown.
func (c *Client) Endpoint() string { return c.endpoint }

// Request is one question.
type Request struct {
	Model  string // "" is the client's
	System string // what is to be done, the same for all questions of a kind
	User   string // what it is to be done with

	// Name names the form of the answer for the endpoint: letters, digits, _ and -, at most 64.
	Name string
	// MaxTokens bounds the answer, reasoning included; 0 leaves it to the endpoint. Where the answer was cut off for it,
	// MoreTokens are allowed once; 0 for not again.
	MaxTokens, MoreTokens int
	// Timeout takes the place of Options.Timeout where it is not 0.
	Timeout time.Duration
	// Check looks at what was answered, once it is in into; its error makes the answer Malformed. It must not quote it.
	Check func() error
}

// Usage counts what questions cost.
type Usage struct {
	Calls            int   // requests that were sent
	PromptTokens     int64 // as the endpoint counts; 0 where it does not
	CompletionTokens int64 // reasoning included
}

// Add adds what another question cost.
func (u *Usage) Add(v Usage) {
	u.Calls += v.Calls
	u.PromptTokens += v.PromptTokens
	u.CompletionTokens += v.CompletionTokens
}

// Complete asks, and fills into, a pointer to a struct, with the answer. The form that is asked for follows from the
// struct: every field is required, a pointer may be null, `jsonschema` tags give enums and descriptions. Fields that
// are missing, unknown or of another type make the answer Malformed; a word that is not of an enum does not, since not
// every endpoint keeps to the form. Nothing of into is to be used beside an error, which is an *Error. The usage counts
// beside an error, too.
func (c *Client) Complete(ctx context.Context, r Request, into any) (Usage, error) {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return Usage{}, memory.Errorf(memory.Internal, "complete %s: the answer must go into a struct, not a %T", r.Name,
			into)
	}
	form, err := formOf(v.Elem().Type())
	if err != nil {
		return Usage{}, fmt.Errorf("complete %s: %w", r.Name, err)
	}
	if r.Model == "" {
		r.Model = c.options.Model
	}
	if r.Timeout == 0 {
		r.Timeout = c.options.Timeout
	}
	q := &exchange{Request: r, c: c, form: form, into: v}
	if failure := q.ask(ctx); failure != nil {
		return q.usage, failure
	}
	return q.usage, nil
}
