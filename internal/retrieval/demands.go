package retrieval

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// demands are what an answer to a question must contain, whatever else it shares with the question. "Does Acme use
// Haskell?" is not answered by what Acme uses, nor "Where does Zoe's sister live?" by where Zoe lives. Shares of words
// and similar vectors cannot tell these apart.
type demands struct {
	names [][]string // the stems of each name; one of them must be present
	kin   []kinDemand
	told  *regexp.Regexp // what a text that tells it contains; nil: anything
}

// kinDemand is a relative, a role or an animal of somebody: "Zoe's sister", "my dog".
type kinDemand struct {
	words map[string]bool // the words for the same kin, folded
	owner string          // the folded name of the owner; "" for me, us and what is not said
}

// kinWords lists words for the same kin. A question may use another word than the answer.
var kinWords = []map[string]bool{
	wordSet(`sister sisters sibling siblings twin sis`), wordSet(`brother brothers sibling siblings twin bro`),
	wordSet(`mother mum mom mam mama mummy mommy parents parent folks`),
	wordSet(`father dad daddy papa parents parent folks`), wordSet(`parents parent mother mum mom father dad folks`),
	wordSet(`wife spouse partner husband married girlfriend`), wordSet(`husband spouse partner wife married boyfriend`),
	wordSet(`partner spouse wife husband boyfriend girlfriend fiance fiancee fiancé fiancée`),
	wordSet(`girlfriend partner fiancee fiancée wife`), wordSet(`boyfriend partner fiance fiancé husband`),
	wordSet(`son sons boy child children kid kids`), wordSet(`daughter daughters girl child children kid kids`),
	wordSet(`child children kid kids son sons daughter daughters baby`),
	wordSet(`kid kids child children son sons daughter daughters baby`),
	wordSet(`grandmother grandma granny nan nana oma`), wordSet(`grandfather grandpa grandad granddad opa`),
	wordSet(`aunt auntie aunty`), wordSet(`uncle`), wordSet(`cousin cousins`), wordSet(`niece nieces`),
	wordSet(`nephew nephews`), wordSet(`boss manager lead supervisor`), wordSet(`manager boss lead supervisor`),
	wordSet(`landlord landlady`), wordSet(`flatmate roommate housemate flatmates roommates housemates`),
	wordSet(`neighbour neighbor neighbours neighbors`), wordSet(`dog dogs puppy pup`), wordSet(`cat cats kitten kitty`),
}

// whereabouts are the questions for a home or a job, which another fact of the same person does not answer.
var whereabouts = []struct{ asks, told func() *regexp.Regexp }{
	{pattern(`\bwhere\b.*\b(?:live[sd]?|living|resides?)\b`),
		pattern(`\b(?:li(?:ves?|ved|ving)|mov(?:es?|ed|ing)|resid\w+|based|settled|stay\w*|rent\w*|homes?|house|flat|` +
			`apartment|address|from|back in|here in|over in|out in|place in)\b`)},
	{pattern(`\bwhere\b.*\bwork(?:s|ed|ing)?\b`),
		pattern(`\b(?:work\w*|jobs?|employ\w*|offices?|hir(?:ed|es?)|join(?:ed|s)?|company|firm|start(?:s|ed) (?:at|with)|` +
			`colleagues?|boss|at)\b`)},
}

// demandsOf reads what an answer to a question must contain. A place is only demanded by a question for yes or no: what
// was done there is often told without it.
func demandsOf(question string) demands {
	var d demands
	fields := strings.Fields(question)
	yesNo := len(fields) > 0 && focusVerbs[strings.ToLower(fields[0])]
	var name []string // of the words before this one
	end := func() {
		if len(name) > 0 {
			d.names = append(d.names, name)
		}
		name = nil
	}
	for i, field := range fields {
		if begins := i == 0; begins || !isCapitalised(field) {
			end()
			continue
		}
		if len(name) == 0 && !yesNo && wheres[strings.ToLower(fields[i-1])] {
			continue
		}
		name = append(name, contentStems(field)...)
		if _, owns := cutPossessive(strings.TrimFunc(field, isQuoteOrStop)); owns || strings.ContainsAny(field, ",;:?") {
			end()
		}
	}
	end()
	eachKin(question, func(word, owner string) {
		for _, group := range kinWords {
			if group[word] {
				d.kin = append(d.kin, kinDemand{group, owner})
				break
			}
		}
	})
	for _, w := range whereabouts {
		if w.asks().MatchString(question) {
			d.told = w.told()
		}
	}
	return d
}

