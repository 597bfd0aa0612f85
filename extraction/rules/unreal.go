package rules

import "strings"

// meant leaves out the sentences that nobody means: what is supposed, played, nearly done, said in mockery or taken back by
// what follows. All of a sentence goes, since what part of it is meant cannot be told.
func meant(list [][]token) [][]token {
	out := list[:0:0]
	for _, t := range list {
		if plays(t) {
			break
		}
		if takesBack(t) {
			if n := len(out); n > 0 && t[0].line < 2 {
				out = out[:n-1]
			}
			if !anyVerb(t) && !amends(t).ok {
				continue
			}
		}
		if !unreal(t[amends(t).from:]) {
			out = append(out, t)
		}
	}
	return out
}

// at gives the small letters of token i, "" beyond the ends.
func at(t []token, i int) string {
	if i < 0 || i >= len(t) {
		return ""
	}
	return t[i].lower
}

// saying says whether the words stand at token i.
func saying(t []token, i int, words ...string) bool {
	for n, w := range words {
		if at(t, i+n) != w {
			return false
		}
	}
	return true
}

// opening gives the first token behind signs and words that open a sentence.
func opening(t []token) int {
	i := 0
	for i < len(t) && (t[i].kind == signToken || openers[t[i].lower] && t[i].lower != "no" && t[i].lower != "sorry" && t[i].lower != "yeah" && t[i].lower != "actually") {
		i++
	}
	return i
}

// plays says whether a sentence asks for a part to be played: what follows is said in it.
func plays(t []token) bool {
	for i, x := range t {
		switch x.lower {
		case "roleplay", "role-play", "roleplaying", "role-playing", "rp", "cosplay":
			return true
		case "role":
			return at(t, i+1) == "play" || at(t, i+1) == "playing"
		}
	}
	i := opening(t)
	if saying(t, i, "from", "now", "on") {
		if i += 3; at(t, i) == "," {
			i++
		}
	}
	switch at(t, i) {
	case "you":
		if next := at(t, i+1); next != "are" && next != "play" {
			return false
		}
		if i+2 >= len(t) || t[len(t)-1].lower == "?" {
			return false
		}
		return (t[i+2].kind == nameToken || articles[t[i+2].lower] || t[i+2].lower == "my") && !praised(t[i+2:])
	case "act":
		return at(t, i+1) == "as" || at(t, i+1) == "like"
	case "play":
		return articles[at(t, i+1)] || at(t, i+1) == "my"
	case "imagine", "pretend", "assume", "suppose":
		return at(t, i+1) == "you" || at(t, i+1) == "to"
	}
	return false
}

// praised says whether what "you are" is is thanks.
func praised(t []token) bool {
	return anyIn(t, praises)
}

var praises = set(`star genius lifesaver legend angel hero gem treasure wizard champ champion god best boss savior saviour darling dear friend help pro rock rockstar delight joy sweetheart`)

// takesBack says whether a sentence takes back the one before: "Wait, no, Grunt.", "Not!", "/s".
func takesBack(t []token) bool {
	if amends(t).retracts {
		return true
	}
	i := opening(t)
	for w := at(t, i); w == "oh" || w == "er" || w == "um" || w == "uh" || w == "hmm" || w == "," || w == "oops" || w == "ah"; w = at(t, i) {
		i++
	}
	short := len(t) - i
	switch at(t, i) {
	case "wait":
		next := at(t, i+1)
		if next == "," || next == "-" || next == "." {
			next = at(t, i+2)
		}
		return next == "no" || next == "scratch" || next == "sorry" || next == "actually" || next == "not"
	case "no":
		return at(t, i+1) == "wait" || at(t, i+1) == "," && (at(t, i+2) == "wait" || at(t, i+2) == "sorry") || short <= 2 && at(t, i+1) != "?" || at(t, i+1) == "," && (at(t, i+2) == "i" || at(t, i+2) == "we" || at(t, i+2) == "not") && short <= 8 && hasWord(t[i:], "not") && !anyVerb(t[i+2:])
	case "scratch", "strike":
		return at(t, i+1) == "that"
	case "sorry":
		return at(t, i+1) == "," && short <= 6 && !anyVerb(t[i:])
	case "actually":
		return at(t, i+1) == "," && at(t, i+2) == "no" || at(t, i+1) == "no"
	case "i":
		return at(t, i+1) == "mean" && short <= 6 && !anyVerb(t[i+2:]) || at(t, i+1) == "wish" && short <= 3
	case "not":
		return short <= 2 || at(t, i+1) == "really" && short <= 4
	case "as":
		return at(t, i+1) == "if" && short <= 3
	case "never":
		return at(t, i+1) == "mind"
	case "my":
		return at(t, i+1) == "mistake" || at(t, i+1) == "bad" || at(t, i+1) == "error"
	case "that", "this":
		be, says := at(t, i+1), at(t, i+2)
		if (be == "is" || be == "'s" || be == "was") && (says == "not" || says == "a") {
			says = at(t, i+3)
		}
		return (be == "is" || be == "'s" || be == "was") && (says == "wrong" || says == "true" && at(t, i+2) == "not" || says == "right" && at(t, i+2) == "not" || says == "lie" || says == "joke" || says == "incorrect" ||
			says == "false" || says == "untrue" || says == "sarcasm" || says == "hypothetical")
	case "in":
		return at(t, i+1) == "my" && toldIn[at(t, i+2)] && short <= 5
	case "or":
		return at(t, i+1) == "so" && short <= 7
	case "s":
		return i > 0 && at(t, i-1) == "/" && short == 1
	}
	return false
}

