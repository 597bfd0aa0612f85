package bench

import (
	"fmt"
	"slices"
	"strings"

	"memory-graph/internal/memory"
)

// scoreRelations scores the relations of one turn and returns the number of correct ones. Each labelled relation is
// found once at most.
func scoreRelations(sum *PrecisionRecall, miss *ExtractionMiss, t Labelled, found memory.Findings) int {
	var expected []LabelledRelation
	for _, r := range t.Relations {
		if !slices.ContainsFunc(expected, func(have LabelledRelation) bool { return have.key() == r.key() }) {
			expected = append(expected, r)
		}
	}
	sum.Expected += len(expected)
	right := 0
	seen := map[string]bool{}
	for _, d := range found.Relations {
		r := LabelledRelation{Head: d.Head, Relation: d.Relation, Tail: d.Tail, Ended: d.Ended}
		if seen[r.key()] {
			continue
		}
		seen[r.key()] = true
		sum.Found++
		if i := matching(expected, r, sameName); i >= 0 {
			right++
			expected = slices.Delete(expected, i, i+1)
			continue
		}
		miss.WrongRelations = append(miss.WrongRelations, r)
	}
	miss.MissedRelations = expected
	return right
}

// matching returns the index of the labelled relation that a found one satisfies, -1 for none. What has the very
// relation goes before what says less.
func matching(expected []LabelledRelation, found LabelledRelation, same func(a, b string) bool) int {
	names := []string{found.Relation}
	if less := saysLess[found.Relation]; less != "" {
		names = append(names, less)
	}
	for _, name := range names {
		i := slices.IndexFunc(expected, func(r LabelledRelation) bool {
			return r.Ended == found.Ended && (r.Relation == name || slices.Contains(r.Or, name)) &&
				oneName(r.Head, found.Head, same) && oneName(r.Tail, found.Tail, same)
		})
		if i >= 0 {
			return i
		}
	}
	return -1
}

// saysLess has for a relation the one that it implies.
var saysLess = map[string]string{"reports_to": "knows", "manages": "knows", "married_to": "knows",
	"sibling_of": "knows", "parent_of": "knows", "child_of": "knows", "friend_of": "knows", "works_with": "knows",
	"maintains": "works_on", "leads": "works_on", "owns": "works_on", "responsible_for": "works_on"}

// oneName reports whether a name is the labelled one, or one of the alternatives that "/" joins in the label.
func oneName(label, name string, same func(a, b string) bool) bool {
	return same(label, name) || strings.Contains(label, "/") &&
		slices.ContainsFunc(strings.Split(label, "/"), func(part string) bool { return same(part, name) })
}

func sameName(a, b string) bool { return entityKey(a) == entityKey(b) }

// forgive returns how many of the wrong relations differ from a missed one only in articles or borders of names. Each
// missed relation excuses one wrong relation.
func forgive(wrong, missed []LabelledRelation) int {
	missed = slices.Clone(missed)
	n := 0
	for _, w := range wrong {
		if i := matching(missed, w, near); i >= 0 {
			missed = slices.Delete(missed, i, i+1)
			n++
		}
	}
	return n
}

// near reports whether two names are equal without articles, or one is the whole-word start or end of the other.
func near(a, b string) bool {
	bare := func(name string) string {
		words := strings.Fields(memory.Canonical(name))
		words = slices.DeleteFunc(words, func(w string) bool { return w == "the" || w == "a" || w == "an" })
		return strings.Join(words, " ")
	}
	long, short := bare(a), bare(b)
	if len(long) < len(short) {
		long, short = short, long
	}
	return short != "" && (long == short || strings.HasPrefix(long, short+" ") || strings.HasSuffix(long, " "+short))
}

func (r LabelledRelation) key() string {
	return fmt.Sprintf("%s\x00%s\x00%s\x00%t", entityKey(r.Head), r.Relation, entityKey(r.Tail), r.Ended)
}

// entityKey returns the canonical name without a leading article.
func entityKey(name string) string {
	k := memory.Canonical(name)
	for _, article := range []string{"the ", "a ", "an "} {
		if rest, ok := strings.CutPrefix(k, article); ok {
			return rest
		}
	}
	return k
}
