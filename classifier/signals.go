package classifier

import (
	"math"
	"strings"
	"unicode"

	"memory-graph/internal/text"
)

// signals are what the words of a message tell, without a model: named figures, mostly 0 or 1.
type signals struct {
	names  []string
	values []float32
}

func (s *signals) add(name string, value float64) {
	s.names = append(s.names, name)
	s.values = append(s.values, float32(value))
}

func (s *signals) flag(name string, on bool) {
	v := 0.
	if on {
		v = 1
	}
	s.add(name, v)
}

var (
	codeShape  = text.Pattern("[(){}\\[\\]=_\\\\<>`|]|::|\\w/\\w|\\w\\.\\w")
	numbers    = text.Pattern(`\d+`)
	emoticons  = text.Pattern(`(?:^|\s)[:;]-?[)D(Pp/]`)
	capitalIn  = text.Pattern(`[\pL\pN,] (\p{Lu}[\pL\pN]+)`)
	capital    = text.Pattern(`\p{Lu}[\pL\pN]+`)
	contrast   = text.Pattern(`(?i)\bnot\b[^.?!]*[,;]|, not\b|\bnot\b.*\bbut\b|n't\b[^.?!]*[,;]`)
	questioned = text.Pattern(`\?["')\s]*$`)
	offered    = text.Pattern(`(?i)\b(?:shall i|should i|want me|do you want|would you like|soll ich|quieres que|veux-tu)\b`)
)

// signalsOf reads a message, clipped already, with the tokens of its text.
func signalsOf(m Message, tokens []text.Token) *signals {
	s := &signals{}
	n := len(tokens)
	found := words().find(tokens)
	kind := map[string]bool{}
	for i, name := range words().names {
		kind[name] = found[i] > 0
		s.flag(name, kind[name])
	}
	question := strings.Contains(m.Text, "?")
	s.flag("one to three words", n <= 3)
	s.flag("four to eight words", n >= 4 && n <= 8)
	s.flag("over 25 words", n > 25)
	s.add("words", math.Log1p(float64(n))/3)
	s.flag("question", question)
	s.flag("ends as question", questioned().MatchString(m.Text))
	s.flag("lines", strings.Contains(m.Text, "\n"))
	s.flag("code", codeShape().MatchString(m.Text))
	s.flag("emoji", emoticons().MatchString(m.Text) || hasSymbol(tokens))
	s.flag("exclamation", strings.Contains(m.Text, "!"))
	s.flag("quote", strings.ContainsAny(m.Text, "\"“`"))
	s.flag("comma", strings.Contains(m.Text, ","))
	s.flag("contrast", contrast().MatchString(m.Text))
	s.flag("sentences", strings.Contains(m.Text, ". "))
	s.flag("begins with a capital", startsUpper(m.Text))
	s.flag("beyond ASCII", strings.IndexFunc(m.Text, func(r rune) bool { return unicode.IsLetter(r) && r > unicode.MaxASCII }) >= 0)

	last, all := "", strings.Join(m.Previous, "\n")
	if len(m.Previous) > 0 {
		last = m.Previous[len(m.Previous)-1]
	}
	said, saidLast, here := content(cut(all)), content(cut(last)), content(tokens)
	common, commonLast := shared(here, said), shared(here, saidLast)
	s.flag("nothing before", len(m.Previous) == 0)
	s.flag("one turn before", len(m.Previous) == 1)
	s.add("share said before", float64(common)/float64(max(len(here), 1)))
	s.flag("says again", common > 0)
	s.add("share said last", float64(commonLast)/float64(max(len(here), 1)))
	s.flag("says last again", commonLast > 0)
	s.add("content words", math.Log1p(float64(len(here)))/2)
	s.add("new content words", math.Log1p(float64(len(here)-common))/2)
	s.flag("no content words", len(here) == 0)
	asked := questioned().MatchString(last)
	s.flag("asked", asked)
	s.flag("offered", offered().MatchString(last))
	s.flag("asked, short", asked && n <= 3)
	s.flag("asked, no question", asked && !question && n <= 12)
	s.flag("asked, yes", asked && !kind["thanks"] && kind["yes"])

	nums, numsBefore := set(numbers().FindAllString(m.Text, -1)), set(numbers().FindAllString(all, -1))
	same := shared(nums, numsBefore)
	s.flag("number", len(nums) > 0)
	s.flag("another number", len(nums) > 0 && len(numsBefore) > 0 && same == 0)
	s.flag("same number", same > 0)
	names, namesBefore := set(nil), set(capital().FindAllString(all, -1))
	for _, hit := range capitalIn().FindAllStringSubmatch(m.Text, -1) {
		names[hit[1]] = true
	}
	s.flag("new name", shared(names, namesBefore) < len(names))
	s.flag("known name", shared(names, namesBefore) > 0)
	return s
}

func hasSymbol(tokens []text.Token) bool {
	for _, t := range tokens {
		if t.Kind == text.Symbol {
			return true
		}
	}
	return false
}

func startsUpper(s string) bool {
	for _, r := range s {
		return unicode.IsUpper(r)
	}
	return false
}

// content returns the stems that carry meaning.
func content(tokens []text.Token) map[string]bool {
	out := map[string]bool{}
	for _, t := range tokens {
		if !t.Stop() && (t.Kind != text.Word || len(t.Word) > 1) {
			out[t.Stem] = true
		}
	}
	return out
}

func set(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, s := range list {
		out[s] = true
	}
	return out
}

func shared(a, b map[string]bool) int {
	n := 0
	for k := range a {
		if b[k] {
			n++
		}
	}
	return n
}

// terms are a message's words, pairs of neighbours, and those at its beginning: what the exemplars teach beside the
// lexicon.
func terms(tokens []text.Token) []string {
	const most = 60
	tokens = tokens[:min(len(tokens), most)]
	var out []string
	for i, t := range tokens {
		out = append(out, t.Word)
		if i > 0 {
			out = append(out, tokens[i-1].Word+" "+t.Word)
		}
	}
	if len(tokens) > 0 {
		out = append(out, "^"+tokens[0].Word)
	}
	if len(tokens) > 1 {
		out = append(out, "^"+tokens[0].Word+" "+tokens[1].Word)
	}
	return out
}
