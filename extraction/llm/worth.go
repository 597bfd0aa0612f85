package llm

import (
	"regexp"
	"strings"
	"unicode"

	"memory-graph/extraction"
)

// leastProse is the minimum length of a turn without a name, in characters.
const leastProse = 20

// Worth reports whether to ask the model about a turn; names is the number of names found in it. Turns with only code,
// logs or data are not worth it, and neither are turns without a name of fewer than 20 characters. A Chinese, Japanese
// or Korean character counts as three.
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

// machine matches lines written or read by programs: log times and levels, stack frames, shell prompts, diffs, markup,
// assignments, and calls that end like code.
var machine = regexp.MustCompile(`(?i)^\s*(` +
	`\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d` + `|\d\d:\d\d:\d\d[.,\s]` +
	`|\[?(trace|debug|info|warn|warning|error|fatal)\]?[:\s\]]+\S*[\[({=]` +
	`|at [\w$.<>]+\(.*\)$` + `|file ".*", line \d+` + `|traceback \(most recent` + `|goroutine \d+ \[` + `|\$ \S` +
	`|[+-]{3} [ab]/|@@ -` +
	`|</?[a-z][^>]*>.*$` +
	`|(import|package|func|def|class|return|const|let|var|public|private|#include|using)\b.*[;{:()"]\s*$` +
	`|[\w.\[\]"']+\s*[:=]{1,2}\s*(["'].*["'],?|[\[{].*|[\d.]+,?)\s*$` + `|.*[=(){}<>*"'].*;\s*$|.*[{}]\s*$` +
	`|[\w.$*/()]+\([^ ]*\)\s*$` + `|\S*/\S+:\d+\b.*$` + `|[\[\]{}()"',\s]+$` + `)`)

// prose returns the lines of a text that are written for people.
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

// readable reports whether at least 60 % of a line is letters, blanks, commas and full stops.
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
