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

// rule is a combination of concepts that is common in attacks and rare in ordinary texts.
type rule struct {
	family, name string
	weight       float64
	chains       []chain  // all must match
	without      []chain  // none may match
	needs        concepts // every match has at least one of these concepts
}

// chain is an ordered list of terms. Each follows the one before within its gap.
type chain []term

// term matches a token with a concept from any, every concept from all, no concept from not, and every flag from flags.
type term struct {
	any, all, not concepts
	flags         uint8
	gap           int // maximal number of tokens between the previous term and this one; unused in the first
}

// usualGap is the default gap.
const usualGap = 3

// builtinRules parses the rules on first use.
var builtinRules = sync.OnceValues(func() ([]rule, error) {
	l, err := builtinLexicon()
	if err != nil {
		return nil, err
	}
	return readRules(rulesFile, l)
})

// readRules parses lines "family name weight: chain & chain & -chain". "-" negates a chain. A chain is a list of terms;
// a number between two terms overrides usualGap. A term is concepts joined by "|" (any of them), "+" (and also) and "~"
// (and not). A prefix "^" requires the beginning of a clause, "^^" the beginning of a line, and a suffix "!" an order.
// "let x: y" defines $x as y.
func readRules(text string, l *lexicon) ([]rule, error) {
	var out []rule
	var short []string
	replace := strings.NewReplacer()
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		head, body, ok := strings.Cut(line, ": ")
		if name, ok := strings.CutPrefix(head, "let "); ok {
			short = append(short, "$"+name, body)
			replace = strings.NewReplacer(short...)
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
		for part := range strings.SplitSeq(replace.Replace(body), " & ") {
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

// find returns the index of the first token of the first match.
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

// possible reports whether has contains concepts for every term.
func (c chain) possible(has concepts) bool {
	for i := range c {
		if !has.meets(c[i].any) || !has.holds(c[i].all) {
			return false
		}
	}
	return true
}

// rest reports whether the terms from n on match after token i.
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

// find returns the first token of the match of the rule's first chain. has is the union of the tokens' concepts.
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
