package rules

import (
	"slices"
	"strings"
)

// utterance is the sentence around a name, read for what it says of the name.
type utterance struct {
	sentence
	at, end int    // the tokens of the name, the last one included
	verb    string // the relation that is looked for, in snake_case
	english bool
	c       *clause // the clause that the name is in; nil if the sentence has none
	from    int     // where the clause begins: its subject
	self    bool    // the subject, or whom the name belongs to, is the user
}

// newUtterance reads a sentence. In a text to the user, "you" is the user and "I" is somebody else.
func newUtterance(s *Speech, t []token, at, end int, relation string) *utterance {
	u := &utterance{at: at, end: end, verb: relation, english: !s.foreign,
		sentence: sentence{t: t, text: s.scrubbed, names: s.names, user: true, lists: &gazetteer{}}}
	if !s.user {
		u.t = slices.Clone(t)
		for i := range u.t {
			switch u.t[i].lower {
			case "you":
				u.t[i].lower = "we"
			case "your":
				u.t[i].lower = "our"
			case "i":
				u.t[i].lower = "they"
			case "my", "me":
				u.t[i].lower = "their"
			}
		}
	}
	return u
}

// attach finds the clause of the name, the last one whose verb stands before it, or the one whose subject it is, and
// whether it speaks of the user.
func (u *utterance) attach() {
	chunks := u.chunks()
	var last, subject *clause
	for k := range chunks {
		if chunks[k].kind != verbChunk || chunks[k].g.purpose {
			continue
		}
		c := &clause{s: &u.sentence, c: chunks, verb: k}
		if _, ok := c.findSubject(last); !ok {
			c.from = chunks[k].a
			if chunks[k].a < u.at {
				c.subjects = nil
			}
		}
		last = c
		switch {
		case chunks[k].a < u.at:
			u.c = c
		case subject == nil && slices.ContainsFunc(c.subjects, func(p arg) bool { return p.a <= u.at && u.at < p.b }):
			subject = c
		}
	}
	if subject != nil && !(u.c != nil && u.c.from > subject.from) {
		u.c = subject
	}
	own := u.ownPhrase(chunks)
	if u.c == nil {
		u.self = own || u.firstBehind() || u.firstBefore()
		return
	}
	u.from = min(u.c.from, u.at)
	before := u.c.c[u.c.verb].a < u.at
	switch {
	case own:
		u.self = true
	case before && len(u.c.subjects) == 0:
		u.self = u.firstBehind() || u.firstBefore()
	case before:
		u.self = u.subjectIsSelf()
	default:
		u.self = u.firstBehind()
	}
}

// ownPhrase says whether the name stands in a phrase with "my": "my sister Ines", but not "my brother's Acme".
func (u *utterance) ownPhrase(chunks []chunk) bool {
	for _, x := range chunks {
		if x.kind == phraseChunk && x.a < u.at && u.at < x.b {
			return x.p.det == "my" && x.p.of == nil && u.at == x.p.name
		}
	}
	if u.word(u.at-1) == "," { // "my cache of choice, Redis,"
		for i := u.at - 2; i >= 0 && u.kind(i) == wordToken && verbForms[u.word(i)].forms&(formS|formPast) == 0; i-- {
			if oneOf(u.word(i), "my our") {
				return true
			}
		}
	}
	return false
}

// subjectIsSelf says whether the clause is about the user, or about what is the user's.
func (u *utterance) subjectIsSelf() bool {
	for _, p := range u.c.subjects {
		switch {
		case p.kind == argSelf:
			return true
		case p.det != "my" || p.of != nil || p.kind == argName:
		case u.c.group().copula && roles[p.head]: // "my manager is Ann", and not "my brother is at Hooli"
			i := u.c.c[u.c.verb].b
			for articles[u.word(i)] || adverbs[u.word(i)] || oneOf(u.word(i), "called named") {
				i++
			}
			return i == u.at
		case u.c.group().copula, projectNouns[p.head], machineNouns[p.head], wrapNouns[p.head]:
			return true
		}
	}
	return false
}

