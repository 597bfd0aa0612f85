// Package embedding converts texts to vectors. It defines the interface; builtin/ is the model in the binary, openai/
// uses any OpenAI-compatible endpoint, and None disables vectors.
package embedding

import (
	"context"
	"fmt"

	"memory-graph/internal/memory"
)

// Mode is the purpose of a vector. Models that distinguish questions from passages use it; others ignore it.
type Mode int

// The modes.
const (
	Query          Mode = iota // a search query
	Document                   // a text to be found
	Classification             // a message to be classified
)

// String returns the mode's name for logs.
func (m Mode) String() string {
	switch m {
	case Query:
		return "query"
	case Document:
		return "document"
	case Classification:
		return "classification"
	}
	return fmt.Sprintf("Mode(%d)", int(m))
}

// Identity names a vector space. Vectors of different identities must never be compared (docs/decisions.md, "Embedding
// generations").
type Identity struct {
	Provider   string // builtin, openai or none
	Model      string // the provider's name of the model, "" for none
	Dimensions int    // components of a vector, 0 for none
}

// String returns provider/model/dimensions.
func (id Identity) String() string {
	return fmt.Sprintf("%s/%s/%d", id.Provider, id.Model, id.Dimensions)
}

// Enabled reports whether the embedder makes vectors.
func (id Identity) Enabled() bool { return id.Dimensions > 0 }

// Embedder makes vectors. Implementations are safe for concurrent use.
type Embedder interface {
	// Identity names the space of the vectors. It never changes and does no I/O.
	Identity() Identity

	// Embed returns one vector for each text, in order: [len(texts)][Identity().Dimensions]float32. Each has length 1
	// (L2), or is all zeros if the model cannot read the text; zeros are similar to nothing. An empty text has a vector
	// too. The context is checked at least between texts (builtin) or requests (openai); its error is returned unchanged.
	// All other errors are *memory.Error. With an error no vectors are returned.
	Embed(ctx context.Context, mode Mode, texts []string) ([][]float32, error)
}

// ProviderNone is the provider of None.
const ProviderNone = "none"

// None is the embedder for search by text only. Check Identity().Enabled() before embedding.
type None struct{}

// Identity returns the provider none and no dimensions.
func (None) Identity() Identity { return Identity{Provider: ProviderNone} }

// Embed returns Unavailable unless texts is empty.
func (None) Embed(_ context.Context, _ Mode, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return [][]float32{}, nil
	}
	return nil, memory.Errorf(memory.Unavailable, "No embedder is configured (embedder is none).").
		WithHint("Use the text strategy, or set the embedder to builtin or openai.")
}
