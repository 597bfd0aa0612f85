package builtin

import "context"

// EmbedExactly embeds what the vocabulary does not know too, as the reference does.
func (e *Embedder) EmbedExactly(ctx context.Context, texts []string) ([][]float32, error) {
	return e.embedAll(ctx, texts, func([]int32, int32) bool { return true })
}
