package contextblock

import (
	"fmt"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// Text returns the block followed by the line about Corrected, for clients that take one text.
func (d Decision) Text() string {
	if d.Block == "" {
		return ""
	}
	return d.Block + corrected(d.Corrected)
}

// corrected returns a line that names the facts that the message may correct.
func corrected(facts []memory.Relationship) string {
	var list []string
	for _, r := range facts {
		// the block follows the same rule
		if r.Confidence >= memory.ShownConfidence && r.Origin.Trust() > memory.OriginTool.Trust() {
			list = append(list, fmt.Sprintf("%s (%s %s %s)", memory.RelationshipID(r.ID), named(r.Head.Name), named(r.Relation),
				named(r.Tail.Name)))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "The message may correct: " + strings.Join(list, ", ") + ". `supersede` ends a fact.\n"
}

// named makes a stored name safe in our own line: it can neither close the parentheses nor look like code.
func named(s string) string {
	const most = 40
	s = strings.NewReplacer("(", "", ")", "", "`", "'", "[", "", "]", "").Replace(retrieval.Sanitize(s))
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most-1]) + "…"
	}
	return s
}
