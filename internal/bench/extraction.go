package bench

import (
	"slices"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// PrecisionRecall holds precision and recall. The score of an empty set is 1.
type PrecisionRecall struct {
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Found     int     `json:"found"`
	Expected  int     `json:"expected"`
}

func (p *PrecisionRecall) set(right int) {
	p.Precision, p.Recall = 1, 1
	if p.Found > 0 {
		p.Precision = float64(right) / float64(p.Found)
	}
	if p.Expected > 0 {
		p.Recall = float64(right) / float64(p.Expected)
	}
}

// ExtractionResult is the output of `bench extraction`.
type ExtractionResult struct {
	Relations    PrecisionRecall  `json:"relations"`
	Forgiving    PrecisionRecall  `json:"relations_forgiving"` // names may differ by articles and at one border
	Entities     PrecisionRecall  `json:"entities"`
	TypeAccuracy float64          `json:"type_accuracy"` // of the entities that are both found and expected
	N            int              `json:"n"`             // turns
	Data         string           `json:"data"`
	SHA256       string           `json:"sha256"`
	Misses       []ExtractionMiss `json:"misses,omitempty"`
}

// ExtractionMiss lists the errors in one turn.
type ExtractionMiss struct {
	Line            int                `json:"line"`
	Text            string             `json:"text"`
	MissedRelations []LabelledRelation `json:"missed_relations,omitempty"`
	WrongRelations  []LabelledRelation `json:"wrong_relations,omitempty"`
	MissedEntities  []LabelledEntity   `json:"missed_entities,omitempty"`
	WrongEntities   []LabelledEntity   `json:"wrong_entities,omitempty"`
	WrongTypes      []LabelledEntity   `json:"wrong_types,omitempty"` // with the type found
}

// Extractor is the extractor under test.
type Extractor interface {
	Extract(t extraction.Input) memory.Findings
}

// Extraction compares the extractor's findings in each turn, read without context, with the labels. Heads, relations
// and tails match in canonical form without a leading article. The forgiving score also accepts a name without any of
// its articles, and a name that is the whole-word start or end of the other. Types match within a family. An ended fact
// must be marked as ended. A relation that says more satisfies one that says less: a relative satisfies an expected
// "knows", who maintains a project satisfies "works_on". Entities that occur only in the labelled relations, and the
// user, are not scored. Mentions marked as unsure do not count as entities.
func Extraction(ex Extractor, turns []Labelled) ExtractionResult {
	out := ExtractionResult{N: len(turns)}
	var relations, forgiven, entities, types int
	for _, t := range turns {
		found := ex.Extract(extraction.Input{Role: t.Role, Text: t.Text, Self: extraction.DefaultSelf})
		miss := ExtractionMiss{Line: t.Line, Text: t.Text}
		right := scoreRelations(&out.Relations, &miss, t, found)
		relations += right
		forgiven += right + forgive(miss.WrongRelations, miss.MissedRelations)
		e, ty := scoreEntities(&out.Entities, &miss, t, found)
		entities, types = entities+e, types+ty
		if len(miss.MissedRelations)+len(miss.WrongRelations)+len(miss.MissedEntities)+len(miss.WrongEntities)+len(
			miss.WrongTypes) > 0 {
			out.Misses = append(out.Misses, miss)
		}
	}
	out.Relations.set(relations)
	out.Forgiving = out.Relations
	out.Forgiving.set(forgiven)
	out.Entities.set(entities)
	out.TypeAccuracy = 1
	if entities > 0 {
		out.TypeAccuracy = float64(types) / float64(entities)
	}
	return out
}

// scoreEntities scores the entities of one turn. It returns how many are correct, and how many of these have the right
// type.
func scoreEntities(sum *PrecisionRecall, miss *ExtractionMiss, t Labelled, found memory.Findings) (right, typed int) {
	expected, free := map[string]LabelledEntity{}, map[string]bool{entityKey(extraction.DefaultSelf): true}
	for _, r := range t.Relations {
		free[entityKey(r.Head)], free[entityKey(r.Tail)] = true, true
	}
	for _, e := range t.Entities {
		expected[entityKey(e.Name)] = e
		delete(free, entityKey(e.Name))
	}
	sum.Expected += len(expected)
	for _, e := range foundEntities(found) {
		k := entityKey(e.Name)
		if free[k] {
			continue
		}
		sum.Found++
		want, ok := expected[k]
		if !ok {
			miss.WrongEntities = append(miss.WrongEntities, e)
			continue
		}
		right++
		delete(expected, k)
		if slices.Contains(memory.TypeFamily(want.Type), e.Type) {
			typed++
		} else {
			miss.WrongTypes = append(miss.WrongTypes, e)
		}
	}
	for _, e := range t.Entities {
		if _, ok := expected[entityKey(e.Name)]; ok {
			miss.MissedEntities = append(miss.MissedEntities, e)
			delete(expected, entityKey(e.Name))
		}
	}
	return right, typed
}

// foundEntities returns the entities of the findings: heads and tails of relations, stated entities, and mentions that
// are not unsure. Each is listed once, with its first known type.
func foundEntities(found memory.Findings) []LabelledEntity {
	var out []LabelledEntity
	at := map[string]int{}
	add := func(name, typ string) {
		k := entityKey(name)
		if i, ok := at[k]; ok {
			if out[i].Type == "" {
				out[i].Type = typ
			}
			return
		}
		at[k] = len(out)
		out = append(out, LabelledEntity{name, typ})
	}
	for _, r := range found.Relations {
		add(r.Head, r.HeadType)
		add(r.Tail, r.TailType)
	}
	for _, e := range found.Entities {
		add(e.Name, e.Type)
	}
	for _, m := range found.Mentions {
		if !m.Unsure {
			add(m.Name, m.Type)
		}
	}
	for i := range out {
		if out[i].Type == "" {
			out[i].Type = memory.DefaultType
		}
	}
	return out
}
