package contextblock

import (
	"cmp"
	"slices"
	"strings"

	"memory-graph/classifier"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
)

// arrange orders an answer for the class of the message, and leaves out items that are not informative or do not pass
// the gate. It does not change the scores. standing are the standing facts for the message, which go into a section of
// their own.
func arrange(a retrieval.Answer, req Request, previous []string, class classifier.Result,
	standing []retrieval.FoundEpisode) retrieval.Answer {
	p := class.Policy()
	a.Episodes = informative(a.Episodes, req, previous)
	corrects := func(retrieval.FoundRelation) bool { return false }
	if p.RecentFirst {
		corrects = correcting(previous)
	}
	a = pass(a, gateFor(logOdds(class), namesPerson(req.Message, a.Seeds), len(standing) > 0), corrects)
	a.Standing = standing
	a.Episodes = slices.DeleteFunc(a.Episodes, func(f retrieval.FoundEpisode) bool {
		return slices.ContainsFunc(standing, func(s retrieval.FoundEpisode) bool { return s.Episode.ID == f.Episode.ID })
	})
	if session := req.Scope.SessionID; session != "" && p.Session != 1 && p.Session > 0 {
		weighted := func(f retrieval.FoundEpisode) float64 {
			if f.Episode.Scope.SessionID != session {
				return f.Score
			}
			if f.Score < 0 { // for a negative score, the better value is the one closer to 0
				return f.Score / p.Session
			}
			return f.Score * p.Session
		}
		slices.SortStableFunc(a.Episodes, func(x, y retrieval.FoundEpisode) int {
			return cmp.Compare(weighted(y), weighted(x))
		})
		a.Episodes = supersedingFirst(a.Episodes)
	}
	if p.RecentFirst {
		slices.SortStableFunc(a.Relations, func(x, y retrieval.FoundRelation) int {
			return y.Relationship.LastObservedAt.Compare(x.Relationship.LastObservedAt)
		})
	}
	a.Episodes = a.Episodes[:min(len(a.Episodes), found)]
	return a
}

// supersedingFirst restores the order of superseding before superseded turns after the session weights changed it.
func supersedingFirst(list []retrieval.FoundEpisode) []retrieval.FoundEpisode {
	at := map[int64]int{}
	for i, f := range list {
		at[f.Episode.ID] = i
	}
	for i := 0; i < len(list); i++ {
		for _, later := range list[i].SupersededBy {
			if j, ok := at[later]; ok && j > i {
				moved := list[j]
				copy(list[i+1:j+1], list[i:j])
				list[i] = moved
				for k := i; k <= j; k++ {
					at[list[k].Episode.ID] = k
				}
				break // the next round looks at the displaced turn again
			}
		}
	}
	return list
}

// isMessage reports whether a stored turn is the message itself or has the same text.
func isMessage(e memory.Episode, req Request) bool {
	return e.Role == memory.RoleUser && strings.TrimSpace(e.Content) == strings.TrimSpace(req.Message)
}

// mostCorrected is the maximum number of facts that one correction is assumed to be about.
const mostCorrected = 5

// correcting returns a function that reports whether a correction may be about a fact: the message shares a word with
// the fact, or one of the previous turns contains all words of its tail.
func correcting(previous []string) func(retrieval.FoundRelation) bool {
	before := make([]map[string]bool, len(previous))
	for i, turn := range previous {
		before[i] = contentOf(turn)
	}
	return func(f retrieval.FoundRelation) bool {
		if f.Coverage > 0 {
			return true
		}
		tail := contentOf(f.Relationship.Tail.Name)
		return len(tail) > 0 && slices.ContainsFunc(before, func(turn map[string]bool) bool {
			for w := range tail {
				if !turn[w] {
					return false
				}
			}
			return true
		})
	}
}

// correctable returns the active facts that a correction may be about, in the order in which they are shown. If the
// message names both ends of some of them, it is about these: "no, billing uses CockroachDB, not Postgres" is not about
// the shop, which uses Postgres, too.
func correctable(relations []retrieval.FoundRelation, message string, previous []string) []memory.Relationship {
	var out, named []memory.Relationship
	corrects, said := correcting(previous), contentOf(message)
	for _, f := range relations {
		if r := f.Relationship; corrects(f) && r.ValidUntil.IsZero() && !r.Method.Computed() {
			out = append(out, r)
			if names(said, r.Head.Name) && names(said, r.Tail.Name) {
				named = append(named, r)
			}
		}
	}
	if len(named) > 0 {
		out = named
	}
	return out[:min(len(out), mostCorrected)]
}

// names reports whether a text, as contentOf returns it, has a word of a name.
func names(said map[string]bool, name string) bool {
	for w := range contentOf(name) {
		if said[w] {
			return true
		}
	}
	return false
}