func anyVerb(t []token) bool {
	for _, x := range t {
		if x.kind != wordToken {
			continue
		}
		if v, ok := verbForms[x.lower]; ok && v.forms != formIng && !nounish[v.lemma] && x.lower != "wait" && x.lower != "scratch" && x.lower != "strike" && x.lower != "mean" || x.lower == "is" || x.lower == "are" || x.lower == "am" {
			return true
		}
	}
	return false
}

// hypothetical verbs begin what is only supposed.
var hypothetical = set(`suppose supposing assume assuming imagine imagining pretend pretending say picture envision hypothetically theoretically`)

// unreal says whether what the sentence says is not so, however it is said.
func unreal(t []token) bool {
	i := opening(t)
	first := at(t, i)
	if i < len(t) && t[i].kind == nameToken { // "Suppose Alice" looks like a name
		first, _, _ = strings.Cut(first, " ")
	}
	switch {
	case hypothetical[first] && (first != "say" || i+1 >= len(t) || at(t, i) != first || t[i+1].kind == nameToken || pronouns[t[i+1].lower] || articles[t[i+1].lower]),
		saying(t, i, "let", "us") && (hypothetical[at(t, i+2)] || at(t, i+2) == "just" && hypothetical[at(t, i+3)]),
		(first == "nor" || first == "neither") && auxiliaries[at(t, i+1)], // "Nor do I use Redis"
		saying(t, i, "yeah", "right"), saying(t, i, "yeah", ",", "right"), saying(t, i, "as", "if"),
		first == "todo" || first == "fixme" || saying(t, i, "to", "do", ":") || saying(t, i, "to-do"):
		return true
	case at(t, 0) == "[" && at(t, 1) == "]", (at(t, 0) == "-" || at(t, 0) == "*") && at(t, 1) == "[" && at(t, 2) == "]": // an open item of a list
		return true
	}
	n := len(t)
	end := n
	for end > 0 && t[end-1].kind == signToken {
		end--
	}
	switch {
	case at(t, end-1) == "s" && at(t, end-2) == "/", at(t, end-1) == "not" && end > 1, saying(t, end-2, "not", "really"), saying(t, end-2, "i", "wish"), saying(t, end-2, "as", "if"):
		return true
	case n > 3 && t[n-1].lower == "?" && tagged(t):
		return true
	}
	for i, x := range t {
		if x.kind == signToken {
			continue
		}
		next := at(t, i+1)
		switch x.lower {
		case "almost", "nearly":
			if v, ok := verbForms[next]; ok && v.forms&(formPast|formDone) != 0 && !adjectival[next] {
				return true
			}
		case "hopefully", "hypothetically", "theoretically", "fingers":
			return x.lower != "fingers" || next == "crossed"
		case "theory":
			return at(t, i-1) == "in"
		case "said", "says":
			return next == "nobody" || next == "noone" || next == "no" && at(t, i+2) == "one" || next == "none"
		case "least", "second", "third":
			return next == "favorite" || next == "favourite" || next == "preferred"
		case "protagonist", "avatar", "npc", "persona", "antagonist", "alter-ego":
			return true
		case "respectively":
			return true
		case "character", "characters", "hero", "heroine", "villain":
			if before := at(t, i-1); before == "my" || before == "main" || before == "our" || before == "the" && at(t, i-2) == "," {
				return true
			}
		case "wait", "scratch", "sorry", "er", "erm", "rather", "mean", "no", "oops", "correction":
			if corrects(t, i) {
				return true
			}
		}
	}
	return false
}

// tagged says whether a question ends with a tag: ", doesn't she?".
func tagged(t []token) bool {
	for i := len(t) - 2; i > 0 && i >= len(t)-6; i-- {
		if t[i].lower == "," {
			return auxiliaries[at(t, i+1)] && pronouns[at(t, len(t)-2)]
		}
	}
	return false
}

// corrects says whether the word at token i takes back what stands before it in its sentence: ", wait, no, Grunt", ", I mean
// Grunt".
func corrects(t []token, i int) bool {
	if i < 2 {
		return false
	}
	before, next := at(t, i-1), at(t, i+1)
	sign := separates(before) || before == "." || before == "("
	switch at(t, i) {
	case "wait":
		return sign && (next == "," || next == "no") || before == "no"
	case "scratch":
		return next == "that" || next == "this"
	case "sorry", "er", "erm", "oops", "correction":
		return sign && (next == "," || next == ":" || i+1 < len(t) && t[i+1].kind == nameToken && i+2 >= len(t)-1)
	case "rather":
		return before == "or" && sign2(t, i-2) && !turned(t, i+1)
	case "mean":
		return before == "i" && sign2(t, i-2)
	case "no":
		return sign && next == "," && i+2 < len(t) && t[i+2].kind == nameToken
	}
	return false
}

// turned says whether what stands from token i on turns a statement round for a joke and leaves it true: ", or rather it uses me".
func turned(t []token, i int) bool {
	w, object := at(t, i), at(t, i+2)
	_, verb := verbForms[at(t, i+1)]
	return (w == "it" || w == "she" || w == "he" || w == "they") && verb && (object == "me" || object == "us") && (i+3 >= len(t) || t[i+3].kind == signToken)
}

func sign2(t []token, i int) bool { return i >= 0 && t[i].kind == signToken }
