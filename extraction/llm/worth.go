package llm

import (
	"regexp"
	"strings"
	"unicode"

	"memory-graph/extraction"
)

// leastProse is how much a turn without any name must say to be worth a question, in characters.
const leastProse = 20

// Worth says whether asking about a turn would pay; names is how many names were found in it. It does not where there
// is nothing but code, logs or data, and where a turn without a name has fewer than 20 characters. A character of a
// script that writes words with one or two of them counts as three.
func (x *Extractor) Worth(t extraction.Input, names int) bool {
	weight, letters := 0, 0
	for line := range prose(t.Text) {
		for _, r := range line {
			switch {
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
				weight += 3
				letters++
			case unicode.IsLetter(r):
				weight++
				letters++
			default:
				weight++
			}
		}
	}
	return letters > 0 && (names > 0 || weight >= leastProse)
}

// machine matches lines that programs write or read: times and levels of logs, frames of stacks, prompts of shells,
// diffs, markup, assignments and calls that end as code does.
var machine = regexp.MustCompile(`(?i)^\s*(` +
	`\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d` + `|\d\d:\d\d:\d\d[.,\s]` +
	`|\[?(trace|debug|info|warn|warning|error|fatal)\]?[:\s\]]+\S*[\[({=]` +
	`|at [\w$.<>]+\(.*\)$` + `|file ".*", line \d+` + `|traceback \(most recent` + `|goroutine \d+ \[` + `|\$ \S` +
	`|[+-]{3} [ab]/|@@ -` +
	`|</?[a-z][^>]*>.*$` +
	`|(import|package|func|def|class|return|const|let|var|public|private|#include|using)\b.*[;{:()"]\s*$` +
	`|[\w.\[\]"']+\s*[:=]{1,2}\s*(["'].*["'],?|[\[{].*|[\d.]+,?)\s*$` + `|.*[=(){}<>*"'].*;\s*$|.*[{}]\s*$` +
	`|[\w.$*/()]+\([^ ]*\)\s*$` + `|\S*/\S+:\d+\b.*$` + `|[\[\]{}()"',\s]+$` + `)`)

// prose gives the lines of a text that people wrote for people.
func prose(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		fenced := false
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, fence) || strings.HasPrefix(line, "~~~") {
				fenced = !fenced
				continue
			}
			if fenced || line == "" || machine.MatchString(line) || !readable(line) {
				continue
			}
			if !yield(line) {
				return
			}
		}
	}
}

// readable says whether most of a line is letters and blanks.
func readable(line string) bool {
	good, all := 0, 0
	for _, r := range line {
		all++
		if unicode.IsLetter(r) || unicode.IsMark(r) || r == ' ' || r == ',' || r == '.' {
			good++
		}
	}
	return good*10 >= all*6
}
