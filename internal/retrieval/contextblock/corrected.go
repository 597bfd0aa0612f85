package contextblock

import (
	"fmt"
	"strings"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// Text is the block with the line about Corrected behind it, for clients that take one text.
func (d Decision) Text() string {
	if d.Block == "" {
		return ""
	}
	return d.Block + corrected(d.Corrected)
}

// corrected names the facts that a correction may be about, in a line behind the block.
func corrected(facts []memory.Relationship) string {
	var list []string
	for _, r := range facts {
		// the block shows no other fact either
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

// named makes a stored name safe in our own line: it can neither end its parentheses nor look like code.
func named(s string) string {
	const most = 40
	s = strings.NewReplacer("(", "", ")", "", "`", "'", "[", "", "]", "").Replace(retrieval.Sanitize(s))
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most-1]) + "…"
	}
	return s
}
