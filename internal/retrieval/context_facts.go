package retrieval

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// What of an answer's facts stands in a rendered context.
const (
	maxContextEntities = 5 // described ones: the facts name the others
	maxNameRunes       = 80
	maxAboutRunes      = 200
)

// forBlock gives the facts that may stand in a context block. Their stored confidence is high enough, and they are not
// from the text of a tool or a page: those are found by asking. It leaves out that two memories are alike, which leads
// to facts and is none, and facts that exclude a more trusted one of the answer.
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

// outranks says whether two active facts cannot both hold, and whoever says the first is trusted more.
func outranks(a, b memory.Relationship) bool {
	return a.Head.ID == b.Head.ID && a.Relation == b.Relation && a.Tail.ID != b.Tail.ID && a.ValidUntil.IsZero() &&
		b.ValidUntil.IsZero() &&
		a.Origin.Trust() > b.Origin.Trust() && graph.Lookup(a.Relation).OneTail(a.Head.Type)
}

func mayStandInBlock(stored float64, origin memory.Origin) bool {
	return stored >= memory.ShownConfidence && origin.Trust() > memory.OriginTool.Trust()
}

// entityLines gives "- name (type): description" for the entities that have one. A note's name is a text by itself: it
// stands without a description too.
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

// factLines gives "- head → relation → tail (confidence 0.95, since 2026-03-01)"; "from" where that is yet to come, and
// "until" where it has ended or its end is known.
func factLines(facts []FoundRelation, now time.Time) []string {
	var lines []string
	for _, f := range facts {
		head, relation, tail, ok := f.words(inLine)
		if !ok {
			continue
		}
		line := fmt.Sprintf("- %s → %s → %s (confidence %.2f", head, relation, tail, f.Confidence)
		if from := f.Relationship.ValidFrom; from.After(now) {
			line += ", from " + from.UTC().Format("2006-01-02")
		} else if !from.IsZero() {
			line += ", since " + from.UTC().Format("2006-01-02")
		}
		until := f.Relationship.ValidUntil
		if until.IsZero() {
			until = f.Relationship.ExpiresAt
		}
		if !until.IsZero() {
			line += ", until " + until.UTC().Format("2006-01-02")
		}
		lines = append(lines, line+")\n")
	}
	return lines
}

// renderKnowledge gives the block of Z52: "- Rust uses cargo (confidence: 0.95)".
func renderKnowledge(facts []FoundRelation, budget int) string {
	const head = "[knowledge graph]\n"
	var lines []string
	for _, f := range facts {
		if head, relation, tail, ok := f.words(withoutBrackets); ok {
			lines = append(lines, fmt.Sprintf("- %s %s %s (confidence: %.2f)\n", head, relation, tail, f.Confidence))
		}
	}
	lines, _ = fitting(lines, budget-EstimateTokens(head))
	if len(lines) == 0 {
		return ""
	}
	return head + strings.Join(lines, "")
}

// words gives the three parts of a fact for a line; ok is false where nothing can be seen of one.
func (f FoundRelation) words(clean func(string, int) string) (head, relation, tail string, ok bool) {
	r := f.Relationship
	head, relation, tail = clean(r.Head.Name, maxNameRunes), clean(r.Relation, maxNameRunes), clean(r.Tail.Name,
		maxNameRunes)
	return head, relation, tail, !slices.Contains([]string{head, relation, tail}, "")
}

// inLine makes a stored name safe in a line of the block, at most n runes long.
func inLine(s string, n int) string {
	return strings.TrimSpace(cut(notBrackets.Replace(Sanitize(arrows.Replace(s))), n))
}

// withoutBrackets is inLine with angle brackets taken out rather than escaped.
func withoutBrackets(s string, n int) string { return inLine(angles.Replace(s), n) }

var (
	angles = strings.NewReplacer("<", "", ">", "", "＜", "", "＞", "", "﹤", "", "﹥", "")
	arrows = strings.NewReplacer("→", "->") // a name cannot pose as a fact
)
