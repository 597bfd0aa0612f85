package scanner

import (
	"bufio"
	_ "embed" // the rules are data
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed data/rules.txt
var rulesFile string

// rule is a combination of concepts that attacks have and ordinary texts seldom.
type rule struct {
	family, name string
	weight       float64
	chains       []chain  // all of them stand there
	without      []chain  // none of them does
	needs        concepts // of these there is one in any text that the rule is for
}

// chain is terms in their order, each at most so many tokens after the one before.
type chain []term

// term is a token: one of the concepts, and with all the flags.
type term struct {
	any, all, not concepts
	flags         uint8
	gap           int // tokens between the one before and this; unused in the first
}

// usualGap is how many tokens stand between two terms at most, where a rule says nothing else.
const usualGap = 3

// builtinRules reads the data once.
var builtinRules = sync.OnceValues(func() ([]rule, error) {
	l, err := builtinLexicon()
	if err != nil {
		return nil, err
	}
	return readRules(rulesFile, l)
})

// readRules reads lines "family name weight: chain & chain & -chain". A chain is terms with the greatest number of
// tokens between two of them, where that is not the usual one; a term is concepts with "|" (one of them), "+" (and
// this) and "~" (and not this), after "^" where it begins a clause, "^^" a line, and before "!" where it is an order.
// "let x: y" makes $x stand for y.
func readRules(text string, l *lexicon) ([]rule, error) {
	var out []rule
	var short []string
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		head, body, ok := strings.Cut(line, ": ")
		if name, ok := strings.CutPrefix(head, "let "); ok {
			short = append(short, "$"+name, body)
			continue
		}
		fields := strings.Fields(head)
		if !ok || len(fields) != 3 {
			return nil, fmt.Errorf("rules.txt:%d: not a rule: %q", n, line)
		}
		weight, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			return nil, fmt.Errorf("rules.txt:%d: %w", n, err)
		}
		r := rule{family: fields[0], name: fields[1], weight: weight}
		body = strings.NewReplacer(short...).Replace(body)
		for part := range strings.SplitSeq(body, " & ") {
			part, negated := strings.CutPrefix(strings.TrimSpace(part), "-")
			c, err := readChain(part, l)
			if err != nil {
				return nil, fmt.Errorf("rules.txt:%d: %w", n, err)
			}
			if negated {
				r.without = append(r.without, c)
			} else {
				r.chains = append(r.chains, c)
			}
		}
		if len(r.chains) == 0 {
			return nil, fmt.Errorf("rules.txt:%d: nothing to look for: %q", n, line)
		}
		r.needs = r.chains[0][0].any
		out = append(out, r)
	}
	return out, lines.Err()
}

func readChain(text string, l *lexicon) (chain, error) {
	var c chain
	gap := usualGap
	for word := range strings.FieldsSeq(text) {
		if n, err := strconv.Atoi(word); err == nil {
			gap = n
			continue
		}
		t := term{gap: gap}
		gap = usualGap
		if rest, ok := strings.CutPrefix(word, "^^"); ok {
			t.flags, word = beginsLine, rest
		} else if rest, ok := strings.CutPrefix(word, "^"); ok {
			t.flags, word = beginsClause, rest
		}
		if rest, ok := strings.CutSuffix(word, "!"); ok {
			t.flags, word = t.flags|order, rest
		}
		into := &t.any
		for word != "" {
			i := strings.IndexAny(word, "|+~")
			name, sign := word, byte(0)
			if i >= 0 {
				name, sign, word = word[:i], word[i], word[i+1:]
			} else {
				word = ""
			}
			bit := l.concept(name)
			if bit.empty() {
				return nil, fmt.Errorf("no concept %q in %q", name, text)
			}
			*into = into.with(bit)
			switch sign {
			case '+':
				into = &t.all
			case '~':
				into = &t.not
			}
		}
		c = append(c, t)
	}
	if len(c) == 0 {
		return nil, fmt.Errorf("an empty chain in %q", text)
	}
	return c, nil
}

// find gives the first token of the first place where the chain stands.
func (c chain) find(tokens []token, has concepts) (int, bool) {
	if !c.possible(has) {
		return 0, false
	}
	for i := range tokens {
		if c[0].is(&tokens[i]) && c.rest(tokens, i, 1) {
			return i, true
		}
	}
	return 0, false
}

// possible says whether there is something for each of the terms.
func (c chain) possible(has concepts) bool {
	for i := range c {
		if !has.meets(c[i].any) || !has.holds(c[i].all) {
			return false
		}
	}
	return true
}

// rest says whether the terms from n on stand after token i.
func (c chain) rest(tokens []token, i, n int) bool {
	if n == len(c) {
		return true
	}
	for k := i + 1; k < len(tokens) && k <= i+1+c[n].gap; k++ {
		if c[n].is(&tokens[k]) && c.rest(tokens, k, n+1) {
			return true
		}
	}
	return false
}

func (t *term) is(k *token) bool {
	return k.has.meets(t.any) && k.flags&t.flags == t.flags && k.has.holds(t.all) && !k.has.meets(t.not)
}

// find says where the rule holds in tokens, which stand for has.
func (r *rule) find(tokens []token, has concepts) (int, bool) {
	for _, c := range r.chains {
		if !c.possible(has) {
			return 0, false
		}
	}
	first := -1
	for _, c := range r.chains {
		i, ok := c.find(tokens, has)
		if !ok {
			return 0, false
		}
		if first < 0 {
			first = i
		}
	}
	for _, c := range r.without {
		if _, ok := c.find(tokens, has); ok {
			return 0, false
		}
	}
	return first, true
}
