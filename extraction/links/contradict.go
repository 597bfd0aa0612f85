package links

import (
	"context"

	"memory-graph/internal/memory"
)

// The relations between memories that contradict or refine each other.
const (
	Contradicts = "contradicts" // both cannot hold; stored in both directions
	Supersedes  = "supersedes"  // the newer memory repeats the older one with more detail
)

// ContradictRelations are the relations whose links Contradict decides on.
var ContradictRelations = []string{Contradicts, Supersedes}

// comparison is the model's answer. It contains numbers and classes but no free text.
type comparison struct {
	Verdicts []verdict `json:"verdicts"`
}

type verdict struct {
	Memory     int     `json:"memory"`
	Class      string  `json:"class" jsonschema:"enum=agrees,enum=contradicts,enum=refines,enum=unrelated"`
	Confidence float64 `json:"confidence"`
}

// Contradict asks a model in one question how a memory relates to similar memories. It returns links to those that it
// contradicts or refines with a confidence of at least least. The links are proposals: they end no fact. The error is
// the asker's.
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

// checkComparison converts an answer to links and drops what fails a check.
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
