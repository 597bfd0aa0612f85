package rules

import (
	"slices"
	"strings"
)

var (
	thirdSubjects = set(`he she they it this that these those there everyone everybody someone somebody nobody anyone anybody people who which one`)
	secondPersons = set(`you i`)
)

// subjectAt says whether a subject with its verb begins at token i.
func (u *utterance) subjectAt(i int) bool {
	if i >= len(u.t) {
		return false
	}
	w := u.t[i].lower
	switch {
	case u.t[i].kind == nameToken, thirdSubjects[w], secondPersons[w], w == "we":
		return u.finite(i + 1)
	case articles[w] || possessives[w] || w == "my" || w == "our":
		return u.nounVerb(i+1) > 0
	}
	return false
}

// finite says whether a finite verb stands at token i, behind adverbs at most.
func (u *utterance) finite(i int) bool {
	for i < len(u.t) && (adverbs[u.t[i].lower] || hedges[u.t[i].lower]) {
		i++
	}
	return i < len(u.t) && u.isFinite(i) && !(i > 0 && u.t[i].kind == wordToken && u.word(i) == "'s" && u.genitive(i))
}

// isFinite says whether token i can be a finite verb.
func (u *utterance) isFinite(i int) bool {
	if u.t[i].kind != wordToken {
		return false
	}
	w := u.t[i].lower
	if auxiliaries[w] && w != "be" && w != "been" && w != "being" || w == "'s" {
		return true
	}
	if v, ok := verbForms[w]; ok {
		return v.forms&(formS|formPast) != 0 || v.forms&formBase != 0 && i > 0 && (u.word(i-1) == "they" || u.word(i-1) == "you" || u.word(i-1) == "i" || u.word(i-1) == "we" || u.word(i-1) == "people")
	}
	// A verb that is not of the list: behind a name or a pronoun, by its ending.
	if i == 0 || u.t[i-1].kind != nameToken && !thirdSubjects[u.word(i-1)] || adverbs[w] || prepositions[w] || conjunctions[w] || pronouns[w] || len(w) < 4 {
		return false
	}
	return w[len(w)-1] == 's' && w[len(w)-2] != 's' || w[len(w)-2:] == "ed"
}

// third says whether the verb at token i cannot be of "I" or "we": "plays", "is", "has".
func (u *utterance) third(i int) bool {
	w := u.t[i].lower
	switch w {
	case "is", "has", "does":
		return true
	case "was", "'s":
		return false
	}
	v, ok := verbForms[w]
	return ok && v.forms == formS && !nounish[v.lemma]
}

// noun says whether what could be a verb at token i is a noun: behind a determiner, a preposition or another verb.
func (u *utterance) noun(i int) bool {
	if i == 0 || !nounish[verbForms[u.t[i].lower].lemma] {
		return false
	}
	w := u.word(i - 1)
	return articles[w] || possessives[w] || w == "my" || w == "our" || prepositions[w] || vague[w]
}

// nounVerb gives the token of the finite verb behind the nouns that begin at token i, 0 where none follows at once.
func (u *utterance) nounVerb(i int) int {
	for k := i; k < len(u.t) && k < i+6; k++ {
		x := u.t[k]
		w := x.lower
		if x.kind == signToken || conjunctions[w] || prepositions[w] && w != "of" || pronouns[w] || articles[w] {
			return 0
		}
		if k > i && u.genitive(k) {
			continue
		}
		if k > i && u.isFinite(k) {
			if passiveLike[w] && verbForms[w].forms&formDone != 0 {
				return 0 // "an app called Quire"
			}
			return k
		}
	}
	return 0
}

// genitive says whether the "'s" at token i makes a possessor of what stands before it: a noun follows.
func (u *utterance) genitive(i int) bool {
	if i == 0 || u.word(i) != "'s" || i+1 >= len(u.t) {
		return false
	}
	next := u.t[i+1]
	if next.kind == signToken {
		return false
	}
	w := next.lower
	if next.kind == nameToken {
		return true
	}
	_, verb := verbForms[w]
	return !articles[w] && !adverbs[w] && !prepositions[w] && !negations[w] && !possessives[w] && w != "my" && w != "our" && (!verb || nounish[verbForms[w].lemma] && verbForms[w].forms&formBase != 0)
}

func (u *utterance) isCopula(i int) bool {
	switch u.word(i) {
	case "is", "are", "was", "were", "'s", "am":
		return true
	}
	return false
}

// side says at which end of the relation the name stands, where the relation's own verb stands between the subject and the
// name: "Ann reports to Ben" says of nobody else that they report. What another preposition than the relation's own stands
// before is neither: "decided to use gRPC for Atlas".
func (u *utterance) side() Side {
	if u.verb == "assigned_to" { // tasks are assigned to people, and people to tasks
		return AnySide
	}
	words := strings.Split(u.verb, "_")
	want := lemmaOf(words[0])
	first := verbForms[words[0]].forms
	// created_by and written_in are what passives say
	passives := len(words) > 1 && prepositions[words[len(words)-1]] && (words[len(words)-1] == "by" || first&formDone != 0 && first&formBase == 0)
	for i := u.at - 1; i > u.from && u.english; i-- {
		v, ok := verbForms[u.t[i].lower]
		if !ok || v.lemma != want || u.noun(i) {
			continue
		}
		passive := v.forms&formDone != 0 && u.passiveAt(i)
		own, others := false, false
		for k := i + 1; k < u.at; k++ {
			if w := u.word(k); slices.Contains(words[1:], w) {
				own = own || prepositions[w]
			} else if prepositions[w] {
				others = true
			}
		}
		switch {
		case passive == passives && !others:
			return TailSide
		case passives && !passive && !own && !others: // "Bob created Atlas"
			return HeadSide
		case !passives && passive && u.word(u.at-1) == "by":
			return HeadSide
		}
		return AnySide
	}
	return AnySide
}

// passiveAt says whether the participle at token i is of a passive.
func (u *utterance) passiveAt(i int) bool {
	if u.word(i+1) == "by" {
		return true
	}
	for j := i - 1; j >= 0 && j > i-4; j-- {
		w := u.word(j)
		switch {
		case w == "have" || w == "has" || w == "had":
			return false
		case u.isCopula(j) || w == "been" || w == "be" || w == "got":
			return true
		case !adverbs[w]:
			return false
		}
	}
	return false
}
