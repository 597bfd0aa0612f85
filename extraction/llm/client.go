package llm

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"sync"
	"time"

	"memory-graph/internal/command"
	"memory-graph/internal/endpoint"
	"memory-graph/internal/memory"
)

// Defaults of Options.
const (
	DefaultTimeout     = 15 * time.Second
	DefaultConcurrency = 2
)

// MaxAnswerBytes is the longest answer that is read, in bytes.
const MaxAnswerBytes = 4 << 20

// Options configures a Client.
type Options struct {
	BaseURL string // the URL up to and including /v1; required unless there is a Command
	Model   string // the endpoint's name for the model; required; for a Command only a name to record
	APIKey  string // "" if the endpoint needs none

	// Command is a program with its arguments that reads a prompt on stdin and answers on stdout, instead of BaseURL. It
	// is run as package command describes, with Env as its environment.
	Command, Env []string
	// Budget is asked before every request; nil for no budget.
	Budget Budget

	// Timeout is the longest wait for the answer to one question, over all its requests. Waiting for a free place does not
	// count. 0 is DefaultTimeout. For a Command it is the time for one run, whatever the question.
	Timeout time.Duration
	// Concurrency is the maximum number of parallel requests of this client; 0 is DefaultConcurrency.
	Concurrency int

	Now func() time.Time // clock for pauses and for knowledge of the endpoint; nil is time.Now
	// After returns the timer channel for one question's Timeout; nil is the machine's clock.
	After func(time.Duration) <-chan time.Time
	Log   *slog.Logger // told when the endpoint is paused, answers again or gets another form; nil discards
	HTTP  *http.Client // nil for a client without redirects
}

// Budget limits the requests of a day.
type Budget interface {
	// Book counts a request before it is sent, with the tokens of its prompt as far as they are known. If the budget has
	// no room for it, Book counts nothing and says why. An error means that the request could not be counted. It must not
	// be sent then.
	Book(ctx context.Context, r Request, promptTokens int64) (NoRoom, error)
}

// NoRoom is the reason why a Budget does not allow a request. The zero value allows it.
type NoRoom struct {
	Why   string        // a clause ("the daily budget … is spent"); "" if the request is allowed
	Spent bool          // the budget allows no other request either, until Wait is over
	Wait  time.Duration // until the budget begins anew
}

// Client asks one endpoint or one command. It is safe for concurrent use. Share one Client per endpoint: the limit on
// requests and the knowledge of the endpoint belong to the Client.
type Client struct {
	options   Options
	endpoint  string        // for messages: a URL without user, password and query, or a program without its arguments
	transport               // how a question is sent
	places    chan struct{} // one element per request in progress
	breaker   breaker

	mu       sync.Mutex
	dialects map[string]*dialect // by model
	spent    *Error              // the budget is spent
	until    time.Time           // until when
}

// transport sends one request.
type transport interface {
	// send sends a question in the form of a rung.
	send(ctx context.Context, q *exchange, r rung, h habits, maxTokens int) (reply, *Error)
	// close releases what the transport holds between requests.
	close()
}

// New returns a client and makes no request. The error is InvalidArgument.
func New(o Options) (*Client, error) {
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
	c := &Client{options: o, places: make(chan struct{}, o.Concurrency), breaker: breaker{now: o.Now},
		dialects: map[string]*dialect{}}
	if len(o.Command) > 0 {
		c.options.Model = cmp.Or(o.Model, command.Name(o.Command[0]))
		c.endpoint, c.transport = CommandEndpoint(o.Command[0]), &program{c, command.Quiet(o.Command)}
		return c, nil
	}
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
	if o.HTTP == nil {
		o.HTTP = endpoint.HTTP()
	}
	c.options = o
	c.endpoint = fmt.Sprintf("%s://%s%s", u.Scheme, u.Host, u.Path)
	// No retries: the queue retries, and knows the earlier attempts.
	c.transport = &api{c, endpoint.Client{BaseURL: u, Key: o.APIKey, HTTP: o.HTTP, MaxBytes: MaxAnswerBytes}}
	return c, nil
}

// CommandEndpoint returns what stands for a command where an endpoint's address is shown or recorded. Arguments are
// left out: they may hold a key.
func CommandEndpoint(program string) string { return "command:" + command.Name(program) }

// Close closes idle connections. Requests in progress end with their contexts.
func (c *Client) Close() { c.transport.close() }

// Model returns the model for Requests that name none.
func (c *Client) Model() string { return c.options.Model }

// Endpoint returns the address without user, password and query, or the command's name, for display.
func (c *Client) Endpoint() string { return c.endpoint }

// Request is one question.
type Request struct {
	Model  string // "" is the client's
	System string // instructions, the same for all questions of a kind
	User   string // the text to work on

	// Name is the answer schema's name: letters, digits, _ and -, at most 64.
	Name string
	// MaxTokens bounds the answer, including reasoning; 0 sets no limit. If an answer was cut off by MaxTokens, the client
	// asks once more with MoreTokens; 0 for not again.
	MaxTokens, MoreTokens int
	// Timeout overrides Options.Timeout if it is not 0.
	Timeout time.Duration
	// Purpose is why the question is asked, for the Budget.
	Purpose string
	// Check validates the decoded answer; its error makes the answer Malformed. The error must not quote the answer.
	Check func() error
}

// Usage counts the costs of questions.
type Usage struct {
	Calls            int   // requests sent
	PromptTokens     int64 // as reported by the endpoint; 0 if it reports none
	CompletionTokens int64 // including reasoning
	// Booked is the part of the calls and of their prompts' tokens that the Budget has counted already.
	Booked Booked
}

// Booked is what a Budget has counted.
type Booked struct {
	Calls        int
	PromptTokens int64
}

// Add adds the usage of another question.
func (u *Usage) Add(v Usage) {
	u.Calls += v.Calls
	u.PromptTokens += v.PromptTokens
	u.CompletionTokens += v.CompletionTokens
	u.Booked.Calls += v.Booked.Calls
	u.Booked.PromptTokens += v.Booked.PromptTokens
}

// Complete asks the model and decodes the answer into into, a pointer to a struct. The struct defines the answer's
// schema: every field is required, a pointer may be null, and `jsonschema` tags set enums and descriptions. Missing,
// unknown or mistyped fields make the answer Malformed. A value outside its enum does not, because some endpoints
// ignore enums. After an error, the contents of into are undefined. The error is an *Error, or Internal for an unusable
// into. The usage counts even after an error.
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
	if r.Timeout == 0 || len(c.options.Command) > 0 {
		r.Timeout = c.options.Timeout
	}
	q := &exchange{Request: r, c: c, form: form, into: v}
	if failure := q.ask(ctx); failure != nil {
		return q.usage, failure
	}
	return q.usage, nil
}
