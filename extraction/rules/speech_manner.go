package rules

import "strings"

// utterance is the sentence around a name, and what of it speaks of the name.
type utterance struct {
	sentence
	at, end int    // the tokens of the name, the last one included
	verb    string // the relation that is looked for, in snake_case
	english bool
	from    int  // where the clause begins: its subject
	self    bool // the subject, or what belongs to the name, is the user
}

var (
	// unwilled are words by which something is wished, planned or possible, wherever they stand before it.
	unwilled = set(`would could can should shall may might must 'd ought will want wants wanted wish wishes wishing hope hopes hoping hoped plan plans planned planning intend intends
intended intending consider considers considered considering dream dreaming wanna gonna evaluating`)
	// willing do so before "to".
	willing = set(`like love going about try tries tried trying need needs needed have has had aim aims looking going supposed meant expected ready eager due happy keen
thinking afraid forgot forget refuse refused tempted`)
	// refusing say of the verb behind them that it is not done.
	refusing = set(`refuse refuses refused avoid avoids avoided avoiding failed`)
	// reporting are doubts that tell what others say; the others are guesses, conditions and what is made up.
	reporting = set(`allegedly apparently reportedly rumor rumors rumour rumours rumored says say said saying tells told tell claims claimed claim thinks believes believed asked asks ask
asking according hear heard hears suggests suggested suggest proposes proposed propose recommends recommended recommend insists gossip quoting quote quotes promised promises
promise remind reminds means meant mean implies implied expects expected predicts predicted writes read reads denies denied mentioned supposedly`)
	// never are words that deny what follows.
	never = set(`not never hardly barely rarely seldom scarcely neither nor nobody none nothing without cannot`)
)

// manner says how the clause says what it says. First comes what makes it no statement at all.
func (u *utterance) manner() Manner {
	if !u.english {
		return Unsure
	}
	if from, asked := asks(u.t); asked && u.end >= from {
		return Asked
	}
	inner := u.inner()
	if inner == Denied || inner == Ordered {
		return inner
	}
	outer := u.outer()
	if outer > Unsure {
		return outer
	}
	return max(inner, outer)
}

// inner judges the words of the clause itself, up to the name.
func (u *utterance) inner() Manner {
	found := Stated
	note := func(m Manner) { found = max(found, m) }
	c := &clause{s: &u.sentence}
	for i := u.from; i < u.at; i++ {
		x := u.t[i]
		if x.kind != wordToken {
			continue
		}
		w, next := x.lower, u.word(i+1)
		switch {
		case never[w] && !u.longer(i):
			if (w == "not" || w == "never") && (next == "only" || next == "just" || next == "merely") {
				continue
			}
			if next == "sure" || next == "certain" || next == "clear" {
				return Supposed
			}
			if !u.negative() && !(u.over() && w != "without") {
				return Denied
			}
		case w == "no" && next != "longer" && next != "more" && next != "matter" && next != "doubt" && i+1 < len(u.t) && u.t[i+1].kind != signToken:
			if !u.negative() {
				return Denied
			}
		case refusing[w] && (next == "to" || strings.HasSuffix(next, "ing")) && !u.negative():
			return Denied
		case unwilled[w] && !(x.capital && i > 0), willing[w] && next == "to", w == "thinking" && (next == "of" || next == "about"):
			if !u.wills(w) && !(w == "going" && !u.copulaBefore(i)) {
				note(Wished)
			}
		case w == "let" && next == "us", w == "lets", w == "decided" || w == "agreed", w == "chose" && next == "to":
			if !strings.HasPrefix(u.verb, "decided") && !strings.HasPrefix(u.verb, "cho") && w != "chose" {
				note(Unsure)
			}
		case hedges[w], w == "afaik", w == "iirc", w == "seems", w == "pretty" && next == "sure":
			note(Unsure)
		case opinions[w] && i > 0 && (u.word(i-1) == "i" || u.word(i-1) == "we"):
			note(Unsure)
		case c.doubtful(i) && !u.says(w):
			note(doubtManner(w))
		}
	}
	if u.ordered() {
		return Ordered
	}
	return found
}

