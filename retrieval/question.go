package retrieval

import (
	"regexp"
	"strings"

	"memory-graph/text"
)

// question is what a query says, read once.
type question struct {
	raw     string
	query   text.Query
	words   map[string]bool // folded words, stop words among them
	askWhen bool
}

func readQuestion(raw string) question {
	q := question{raw: raw, query: text.Parse(raw), words: map[string]bool{}, askWhen: asksWhen.MatchString(raw)}
	for _, t := range text.Tokens(raw) {
		q.words[t.Word] = true
	}
	return q
}

// names says whether the question names somebody: any part of the name that is a word of its own and no stop word.
func (q question) names(speaker string) bool {
	for _, t := range text.Tokens(speaker) {
		if !t.Stop() && len(t.Word) > 1 && q.words[t.Word] {
			return true
		}
	}
	return false
}

var (
	asksWhen = regexp.MustCompile(`(?i)\b(when|what (date|day|time|year|month)|which (date|day|year|month|weekday)|(since|until|by|how) (when|long)|how (long|recently) ago)\b`)

	// tellsWhen matches a date, a part of one, or a word that places something relative to the speaking.
	tellsWhen = regexp.MustCompile(`(?i)\b(` + strings.Join([]string{
		`\d{4}-\d{2}-\d{2}`, `(19|20)\d{2}`, `\d{1,2}(st|nd|rd|th)`, `\d{1,2}[:.]\d{2}`,
		`january|february|march|april|june|july|august|september|october|november|december`, `(jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\.?\s+\d{1,2}|\d{1,2}\s+(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)|may\s+\d{1,2}|in may`,
		`(mon|tues|wednes|thurs|fri|satur|sun)day`, `yesterday|today|tomorrow|tonight|last night|(this|next|last|past) (week(end)?|month|year|summer|winter|spring|autumn|fall|(mon|tues|wednes|thurs|fri|satur|sun)day)`,
		`(\d+|a|an|one|two|three|four|five|six|few|couple of|several) (second|minute|hour|day|week(end)?|month|year|decade)s? (ago|later|earlier|before)`, `recently|nowadays|the other day`,
	}, "|") + `)\b`)
)
