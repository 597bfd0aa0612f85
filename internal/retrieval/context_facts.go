package retrieval

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// The limits for facts and entities in a rendered context.
const (
	maxContextEntities = 5 // with a description; the facts name the others
	maxNameRunes       = 80
	maxAboutRunes      = 200
)

// forBlock returns the facts that may be in a context block. Their stored confidence must be high enough, and their
// origin must not be a tool or a file. It leaves out similarity links, which lead to facts but state nothing, and facts
// that conflict with a more trusted fact of the answer.
func forBlock(relations []FoundRelation, limit int) []FoundRelation {
	var out []FoundRelation
	for _, f := range relations {
		if len(out) < limit && f.Relationship.Method != memory.MethodSimilarity &&
			mayStandInBlock(f.Relationship.Confidence, f.Relationship.Origin) &&
			!slices.ContainsFunc(relations, func(o FoundRelation) bool { return outranks(o.Relationship, f.Relationship) }) {
			out = append(out, f)
		}
	}
	return out
}

// outranks reports whether two active facts conflict and a has the more trusted origin.
func outranks(a, b memory.Relationship) bool {
	return a.Head.ID == b.Head.ID && a.Relation == b.Relation && a.Tail.ID != b.Tail.ID && a.ValidUntil.IsZero() &&
		b.ValidUntil.IsZero() &&
		a.Origin.Trust() > b.Origin.Trust() && graph.Lookup(a.Relation).OneTail(a.Head.Type)
}

func mayStandInBlock(stored float64, origin memory.Origin) bool {
	return stored >= memory.ShownConfidence && origin.Trust() > memory.OriginTool.Trust()
}

// entityLines returns "- name (type): description" for entities with a description. The name of a memory is a text, so
// a memory needs no description.
func entityLines(entities []FoundEntity) []string {
	var lines []string
	for _, f := range entities {
		e := f.Entity
		name, about := inLine(e.Name, maxNameRunes), inLine(e.Description, maxAboutRunes)
		note := e.Kind == memory.NodeMemory && about == ""
		if name == "" || about == "" && !note || !mayStandInBlock(e.Confidence, e.Origin) {
			continue
		}
		line := fmt.Sprintf("- %s (%s): %s\n", name, inLine(e.Type, maxNameRunes), about)
		if note {
			line = fmt.Sprintf("- %s (%s)\n", inLine(e.Name, maxAboutRunes), inLine(e.Type, maxNameRunes))
		}
		if lines = append(lines, line); len(lines) == maxContextEntities {
			break
		}
	}
	return lines
}

// factLines returns "- head → relation → tail (confidence 0.95, since 2026-03-01)". A fact whose stored confidence is
// below full is marked: "(unsure, confidence 0.62". "from" replaces "since" for a
// future start; "until" follows for an end or a scheduled end.
func factLines(facts []FoundRelation, full float64, now time.Time) []string {
	var lines []string
	for _, f := range facts {
		head, relation, tail, ok := f.words(inLine)
		if !ok {
			continue
		}
		line := fmt.Sprintf("- %s → %s → %s (%sconfidence %.2f", head, relation, tail, f.unsure(full), f.Confidence)
		if from := f.Relationship.ValidFrom; from.After(now) {
			line += ", from " + f.Relationship.FromUnit.Date(from)
		} else if !from.IsZero() {
			line += ", since " + f.Relationship.FromUnit.Date(from)
		}
		until := f.Relationship.ValidUntil
		if until.IsZero() {
			until = f.Relationship.ExpiresAt
		}
		if !until.IsZero() {
			line += ", until " + f.Relationship.UntilUnit.Date(until)
		}
		lines = append(lines, line+")\n")
	}
	return lines
}

// renderKnowledge renders the facts in the form "- Rust uses cargo (confidence: 0.95)".
func renderKnowledge(facts []FoundRelation, full float64, budget int) string {
	const head = "[knowledge graph]\n"
	var lines []string
	for _, f := range facts {
		if head, relation, tail, ok := f.words(withoutBrackets); ok {
			lines = append(lines, fmt.Sprintf("- %s %s %s (%sconfidence: %.2f)\n", head, relation, tail, f.unsure(full),
				f.Confidence))
		}
	}
	lines, _ = fitting(lines, budget-EstimateTokens(head))
	if len(lines) == 0 {
		return ""
	}
	return head + strings.Join(lines, "")
}

// unsure returns the mark of a fact whose stored confidence is below full. Age alone makes no fact unsure.
func (f FoundRelation) unsure(full float64) string {
	if f.Relationship.Confidence < full {
		return "unsure, "
	}
	return ""
}

// words returns the three parts of a fact for a line. ok is false if one of them has no visible character.
func (f FoundRelation) words(clean func(string, int) string) (head, relation, tail string, ok bool) {
	r := f.Relationship
	head, relation, tail = clean(r.Head.Name, maxNameRunes), clean(r.Relation, maxNameRunes), clean(r.Tail.Name,
		maxNameRunes)
	return head, relation, tail, !slices.Contains([]string{head, relation, tail}, "")
}

// inLine makes a stored name safe for a line of the block, at most n runes long.
func inLine(s string, n int) string {
	return strings.TrimSpace(cut(notBrackets.Replace(Sanitize(arrows.Replace(s))), n))
}

// withoutBrackets is inLine, with angle brackets removed instead of escaped.
func withoutBrackets(s string, n int) string { return inLine(angles.Replace(s), n) }

var (
	angles = strings.NewReplacer("<", "", ">", "", "＜", "", "＞", "", "﹤", "", "﹥", "")
	arrows = strings.NewReplacer("→", "->") // so that a name cannot look like a fact
)
