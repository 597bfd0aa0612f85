package llm

import "fmt"

// answer is the schema of the model's answer: an object for every turn. Models write the fields in this order, so the
// quote precedes what is concluded from it.
type answer struct {
	Turns []turnAnswer `json:"turns"`
}

type turnAnswer struct {
	Turn      int              `json:"turn"` // from 1
	Entities  []entityAnswer   `json:"entities"`
	Relations []relationAnswer `json:"relations"`
}

type entityAnswer struct {
	ID          int      `json:"id"` // from 1 in every turn; 0 is the user
	Name        string   `json:"name"`
	Type        string   `json:"type" jsonschema:"enum=person,enum=organization,enum=project,enum=tool,enum=technology,enum=language,enum=concept,enum=decision,enum=event,enum=location,enum=file,enum=config"`
	Description *string  `json:"description" jsonschema:"nullable"`
	Confidence  *float64 `json:"confidence" jsonschema:"nullable"`
}

type relationAnswer struct {
	Quote      string  `json:"quote"`
	Head       int     `json:"head"`
	Relation   string  `json:"relation"`
	Tail       int     `json:"tail"`
	EdgeClass  *string `json:"edge_class" jsonschema:"nullable,enum=causal,enum=temporal,enum=semantic,enum=co_occurrence,enum=hierarchical"`
	Basis      string  `json:"basis" jsonschema:"enum=stated,enum=implied"`
	Confidence float64 `json:"confidence"`
	Ended      bool    `json:"ended"`
	ValidFrom  *string `json:"valid_from" jsonschema:"nullable"`
	ValidUntil *string `json:"valid_until" jsonschema:"nullable"`
}

// check returns an error unless each of n turns was answered exactly once.
func (a *answer) check(n int) error {
	if len(a.Turns) != n {
		return fmt.Errorf("it has %d turns instead of %d", len(a.Turns), n)
	}
	seen := make([]bool, n)
	for _, t := range a.Turns {
		if t.Turn < 1 || t.Turn > n || seen[t.Turn-1] {
			return fmt.Errorf("its turns are not numbered from 1 to %d", n)
		}
		seen[t.Turn-1] = true
	}
	return nil
}
