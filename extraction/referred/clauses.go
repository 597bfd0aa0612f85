package referred

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/memory"
	"memory-graph/internal/text"
)

// clause is a part of a sentence.
type clause struct {
	text, lower string
	at          int    // the number of its sentence
	before      string // the sentence up to the end of this clause, in lower case
	sentence    string
}

var (
	sentenceEnd = text.Pattern(`[.!?]+(?:\s+|$)|\n+`)
	// shortened are titles and initials, whose dot ends no sentence.
	shortened = text.Pattern(`(?i)^` + short + `$`)
	clauseEnd = text.Pattern(`\s*(?:[,;:()]|\s[–—-]+\s|\s(?:and|but|so|because|while|since|after)\s)\s*`)

	// doubtful are words of a clause that does not state what it says. The end of a question is kept for this.
	doubtful = text.Pattern(`\?|\b(?:if|whether|maybe|perhaps|might|may|could|would|should|will|won't|not|never|` +
		`when|once|unless|plan|planning|want|wants|hope|think|thinking|consider|considering|suppose|pretend|imagine|` +
		`almost|nearly|said|says|heard|apparently|cannot)\b|n't\b`)
	changeWords = text.Pattern(`\b(?:now|nowadays|these days|from now on|as of (?:today|this week|now)|` +
		`switched|moved|migrated|replaced|swapped|back (?:on|to|with))\b`)
	switches = text.Pattern(`(?i)\b(?:switched|moved|migrated|replaced|swapped|instead|no longer)\b`)
	// purpose stands behind a thing that is used for something only, or somewhere; place before all.
	purpose = text.Pattern(`^(?: v?\d[\d.]*)?(?:,? (?:and|plus) \S+)*(?:[ ,(–—-]+(?:now|nowadays|these days|` +
		`from now on|as of (?:today|this week|now)|today|currently|already|again|but|only|just|at least))*` +
		`[ ,(–—-]+((?:` + limits + `|to|locally|as an?)\b.*)`)
	place = text.Pattern(`^(?:(?:oh|ok|well|so|btw|fyi|and|but|only|just),? )*((?:` + limits + `) [^,:]*)`)
	// unlimited are beginnings of what looks like a purpose or a place, and is a time or an idiom.
	unlimited = text.Pattern(`^\w+ (?:good|real|ever|sure|everything|everyone|all|full|general|total|last|short|fact|` +
		`addition|case|place|lieu|now|of|\d+|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|` +
		`may|june|july|august|september|october|november|december|` +
		`(?:the |this |that |last |next |a |an )?(?:\w+ )?(?:end|moment|point|meantime|meanwhile|beginning|start|` +
		`years?|months?|weeks?|days?|spring|summer|autumn|fall|winter|morning|afternoon|evening|night))\b`)
	// added are words of a thing that is used beside the others, or only at times.
	added = text.Pattern(`\b(?:also|too|as well|both|in addition|another|besides|second|other|sometimes|occasionally|` +
		`mostly|mainly|partly|partially|from time to time|now and then|at times)\b`)
)

// Parts of the patterns below. A thing is a name of up to four words, in lower case.
const (
	lead   = `^(?:(?:oh|ok|well|so|btw|fyi|and|but) )*`
	limits = `for|in|at|on|during|when|whenever|while|within|inside|under|until|till`
	thing  = `(?:the |our |my )?(\S+(?: \S+){0,3}?)`
	late   = `(?: (?:now|for good|finally|too|today|completely))?$`
	short  = `(?:(?:dr|drs|mr|mrs|ms|mx|prof|rev|st|sra?|mme|ir|ing|\p{L})\.)`
	word   = `(?:` + short + `|\p{L}[\p{L}'’-]*)`
	name   = `((?:` + short + ` ?)?` + word + `(?: ` + word + `){0,2}?)`
)

var (
	goneAfter = text.Pattern(lead + thing + ` ?(?:is|are|'s|was|got|has been|have been) ` +
		`(?:(?:all|finally|now|completely|already) )?(?:gone|history|no more|dropped|removed|retired|` +
		`decommissioned|cancelled|canceled|discontinued|axed|uninstalled|phased out|` +
		`switched off|turned off)` + late)
	goneBefore = text.Pattern(lead + `(?:we|i|they|we've|i've|we have|i have|they have|they've)? ?` +
		`(?:(?:just|finally|also|now) )?(?:dropped|ditched|got rid of|gotten rid of|killed|retired|stopped using|` +
		`quit using|moved off|moved away from|migrated off|migrated away from|uninstalled|cancelled|canceled|` +
		`decommissioned|phased out|threw out|shut down|said goodbye to) ` + thing + late)
)

// roles are the roles that one holder at a time usually has.
const roles = `contact|point of contact|account manager|project manager|product manager|team lead|tech lead|` +
	`lead|owner|maintainer|treasurer|chair|secretary|president|landlord|accountant|lawyer|dentist|doctor|coach|sponsor|` +
	`supplier|assistant|caretaker|cleaner|babysitter|vet|boss|manager|supervisor|landlady|therapist|physio|hairdresser|` +
	`mechanic|advisor|adviser|tutor`

