package rules

// argKind is the kind of a noun phrase.
type argKind uint8

const (
	argNone    argKind = iota // cannot be in a fact: "you", "his laptop", "nobody"
	argSelf                   // I, we, the user
	argPronoun                // he, she, it, they
	argNoun                   // a phrase without a name: "the admin dashboard"
	argName                   // a phrase with a name: "Helix", "the Kafka migration", "a bot called Wren"
)

// arg is a noun phrase.
type arg struct {
	kind  argKind
	a, b  int // token range, with the determiner
	first int // first token after the determiner
	// "", "the", "a", "my" (my, our, the user's), "this", "other" (his, your, Ana's), "vague" (no, every)
	det        string
	name       int    // token of the name; -1 for none
	called     bool   // the phrase gives the name: "a bot called Wren"
	role       string // of a person: "my colleague Ines"
	of         *arg   // the owner: Lantern in "Lantern's maintainer"
	head       string // last noun, in lower case
	plural     bool
	pronoun    string
	resolved   string // referent of a pronoun
	resolvedAs string // type of the referent
}

// maxPhrase is the maximum length of a noun phrase, in tokens.
const maxPhrase = 10

// phraseAt reads the noun phrase that begins with token i. ok is false if there is none.
func (s *sentence) phraseAt(i int) (p arg, ok bool) {
	p = arg{a: i, b: i, first: i, name: -1}
	if i >= len(s.t) || s.t[i].kind == signToken {
		return p, false
	}
	w := s.t[i].lower
	if p, ok, done := s.pronounAt(i); done {
		return p, ok
	}
	switch {
	case s.t[i].kind == nameToken:
	case articles[w]:
		p.det = "the"
		if w != "the" {
			p.det = "a"
		}
		p.first++
	case w == "my" || w == "our":
		p.det = "my"
		if !s.user && w == "my" {
			p.det = "other"
		}
		p.first++
	case oneOf(w, "this that these those"):
		if !s.nominal(i+1) || w == "that" && s.kind(i+1) == nameToken {
			return p, false
		}
		p.det = "this"
		p.first++
	case possessives[w]:
		p.det = "other"
		p.first++
	case vague[w]:
		p.det = "vague"
		p.first++
		for p.first < len(s.t) && (s.word(p.first) == "of" || s.word(p.first) == "the" || vague[s.word(p.first)] ||
			s.word(p.first) == "our" || s.word(p.first) == "my") {
			p.first++
		}
	}
	return s.readPhrase(p)
}

// pronounAt reads pronouns, and the user in the third person. done reports whether token i is one of them.
func (s *sentence) pronounAt(i int) (p arg, ok, done bool) {
	p = arg{a: i, b: i + 1, first: i, name: -1}
	w := s.t[i].lower
	switch w {
	case "i", "me", "we", "us":
		p.kind, p.plural, p.pronoun = argSelf, w == "we" || w == "us", w
		if !s.user && (w == "i" || w == "me") {
			p.kind = argNone
		}
		return p, true, true
	case "he", "she", "him", "they", "them", "it":
		p.kind, p.pronoun, p.plural = argPronoun, w, w == "they" || w == "them"
		return p, true, true
	case "you":
		p.plural = true
		return p, true, true
	case "nobody", "none", "everyone", "everybody", "everything", "nothing", "someone", "somebody", "something",
		"anyone", "anybody", "anything", "others", "folks", "people", "ones", "there", "here":
		return p, true, true
	case "no":
		if s.word(i+1) == "one" {
			p.b++
			return p, true, true
		}
	case "user":
		if s.t[i].capital && (!s.nominal(i+1) || s.finite(i+1)) || s.t[i].capital && s.word(i+1) == "'s" {
			p.kind = argSelf
			return s.userPossessive(p)
		}
	case "the":
		if s.word(i+1) == "user" && (!s.nominal(i+2) || s.finite(i+2) || s.word(i+2) == "'s") {
			p.kind, p.b = argSelf, i+2
			return s.userPossessive(p)
		}
	}
	return p, false, false
}

// finite reports whether token i is a verb in the third person singular or in the past.
func (s *sentence) finite(i int) bool {
	v, ok := verbForms[s.word(i)]
	return ok && s.kind(i) == wordToken && v.forms&(formS|formPast) != 0
}

