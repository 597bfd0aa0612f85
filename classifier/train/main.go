// Command train makes the models that are part of the program: `go generate ./classifier`, after a change of exemplars,
// lexicon, signals or the built-in embedder. It takes a minute and gives the same files each time on one architecture.
package main

import (
	"context"
	"fmt"
	"os"

	"memory-graph/classifier"
	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
)

func main() {
	for name, emb := range map[string]embedding.Embedder{"model/builtin.tsv": builtin.New(), "model/words.tsv": embedding.None{}} {
		raw, err := classifier.Train(context.Background(), emb)
		if err == nil {
			err = os.WriteFile(name, raw, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "train:", err)
			os.Exit(1)
		}
	}
}
