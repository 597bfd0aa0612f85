package text

import "strings"

// IsQuestion reports whether a text is a single question, with or without a question mark. People who type without
// capitals often leave out the mark.
func IsQuestion(s string) bool {
	body, marked := strings.CutSuffix(strings.TrimSpace(s), "?")
	if strings.ContainsAny(strings.TrimRight(body, "?!. "), ".!?:;\n") {
		return false
	}
	return marked || beginsQuestion(strings.Fields(strings.ToLower(strings.ReplaceAll(body, "’", "'"))))
}

// beginsQuestion reports whether the words begin like a question and not like a statement: "what port is" does, but
// "what I like is" and "when we deploy" do not.
func beginsQuestion(words []string) bool {
	for len(words) > 0 && questionOpeners[words[0]] {
		words = words[1:]
	}
	if len(words) > 2 && words[0] == "remind" && words[1] == "me" {
		return interrogatives[words[2]] || interrogatives[strings.TrimSuffix(words[2], "'s")]
	}
	if len(words) < 3 {
		return false
	}
	if first, short := strings.CutSuffix(words[0], "s"); short && interrogatives[strings.TrimSuffix(first, "'")] {
		return true // what's, whats
	}
	if !interrogatives[words[0]] {
		return false
	}
	for i, w := range words[1 : len(words)-1] {
		switch {
		case questionVerbs[w]:
			return true
		case i == askedWords || subjects[w] || !withNoun[words[0]]:
			return false
		}
	}
	return false
}

// askedWords is the maximum number of words between an interrogative and its verb: "how many people in Ghent are".
const askedWords = 4

var (
	questionOpeners = words("and so ok okay hey hi und also")
	interrogatives  = words("who what which whose when where why how wer was wo wann warum wie welche welcher welches")
	withNoun        = words("what which whose how welche welcher welches")
	questionVerbs   = words("is are am was were do does did can could should would will has have had " +
		"ist sind bin war hat haben kann können liegt macht")
	subjects = words("i you he she it we they this that these those a an to ich du er sie es wir ihr")
)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