// userPossessive reads "User's manager" as "my manager".
func (s *sentence) userPossessive(p arg) (arg, bool, bool) {
	if s.word(p.b) != "'s" || !s.nominal(p.b+1) {
		return p, true, true
	}
	inner, ok := s.readPhrase(arg{a: p.a, first: p.b + 1, b: p.b + 1, det: "my", name: -1})
	return inner, ok, true
}

// nominal reports whether token i can be a noun or an adjective of a noun phrase.
func (s *sentence) nominal(i int) bool {
	if i >= len(s.t) {
		return false
	}
	t := s.t[i]
	switch t.kind {
	case nameToken:
		return true
	case signToken, numberToken:
		return false
	}
	w := t.lower
	if articles[w] || possessives[w] || w == "my" || w == "our" || prepositions[w] || conjunctions[w] ||
		subordinators[w] || auxiliaries[w] || pronouns[w] || adverbs[w] || hedges[w] || negations[w] || timeWords[w] ||
		w == "'s" || w == "to" || unlinked[w] {
		return false
	}
	if v, ok := verbForms[w]; ok && v.forms&(formS|formPast|formBase) != 0 && !nounish[v.lemma] && !adjectival[w] {
		return v.forms == formDone || v.forms == formIng
	}
	return true
}

// unlinked are words that end a noun phrase.
var unlinked = class("unlinked")

// adjectival are verb forms that are often adjectives.
var adjectival = class("adjectival")

// readPhrase reads the words of a phrase from p.first on.
func (s *sentence) readPhrase(p arg) (arg, bool) {
	i := p.first
	words := 0
	for i < len(s.t) && words < maxPhrase {
		t := s.t[i]
		switch {
		case t.kind == nameToken:
			if p.name >= 0 && !p.called && words > 0 && s.t[i-1].kind == nameToken {
				return s.finish(p, i, words)
			}
			p.name = i
		case t.kind == numberToken:
			if words == 0 || s.t[i-1].kind != nameToken && !(s.t[i-1].kind == wordToken && s.t[i-1].capital) {
				return s.finish(p, i, words)
			}
			// a version number: "the Larder 2 service" goes on
			if p.name != i-1 || !wrapNouns[s.word(i+1)] || pluralNoun(s.word(i+1)) {
				return s.finish(p, i+1, words)
			}
		case t.kind == signToken:
			return s.finish(p, i, words)
		case oneOf(t.lower, "called named dubbed titled nicknamed") && words > 0 && s.kind(i+1) != signToken &&
			i+1 < len(s.t) && s.givenName(i+1):
			p.name, p.called = i+1, true
			p.head = s.word(i - 1)
			p.kind, p.b = argName, i+2
			return p, true
		case !s.nounAt(i, words, p.det != ""):
			return s.finish(p, i, words)
		}
		if at := s.timeAt(i); at > i && words > 0 {
			return s.finish(p, i, words)
		}
		words++
		i++
		if s.word(i) == "'s" { // "Rust's borrow checker" is not about Rust
			if _, is := s.isVerb(i); is {
				return s.finish(p, i, words)
			}
			owner, _ := s.finish(p, i, words)
			p.of = &owner
			p.det, p.name, p.first = "other", -1, i+1
			i++
			words = 0
		}
	}
	return s.finish(p, i, words)
}

// givenName reports whether token i can be a name after "called".
func (s *sentence) givenName(i int) bool {
	t := s.t[i]
	return t.kind == nameToken || t.kind == wordToken && !articles[t.lower] && !pronouns[t.lower] &&
		!prepositions[t.lower] && !subordinators[t.lower] && t.lower != "my" && t.lower != "our" && t.lower != "so" &&
		!auxiliaries[t.lower]
}

