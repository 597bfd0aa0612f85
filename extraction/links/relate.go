package links

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
)

// ConditionalOn is the relation from a memory to a condition that it may share with others.
const ConditionalOn = "conditional_on"

// RelateRelations are the relations that a question of Relate names. An answer may also use another verb (openVerb).
var RelateRelations = []string{"caused_by", "prefers_over", "depends_on", "specializes", ConditionalOn}

// openVerb is the form of a verb that an answer chooses itself.
var openVerb = regexp.MustCompile(`^[a-z]{2,20}(_[a-z]{1,20}){0,3}$`)

// openKnown are verbs of the registry that may join memories. The others mean facts of the world, and some end others.
var openKnown = []string{"related_to", "supports", "part_of"}

// asked reports whether a relation is one of the question, or a verb that may join two memories.
func asked(relation string) bool {
	if slices.Contains(RelateRelations, relation) || slices.Contains(openKnown, relation) {
		return true
	}
	return openVerb.MatchString(relation) && !graph.IsKnown(relation) &&
		!slices.Contains(graph.Linked(), relation)
}

// The limits of one answer. A larger answer is a mistake of the model.
const (
	maxRelated    = 15
	maxConditions = 3
)

// leastStrength is the weakest strength that is taken from an answer; a link of less would lead nowhere.
const leastStrength = .1

// maxCondition is the limit for the length of a condition, in bytes.
const maxCondition = 80

// relating is the model's answer.
type relating struct {
	Edges []related `json:"edges"`
}

type related struct {
	From       int      `json:"from"`
	Relation   string   `json:"relation"`
	To         *int     `json:"to" jsonschema:"nullable"`
	Condition  *string  `json:"condition" jsonschema:"nullable"`
	Evidence   string   `json:"evidence"`
	Confidence float64  `json:"confidence"`
	Strength   *float64 `json:"strength" jsonschema:"nullable"`
}

// Relate asks a model in one question how a memory relates to others. An edge needs words quoted from one of its two
// memories and a confidence of at least least. The error is the asker's.
func Relate(ctx context.Context, ask Asker, subject Memory, others []Memory, least float64) (Judgement, error) {
	q, err := question("links_relate", subject, others)
	if err != nil {
		return Judgement{}, err
	}
	var answer relating
	usage, err := ask.Complete(ctx, q, &answer)
	if err != nil {
		return Judgement{Usage: usage}, err
	}
	found := checkRelating(answer, subject, others, least)
	found.Usage = usage
	return found, nil
}

// checkRelating converts an answer to links and drops what fails a check.
func checkRelating(answer relating, subject Memory, others []Memory, least float64) Judgement {
	var f Judgement
	shown := append([]Memory{subject}, others...)
	seen := map[string]bool{}
	conditions := 0
	for _, e := range answer.Edges {
		l, reason := e.link(shown, least)
		if reason != "" {
			f.drop(reason)
			continue
		}
		id := strings.Join([]string{memory.NodeID(memory.NodeMemory, l.Head).String(), l.Relation,
			memory.NodeID(memory.NodeMemory, l.Tail).String(), l.Condition}, " ")
		if l.Condition != "" {
			conditions++
		}
		switch {
		case seen[id]:
			f.drop(DroppedTwice)
		case len(f.Want) == maxRelated || l.Condition != "" && conditions > maxConditions:
			f.drop(DroppedMany)
		default:
			seen[id] = true
			f.Want = append(f.Want, l)
		}
	}
	return f
}

// link checks one edge of an answer. shown are the memories by their numbers; 0 is the memory that the question is
// about.
func (e related) link(shown []Memory, least float64) (l memory.NewLink, reason string) {
	switch {
	case !asked(e.Relation):
		return l, DroppedWord
	case e.From < 0 || e.From >= len(shown):
		return l, DroppedIndex
	case !share(e.Confidence, least):
		return l, DroppedConfidence
	}
	from, confidence := shown[e.From], e.Confidence
	l = memory.NewLink{Head: from.ID, Relation: e.Relation, Strength: 1, Confidence: &confidence,
		Quote: strings.TrimSpace(e.Evidence)}
	if e.Strength != nil && share(*e.Strength, leastStrength) {
		l.Strength = *e.Strength
	}
	if e.Relation == ConditionalOn {
		switch {
		case e.From != 0:
			return l, DroppedIndex // the other memories were asked about when they were stored
		case e.Condition == nil:
			return l, DroppedCondition
		case !says(from.Text, e.Evidence):
			return l, DroppedUngrounded
		}
		if l.Condition = condition(*e.Condition); l.Condition == "" {
			return l, DroppedCondition
		}
		return l, ""
	}
	switch {
	case e.To == nil || *e.To < 0 || *e.To >= len(shown):
		return l, DroppedIndex
	case *e.To == e.From:
		return l, DroppedSelf
	case e.From != 0 && *e.To != 0:
		return l, DroppedIndex
	}
	to := shown[*e.To]
	if !says(from.Text, e.Evidence) && !says(to.Text, e.Evidence) {
		return l, DroppedUngrounded
	}
	l.Tail = to.ID
	return l, ""
}

// condition converts a condition to the form kind:value in lower case, such as "time:morning", so that memories can
// share it. It returns "" if that is not possible.
func condition(s string) string {
	kind, value, ok := strings.Cut(fold(s), ":")
	kind, value = strings.TrimSpace(kind), strings.TrimSpace(value)
	letters := func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }
	printable := func(r rune) bool { return !unicode.IsPrint(r) }
	if !ok || kind == "" || value == "" || len(kind)+len(value) >= maxCondition || strings.ContainsFunc(kind, letters) ||
		strings.ContainsFunc(value, printable) {
		return ""
	}
	return kind + ":" + value
}
