package graph

import "strings"

// phrases are the words of relations that are no verbs by themselves.
var phrases = map[string]string{
	"works_as": "works as", "member_of": "is a member of", "assigned_to": "is assigned to",
	"responsible_for": "is responsible for", "friend_of": "is a friend of", "married_to": "is married to",
	"child_of": "is a child of", "sibling_of": "is a sibling of", "relative_of": "is a relative of",
	"skilled_in": "is skilled in", "has_condition": "has the condition", "has_age": "is aged",
	"allergic_to": "is allergic to", "located_in": "is located in", "born_in": "was born in", "born_on": "was born on",
	"interested_in": "is interested in", "prefers_over": "is preferred to", "has_price": "costs",
	"same_as": "is the same as", "part_of": "is part of", "written_in": "is written in", "has_version": "has version",
	"compatible_with": "is compatible with", "deployed_to": "is deployed to", "conditional_on": "depends on",
	"scheduled_for": "is scheduled for", "similar_to": "is similar to", "related_to": "is related to",
	"co_occurs_with": "occurs together with", "shared_node": "shares a topic with", "created_by": "was created by",
	"founded_by": "was founded by", "replaced_by": "was replaced by", "caused_by": "was caused by",
	"parent_of": "is a parent of", "location_of": "is the location of", "mother_of": "is the mother of",
	"father_of": "is the father of", "wife_of": "is the wife of", "husband_of": "is the husband of",
	"uncle_of": "is an uncle of",
}

// Phrase returns the words that stand before the tail when a fact is said as an English sentence: "works at" of
// works_at, "is a member of" of member_of. The words of an unknown relation are its own, behind a verb if they show
// that they have none.
func Phrase(relation, tail string) string {
	if p := phrases[relation]; p != "" {
		return p
	}
	if relation == "is_a" {
		return "is " + article(tail)
	}
	words := strings.Split(relation, "_")
	said := strings.Join(words, " ")
	first, last := words[0], words[len(words)-1]
	verb := strings.HasSuffix(first, "s") && !strings.HasSuffix(first, "ss")
	switch _, registered := registry[relation]; {
	case len(words) == 1 || verb && first != "has":
		return said
	case first == "has":
		return "has the " + strings.Join(words[1:], " ")
	case last == "of" && registered:
		return "is " + article(first) + " " + said
	case last == "of" || last == "by":
		return "is " + said
	}
	return said
}

// article returns the indefinite article before a word. Most words with a first "u" are spoken as "user" is.
func article(word string) string {
	if word != "" && strings.ContainsRune("aeioAEIO", rune(word[0])) {
		return "an"
	}
	return "a"
}
