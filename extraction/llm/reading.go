package llm

import (
	"slices"
	"strings"

	"memory-graph/extraction/rules"
	"memory-graph/internal/memory"
)

var (
	// firstPerson and secondPerson are the words by which a turn refers to its speaker, and to the person addressed.
	firstPerson  = words("i me my mine myself we us our ours ourselves user speaker")
	secondPerson = words("you your yours yourself user")
	// pronouns are not names, even if the model lists them as entities.
	pronouns = words(`i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers
		herself it its itself
		they them their theirs themselves this that these those who whom whose which what someone somebody anyone anybody
		everyone everybody
		nobody something anything everything nothing here there one ones other others assistant ai bot none null unknown`)
	// references are the words with which a turn may refer to a name in an earlier one.
	references = words(`he him his she her hers it its they them their theirs this that these those who which there here
		then one ones both
		former latter same such another other others also too yes yeah yep no nope ok okay sure`)
	// endings are words that may say that something has ended, in addition to verbs in the past tense.
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
	// english are words that occur in nearly every English sentence.
	english = words(`the a an is are was were be been am and or of to in on at for with from by as not we i you he she it
		they my our your his her
		their this that have has had do does did will would can could use uses used now`)
	// examples are the names in the prompt's examples. Small models repeat them.
	examples = map[string]bool{"quorbel": true, "quorbel cluster": true, "zintrax": true, "vemmeld": true,
		"drovane uplick": true,
		"drovane":        true, "uplick": true, "hespermoor": true}
)

// refers reports whether the turn may refer to names in earlier ones. It returns true for a turn that does not look
// English.
func (f folded) refers() bool { return f.hasWord(references) || !f.hasWord(english) }

// ends reports whether the turn may say that something has ended.
func (f folded) ends() bool {
	return f.hasWord(endings) || strings.Contains(f.folded, "ed ") ||
		strings.HasSuffix(strings.TrimRight(f.folded, ".!;, "), "ed") || !f.hasWord(english)
}

// isSelf reports whether a canonical name means the turn's user.
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

// ofSelf reports whether the turn may state something about its user. A user's turn always may: "Moved to Bern" has no
// "I". An assistant's turn may if it addresses the user or speaks of both. A statement about only the assistant is not
// about the user.
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

// quote finds the model's quote in the turn. It returns the turn's own words and their place, or the reason why there
// are none. The quote must occur outside quoted text and code, because the speaker does not state those.
func (t *validation) quote(s string) (said string, at rules.Span, why string) {
	why = DroppedQuote
	for _, s := range []string{s, strings.Trim(s, "\"'“”‘’. \t\n")} { // the model may have added quotation marks
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

// bare returns a name without the quotation marks and the leading articles or possessives that models add.
func bare(name string) string {
	name = strings.Trim(strings.TrimSpace(name), "\"'`“”‘’*,;:")
	for _, article := range []string{"the ", "a ", "an ", "my ", "our ", "your "} {
		if rest, ok := strings.CutPrefix(name, article); ok {
			return strings.TrimSpace(rest)
		}
	}
	return name
}

// entityType returns a known type. For an unknown one it returns the default type, and madeUp is true.
func entityType(s string) (typ string, madeUp bool) {
	if typ := strings.ToLower(strings.TrimSpace(s)); slices.Contains(memory.EntityTypes, typ) {
		return typ, false
	}
	return memory.DefaultType, true
}
