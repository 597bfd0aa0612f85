package embedding

import "slices"

// Scale brings cosines of one embedder to the scale of the built-in one. Thresholds on cosines were set for that one,
// whose unrelated texts have cosines near 0. Other models give any two texts .4 to .8 (docs/decisions.md, "One scale of
// cosines"). The zero value changes nothing.
type Scale struct{ Stretch, Shift float64 } // c becomes c + Stretch × c + Shift

// BuiltinBase is the base cosine of the built-in embedder.
const BuiltinBase = .0536

// mostBase is the base cosine above which a scale would only enlarge rounding errors.
const mostBase = .95

// NewScale returns the scale of an embedder by its base cosine. It maps this to BuiltinBase and 1 to 1, linearly. If
// the base cosine is not known (nil), or so high that the vectors hardly differ, cosines stay as they are.
func NewScale(base *float64) Scale {
	if base == nil || !(*base <= mostBase) {
		return Scale{}
	}
	factor := (1 - BuiltinBase) / (1 - *base)
	return Scale{Stretch: factor - 1, Shift: 1 - factor}
}

// Of maps a cosine. The result is at most 1; below the base cosine it may be under -1.
func (s Scale) Of(cosine float64) float64 { return cosine + cosine*s.Stretch + s.Shift }

// Width maps a difference of two cosines.
func (s Scale) Width(difference float64) float64 { return difference + difference*s.Stretch }

// unrelated are texts on different subjects. Their vectors tell the base cosine of an embedder. A change of the list
// needs another BuiltinBase, and all stored base cosines would have to be measured again.
var unrelated = [...]string{
	"My sister plays the violin in a small orchestra.",
	"We moved the database to a bigger server last night.",
	"Bread needs flour, water, salt and time.",
	"Two goals in the last minute decided the match.",
	"A volcano on the island has been quiet for centuries.",
	"Please send the invoice before the end of the month.",
	"Our dog is afraid of thunder.",
	"Electric trains are quieter than diesel ones.",
	"He broke his wrist when he fell off a ladder.",
	"Parliament votes on the new tax law in spring.",
	"I painted the kitchen walls light green.",
	"Whales can hold their breath for more than an hour.",
	"She is learning Portuguese with a neighbour.",
	"This novel tells of a lighthouse keeper and his daughter.",
	"Turn left at the bridge and follow the river.",
	"Jupiter has dozens of moons.",
}

// Unrelated returns the texts whose vectors, embedded as documents, tell the base cosine.
func Unrelated() []string { return slices.Clone(unrelated[:]) }

// BaseCosine returns the mean cosine of all pairs of vectors of length 1, at least two.
func BaseCosine(vecs [][]float32) float64 {
	sum, n := 0., 0
	for i, a := range vecs {
		for _, b := range vecs[:i] {
			for k := range a {
				sum += float64(a[k]) * float64(b[k])
			}
			n++
		}
	}
	return sum / float64(n)
}
