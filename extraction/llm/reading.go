package llm

import (
	"slices"
	"strings"

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
	// examples are the names in the prompt's examples. Small models repeat them.
	examples = map[string]bool{"quorbel": true, "zintrax": true, "zintrax release": true, "vemmeld": true, "drovane": true,
		"uplick": true, "hespermoor": true}
)

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

// entityType returns a known type, the default one for an unknown one.
func entityType(s string) string {
	if typ := strings.ToLower(strings.TrimSpace(s)); slices.Contains(memory.EntityTypes, typ) {
		return typ
	}
	return memory.DefaultType
}
