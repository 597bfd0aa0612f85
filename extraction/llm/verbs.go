package llm

import (
	"regexp"
	"strings"

	"memory-graph/internal/graph"
)

// saying holds the words by which English states a relation. For a relation that ends others, a model's fact needs such
// a word: small models turn "I took the train to Lillehammer" into a home, and "I gave a workshop at Initech" into a
// job.
type saying struct {
	plain   map[string]bool // that state it
	hinting map[string]bool // that may state it
	ended   map[string]bool // that state its end
	passing map[string]bool // that make it temporary, past, or somebody else's
	frame   *regexp.Regexp  // matches phrases that state it without such a word
	loose   bool            // phrasings vary, so without a word it is still implied
}

var (
	sayings = map[string]saying{
		"works_at":   jobs,
		"located_in": homes,
		"lives_in":   homes,
		"prefers":    likings,
		"dislikes":   dislikings,
		"assigned_to": {loose: true, plain: words(`assign assigns assigned assignee owner owns own takes took taken take taking handles handle handling handed gave given give
			picks picked pick responsible charge works working work`)},
		"has_status": {loose: true,
			plain: words(
				`is are was were be been am s m re status state marked mark set became becomes become now went goes moved closed open done`)},
	}
	jobs = saying{
		plain: words(`work works worked working job jobs join joins joined joining hire hires hired hiring employ employs employed employer employee employees
			employment rejoined recruited`),
		hinting: words(`company team boss manager colleague colleagues coworker coworkers office position role career salary contract paid pays promoted promotion
			moved moving switched transferred started start starting began founded founder run runs own owns lead leads leading at`),
		ended: words(
			`left leave leaves leaving quit quits quitting resign resigned resigns resigning retired fired sacked dismissed laid`),
		passing: words(`visit visits visited visiting visitor trip holiday holidays vacation tour workshop conference talk lecture meeting interview interviews interviewed
			interviewing client clients customer customers supplier taxi bus minutes lunch dinner drinks reception temporarily temporary weekend weekends consulting consult
			consultant intern interning internship volunteer volunteering old former formerly ex previous previously gym club course class`),
		frame: regexp.MustCompile(
			`(?:\b(?:am|is|are|was|were|been|be|as|became|become)\b|['’ ](?:m|s|re) ).*?\b(?:[a-z]+(?:eer|ist|yst|ian|ect)|(?:develop|manag|teach|design|lectur|writ|research|lead|found|own|driv|work|bak|bank|lawy|offic|report|broke|produc)er|doctor|director|editor|professor|author|auditor|administrator|operator|nurse|chef|cook|clerk|ceo|cto|cfo|coo|vp|president|head|chief|staff|assistant|accountant|apprentice|partner|pilot|postdoc|lawyer)s? (?:(?:and|,|on|in) [a-z ]+ )?(?:at|of|for|with) (?:the )?$`),
	}
	homes = saying{
		plain: words(`live lives lived living reside resides resided residing residence resident dwell dwells dwelling move moves moved moving relocate relocates relocated
			relocating relocation settle settled settling based located situated headquartered headquarters hosted`),
		hinting: words(
			`home house apartment flat rent rents renting stay stays staying hometown from grew born is are am s m re was been office lies sits region city town`),
		ended: words(`left leave leaves leaving sold`),
		passing: words(`visit visits visited visiting visitor trip holiday holidays vacation tour toured train bus flight flew taxi travel travels travelled traveled travelling
			traveling drove temporarily temporary weekend weekends conference hotel hostel airbnb old former formerly ex previous previously sold second childhood
			summer summers winter winters parents near nearby outside part`),
	}
	likings = saying{
		plain: words(`prefer prefers preferred preferring like likes liked love loves loved loving favourite favorite favourites favorites enjoy enjoys enjoyed enjoying fan
			adore adores fond rather keen`),
		hinting: words(`best better great awesome excellent nice good into happy pleasant`),
	}
	dislikings = saying{
		plain: words(
			`dislike dislikes disliked hate hates hated hating loathe loathes despise despises detest detests annoy annoys annoyed annoying allergic`),
		hinting: words(
			`awful terrible ugly horrible bad worse worst sick tired slow avoid avoids painful pain broken sucks nightmare`),
		frame: regexp.MustCompile(
			`(?:n't|\bnot|\bnever|\bno)\b.*\b(?:like|likes|liked|love|loves|stand|bear|fan|fond|enjoy|enjoys|keen)\b`),
	}
)

// grade is how clearly words state a relation.
type grade int

// The grades.
const (
	unsaid grade = iota
	implied
	plainly
)

// says grades how the words of a quote and its clause state a relation that ends others; other relations pass. Plain
// words must be in the quote or its clause, and a frame in the clause before the name. Hinting words there, or plain
// words elsewhere in the sentence, imply the relation.
func (t *validation) says(verb string, ended bool, at [2]int, m meaning, head end) grade {
	if t.speech.Foreign() {
		return t.saysElsewhere(verb, ended, at, m)
	}
	s, asked := sayings[verb]
	if !asked {
		return plainly
	}
	clause := fold(t.speech.Words(min(at[0], m.clause[0]), max(at[1], m.clause[1])))
	sentence := fold(t.speech.Words(m.sentence[0], m.sentence[1]))
	before := fold(t.speech.Words(m.clause[0], m.clause[1])).folded
	if m.name > m.clause[0] && m.name <= m.clause[1] {
		before = fold(t.speech.Words(m.clause[0], m.name)).folded
	}
	person := head.isSelf || head.typ == "person"
	g := unsaid
	switch {
	case clause.hasWord(s.plain), ended && clause.hasWord(s.ended),
		s.frame != nil && s.frame.MatchString(strings.TrimRight(before, " ")+" "):
		g = plainly
	case clause.hasWord(s.hinting), sentence.hasWord(s.plain), ended && sentence.hasWord(s.ended):
		g = implied
	}
	if g > unsaid && person && clause.hasWord(s.passing) {
		g--
	}
	if g == unsaid && (s.loose || !person && graph.Lookup(verb).One) {
		g = implied // statements about things often have no verb: "the office in Bern"
	}
	return g
}
