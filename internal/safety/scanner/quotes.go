package scanner

import (
	"slices"
	"strings"
)

// Texts about attacks quote them. In such a text a rule that matches inside quotation marks counts this much less. This
// clears an ordinary question about security, but not a page full of attacks.
const quotedFactor = .4

// quoteReach is how far from a position its quotation marks are searched, in bytes.
const quoteReach = 320

// aboutAttacks are words of texts about attacks.
var aboutAttacks = []string{
	"injection", "jailbreak", "attack", "red team", "red-team", "malicious", "adversarial", "phishing", "sanitiz",
	"sanitis", "detect", "filter", "test case",
	"test that", "regex", "payload", "guardrail", "vulnerab", "security", "the phrase", "the string", "example", "e.g.",
	"spam", "quote", "eval", "dataset", "data set", "that says", "label",
}

func talksAbout(text string) bool {
	for _, w := range aboutAttacks {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// quoted reports whether the byte at i is inside quotation marks or backticks on its own line.
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

// aboutInjection are words of texts about attacks on models. Other texts rarely use them.
var aboutInjection = []string{
	"injection", "jailbreak", "attack", "red team", "red-team", "malicious", "adversarial", "phishing", "sanitiz",
	"sanitis", "test case", "regex",
	"payload", "guardrail", "vulnerab", "the phrase", "the string", "the sentence", "the words", "that says", "saying",
	"dataset", "data set", "classifier",
}

// cite marks the quoted tokens in texts about attacks, because the model judges what a text says and not what it
// quotes. JSON strings do not count as quotes.
func cite(r *reading) {
	if !slices.ContainsFunc(aboutInjection, func(w string) bool { return strings.Contains(r.text, w) }) {
		return
	}
	k := 0
	for i := 0; i < len(r.text); {
		open, size := "", 1
		for _, q := range quotes {
			if strings.HasPrefix(r.text[i:], q[0]) {
				open, size = q[1], len(q[0])
				break
			}
		}
		if open == "" || i > 0 && wordByte(r.text[i-1]) {
			i++
			continue
		}
		line := r.text[i+size : min(len(r.text), i+size+quoteReach)]
		if n := strings.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		n := strings.Index(line, open)
		if n < 0 {
			i += size
			continue
		}
		stop := i + size + n + len(open)
		before, behind := strings.TrimRight(r.text[:i], " "), strings.TrimLeft(r.text[stop:], " ")
		if open == `"` && (strings.HasPrefix(behind, ":") || strings.HasSuffix(before, `":`)) { // a key or its value
			i = stop
			continue
		}
		for k < len(r.tokens) && r.tokens[k].start < i {
			k++
		}
		for ; k < len(r.tokens) && r.tokens[k].start < stop; k++ {
			r.tokens[k].flags |= cited
		}
		i = stop
	}
}

// quotes are the opening and closing marks of quotations.
var quotes = [][2]string{{`"`, `"`}, {"`", "`"}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}}
