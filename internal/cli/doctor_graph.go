package cli

import (
	"context"
	"fmt"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// graphAdvice describes each invariant of the graph: how to report violations, and how to fix them. Nothing that hosts
// do can break an invariant; a violation means a bug, or that another program changed the file.
var graphAdvice = map[store.GraphRule]struct{ one, more, hint string }{
	store.OneActiveFact: {"1 fact is active twice", "%d facts are active twice",
		"End the duplicates with the tool supersede."},
	store.EvidenceOfFact: {"1 fact has no evidence", "%d facts have no evidence",
		"Store the ones again that you know to be true, and end the others with the tool supersede."},
	store.OneOpenVersion: {"1 entity or fact has no or several current versions",
		"%d entities or facts have no or several current versions",
		"Current data is right, but reads with known_at may be wrong; the next change of each repairs it."},
	store.ParentsClosure: {"1 node has a wrong place in the hierarchy", "%d nodes have a wrong place in the hierarchy",
		"Set their parent again with the tool update_entity."},
	store.OneNamespace: {"1 fact or parent refers to another namespace", "%d facts or parents refer to another namespace",
		"No read crosses namespaces. End the facts with the tool supersede, and remove the parents with the tool " +
			"update_entity."},
}

// checkGraph adds a problem for each invariant of the graph that is violated.
func (r *report) checkGraph(ctx context.Context, s *store.Store) error {
	faults, err := s.CheckGraph(ctx)
	if err != nil {
		return err
	}
	r.Database.Graph = "sound"
	for _, f := range faults {
		r.Database.Graph = "broken"
		advice := graphAdvice[f.Rule]
		message := advice.one
		if f.N != 1 {
			message = fmt.Sprintf(advice.more, f.N)
		}
		r.problem(fmt.Sprintf("%s: %s.", message, objects(f.Objects, f.N)), advice.hint)
	}
	return nil
}

// objects returns the first ids of n objects as text.
func objects(ids []memory.ID, n int64) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = id.String()
	}
	text := strings.Join(words, ", ")
	if more := n - int64(len(ids)); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
