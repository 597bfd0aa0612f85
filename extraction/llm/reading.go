package llm

import (
	"slices"
	"strings"

	"memory-graph/extraction/rules"
	"memory-graph/internal/memory"
)

var (
	// firstPerson and secondPerson are how a turn speaks of who speaks, and of who is spoken to.
	firstPerson  = words("i me my mine myself we us our ours ourselves user speaker")
	secondPerson = words("you your yours yourself user")
	// pronouns name nothing, whatever the model says.
	pronouns = words(`i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers
		herself it its itself
		they them their theirs themselves this that these those who whom whose which what someone somebody anyone anybody
		everyone everybody
		nobody something anything everything nothing here there one ones other others assistant ai bot none null unknown`)
	// references are the words by which a turn may mean what an earlier one names.
	references = words(`he him his she her hers it its they them their theirs this that these those who which there here
		then one ones both
		former latter same such another other others also too yes yeah yep no nope ok okay sure`)
	// endings are words by which a turn may say that something holds no longer, beside verbs in the past.
	endings = words(`left leave leaves leaving quit quits quitting stop stops stopping longer anymore more former formerly
		ex past previous
		previously until till end ends ending over off away out instead switch switches switching migrate migrates migrating
		migration move moves
		moving replace replaces replacing drop drops dropping remove removes removing deprecate deprecating retire retires
		retiring retirement
		sell sells selling sold gave give gives giving cancel cancels canceling cancelling resign resigns resigning finish
		finishes finishing
		done gone go goes going went broke break breaks breaking divorce divorces lose loses losing lost rid got get getting
		was were had been
		ago before old once last died dead death sunset sunsets sunsetting shut shuts shutting kill kills killing ditch
		ditches ditching
		abandon abandons abandoning discontinue discontinues withdrew withdraw withdraws became become swap swaps swapping
		from`)
	// english are words that stand in nearly every English sentence.
	english = words(`the a an is are was were be been am and or of to in on at for with from by as not we i you he she it
		they my our your his her
		their this that have has had do does did will would can could use uses used now`)
	// examples are the names of the prompt's examples: small models repeat them.
	examples = map[string]bool{"quorbel": true, "quorbel cluster": true, "zintrax": true, "vemmeld": true,
		"drovane uplick": true,
		"drovane":        true, "uplick": true, "hespermoor": true}
)

// refers says whether the turn may mean what earlier ones name. Of a turn that does not look English it is not known,
// and it may.
func (f folded) refers() bool { return f.hasWord(references) || !f.hasWord(english) }

// ends says whether the turn may say that something holds no longer.
func (f folded) ends() bool {
	return f.hasWord(endings) || strings.Contains(f.folded, "ed ") ||
		strings.HasSuffix(strings.TrimRight(f.folded, ".!;, "), "ed") || !f.hasWord(english)
}

// isSelf says whether a canonical name is one for the turn's user.
func (t *validation) isSelf(key string) bool {
	key = strings.TrimPrefix(key, "the ")
	if key == memory.Canonical(t.self) || key == "user" {
		return true
	}
	switch t.Role {
	case memory.RoleUser:
		return firstPerson[key]
	case memory.RoleAssistant:
		return secondPerson[key] || key == "we" || key == "us" || key == "our"
	}
	return false
}

// ofSelf says whether the turn may state something of its user. A user's turn always may: "Moved to Bern" has no "I".
// An assistant's does where it speaks to the user or of both; what is said of the assistant alone is not the user's.
func (t *validation) ofSelf() bool {
	switch t.Role {
	case memory.RoleUser:
		return true
	case memory.RoleAssistant:
		return t.folded.hasWord(secondPerson) || t.folded.hasWord(ourselves) || t.folded.has(t.self)
	}
	return t.folded.has(t.self)
}

var ourselves = words("we us our ours")

// quote gives the turn's own words for what the model says that it quotes, with where they stand, or why there are
// none: they must stand in the turn, and not only where it quotes others or has code, since what stands there its
// speaker does not say.
func (t *validation) quote(s string) (said string, at rules.Span, why string) {
	why = DroppedQuote
	for _, s := range []string{s, strings.Trim(s, "\"'“”‘’. \t\n")} { // it may have put its own marks around it
		for from := 0; ; {
			start, stop, ok := t.folded.find(s, from)
			if !ok {
				break
			}
			said, first, last := t.folded.span(start, stop)
			if t.speech.Own(first, last) {
				return said, rules.Span{Start: first, Stop: last}, ""
			}
			why, from = DroppedQuoted, stop
		}
	}
	return "", rules.Span{}, why
}

// bare gives a name without what models put around it: quotation marks, and an article that is not the name's own.
func bare(name string) string {
	name = strings.Trim(strings.TrimSpace(name), "\"'`“”‘’*,;:")
	for _, article := range []string{"the ", "a ", "an ", "my ", "our ", "your "} {
		if rest, ok := strings.CutPrefix(name, article); ok {
			return strings.TrimSpace(rest)
		}
	}
	return name
}

// entityType gives a type of the list; another one is made up, and a concept.
func entityType(s string) (typ string, madeUp bool) {
	if typ := strings.ToLower(strings.TrimSpace(s)); slices.Contains(memory.EntityTypes, typ) {
		return typ, false
	}
	return memory.DefaultType, true
}