// outer judges what stands around the clause in its sentence: who says it, on what condition.
func (u *utterance) outer() Manner {
	found := Stated
	c := &clause{s: &u.sentence}
	joined := u.from > 0 && (conjunctions[u.word(u.from-1)] || u.word(u.from-1) == ";")
	for i := range u.from {
		x := u.t[i]
		w := x.lower
		switch {
		case x.kind != wordToken:
		case opinions[w] && (u.word(i-1) == "i" || u.word(i-1) == "we"), hedges[w], w == "seems", w == "afaik", w == "iirc":
			if !joined {
				found = max(found, Unsure)
			}
		case (w == "not" || w == "never") && (opinions[u.word(i+1)] || u.word(i+1) == "say" || u.word(i+1) == "true"):
			return Supposed
		case temporal[w] && i == u.from-1:
			if u.present() {
				return Supposed // "when I move to Lima"
			}
		case w == "once" || w == "when" || w == "why" || w == "what" || w == "how" || w == "where":
			// they ask for something that is taken for given, or say when something else was
		case unwilled[w] && u.word(i+1) != "" && (w == "wish" || w == "hope" || w == "want" || w == "wishes" || w == "hopes" || w == "wants") && !joined:
			found = max(found, Wished)
		case c.doubtful(i):
			if m := doubtManner(w); !joined || m == Supposed && (w == "if" || w == "unless" || w == "suppose" || w == "imagine" || w == "assuming") {
				found = max(found, m)
			}
		}
	}
	for i := u.end + 1; i < len(u.t); i++ {
		w := u.t[i].lower
		switch {
		case w == ";":
			return found
		case w == "if" && u.word(i+1) != "not" && u.word(i+1) != "you" || w == "unless" || w == "hypothetically" || w == "theoretically":
			return Supposed
		case w == "supposedly" || w == "apparently" || w == "allegedly":
			found = max(found, Reported)
		case (w == "said" || w == "says" || w == "claims" || w == "thinks" || w == "told") && u.word(i-1) != "i" && c.closes(i) && u.word(i-2) != "whatever" && u.word(i-1) != "whatever":
			found = max(found, Reported) // "Bob uses Vim, he said"
		case w == "probably" || w == "presumably" || w == "afaik" || w == "iirc" || opinions[w] && u.word(i-1) == "i":
			found = max(found, Unsure)
		}
	}
	return found
}

// temporal words before a subject say when; of what is still to come they say nothing that holds.
var temporal = set(`when whenever once until till before after if unless whether lest whatever`)

// present says whether the clause speaks of what is to come, or in general: it has no verb of the past.
func (u *utterance) present() bool {
	if w := u.word(u.from - 1); w == "if" || w == "unless" || w == "whether" || w == "lest" || w == "whatever" {
		return true
	}
	for i := u.from; i < u.at; i++ {
		w := u.t[i].lower
		if verbForms[w].forms&(formPast|formDone) != 0 && verbForms[w].forms&formBase == 0 || w == "was" || w == "were" || w == "had" || w == "did" || w == "been" {
			return false
		}
	}
	return true
}

// doubtManner says what a word of doubt makes of what it stands before.
func doubtManner(w string) Manner {
	if reporting[w] {
		return Reported
	}
	return Supposed
}

// longer says whether the word at i is part of "no longer".
func (u *utterance) longer(i int) bool {
	return u.t[i].lower == "no" && (u.word(i+1) == "longer" || u.word(i+1) == "more")
}

// over says whether the clause says of something that it holds no longer: "no longer", "not … any more".
func (u *utterance) over() bool {
	stop, denied := u.stop(), false
	for i := u.from; i < stop; i++ {
		switch u.t[i].lower {
		case "longer", "anymore":
			return true
		case "more":
			if w := u.word(i - 1); w == "any" || w == "no" {
				return true
			}
		case "not", "never":
			denied = true
		case "since":
			if denied { // "I have not used Vim since May"
				return true
			}
		}
	}
	return false
}

