// Package openai embeds through any endpoint that implements OpenAI's /v1/embeddings: OpenAI itself, Ollama, LM Studio,
// vLLM, llama.cpp and others. It ignores the environment, including OPENAI_* variables: texts go only to the configured
// endpoint, with the configured key (docs/decisions.md, "Nothing leaves the machine unasked").
package openai

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"memory-graph/internal/embedding"
	"memory-graph/internal/endpoint"
	"memory-graph/internal/memory"
)

// Provider is the provider in an embedder's identity.
const Provider = "openai"

// Defaults of Options.
const (
	DefaultTimeout  = 30 * time.Second
	DefaultBatch    = 64
	DefaultRetries  = 2
	DefaultMaxBytes = 24_000
)

// maxAnswerBytes is the longest answer that is read: far above the vectors of a batch.
const maxAnswerBytes = 256 << 20

// client is shared by all embedders, so that those made one after the other use one connection.
var client = endpoint.HTTP()

// Options configures the endpoint and its requests.
type Options struct {
	BaseURL string // up to and including /v1; required
	Model   string // the endpoint's name of the model; required
	APIKey  string // "" for endpoints without keys

	// Dimensions is the vector length to request, 0 for the model's own. Models that cannot shorten their vectors reject
	// the request or ignore the value; Embed reports the latter.
	Dimensions int

	// Known is the length of the model's own vectors, learnt by Probe or from vectors stored earlier. It is required if
	// Dimensions is 0. It is never sent.
	Known int

	Timeout time.Duration // for each attempt of a request; 0 is DefaultTimeout
	// Attempts after the first, on 408, 409, 429, 5xx and broken connections; 0 is DefaultRetries, below 0 none.
	Retries int
	Batch   int // texts per request; 0 is DefaultBatch

	// MaxBytes is the number of bytes of a text that are sent, cut at a whole character; 0 is DefaultMaxBytes. Endpoints
	// reject a request if a text exceeds their model's context. Text search still finds the rest.
	MaxBytes int

	Used func(Usage) // is told of each request, from any goroutine; may be nil
}

// Usage is what one request cost.
type Usage struct {
	Mode   embedding.Mode
	Tokens int64 // of the texts, as the endpoint counts them; 0 if it does not say
	Failed bool
}

// Embedder implements embedding.Embedder. It is safe for concurrent use.
type Embedder struct {
	options    Options
	endpoint   string // for messages: without user, password and query
	api        endpoint.Client
	dimensions int
}

var _ embedding.Embedder = (*Embedder)(nil)

// New returns an embedder. It makes no request. The error is InvalidArgument: for an invalid URL, a missing model, or
// if both Dimensions and Known are 0, since vectors of unknown length cannot be stored (see Probe).
func New(o Options) (*Embedder, error) {
	e, err := newEmbedder(o)
	if err != nil {
		return nil, err
	}
	if e.dimensions == 0 {
		return nil, memory.Errorf(memory.InvalidArgument, "The length of the vectors of %q is not known.", o.Model).
			WithHint("Set the embedding dimensions, or probe the endpoint.")
	}
	return e, nil
}

// Probe requests one vector and returns its length, for Options.Known. Errors are those of Embed.
func Probe(ctx context.Context, o Options) (int, error) {
	e, err := newEmbedder(o)
	if err != nil {
		return 0, err
	}
	rows, err := e.Embed(ctx, embedding.Document, []string{"probe"})
	if err != nil {
		return 0, err
	}
	return len(rows[0]), nil
}

func newEmbedder(o Options) (*Embedder, error) {
	u, err := url.Parse(o.BaseURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		// The value may hold a password, and net/url's error repeats it.
		return nil, memory.Errorf(memory.InvalidArgument, "The embedding base URL is not an http or https address.").
			WithHint("Give the address up to and including /v1, such as http://127.0.0.1:11434/v1.")
	}
	if o.Model == "" {
		return nil, memory.Errorf(memory.InvalidArgument, "No embedding model is named.").
			WithHint("Set the embedding model to one that the endpoint serves.")
	}
	if o.Dimensions < 0 || o.Known < 0 || o.Batch < 0 || o.MaxBytes < 0 || o.Timeout < 0 {
		return nil, memory.Errorf(memory.InvalidArgument,
			"A setting of the embedding endpoint is below 0: dimensions %d, known %d, batch %d, bytes %d, timeout %s.",
			o.Dimensions, o.Known, o.Batch, o.MaxBytes, o.Timeout)
	}
	setDefault(&o.Timeout, DefaultTimeout)
	setDefault(&o.Retries, DefaultRetries)
	setDefault(&o.Batch, DefaultBatch)
	setDefault(&o.MaxBytes, DefaultMaxBytes)

	e := &Embedder{
		options:    o,
		endpoint:   fmt.Sprintf("%s://%s%s", u.Scheme, u.Host, u.Path),
		dimensions: o.Dimensions,
		api: endpoint.Client{BaseURL: u, Key: o.APIKey, HTTP: client, MaxBytes: maxAnswerBytes,
			Timeout: o.Timeout, Retries: max(o.Retries, 0)},
	}
	if e.dimensions == 0 {
		e.dimensions = o.Known
	}
	return e, nil
}

func setDefault[T int | time.Duration](value *T, to T) {
	if *value == 0 {
		*value = to
	}
}

// Identity returns openai, the configured model, and the length of its vectors. It leaves out the endpoint's address:
// the same model may move.
func (e *Embedder) Identity() embedding.Identity {
	return embedding.Identity{Provider: Provider, Model: e.options.Model, Dimensions: e.dimensions}
}

// Embed requests the vectors of all texts in batches; see embedding.Embedder. The mode is only told to Options.Used. An
// empty text is sent as a space, since endpoints reject empty texts. Errors are Unavailable and name the endpoint.
func (e *Embedder) Embed(ctx context.Context, mode embedding.Mode, texts []string) ([][]float32, error) {
	rows := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := min(len(texts), e.options.Batch)
		batch := make([]string, n)
		for i, text := range texts[:n] {
			batch[i] = prepare(text, e.options.MaxBytes)
		}
		got, tokens, err := e.request(ctx, batch)
		if e.options.Used != nil {
			e.options.Used(Usage{Mode: mode, Tokens: tokens, Failed: err != nil})
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, got...)
		texts = texts[n:]
	}
	return rows, nil
}

// prepare returns a text that endpoints accept: valid UTF-8, not empty, at most limit bytes.
func prepare(text string, limit int) string {
	if len(text) > limit {
		end := limit
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.TrimSpace(text) == "" {
		return " "
	}
	return text
}