// nounAt reports whether word i belongs to the noun phrase before it, which has this many words.
func (s *sentence) nounAt(i, words int, determined bool) bool {
	w := s.t[i].lower
	if words == 0 && (determined && leading[w] || s.attributive(i)) {
		return true
	}
	v, verb := verbForms[w]
	if !verb || adjectival[w] && words == 0 {
		return s.nominal(i)
	}
	switch {
	case words == 0 && (determined || i > 0 && prepositions[s.t[i-1].lower] && s.t[i-1].lower != "to"):
		return v.forms&(formIng|formDone|formBase|formS) != 0
	case words == 0 && i > 0 && v.forms&formBase != 0 && verbForms[s.t[i-1].lower].lemma != "" && nounish[v.lemma]:
		return true // "prefers code samples"
	case words > 0 && v.forms&formBase != 0 && v.forms&formPast == 0 && s.kind(i+1) == signToken &&
		!pluralNoun(s.word(i-1)):
		return true // "an unclosed file handle."
	case words == 0:
		return v.forms == formDone && s.nominal(i+1) || nounish[v.lemma] && v.forms&formBase != 0 && s.verbBehind(i)
	case v.forms&(formBase|formS) != 0 && nounish[v.lemma]:
		return !s.objectBehind(i) || determined && v.forms&formBase != 0
	case v.forms == formIng:
		return adjectival[w] && s.nominal(i+1) || adjectival[w] && !s.objectBehind(i)
	}
	return false
}

// leading are adverbs that are adjectives after a determiner.
var leading = class("leading")

// attributive reports whether the adverb at token i describes the noun after it: "hates long answers".
func (s *sentence) attributive(i int) bool {
	_, verb := verbForms[s.word(i+1)]
	return attributives[s.word(i)] && s.kind(i+1) == wordToken && s.nominal(i+1) && (!verb || pluralNoun(s.word(i+1)))
}

var attributives = class("attributives")

func (s *sentence) verbBehind(i int) bool {
	_, ok := verbForms[s.word(i+1)]
	return ok || auxiliaries[s.word(i+1)]
}

// objectBehind reports whether an object follows token i, read as a verb.
func (s *sentence) objectBehind(i int) bool {
	w := s.word(i + 1)
	if i+1 >= len(s.t) || s.t[i+1].kind == signToken {
		return false
	}
	return s.t[i+1].kind == nameToken || wrapNouns[w] && s.kind(i+2) == nameToken || articles[w] || w == "my" ||
		w == "our" || prepositions[w] && w != "of" || pronouns[w] || possessives[w] || adverbs[w]
}

// isVerb reports whether "'s" at token i is a verb and not a genitive.
func (s *sentence) isVerb(i int) (string, bool) {
	if i == 0 || i+1 >= len(s.t) {
		return "", false
	}
	before, next := s.t[i-1].lower, s.word(i+1)
	if before == "name" && s.kind(i+1) == nameToken || oneOf(before, "it he she that there what who here") {
		return "is", true
	}
	// "Tom's working on it"
	if v, ok := verbForms[next]; ok && v.forms == formIng && s.kind(i-1) == nameToken && oneOf(s.word(i+2),
		"on at for with") {
		return "is", true
	}
	// "Margit's left Voest"
	if v, ok := verbForms[next]; ok && v.forms&formDone != 0 && s.kind(i+2) == nameToken && s.kind(i-1) == nameToken {
		return "is", true
	}
	if v, ok := verbForms[next]; ok && v.forms&(formIng|formDone) != 0 && !adjectival[next] {
		return "is", v.forms&formIng != 0 || oneOf(s.word(i+2), "by in to")
	}
	return "is", articles[next] || oneOf(next, "my our not") || prepositions[next] &&
		next != "per" || adverbs[next] && next != "own" && next != "only" || next == "been"
}

// finish completes a phrase that ends before token end.
func (s *sentence) finish(p arg, end, words int) (arg, bool) {
	p.b = end
	if words == 0 {
		return p, false
	}
	last := end - 1
	for last > p.first && s.t[last].kind == numberToken {
		last--
	}
	p.head = s.word(last)
	p.kind = argNoun
	if p.name >= 0 {
		p.kind = argName
	}
	if p.det == "other" || p.det == "vague" {
		p.kind = argNone
	}
	p.plural = p.name != last && len(p.head) > 3 && p.head[len(p.head)-1] == 's' && p.head[len(p.head)-2] != 's'
	if p.name > p.first && (p.det == "my" || p.det == "other") {
		if r := s.word(p.name - 1); roles[r] || several[r] {
			p.role = r
			if p.det == "other" && p.name == last { // "Tariq's sister Huda", "her husband Fermín"
				p.kind = argName
			}
		}
	}
	if p.name < 0 && roles[p.head] && !(projectNouns[p.head] && (words > 1 || p.det == "the") && p.det != "my") {
		p.role = p.head
	}
	return p, true
}
