package rules

import (
	"fmt"
	"strings"
	"sync"

	"memory-graph/internal/text"
)

// wordClasses are the sets of data/words.txt by name, empty until ready has run.
var wordClasses = map[string]map[string]bool{}

// ready reads the words and verbs, once. What reads a text calls it first: a process that reads none, such as most
// hooks, does not wait for a millisecond. A test checks that the files have no error.
var ready = sync.OnceFunc(func() {
	wordsError = readWords()
	verbsError = readVerbs()
})

var wordsError, verbsError error

// readWords reads data/words.txt: a line "[name]" begins a class, the lines below it hold its words.
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

// eachLine calls f with the lines of a text, or of the embedded file if the text is "", but for empty lines and
// remarks. Its error names the file and the line.
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

// Closed classes of English words. What stands in them ends a noun phrase.
var (
	prepositions  = class("prepositions")
	conjunctions  = class("conjunctions")
	subordinators = class("subordinators")
	auxiliaries   = class("auxiliaries")
	pronouns      = class("pronouns")
	possessives   = class("possessives")
	articles      = class("articles")
	vague         = class("vague") // determiners and quantities: a phrase behind one names nothing in particular
)

// Words around a verb.
var (
	adverbs       = class("adverbs") // change nothing of what is said
	hedges        = class("hedges")
	negations     = class("negations")
	modals        = class("modals")
	doubts        = class("doubts")   // what follows is supposed, wished, asked or told by others
	opinions      = class("opinions") // hedge what follows
	openers       = class("openers")  // stand before a statement without being part of it
	questionWords = class("question_words")
	whWords       = class("wh_words")
	tails         = class("tails")    // may stand behind a statement
	blocking      = class("blocking") // right before a subject they make a clause that states nothing
)

// Nouns by what they stand for.
var (
	roles        = class("roles")         // what people are to each other
	several      = class("plural_roles")  // the same of more than one
	projectNouns = class("project_nouns") // head phrases that name something that people make or run
	machineNouns = class("machine_nouns") // what uses technology and is nobody's project by name
	wrapNouns    = class("wrap_nouns")    // stand behind the name that they say the kind of: "the payments-api repo"
	holders      = class("holders")       // clubs, shops, devices and records that use things
	areas        = class("areas")         // parts of a system that are called by what they do
	vagueHeads   = class("vague_heads")
	ordinary     = class("ordinary") // everyday words that name no software
	incidents    = class("incidents")
	departments  = class("departments")
)

// Parts of times.
var (
	monthNames = text.Words(text.Months, text.ShortMonths)
	dayNames   = text.Words(text.Weekdays, text.ShortWeekdays)
	timeUnits  = class("time_units")
	timeNouns  = class("time_nouns")
	timeWords  = class("time_words")
)

// set returns the words of a list.
func set(words string) map[string]bool {
	m := make(map[string]bool, strings.Count(words, " ")+1)
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// oneOf says whether a word is in a short list.
func oneOf(w, words string) bool {
	for x := range strings.FieldsSeq(words) {
		if x == w {
			return true
		}
	}
	return false
}
