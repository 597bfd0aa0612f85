// Package openai embeds through any endpoint that speaks OpenAI's /v1/embeddings: OpenAI itself, Ollama, LM Studio,
// vLLM, llama.cpp and others. Nothing is read from the environment, OPENAI_* variables included: the texts go where the
// options say, with the key that the options give, and nowhere else (decision 36).
package openai

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	api "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
)

// Provider is the provider in an embedder's identity.
const Provider = "openai"

// Defaults of Options, and what a request holds.
const (
	DefaultTimeout  = 30 * time.Second
	DefaultBatch    = 64
	DefaultRetries  = 2
	DefaultMaxBytes = 24_000
)

// Options says which endpoint embeds, and how it is asked.
type Options struct {
	BaseURL string // up to and with /v1; required
	Model   string // the endpoint's name of the model; required
	APIKey  string // "" for endpoints that ask for none

	// Dimensions is the length of vector to ask the endpoint for, 0 for the model's own length. Models that cannot
	// shorten their vectors refuse the question or ignore it; the latter is noticed.
	Dimensions int

	// Known is the length of the model's own vectors, learnt by Probe or from vectors stored earlier. It is needed
	// where Dimensions is 0, and is never sent.
	Known int

	Timeout time.Duration // for each attempt of a request; 0 is DefaultTimeout
	// after the first attempt, on 408, 409, 429, 5xx and broken connections; 0 is DefaultRetries, below 0 none
	Retries int
	Batch   int // texts in a request; 0 is DefaultBatch

	// MaxBytes is how much of a text is sent, to the last whole character; 0 is DefaultMaxBytes. Endpoints refuse a text
	// beyond their model's context, and with it the request. What comes after is still found by text search.
	MaxBytes int
}

// Embedder implements embedding.Embedder. It is safe for concurrent use.
type Embedder struct {
	options    Options
	endpoint   string // for messages: without user, password and query
	service    api.EmbeddingService
	dimensions int
}

var _ embedding.Embedder = (*Embedder)(nil)

// New makes an embedder and talks to nobody. The error is InvalidArgument: for a URL that is none, a missing model, or
// where both Dimensions and Known are 0, since vectors of unknown length cannot be stored (see Probe).
func New(o Options) (*Embedder, error) {
	e, err := newEmbedder(o)
	if err != nil {
		return nil, err
	}
	if e.dimensions == 0 {
		return nil, memory.Errorf(memory.InvalidArgument, "The length of the vectors of %q is not known.", o.Model).
			WithHint("Set the embedding dimensions, or let the endpoint be asked.")
	}
	return e, nil
}

// Probe asks the endpoint for one vector and gives its length, for Options.Known. The error is as Embed's.
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
		// The value itself may hold a password, and net/url's error repeats it.
		return nil, memory.Errorf(memory.InvalidArgument, "The embedding base URL is not an http or https address.").
			WithHint("Give the address up to and with /v1, such as http://127.0.0.1:11434/v1.")
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

	options := []option.RequestOption{
		option.WithBaseURL(o.BaseURL),
		option.WithRequestTimeout(o.Timeout),
		option.WithMaxRetries(max(o.Retries, 0)),
	}
	if o.APIKey != "" {
		options = append(options, option.WithAPIKey(o.APIKey))
	}
	e := &Embedder{
		options:    o,
		endpoint:   fmt.Sprintf("%s://%s%s", u.Scheme, u.Host, u.Path),
		dimensions: o.Dimensions,
		// The service alone, unlike the library's client, takes nothing from the environment.
		service: api.NewEmbeddingService(options...),
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

// Identity is openai, the model as configured, and the length of its vectors. The endpoint's address is no part of it:
// the same model may move.
func (e *Embedder) Identity() embedding.Identity {
	return embedding.Identity{Provider: Provider, Model: e.options.Model, Dimensions: e.dimensions}
}

// Embed asks for the vectors of all texts, some at a time; see embedding.Embedder. All modes are asked alike. An empty
// text is sent as a space, since endpoints refuse empty ones. Errors are Unavailable and name the endpoint.
func (e *Embedder) Embed(ctx context.Context, _ embedding.Mode, texts []string) ([][]float32, error) {
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
		got, err := e.request(ctx, batch)
		if err != nil {
			return nil, err
		}
		rows = append(rows, got...)
		texts = texts[n:]
	}
	return rows, nil
}

// prepare makes a text fit to be sent: valid UTF-8, not empty, no longer than limit bytes.
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
