package links

import (
	"context"
	"fmt"

	"memory-graph/extraction/llm"
)

// identity is the model's answer.
type identity struct {
	Same int `json:"same"` // the number of a known thing, 0 for none
}

// Same asks a model which of the known things a new name means. It returns the index in known, -1 for none. The error
// is the asker's, or says that the answer names no known thing.
func Same(ctx context.Context, ask Asker, subject Memory, known []Memory) (int, llm.Usage, error) {
	q, err := question("same", subject, known)
	if err != nil {
		return -1, llm.Usage{}, err
	}
	var answer identity
	usage, err := ask.Complete(ctx, q, &answer)
	if err == nil && (answer.Same < 0 || answer.Same > len(known)) {
		err = fmt.Errorf("the model took a name for note %d of %d", answer.Same, len(known))
	}
	if err != nil {
		return -1, usage, err
	}
	return answer.Same - 1, usage, nil
}