// Words without which no pattern fits: looking for them first costs a fiftieth of the patterns.
var (
	goneWords = strings.Split(`gone|history|no more|dropped|removed|retired|decommissioned|shut down|killed|`+
		`cancelled|canceled|discontinued|axed|uninstalled|phased|switched off|turned off|ditched|rid of|threw out|`+
		`stopped using|quit using|moved off|moved away|migrated off|migrated away|goodbye to`, "|")
	nowWords  = []string{" now", "new ", "current ", "these days"}
	told      = []string{" now", "these days", "as of ", "switched", "moved", "migrated", "replaced", "swapped", " back "}
	roleWords = strings.Split(roles, "|")
)

func hasAny(text string, words []string) bool {
	text = " " + text // a word at the beginning has a space before it, too
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// mayRefer reports whether a text or a clause, in lower case, has the words of a pattern.
func mayRefer(lower string) bool {
	return hasAny(lower, goneWords) || hasAny(lower, nowWords) && hasAny(lower, roleWords)
}

// clauses splits a text into parts of sentences. A question keeps its mark.
func clauses(text string) (out []clause) {
	for n := 0; text != ""; n++ {
		from, to := endOfSentence(text)
		sentence, rest := text[:from], text[to:]
		question := ""
		if strings.Contains(text[from:to], "?") {
			question = "?"
		}
		before := ""
		for _, part := range clauseEnd().Split(sentence, -1) {
			if part = strings.TrimSpace(part); part != "" {
				lower := strings.ToLower(part + question)
				before += lower + "\n"
				out = append(out, clause{part + question, lower, n, before, sentence})
			}
		}
		text = rest
	}
	return out
}

// endOfSentence returns where the first sentence of a text ends, and where the next one begins. The dot of a title or
// an initial before a name ends none: "Dr. Claes".
func endOfSentence(text string) (from, to int) {
	for {
		at := sentenceEnd().FindStringIndex(text[to:])
		if at == nil {
			return len(text), len(text)
		}
		from, to = to+at[0], to+at[1]
		next, _ := utf8.DecodeRuneInString(text[to:])
		word := text[strings.LastIndexAny(text[:from], " \n\t(")+1 : from]
		if !unicode.IsUpper(next) || word == "I" || !shortened().MatchString(word+strings.TrimSpace(text[from:to])) {
			return from, to
		}
	}
}

// goneIn returns the thing that a clause says is no longer used, "" for none.
func goneIn(c clause) string {
	if !hasAny(c.lower, goneWords) || doubtful().MatchString(c.before) {
		return ""
	}
	for _, re := range []func() *regexp.Regexp{goneAfter, goneBefore} {
		if m := re().FindStringSubmatch(c.lower); m != nil {
			return m[1]
		}
	}
	return ""
}

// limited reports whether the sentence of a clause says that a thing is used now, and for what or where: "now uses
// MongoDB for sessions", "runs on SQLite now in CI". That says nothing of what is used otherwise. A switch does.
func (c clause) limited(tail string) bool {
	lower := strings.ToLower(c.sentence)
	before, behind, ok := strings.Cut(lower, tail)
	if !ok || switches().MatchString(lower) {
		return false
	}
	for _, m := range [][]string{purpose().FindStringSubmatch(behind), place().FindStringSubmatch(before)} {
		if m != nil && !unlimited().MatchString(m[1]) {
			return true
		}
	}
	return false
}

// near reports whether the text states a fact as a change in the clause's sentence or in the next. If it is not known
// what kind of thing it is, the next sentence must say "switched to" or the like, and none may say for what.
func (c clause) near(text string, d memory.RelationDraft, known bool) bool {
	tail := strings.ToLower(d.Tail)
	return slices.ContainsFunc(clauses(text), func(other clause) bool {
		_, behind, ok := strings.Cut(other.lower, tail)
		return ok && changeWords().MatchString(other.lower) && !doubtful().MatchString(other.before) &&
			(other.at == c.at || other.at == c.at+1 && (known || switches().MatchString(other.lower))) &&
			(known || !purpose().MatchString(behind))
	})
}

// byName are words of what is so by name only.
var byName = text.Pattern(`\b(?:on paper|in theory|theoretically|nominally|legally|technically|formally|` +
	`for (?:tax|insurance|legal) (?:purposes|reasons)|officially still|still officially)\b`)

// Nominal reports whether a clause with the tail of a fact says that it holds by name only.
func Nominal(text string, d memory.RelationDraft) bool {
	if !byName().MatchString(strings.ToLower(text)) {
		return false
	}
	return slices.ContainsFunc(clauses(text), func(c clause) bool {
		return strings.Contains(c.lower, strings.ToLower(d.Tail)) && byName().MatchString(c.before)
	})
}
