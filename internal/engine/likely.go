package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
	"memory-graph/store"
)

// Limits of the names and facts in a model's prompt.
const (
	likelyRead       = 400 // entities that are considered, the last seen ones
	likelyNames      = 60
	likelyBytes      = 60 // the longest name
	likelyFacts      = 32
	likelyOfOne      = 6   // facts of one name, while other names have facts
	likelyLinks      = 300 // facts that are considered; the same number for the user
	likelySimilar    = 2   // facts that are similar to one clause, in addition to the others
	likelyAllSimilar = 40  // such facts of all turns
)

// Ranks of likely names. Names that occur neither in the turns nor in the lines before them follow, by type.
const (
	inTurns  = iota // the turns have all its words
	partly          // the turns have one of its words
	inLines         // the lines before have all its words
	notNamed        // plus likelyRank
)

// unlikely is the rank of a concept that is not named.
const unlikely = notNamed + 3

// likelyRank orders the types of entities that are not named.
var likelyRank = map[string]int{"person": 0, "project": 1, "organization": 1, "event": 1, "location": 1, "tool": 2,
	"technology": 2}

// likelyEntity is an entity that turns may mean.
type likelyEntity struct {
	memory.Entity
	rank int
}

// likely returns the entities that turns of one session may mean. Those that the turns name in full come first, then
// those named in part, then those that the lines before name. After these come people, then projects, groups, events
// and places, then things, then concepts. Within each group, the last seen comes first. A concept is only named by all
// of its words. The user, numbers, unnamed dates, and entities that only tools told of are left out. self is the id of
// the user's entity, 0 for none.
func (x *extractor) likely(ctx context.Context, tasks []*task, before []memory.Episode) (_ []likelyEntity, self int64) {
	list, _, err := x.store.ListEntities(ctx, store.EntityFilter{Namespace: tasks[0].turn.Scope.Namespace,
		Kinds: []memory.NodeKind{memory.NodeEntity}}, 0, likelyRead)
	if err != nil {
		x.log.Warn("reading the names of the graph failed; the model is told of fewer", "error", err)
		return nil, 0
	}
	said, earlier, user := spoken{}, spoken{}, memory.Canonical(tasks[0].text.Self)
	for _, t := range tasks {
		said.add(t.text.Text)
	}
	for _, e := range before {
		earlier.add(e.Content)
	}
	var found []likelyEntity
	for _, e := range list {
		if memory.Canonical(e.Name) == user {
			self = e.ID
			continue
		}
		others := otherNames(e)
		byType, ok := likelyRank[e.Type]
		rank := unlikely
		switch {
		case said.hasAllOf(e.Name, others):
			rank = inTurns
		case ok && said.hasOneOf(e.Name, others):
			rank = partly
		case earlier.hasAllOf(e.Name, others):
			rank = inLines
		case ok:
			rank = notNamed + byType
		}
		if rank == unlikely && strings.ContainsFunc(e.Name, unicode.IsDigit) {
			continue
		}
		if e.Origin == memory.OriginTool || len(e.Name) > likelyBytes ||
			!strings.ContainsFunc(e.Name, unicode.IsLetter) {
			continue
		}
		found = append(found, likelyEntity{e, rank})
	}
	slices.SortStableFunc(found, func(a, b likelyEntity) int { return cmp.Compare(a.rank, b.rank) })
	return found[:min(len(found), likelyNames)], self
}

// namesOf returns entities in the form of a model's prompt.
func namesOf(list []likelyEntity) []extraction.Name {
	out := make([]extraction.Name, len(list))
	for i, e := range list {
		out[i] = extraction.Name{Name: e.Name, Type: e.Type, Aliases: otherNames(e.Entity)}
	}
	return out
}

// spoken holds the words of turns, as stems, without function words.
type spoken map[string]bool

// add adds the words of a text.
func (s spoken) add(said string) {
	for _, word := range text.Tokens(said) {
		s[word.Stem] = s[word.Stem] || !word.Stop()
	}
}

// hasOneOf reports whether a word of a name, or of one of its other names, is spoken.
func (s spoken) hasOneOf(name string, others []string) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(text.Tokens(name), func(w text.Token) bool { return s[w.Stem] })
	}
	return has(name) || slices.ContainsFunc(others, has)
}

// hasAllOf reports whether all words of a name, or of one of its other names, are spoken.
func (s spoken) hasAllOf(name string, others []string) bool {
	has := func(name string) bool {
		words := slices.DeleteFunc(text.Tokens(name), text.Token.Stop)
		return len(words) > 0 && !slices.ContainsFunc(words, func(w text.Token) bool { return !s[w.Stem] })
	}
	return has(name) || slices.ContainsFunc(others, has)
}

// otherNames returns an entity's aliases without its name.
func otherNames(e memory.Entity) (out []string) {
	for _, a := range e.Aliases {
		if a != memory.Canonical(e.Name) && len(a) <= likelyBytes {
			out = append(out, a)
		}
	}
	return out
}
