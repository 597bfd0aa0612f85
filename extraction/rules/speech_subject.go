package rules

// attach finds the subject that governs the name: it walks to the left to the first word that begins a subject of its
// own, and says whether that, or what belongs to the name, is the user.
func (u *utterance) attach() {
	u.from = 0
	verb := -1 // the finite verb that was passed, which must agree
	for i := u.at - 1; i >= 0; i-- {
		x := u.t[i]
		w := x.lower
		if x.kind == signToken {
			if w == ";" || w == ":" && u.user {
				u.from = i + 1
				u.unsaid()
				return
			}
			continue
		}
		switch {
		case x.kind == nameToken:
			if u.finite(i + 1) {
				u.from = u.phraseStart(i)
				return
			}
			if u.genitive(i+1) && verb < 0 && i+1 < u.at { // "Bob's Redis"
				u.from = u.phraseStart(i)
				return
			}
		case w == "us" && u.word(i-1) == "let":
			u.from, u.self = i-1, u.user
			return
		case u.first(w):
			u.from, u.self = u.phraseStart(i), verb < 0 || !u.third(verb)
			return
		case relatives[w] || w == "that" && u.finite(i+1):
			u.from = u.antecedent(i)
			return
		case thirdSubjects[w] || !u.first(w) && secondPersons[w]:
			if u.finite(i + 1) {
				u.from = i
				return
			}
		case u.mine(w):
			if done := u.possessed(i, verb); done {
				return
			}
		case articles[w] || possessives[w] || w == "this" || w == "that" || w == "every" || w == "each" || w == "some":
			if k := u.nounVerb(i + 1); k > 0 && k < u.at {
				u.from = i
				return
			}
		}
		if verb < 0 && u.isFinite(i) && !u.noun(i) {
			verb = i
		}
	}
	u.unsaid()
}

// unsaid looks for the user where no subject stands before the name: in a sentence that leaves "I" out, and behind the
// name.
func (u *utterance) unsaid() {
	i := u.from
	if u.user && u.word(i) == "no" && u.word(i+1) == "longer" {
		u.self = true
		return
	}
	for i < u.at && (u.t[i].kind == signToken || openers[u.t[i].lower] || adverbs[u.t[i].lower] || timeWords[u.t[i].lower] || conjunctions[u.t[i].lower] || u.t[i].kind == numberToken) {
		i++
	}
	if u.user && i < u.at && u.t[i].kind == wordToken {
		w := u.t[i].lower
		v, known := verbForms[w]
		switch {
		case known && v.forms&formPast != 0 && v.forms&formBase == 0, w == "used" && u.word(i+1) == "to":
			u.self = true // "Moved to Bern."
			return
		case v.lemma == "work" && v.forms == formIng, v.lemma == "live" && v.forms == formIng:
			u.self = true
			return
		}
	}
	for i := u.end + 1; i < len(u.t); i++ {
		w := u.t[i].lower
		switch {
		case w == ";" || subordinators[w] && w != "what" && w != "where" && w != "which" && w != "that":
			return
		case conjunctions[w] && u.subjectAt(i+1) && !u.first(u.word(i+1)):
			return
		case u.first(w), u.object(w):
			u.self = true
			return
		case u.mine(w):
			if u.nounVerb(i+1) > 0 || roles[u.word(i+1)] && !u.isCopula(i-1) {
				return // "where my brother works", "and my brother"
			}
			u.self = true
			return
		}
	}
}

// possessed judges "my" at token i, before the name: what belongs to the user and is the name ("my editor is Vim", "my sister
// Ines"), or does what is said ("my team uses Redis"). It is done unless the phrase is an object.
func (u *utterance) possessed(i, verb int) (done bool) {
	k := u.nounVerb(i + 1)
	switch {
	case k == 0 || k >= u.at: // no verb between: the name is of the phrase
		if k == 0 && verb > i {
			return false // an object before another verb
		}
		u.from = i
		for j := i + 1; j < u.at; j++ {
			if w := u.t[j].lower; u.genitive(j+1) || roles[w] && j+1 < u.at && !(j+2 == u.at && u.t[j+1].kind == signToken) && !roles[u.word(j+1)] {
				return true // "my brother's Acme", "my friend from Lima"
			}
		}
		u.self = true
		return true
	}
	u.from = i
	head := u.word(k - 1)
	for j := i + 2; j < k; j++ {
		if u.genitive(j) {
			return true // "my wife's company uses Redis"
		}
	}
	switch {
	case u.isCopula(k):
		if !roles[head] {
			u.self = true
			return true
		}
		for k++; k < u.at && (articles[u.word(k)] || adverbs[u.word(k)] || u.word(k) == "called" || u.word(k) == "named"); k++ {
		}
		u.self = k == u.at // "my manager is Ann", and not "my brother is at Hooli"
	case projectNouns[head] || machineNouns[head] || wrapNouns[head]:
		u.self = true // "our team uses Redis"
	}
	return true
}

// first says whether a word is the user as a subject.
func (u *utterance) first(w string) bool {
	if u.user {
		return w == "i" || w == "we"
	}
	return w == "you" || w == "we" || w == "user"
}

// object says whether a word is the user as an object.
func (u *utterance) object(w string) bool {
	if u.user {
		return w == "me" || w == "us" || w == "mine" || w == "ours" || w == "myself" || w == "ourselves"
	}
	return w == "us" || w == "ours" || w == "yours" || w == "yourself"
}

// mine says whether a word says that something is the user's.
func (u *utterance) mine(w string) bool {
	if u.user {
		return w == "my" || w == "our"
	}
	return w == "your" || w == "our"
}

// phraseStart gives where the subject begins of which token i is the last: names that "and" joins, and what stands
// before a name in its phrase.
func (u *utterance) phraseStart(i int) int {
	for i > 0 {
		w := u.word(i - 1)
		switch {
		case (w == "and" || w == "&" || w == "," || w == "or") && i > 1 && (u.t[i-2].kind == nameToken || u.t[i-2].lower == "i") && !u.objectBefore(i-2):
			i -= 2
		case w == "my" || w == "our" || articles[w] || possessives[w], u.t[i-1].kind == wordToken && roles[w] && u.t[i].kind == nameToken, u.t[i-1].kind == nameToken && u.t[i].kind != signToken:
			i--
		default:
			return i
		}
	}
	return 0
}

// objectBefore says whether what stands at token i is governed by a verb or preposition before it: the name before "and" in
// "left Acme and Bob uses Vim" is not of the subject.
func (u *utterance) objectBefore(i int) bool {
	if i == 0 {
		return false
	}
	w := u.word(i - 1)
	_, verb := verbForms[w]
	return verb || prepositions[w] || auxiliaries[w] || w == "," && i > 1 && u.t[i-2].kind == nameToken && u.objectBefore(i-2)
}

// antecedent gives where the phrase begins that the relative word at token i is of.
func (u *utterance) antecedent(i int) int {
	k := i - 1
	for k > 0 && u.t[k].kind == signToken {
		k--
	}
	if k < 0 {
		return i
	}
	for n := 0; k > 0 && n < 5; n++ {
		w := u.word(k - 1)
		_, verb := verbForms[w]
		if u.t[k-1].kind == signToken || verb || prepositions[w] && w != "of" || conjunctions[w] || pronouns[w] || auxiliaries[w] {
			break
		}
		k--
	}
	return k
}
