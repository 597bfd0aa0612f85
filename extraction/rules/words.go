package rules

import (
	"fmt"
	"strings"
	"sync"

	"memory-graph/internal/text"
)

// wordClasses are the sets of data/words.txt by name, empty until ready has run.
var wordClasses = map[string]map[string]bool{}

// ready reads the words and verbs once, before the first text. It takes about a millisecond, which a process that reads
// no text saves. A test checks that the files have no error.
var ready = sync.OnceFunc(func() {
	wordsError = readWords()
	verbsError = readVerbs()
})

var wordsError, verbsError error

// readWords reads data/words.txt. A line "[name]" begins a class; the lines after it hold its words.
func readWords() error {
	read := map[string]bool{}
	var words map[string]bool
	err := eachLine("words.txt", "", func(line string) error {
		if line[0] == '[' {
			name := strings.Trim(line, "[]")
			if read[name] || name == "" {
				return fmt.Errorf("the class %q is there already, or has no name", name)
			}
			read[name], words = true, class(name)
			return nil
		}
		if words == nil {
			return fmt.Errorf("%q stands before the first class", line)
		}
		for w := range strings.FieldsSeq(line) {
			words[w] = true
		}
		return nil
	})
	for name := range wordClasses {
		if err == nil && !read[name] {
			err = fmt.Errorf("words.txt has no class %q", name)
		}
	}
	return err
}

// eachLine calls f with each line of a text, or of the embedded file if the text is "". It skips empty lines and
// comments. Its error names the file and the line.
func eachLine(file, text string, f func(line string) error) error {
	if text == "" {
		data, err := lists.ReadFile("data/" + file)
		if err != nil {
			return err
		}
		text = string(data)
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := f(line); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	return nil
}

// class returns the words of a class.
func class(name string) map[string]bool {
	if wordClasses[name] == nil {
		wordClasses[name] = map[string]bool{}
	}
	return wordClasses[name]
}

// Closed classes of English words. They end a noun phrase.
var (
	prepositions  = class("prepositions")
	conjunctions  = class("conjunctions")
	subordinators = class("subordinators")
	auxiliaries   = class("auxiliaries")
	pronouns      = class("pronouns")
	possessives   = class("possessives")
	articles      = class("articles")
	vague         = class("vague") // determiners and quantities before something unspecific
)

// Words around a verb.
var (
	adverbs       = class("adverbs") // do not change what is stated
	hedges        = class("hedges")
	negations     = class("negations")
	modals        = class("modals")
	doubts        = class("doubts")   // what follows is supposed, wished, asked or reported
	opinions      = class("opinions") // hedge what follows
	openers       = class("openers")  // may precede a statement
	questionWords = class("question_words")
	whWords       = class("wh_words")
	tails         = class("tails")    // may follow a statement
	blocking      = class("blocking") // before a subject they make a clause that states nothing
)

// Nouns by what they stand for.
var (
	roles        = class("roles")         // roles between people
	several      = class("plural_roles")  // the same of more than one
	projectNouns = class("project_nouns") // things that people make or run
	machineNouns = class("machine_nouns") // things that use technology but are not projects
	wrapNouns    = class("wrap_nouns")    // the kind of the name before it: "the payments-api repo"
	holders      = class("holders")       // clubs, shops, devices and records that use things
	areas        = class("areas")         // parts of a system that are named after their purpose
	vagueHeads   = class("vague_heads")
	ordinary     = class("ordinary") // everyday words that name no software
	incidents    = class("incidents")
	departments  = class("departments")
	jobTitles    = class("job_titles")
	chiefs       = class("chiefs")
)

// Parts of times.
var (
	monthNames = text.Words(text.Months, text.ShortMonths)
	dayNames   = text.Words(text.Weekdays, text.ShortWeekdays)
	timeUnits  = class("time_units")
	timeNouns  = class("time_nouns")
	timeWords  = class("time_words")
)

// set returns the words of a string.
func set(words string) map[string]bool {
	m := make(map[string]bool, strings.Count(words, " ")+1)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// oneOf reports whether a word is among the words of a string.
func oneOf(w, words string) bool {
	for x := range strings.FieldsSeq(words) {
		if x == w {
			return true
		}
	}
	return false
}
