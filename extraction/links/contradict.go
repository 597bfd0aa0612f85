package links

import (
	"context"

	"memory-graph/internal/memory"
)

// The relations that comparing memories gives.
const (
	Contradicts = "contradicts" // both cannot hold; from both sides
	Supersedes  = "supersedes"  // the newer says what the older says, and more or more exactly
)

// ContradictRelations are those whose links Contradict decides on.
var ContradictRelations = []string{Contradicts, Supersedes}

// comparison is the form of the answer. It has numbers and classes and no words of its own.
type comparison struct {
	Verdicts []verdict `json:"verdicts"`
}

type verdict struct {
	Memory     int     `json:"memory"`
	Class      string  `json:"class" jsonschema:"enum=agrees,enum=contradicts,enum=refines,enum=unrelated"`
	Confidence float64 `json:"confidence"`
}

// Contradict asks in one question what a memory is to others that are near, but not the same: those in which it
// contradicts or refines another with at least the least confidence become links. They propose: no fact ends by them.
// The error is the asker's.
func Contradict(ctx context.Context, ask Asker, subject Memory, near []Memory, least float64) (Judgement, error) {
	if len(near) == 0 {
		return Judgement{}, nil
	}
	q, err := question("links_contradict", subject, near)
	if err != nil {
		return Judgement{}, err
	}
	var answer comparison
	usage, err := ask.Complete(ctx, q, &answer)
	if err != nil {
		return Judgement{Usage: usage}, err
	}
	found := checkComparison(answer, subject, near, least)
	found.Usage = usage
	return found, nil
}

// checkComparison makes links of an answer and leaves out what does not stand up.
func checkComparison(answer comparison, subject Memory, near []Memory, least float64) Judgement {
	var f Judgement
	seen := map[int]bool{}
	for _, v := range answer.Verdicts {
		switch {
		case v.Memory < 1 || v.Memory > len(near):
			f.drop(DroppedIndex)
			continue
		case seen[v.Memory]:
			f.drop(DroppedTwice)
			continue
		}
		seen[v.Memory] = true
		other := near[v.Memory-1]
		switch v.Class {
		case "agrees", "unrelated":
			continue
		case "contradicts", "refines":
		default:
			f.drop(DroppedWord)
			continue
		}
		if !share(v.Confidence, least) {
			f.drop(DroppedConfidence)
			continue
		}
		confidence := v.Confidence
		if v.Class == "refines" {
			newer, older := later(subject, other)
			f.Want = append(f.Want, memory.NewLink{Head: newer.ID, Tail: older.ID, Relation: Supersedes, Strength: 1,
				Confidence: &confidence})
			continue
		}
		for _, ends := range [2][2]int64{{subject.ID, other.ID}, {other.ID, subject.ID}} {
			f.Want = append(f.Want, memory.NewLink{Head: ends[0], Tail: ends[1], Relation: Contradicts, Strength: 1,
				Confidence: &confidence})
		}
	}
	return f
}
