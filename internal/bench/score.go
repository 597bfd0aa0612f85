package bench

import "slices"

// Scores are means over the questions of one group. R@k is the share of the gold documents among the first k found. MRR
// is the reciprocal rank of the first gold document.
type Scores struct {
	R2  float64 `json:"R@2"`
	R5  float64 `json:"R@5"`
	R10 float64 `json:"R@10"`
	R20 float64 `json:"R@20"`
	MRR float64 `json:"MRR"`
	N   int     `json:"n"`
}

// asked is the result of one question: the ids of the documents found, the best first.
type asked struct {
	question GoldQuestion
	found    []string
}

func score(rows []asked) Scores {
	s := Scores{N: len(rows)}
	if s.N == 0 {
		return s
	}
	for _, row := range rows {
		s.R2 += recall(row, 2)
		s.R5 += recall(row, 5)
		s.R10 += recall(row, 10)
		s.R20 += recall(row, 20)
		for i, id := range row.found {
			if slices.Contains(row.question.Gold, id) {
				s.MRR += 1 / float64(i+1)
				break
			}
		}
	}
	for _, v := range []*float64{&s.R2, &s.R5, &s.R10, &s.R20, &s.MRR} {
		*v /= float64(s.N)
	}
	return s
}

func recall(row asked, k int) float64 {
	hits := 0
	for _, id := range row.found[:min(k, len(row.found))] {
		if slices.Contains(row.question.Gold, id) {
			hits++
		}
	}
	return float64(hits) / float64(len(row.question.Gold))
}