// firstBefore says whether the user is the last subject before the name, or a subject was left out: "Moved to Bern".
func (u *utterance) firstBefore() bool {
	for i := u.at - 1; i >= 0 && u.word(i) != ";"; i-- {
		if w := u.word(i); oneOf(w, "i we") {
			return true
		} else if oneOf(w, "he she they it you this that") || u.kind(i) == nameToken &&
			verbForms[u.word(i+1)].forms&formS != 0 {
			return false
		}
	}
	return u.c != nil && (u.c.group().form == formPast || u.c.group().form == formIng)
}

// firstBehind says whether the user stands behind the name as the subject, the object or the owner of what is said.
func (u *utterance) firstBehind() bool {
	for i := u.end + 1; i < len(u.t); i++ {
		w := u.t[i].lower
		switch {
		case w == ";" || subordinators[w] && !oneOf(w, "what where which that"):
			return false
		case oneOf(w, "i we me us mine ours myself ourselves"):
			return true
		case w == "my" || w == "our":
			p, ok := u.phraseAt(i)
			_, verb := u.verbBehind(p.b - 1)
			return ok && !verb && (!roles[u.word(i+1)] || u.isCopula(i-1))
		}
	}
	return false
}

// manner says how the clause says what it says. First comes what makes it no statement at all.
func (u *utterance) manner() Manner {
	if !u.english {
		return Unsure
	}
	if from, asked := asks(u.t); asked && u.end >= from {
		return Asked
	}
	if u.denied() {
		return Denied
	}
	if u.orders() {
		return Ordered
	}
	found := Stated
	note := func(m Manner) { found = max(found, m) }
	doubts := u.doubtful("before", 0, u.at)
	joined := u.from > 0 && (conjunctions[u.word(u.from-1)] || u.word(u.from-1) == ";")
	for i := range u.at {
		w, next := u.t[i].lower, u.word(i+1)
		if u.t[i].kind != wordToken || joined && i < u.from && !oneOf(w, "if unless suppose imagine assuming") {
			continue
		}
		switch {
		case hedges[w], oneOf(w, "afaik iirc seems"), opinions[w] && oneOf(u.word(i-1), "i we"), w == "pretty" &&
			next == "sure":
			note(Unsure)
		case w == "not" && oneOf(next, "sure certain clear true"):
			note(Supposed)
		case i == u.from-1 && blocking[w] && u.c != nil && u.c.group().present && !u.c.group().ing, w == "if" ||
			w == "unless":
			note(Supposed)
		case i >= u.from && unwilled[w] && !(u.t[i].capital && i > 0), i >= u.from && next == "to" && willing[w]:
			if !u.wills(w) {
				note(Wished)
			}
		case i >= u.from && (w == "let" && next == "us" || oneOf(w, "decided agreed")) &&
			!strings.HasPrefix(u.verb, "decided"):
			note(Unsure)
		case oneOf(w, "once when why what how where") && i < u.from:
		case slices.Contains(doubts, i) && !u.says(w) && !(w == "not" && u.negative()):
			note(doubtManner(w))
		}
	}
	for i := u.end + 1; i < len(u.t) && u.word(i) != ";"; i++ {
		w := u.t[i].lower
		switch {
		case w == "if" && !oneOf(u.word(i+1), "not you"), oneOf(w, "unless hypothetically theoretically"):
			note(Supposed)
		case oneOf(w, "supposedly apparently allegedly"),
			oneOf(w, "said says claims thinks told") && u.word(i-1) != "i" && u.closes(i) && u.word(i-2) != "whatever":
			note(Reported)
		case oneOf(w, "probably presumably afaik iirc"), opinions[w] && u.word(i-1) == "i":
			note(Unsure)
		}
	}
	return found
}

