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

// Limits of the names and facts that a model is told of.
const (
	likelyRead  = 400 // entities that are considered, the last seen ones
	likelyNames = 60
	likelyBytes = 60 // the longest name
	likelyFacts = 32
	likelyOfOne = 6 // facts of one name
)

// likely returns the entities that turns of one session may mean: first those of which a word is in the turns, then
// people, then projects, groups, events and places, then things, then concepts. Within these, the last seen comes
// first. A concept is in the turns if they have all of its words. The user, numbers, dates that the turns do not have,
// and what only tools told are left out.
func (x *extractor) likely(ctx context.Context, tasks []*task) []extraction.Name {
	if len(tasks) == 0 {
		return nil
	}
	list, _, err := x.store.ListEntities(ctx, store.EntityFilter{Namespace: tasks[0].turn.Scope.Namespace,
		Kinds: []memory.NodeKind{memory.NodeEntity}}, 0, likelyRead)
	if err != nil {
		x.log.Warn("reading the names of the graph failed; the model is told of fewer", "error", err)
		return nil
	}
	said, self := wordsOf(tasks), memory.Canonical(tasks[0].text.Self)
	type ranked struct {
		name extraction.Name
		rank int
	}
	var found []ranked
	for _, e := range list {
		rank, ok := likelyRank[e.Type]
		switch {
		case !ok && !said.hasAllOf(e.Name):
			rank = unlikely
		case !ok, said.hasOneOf(e.Name, e.Aliases):
			rank = 0
		}
		if rank == unlikely && strings.ContainsFunc(e.Name, unicode.IsDigit) {
			continue
		}
		if memory.Canonical(e.Name) == self || e.Origin == memory.OriginTool || len(e.Name) > likelyBytes ||
			!strings.ContainsFunc(e.Name, unicode.IsLetter) {
			continue
		}
		found = append(found, ranked{extraction.Name{Name: e.Name, Type: e.Type, Aliases: otherNames(e)}, rank})
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	out := make([]extraction.Name, 0, likelyNames)
	for _, f := range found[:min(len(found), likelyNames)] {
		out = append(out, f.name)
	}
	return out
}

// likelyHeld returns active facts of likely names, those of the first names first, in the project of the first turn.
func (x *extractor) likelyHeld(tasks []*task, names []extraction.Name) (out []extraction.Held) {
	if len(tasks) == 0 || tasks[0].text.Facts == nil {
		return nil
	}
	for _, n := range names {
		of := 0
		for _, as := range []memory.Direction{memory.Out, memory.In} {
			for _, f := range tasks[0].text.Facts(n.Name, as) {
				f.Just = false
				if of < likelyOfOne && !slices.Contains(out, f) && len(f.Head) <= likelyBytes && len(f.Tail) <= likelyBytes {
					out = append(out, f)
					of++
				}
			}
		}
		if len(out) >= likelyFacts {
			return out[:likelyFacts]
		}
	}
	return out
}

// unlikely is the rank of concepts.
const unlikely = 4

// likelyRank orders the types of entities that no turn names.
var likelyRank = map[string]int{"person": 1, "project": 2, "organization": 2, "event": 2, "location": 2, "tool": 3,
	"technology": 3}

// spoken are the words of turns, as stems, without function words.
type spoken map[string]bool

func wordsOf(tasks []*task) spoken {
	said := spoken{}
	for _, t := range tasks {
		for _, word := range text.Tokens(t.text.Text) {
			said[word.Stem] = said[word.Stem] || !word.Stop()
		}
	}
	return said
}

// hasOneOf reports whether a word of a name, or of one of its other names, is spoken.
func (s spoken) hasOneOf(name string, others []string) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(text.Tokens(name), func(w text.Token) bool { return s[w.Stem] })
	}
	return has(name) || slices.ContainsFunc(others, has)
}

// hasAllOf reports whether all words of a name are spoken.
func (s spoken) hasAllOf(name string) bool {
	return !slices.ContainsFunc(text.Tokens(name), func(w text.Token) bool { return !w.Stop() && !s[w.Stem] })
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
