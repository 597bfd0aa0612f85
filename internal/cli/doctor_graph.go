package cli

import (
	"context"
	"fmt"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// graphAdvice says what a broken rule of the graph means and what mends it. All of them hold whatever hosts do, so that
// one that does not is another program's doing or a fault of this one.
var graphAdvice = map[store.GraphRule]struct{ one, more, hint string }{
	store.OneActiveFact: {"1 fact is active twice", "%d facts are active twice",
		"End the one that is too many with the tool supersede."},
	store.EvidenceOfFact: {"1 fact has no evidence", "%d facts have no evidence",
		"Store again what you can vouch for, and end the rest with the tool supersede."},
	store.OneOpenVersion: {"1 entity or fact has no or several current versions",
		"%d entities or facts have no or several current versions",
		"What holds now is right, and reads with known_at may not be; the next change of each mends it."},
	store.ParentsClosure: {"1 node does not stand where its parents say", "%d nodes do not stand where their parents say",
		"Give them their parent anew with update_entity."},
	store.OneNamespace: {"1 fact or parent is of another namespace", "%d facts or parents are of another namespace",
		"Nothing reads over that border; end the facts with the tool supersede, and take the parents away with " +
			"update_entity."},
}

// checkGraph tells which rules of the graph rows of the file break, a line each.
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

// objects writes the first of n objects.
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