var (
	reporting = class("reporting")
	unwilled  = class("unwilled")
	willing   = class("willing") // "to" behind them makes a wish or a plan
	denying   = class("denying")
)

// denied says whether the clause denies what it says of the name.
func (u *utterance) denied() bool {
	if u.negative() || u.over() {
		return false
	}
	for i := u.from; i < u.at; i++ {
		w, next := u.t[i].lower, u.word(i+1)
		switch {
		case u.t[i].kind != wordToken:
		case oneOf(w, "not never") && oneOf(next, "only just merely sure certain clear"):
		case denying[w]:
			return true
		case w == "no" && !oneOf(next, "longer more matter doubt") && u.kind(i+1) != signToken:
			return true
		}
	}
	return false
}

// orders says whether the clause tells somebody to do something: it begins with a bare verb.
func (u *utterance) orders() bool {
	i := 0
	if u.word(0) == "please" {
		return true
	}
	if u.c != nil && len(u.c.subjects) > 0 {
		return false
	}
	for i < u.at && (u.t[i].kind == signToken || openers[u.t[i].lower] || adverbs[u.t[i].lower]) {
		i++
	}
	v := verbForms[u.word(i)]
	return i < u.at && u.kind(i) == wordToken && v.forms&formBase != 0 && v.forms&formPast == 0
}

// over says whether the clause says of something that it holds no longer: "no longer", "not … any more".
func (u *utterance) over() bool {
	denied := false
	for i := u.from; i < len(u.t); i++ {
		w := u.t[i].lower
		switch {
		case w == ";", i > u.end && (w == "," || conjunctions[w]) && oneOf(u.word(i+1), "i we he she they you"):
			return false
		case w == "longer", w == "anymore", w == "more" && oneOf(u.word(i-1), "any no"), w == "since" && denied:
			return true
		case w == "not" || w == "never":
			denied = true
		}
	}
	return false
}

func (u *utterance) isCopula(i int) bool { return oneOf(u.word(i), "is are was were 's am") }

// doubtManner says what a word of doubt makes of what it stands before.
func doubtManner(w string) Manner {
	if reporting[w] {
		return Reported
	}
	return Supposed
}

// negative says whether the relation that is looked for denies by itself.
func (u *utterance) negative() bool {
	switch u.verb {
	case "dislikes", "decided_against", "avoids", "hates", "lacks", "refuses", "rejects",
		"rejected", "opposes", "distrusts", "blocks", "blocked_by", "cannot":
		return true
	}
	return strings.HasPrefix(u.verb, "not_") || strings.Contains(u.verb, "_not") ||
		strings.HasPrefix(u.verb, "never_") || strings.HasPrefix(u.verb, "no_") ||
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
	return u.says(w) || w == "can" && strings.HasPrefix(u.verb, "can") || w == "must" &&
		strings.HasPrefix(u.verb, "must") || w == "will" && strings.HasPrefix(u.verb, "will") ||
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

// noun says whether what could be a verb at token i is a noun: behind a determiner, a preposition or another verb.
func (u *utterance) noun(i int) bool {
	w := u.word(i - 1)
	return i > 0 && nounish[verbForms[u.t[i].lower].lemma] &&
		(articles[w] || possessives[w] || w == "my" || w == "our" || prepositions[w] || vague[w])
}

// side says at which end of the relation the name stands, where the relation's own verb stands between the subject
// and the
// name: "Ann reports to Ben" says of nobody else that they report. What another preposition than the relation's own
// stands
// before is neither: "decided to use gRPC for Atlas".
func (u *utterance) side() Side {
	if u.verb == "assigned_to" { // tasks are assigned to people, and people to tasks
		return AnySide
	}
	words := strings.Split(u.verb, "_")
	want := lemmaOf(words[0])
	first := verbForms[words[0]].forms
	// created_by and written_in are what passives say
	passives := len(words) > 1 && prepositions[words[len(words)-1]] && (words[len(words)-1] == "by" ||
		first&formDone != 0 && first&formBase == 0)
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
