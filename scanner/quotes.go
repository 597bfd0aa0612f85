package scanner

import "strings"

// Who speaks about attacks quotes them. What stands in quotes in such a text counts for less than what is said: enough to
// leave a question about security alone, not enough to let a page pass that shouts.
const quotedFactor = .4

// quoteReach is how far from a place its quotation marks are looked for, in bytes.
const quoteReach = 320

// aboutAttacks are words of those who speak about attacks.
var aboutAttacks = []string{
	"injection", "jailbreak", "attack", "red team", "red-team", "malicious", "adversarial", "phishing", "sanitiz", "sanitis", "detect", "filter", "test case",
	"test that", "regex", "payload", "guardrail", "vulnerab", "security", "the phrase", "the string", "example", "e.g.", "spam", "quote", "eval", "dataset", "data set", "that says", "label",
}

func talksAbout(text string) bool {
	for _, w := range aboutAttacks {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// quoted says whether the byte at i stands between quotation marks or backticks of its own line.
func quoted(text string, i int) bool {
	from, to := strings.LastIndexByte(text[:i], '\n')+1, len(text)
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		to = i + n
	}
	from, to = max(from, i-quoteReach), min(to, i+quoteReach)
	before, behind := text[from:i], text[i:to]
	for _, pair := range [][2]string{{`"`, `"`}, {"`", "`"}, {"“", "”"}, {"«", "»"}} {
		open := strings.Count(before, pair[0])
		if pair[0] != pair[1] {
			open -= strings.Count(before, pair[1])
		} else {
			open %= 2
		}
		if open > 0 && strings.Contains(behind, pair[1]) {
			return true
		}
	}
	return false
}
