// Package embedding turns texts into vectors. The interface is here; builtin/ holds the model that is part of the
// binary, openai/ speaks to any OpenAI-compatible endpoint, and None is the choice to search by text alone.
package embedding

import (
	"context"
	"fmt"

	"memory-graph/internal/memory"
)

// Mode says what a vector is for. Models that tell questions from passages use it; the others ignore it.
type Mode int

// The modes.
const (
	Query          Mode = iota // a question that looks for documents
	Document                   // a text that is to be found
	Classification             // a message whose class is wanted
)

// String gives the mode's name for logs.
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

// Identity names the space that vectors lie in. Vectors of different identities must never meet in one ranking
// (decision 33).
type Identity struct {
	Provider   string // builtin, openai or none
	Model      string // the provider's name of the model, "" for none
	Dimensions int    // components of a vector, 0 for none
}

// String writes the identity as provider/model/dimensions.
func (id Identity) String() string {
	return fmt.Sprintf("%s/%s/%d", id.Provider, id.Model, id.Dimensions)
}

// Enabled says whether there are vectors at all.
func (id Identity) Enabled() bool { return id.Dimensions > 0 }

// Embedder makes vectors. Implementations are safe for concurrent use.
type Embedder interface {
	// Identity names the vectors' space. It does not change during the embedder's life and does no I/O.
	Identity() Identity

	// Embed gives one vector for each text, in order: [len(texts)][Identity().Dimensions]float32, each of length 1
	// (L2), or all zeros where the model cannot read the text: such a vector is near to nothing. An empty text has a
	// vector too. The context is honoured at least between texts (builtin) or requests (openai); then the error is the
	// context's. Otherwise errors are *memory.Error, and no vector is returned.
	Embed(ctx context.Context, mode Mode, texts []string) ([][]float32, error)
}

// ProviderNone is the provider of None.
const ProviderNone = "none"

// None is the embedder of an installation that searches by text alone. Ask Identity().Enabled() before embedding.
type None struct{}

// Identity has provider none and no dimensions.
func (None) Identity() Identity { return Identity{Provider: ProviderNone} }

// Embed fails with Unavailable, unless there is nothing to embed.
func (None) Embed(_ context.Context, _ Mode, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return [][]float32{}, nil
	}
	return nil, memory.Errorf(memory.Unavailable, "No embedder is configured (embedder is none).").
		WithHint("Use the text strategy, or set the embedder to builtin or openai.")
}
