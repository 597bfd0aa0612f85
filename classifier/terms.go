package classifier

import (
	"strings"
	"unicode"

	"memory-graph/text"
)

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

// shapeMark begins terms that are shapes.
const shapeMark = "/"

// shapes are threes of neighbours in a message of which only small words are kept: "the port is 8081" behind "on port 8080"
// is "^ the = is # $". So what holds of ports is learned for names and tables too. What carries meaning is "=" where the
// last turn said it, "~" where an earlier one did and "*" where nobody did, once for several in a row; a number is "#", or
// "#=" where it was said.
func shapes(tokens, last, all []text.Token) []string {
	const most = 40
	lex := words()
	kept := []map[string]bool{lex.of("frame"), lex.of("denial"), lex.of("declares")}
	saidLast, said := stems(last), stems(all)
	row := []string{"^"}
	for _, t := range tokens[:min(len(tokens), most)] {
		shape := "*"
		switch {
		case strings.IndexFunc(t.Word, unicode.IsDigit) >= 0 && said[t.Stem]:
			shape = "#="
		case strings.IndexFunc(t.Word, unicode.IsDigit) >= 0:
			shape = "#"
		case t.Stop() || kept[0][t.Word] || kept[1][t.Word] || kept[2][t.Word]:
			shape = t.Word
		case saidLast[t.Stem]:
			shape = "="
		case said[t.Stem]:
			shape = "~"
		}
		if shape != row[len(row)-1] || !strings.ContainsAny(shape, "*=~") || shape == "#=" {
			row = append(row, shape)
		}
	}
	row = append(row, "$")
	var out []string
	for i := 2; i < len(row); i++ {
		out = append(out, shapeMark+row[i-2]+" "+row[i-1]+" "+row[i])
	}
	return out
}

// stems gives those of the words that carry meaning.
func stems(tokens []text.Token) map[string]bool {
	out := map[string]bool{}
	for _, t := range tokens {
		if carries(t) {
			out[t.Stem] = true
		}
	}
	return out
}
