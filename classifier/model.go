package classifier

import (
	"context"
	"math"

	"memory-graph/embedding"
)

// model holds a centroid of each class.
type model struct{ centroids [classes][]float32 }

func train(ctx context.Context, emb embedding.Embedder) (*model, error) {
	list, err := exemplars()
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = e.Text
	}
	rows, err := emb.Embed(ctx, embedding.Classification, texts)
	if err != nil {
		return nil, err
	}
	m := &model{}
	for i, e := range list {
		c := &m.centroids[e.Class]
		if *c == nil {
			*c = make([]float32, len(rows[i]))
		}
		for j, x := range rows[i] {
			(*c)[j] += x
		}
	}
	for _, c := range m.centroids {
		embedding.Normalize(c)
	}
	return m, nil
}

func (m *model) classify(v []float32) Result {
	r := Result{Vector: v}
	var sum float64
	for c, centroid := range m.centroids {
		var dot float64
		for j, x := range v {
			dot += float64(x) * float64(centroid[j])
		}
		r.Probabilities[c] = math.Exp(12 * dot)
		sum += r.Probabilities[c]
	}
	for c := range r.Probabilities {
		r.Probabilities[c] /= sum
		if r.Probabilities[c] > r.Confidence {
			r.Class, r.Confidence = Class(c), r.Probabilities[c]
		}
	}
	r.Abstained = r.Confidence < .4
	return r
}