// stop gives the token at which the clause ends: where another subject begins.
func (u *utterance) stop() int {
	for i := u.end + 1; i < len(u.t); i++ {
		w := u.t[i].lower
		if w == ";" || (w == "," || conjunctions[w] || subordinators[w] && w != "since") && (u.subjectAt(i+1) || leadPronouns[u.word(i+1)]) {
			return i
		}
	}
	return len(u.t)
}

// leadPronouns begin clauses.
var leadPronouns = set(`i we he she they you`)

// negative says whether the relation that is looked for denies by itself.
func (u *utterance) negative() bool {
	switch u.verb {
	case "dislikes", "decided_against", "avoids", "hates", "lacks", "refuses", "rejects", "rejected", "opposes", "distrusts", "blocks", "blocked_by", "cannot":
		return true
	}
	return strings.HasPrefix(u.verb, "not_") || strings.Contains(u.verb, "_not") || strings.HasPrefix(u.verb, "never_") || strings.HasPrefix(u.verb, "no_") ||
		strings.HasPrefix(u.verb, "allergic")
}

// wills says whether the relation is itself about what one wants, or what can be.
func (u *utterance) wills(w string) bool {
	switch u.verb {
	case "prefers", "prefers_over", "likes", "dislikes", "interested_in":
		return w == "would" || w == "'d" || w == "want" || w == "wants" || w == "like" || w == "love"
	case "compatible_with", "integrates_with":
		return w == "can" || w == "could"
	case "decided_to_use", "decides", "decided_against":
		return w == "will" || w == "going"
	}
	return u.says(w) || w == "can" && strings.HasPrefix(u.verb, "can") || w == "must" && strings.HasPrefix(u.verb, "must") || w == "will" && strings.HasPrefix(u.verb, "will") ||
		w == "should" && strings.HasPrefix(u.verb, "should") || w == "scheduled" || u.verb == "scheduled_for"
}

// says whether the word is the relation's own verb: who "recommends" says so.
func (u *utterance) says(w string) bool {
	first, _, _ := strings.Cut(u.verb, "_")
	a, b := lemmaOf(first), lemmaOf(w)
	return a == b
}

func lemmaOf(w string) string {
	if v, ok := verbForms[w]; ok {
		return v.lemma
	}
	for _, end := range []string{"ning", "ing", "ned", "ed", "es", "s"} {
		if stem, ok := strings.CutSuffix(w, end); ok && len(stem) > 2 {
			return stem
		}
	}
	return w
}

func (u *utterance) copulaBefore(i int) bool {
	for j := i - 1; j >= 0 && j > i-4; j-- {
		switch u.t[j].lower {
		case "am", "is", "are", "was", "were", "'s", "be", "been":
			return true
		}
	}
	return false
}

// ordered says whether the clause tells somebody to do something: it begins with a bare verb.
func (u *utterance) ordered() bool {
	i := u.from
	for i < u.at && (u.t[i].kind == signToken || openers[u.t[i].lower] || adverbs[u.t[i].lower]) {
		if u.t[i].lower == "please" {
			return true
		}
		i++
	}
	if i >= u.at || u.t[i].kind != wordToken {
		return false
	}
	if w := u.t[i].lower; w == "let" {
		return false
	}
	v, ok := verbForms[u.t[i].lower]
	return ok && v.forms&formBase != 0 && v.forms&formPast == 0 && !(nounish[v.lemma] && !u.objectLike(i+1))
}

// objectLike says whether what stands at token i may be the object of an order.
func (u *utterance) objectLike(i int) bool {
	if i >= len(u.t) {
		return false
	}
	w := u.t[i].lower
	return u.t[i].kind == nameToken || articles[w] || w == "my" || w == "our" || possessives[w] || w == "me" || w == "it"
}
