package builtin

import "context"

// EmbedExactly embeds unknown words too, like the reference.
func (e *Embedder) EmbedExactly(ctx context.Context, texts []string) ([][]float32, error) {
	return e.embedAll(ctx, texts, func([]int32, int32) bool { return true })
}
