package referred

import (
	"slices"
	"strings"

	"memory-graph/extraction"
	"memory-graph/extraction/rules"
	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

var (
	// isNoKin is "Tom isn't my brother", "Tom is no longer my flatmate".
	isNoKin = text.Pattern(`(?i)` + lead + name + ` (?:isn[’']?t|is not|[’']s not|is no longer|[’']s no longer) ` +
		`(really |actually )?(?:my|our) (?:\p{L}+ )??(\p{L}+)( any ?more)?[.!]*$`)
	divorced = text.Pattern(`(?i)` + lead + `(?:(?:my (?:wife|husband) (\p{L}+ )?|` + name + ` )and i|we|i) ?` +
		`(?:are|'re|'m|am|got|have gotten|'ve|have been)? (?:just |finally |now |officially )*(?:got )?divorced` +
		`(?: now| last \p{L}+)?[.!]*$`)
	brokeUp = text.Pattern(`(?i)` + lead + `(?:(?:my \p{L}+ )?` + name + ` and i|we) (?:just |finally |have )?` +
		`(?:broke up|split up|broken up)(?: now| last \p{L}+)?[.!]*$`)
	lovers = text.Pattern(`'s (?:girlfriend|boyfriend|partner|fianc\pLe?)\.$`)
	// liked is "I love cilantro now", "I like it again".
	liked = text.Pattern(`(?i)` + lead + `(?:actually )?i (?:(?:really|actually|even|do|kind of|quite) )*` +
		`(?:like|love|enjoy|adore) ` + thing + ` (?:now|again|nowadays|these days|after all)[.!]*$`)
	over = text.Pattern(`(?i)no longer|any ?more`)
)

// bonds are the relations that the words for who somebody is to the speaker mean, besides role_of and has_role.
var bonds = map[string]string{"brother": "sibling_of", "sister": "sibling_of", "wife": "married_to",
	"husband": "married_to", "spouse": "married_to", "mother": "child_of", "father": "child_of", "mum": "child_of",
	"mom": "child_of", "dad": "child_of", "son": "parent_of", "daughter": "parent_of", "boss": "reports_to",
	"manager": "reports_to", "supervisor": "reports_to", "friend": "friend_of", "colleague": "works_with",
	"coworker": "works_with", "teammate": "works_with"}

// spouses and partners are the relations that end with a marriage, and with any couple.
var (
	spouses  = []string{"married_to", "wife_of", "husband_of", "has_wife", "has_husband"}
	partners = append([]string{"partner_of", "has_partner", "girlfriend_of", "boyfriend_of", "has_girlfriend",
		"has_boyfriend", "dating", "engaged_to"}, spouses...)
)

// denied adds the end of the one fact of the speaker that the turn denies: "Tom isn't my brother", "we got divorced",
// "I love cilantro now".
func denied(t extraction.Input, list []memory.RelationDraft) []memory.RelationDraft {
	if !hasAny(strings.ToLower(t.Text), []string{"n't ", "n’t ", "not ", "no longer", "divorced", "split up", "up",
		"like ", "love ", "enjoy ", "adore "}) {
		return list
	}
	for _, c := range own(t.Text, func(string) bool { return true }, func(c clause) bool { return c.ends() != nil }) {
		fits := c.ends()
		if fits == nil {
			continue
		}
		h, ok := one(append(t.Facts(t.Self, memory.Out), t.Facts(t.Self, memory.In)...), fits)
		if !ok || slices.ContainsFunc(list, func(d memory.RelationDraft) bool {
			return d.Ended && d.Head == h.Head && d.Relation == h.Relation && d.Tail == h.Tail
		}) {
			continue
		}
		sure := confidence
		never := !over().MatchString(c.text) && !strings.HasSuffix(c.lower, " now") && isNoKin().MatchString(c.text)
		list = append(list, memory.RelationDraft{Head: h.Head, HeadType: h.HeadType, Relation: h.Relation, Tail: h.Tail,
			TailType: h.TailType, Quote: c.text, Confidence: &sure, Method: memory.MethodRuleHedged, Ended: true,
			News: true, Denied: never, Fact: rules.Sentence(h.Head, h.Relation, h.Tail, true)})
	}
	return list
}

// ends returns which facts of the speaker a clause says have ended, nil for none.
func (c clause) ends() func(extraction.Held) bool {
	if strings.Contains(c.lower, "?") || unsaid().MatchString(c.before) {
		return nil
	}
	between := func(person string, relations []string) func(extraction.Held) bool {
		key := memory.Canonical(strings.TrimSpace(person))
		return func(h extraction.Held) bool {
			return slices.Contains(relations, h.Relation) &&
				(key == "" || memory.Canonical(h.Head) == key || memory.Canonical(h.Tail) == key)
		}
	}
	if m := isNoKin().FindStringSubmatch(c.text); m != nil {
		word := strings.ToLower(m[3])
		if strings.HasPrefix(strings.ToLower(m[1]), "my ") {
			return nil
		}
		bond := between(m[1], []string{bonds[word], word + "_of", "has_" + word})
		return func(h extraction.Held) bool {
			return bond(h) || strings.EqualFold(h.Tail, m[1]) && h.Fact == hasRoleOf(h.Tail, h.Head, word)
		}
	}
	if m := liked().FindStringSubmatch(c.text); m != nil {
		return between(m[1], []string{"dislikes"})
	}
	for _, said := range []string{c.text, c.whole()} { // "Lena and I" stands on both sides of a border of clauses
		if m := divorced().FindStringSubmatch(said); m != nil {
			return between(m[1]+m[2], spouses)
		}
		if m := brokeUp().FindStringSubmatch(said); m != nil {
			couple := between(m[1], partners)
			return func(h extraction.Held) bool {
				return couple(h) || lovers().MatchString(h.Fact) && between(m[1], []string{"knows"})(h)
			}
		}
	}
	return nil
}

// unsaid are words of a sentence that does not state what it says, without those that deny it.
var unsaid = text.Pattern(`\b(?:if|whether|maybe|perhaps|might|may|could|would|should|will|when|once|` +
	`unless|plan|planning|want|hope|think|said|says|heard|apparently|almost|nearly|before|since|until)\b`)

// whole returns the sentence with a first clause, "" for a later one.
func (c clause) whole() string {
	if strings.Count(c.before, "\n") > 1 {
		return ""
	}
	return strings.TrimSpace(c.sentence)
}