// isCapitalised reports whether a word begins with a capital as a name does.
func isCapitalised(field string) bool {
	word := strings.TrimFunc(field, unicode.IsPunct)
	bare, _ := cutPossessive(word)
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r) && !noNames[strings.ToLower(word)] && !noNames[strings.ToLower(bare)] &&
		len(contentStems(field)) > 0
}

func contentStems(s string) []string {
	var stems []string
	for _, t := range text.Tokens(s) {
		if !t.Stop() && utf8.RuneCountInString(t.Word) > 1 {
			stems = append(stems, t.Stem)
		}
	}
	return stems
}

// eachKin calls f for each word of kinWords in a text that follows its owner ("Zoe's little sister"), and with an empty
// owner for one that follows none.
func eachKin(s string, f func(word, owner string)) {
	owner, left := "", 0
	for field := range strings.FieldsSeq(strings.ReplaceAll(s, "’", "'")) {
		word := strings.TrimFunc(field, func(r rune) bool { return unicode.IsPunct(r) && r != '\'' })
		name, owns := strings.CutSuffix(word, "'s")
		bare := strings.ToLower(strings.Trim(name, "'"))
		if left > 0 {
			left--
		} else {
			owner = ""
		}
		if slices.ContainsFunc(kinWords, func(group map[string]bool) bool { return group[bare] }) {
			f(bare, owner)
		}
		if r, _ := utf8.DecodeRuneInString(name); owns && unicode.IsUpper(r) {
			owner, left = bare, 2
		} else if bare == "my" || bare == "our" {
			owner, left = "", 0
		}
	}
}

// refers are the words by which a turn refers to what was said before it.
var refers = wordSet(`he she they it his her hers him their them its this that these those there here one ones both same
	who which where`)

// explained returns the candidate and the turns beside it that tell what it is about: those of another speaker, and the
// one before it if that asks or the candidate refers to something.
func explained(c *candidate) []*candidate {
	out := []*candidate{c}
	if p := c.prev; p != nil && (p.asks || !sameSpeaker(p.turn, c.turn) || c.refers()) {
		out = append(out, p)
	}
	if n := c.next; n != nil && !n.echo && !sameSpeaker(n.turn, c.turn) {
		out = append(out, n)
	}
	return out
}

func (c *candidate) refers() bool {
	for _, t := range text.Tokens(c.turn.Content) {
		if refers[t.Word] {
			return true
		}
	}
	return false
}

// metBy reports whether a candidate has what is demanded.
func (d demands) metBy(c *candidate) bool {
	if len(d.names) == 0 && len(d.kin) == 0 && d.told == nil {
		return true
	}
	stems, said := map[string]bool{}, []string{}
	for _, x := range explained(c) {
		said = append(said, x.turn.Content)
		for stem := range stemsOf(x.turn.Speaker + " " + x.turn.Content) {
			stems[stem] = true
		}
	}
	return d.met(stems, said)
}

// met reports whether these texts, which contain these stems, have what is demanded.
func (d demands) met(stems map[string]bool, said []string) bool {
	for _, name := range d.names {
		if !slices.ContainsFunc(name, func(stem string) bool { return stems[stem] }) {
			return false
		}
	}
	for _, k := range d.kin {
		if !slices.ContainsFunc(said, k.in) {
			return false
		}
	}
	return d.told == nil || slices.ContainsFunc(said, d.told.MatchString)
}

// metByFacts reports whether facts, which contain these stems, have what is demanded. Kin is told by a fact that has
// the owner as its head, unless its relation is symmetric.
func (d demands) metByFacts(stems map[string]bool, path []memory.Relationship) bool {
	for _, k := range d.kin {
		if !slices.ContainsFunc(path, k.inFact) {
			return false
		}
	}
	d.kin, d.told = nil, nil // a relation is a better sign than a word of a text
	return d.met(stems, nil)
}

func (k kinDemand) inFact(f memory.Relationship) bool {
	said := stemsOfFact(f)
	for word := range k.words {
		for _, stem := range contentStems(word) {
			if said[stem] {
				head, tail := stemsOf(f.Head.Name), stemsOf(f.Tail.Name)
				owner := func(name map[string]bool) bool {
					return !slices.ContainsFunc(contentStems(k.owner), func(s string) bool { return !name[s] })
				}
				return owner(head) || graph.Lookup(f.Relation).Symmetric && owner(tail)
			}
		}
	}
	return false
}

// in reports whether a text speaks of the kin, and not only of somebody else's.
func (k kinDemand) in(s string) (found bool) {
	eachKin(s, func(word, owner string) {
		found = found || k.words[word] && (owner == "" || owner == k.owner)
	})
	return found || k.words["married"] && strings.Contains(strings.ToLower(s), "married")
}
