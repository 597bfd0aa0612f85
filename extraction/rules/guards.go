package rules

// allowed says whether the clause states something here and now: it is no question, wish, condition, order, hearsay or
// plan. left is the chunk before its subject. It notes what only hedges.
func (c *clause) allowed(left int) (why string) {
	g := c.group()
	switch {
	case g.modal && !g.decided && !(g.negated && oneOf(g.lemma, "stand bear run work start")):
		return "a plan, a wish or a possibility: " + c.s.word(g.a)
	case !c.agrees():
		return "subject and verb do not agree, or an order"
	case c.subordinate(left):
		return "a condition or a time: " + c.c[left].w
	}
	for i := 0; i < c.from; i++ {
		if c.s.t[i].kind == wordToken && c.doubtful(i) {
			return "supposed, wished, asked or told by others: " + c.s.word(i)
		}
	}
	if word := c.takenBackBehind(c.c[c.verb].b); word != "" {
		return "taken back by what follows: " + word
	}
	c.hedged = g.hedged || c.opines(c.c[c.verb].b)
	return ""
}

// statedAt says why what stands from token i to token j is not stated here and now, "" if it is, and whether it is
// hedged.
func (s *sentence) statedAt(i, j int) (hedged bool, why string) {
	c := clause{s: s, from: i}
	for k := range i {
		if s.t[k].kind == wordToken && (c.doubtful(k) || blocking[s.t[k].lower] && k == i-1) {
			return false, "supposed, wished, asked or told by others: " + s.word(k)
		}
	}
	if word := c.takenBackBehind(j); word != "" {
		return false, "taken back by what follows: " + word
	}
	return c.opines(j), ""
}

// stated is statedAt for callers that need no reason.
func (s *sentence) stated(i, j int) (hedged, ok bool) {
	hedged, why := s.statedAt(i, j)
	return hedged, why == ""
}

// takenBackBehind returns the word from token i on that takes back what stands before it, a condition or whom one has it
// from; "" for none.
func (c *clause) takenBackBehind(i int) string {
	for from := i; i < len(c.s.t); i++ { // "We use Redis if the cache is cold"
		w := c.s.t[i].lower
		if w == ";" {
			break
		}
		if w == "if" && c.s.word(i+1) != "not" || w == "unless" || w == "supposedly" || w == "apparently" || w == "allegedly" ||
			w == "says" && i > from+1 && c.s.word(i-1) != "and" && !(oneOf(c.s.word(i-1), "he she") && !c.closes(i)) || w == "in" && c.s.elsewhereTold(i+1) || w == "as" && articles[c.s.word(i+1)] && oneOf(c.s.word(i+2), "joke prank test example experiment hypothetical lie") && c.s.ends(i+3) ||
			w == "according" && c.s.word(i+1) == "to" && i > from || w == "only" && c.s.word(i-1) == "(" && c.s.word(i+1) == "in" || w == "hypothetically" || w == "theoretically" {
			return w
		}
		if w == "believe" && (negations[c.s.word(i-1)] || negations[c.s.word(i-2)]) && c.s.word(i+1) != "in" {
			return w
		}
		if (w == "heard" || w == "hear") && c.s.word(i-1) == "i" && c.closes(i) || w == "say" && c.s.word(i-1) == "they" && c.closes(i) {
			return w // "or so I heard"
		}
		if (w == "said" || w == "claims" || w == "thinks" || w == "told") && c.s.word(i-1) != "i" && c.closes(i) {
			return w // "Bob uses Vim, he said"
		}
	}
	return ""
}

// toldIn are what somebody lives and works in who is made up: "moved to Rome in my novel".
var toldIn = class("told_in")

// closes says whether the word at token i ends the sentence.
func (c *clause) closes(i int) bool {
	for i++; i < len(c.s.t); i++ {
		if k := c.s.t[i].kind; k == wordToken && !pronouns[c.s.t[i].lower] && !adverbs[c.s.t[i].lower] {
			return false
		}
	}
	return true
}

// doubtful says whether word i makes what follows something that nobody states.
func (c *clause) doubtful(i int) bool {
	w, next := c.s.t[i].lower, c.s.word(i+1)
	switch w {
	case "if":
		return next != "not"
	case "heard":
		if next == "from" && c.s.kind(i+2) == nameToken && c.s.word(i+3) == "," && len(c.subjects) == 1 && (c.subjects[0].pronoun == "he" || c.subjects[0].pronoun == "she") {
			return false // "Heard from Ana, she has moved"
		}
	case "said", "told", "say", "tell", "mean", "meant", "mentioned", "promised", "expected", "considered", "considering", "read", "asked":
		if before := c.s.word(i - 1); before == "i" || before == "we" {
			return w != "say" && w != "said" && w != "mean" && w != "told" && w != "mentioned" && w != "promised"
		}
		if c.s.word(i-1) == "to" && (w == "say" || w == "tell" || w == "mention") { // "I forgot to say that …"
			return false
		}
	case "ask", "asks", "asking":
		return next != "for" // "they ask for the employer too: Noor works at …"
	case "felt", "feels", "feel", "show", "shows", "showed", "sounds", "sounded":
		return next == "like" || next == "that" || next == "as"
	case "thought", "thinking", "assumes", "assumed", "imagined", "imagines", "telling", "hallucinated", "speculates", "speculated", "guessed", "guesses", "fantasized", "fantasised", "figured", "convinced", "pictured", "supposes":
		return w != "convinced" || next == "that"
	case "think", "believe", "assume", "guess", "suspect", "suspects", "reckon", "reckons":
		at := i - 1
		for adverbs[c.s.word(at)] || auxiliaries[c.s.word(at)] {
			at--
		}
		return c.s.word(at) != "i" && c.s.word(at) != "we" && c.s.kind(at) != signToken && at >= 0
	case "season", "playthrough", "campaign", "game", "simulation", "roleplay", "rpg", "savegame", "novel", "d":
		for k := i + 1; k < c.from; k++ { // "Day 12 of my Civ game: ..."
			if c.s.kind(k) == signToken {
				return w != "d" && w != "season" && w != "campaign" || w == "campaign" && (c.s.word(i-1) == "d" || c.s.word(i-1) == "rpg" || c.s.word(i-1) == "d&d" || c.s.kind(i-1) == nameToken && c.s.word(k) == ",")
			}
		}
		return false
	case "might", "would", "could", "should":
		return false // of another verb
	case "not", "no":
		return next == "sure" || next == "clear" || next == "certain" || next == "true" || next == "idea" || next == "know" || next == "think" || next == "believe" || next == "say" || next == "remember" || next == "like" || next == "that" && (pronouns[c.s.word(i+2)] || c.s.kind(i+2) == nameToken) || next == "as" && c.s.word(i+2) == "if"
	case "one":
		return next == "day" && c.s.word(i+2) != "ago"
	case "don't":
		return true
	case "e":
		return next == "." && c.s.word(i+2) == "g"
	case "as":
		return next == "if" || next == "though"
	case "so":
		return next == "that"
	case "in":
		if next == "case" || next == "theory" || next == "principle" {
			return true
		}
		return c.elsewhere(i + 1)
	case "what":
		return true
	case "translate", "rewrite", "rephrase", "summarize", "summarise", "proofread":
		return true
	}
	return doubts[w]
}

// elsewhere says whether the tokens from i on name a made-up world: "in my novel", "in the docs".
func (c *clause) elsewhere(i int) bool {
	for n := 0; n < 4; n++ {
		w := c.s.word(i + n)
		if w == "," || w == "" {
			return false
		}
		if madeUp[w] {
			return true
		}
	}
	return false
}

var madeUp = class("made_up")

// subordinate says whether a word right before the subject makes the clause a condition or a time.
func (c *clause) subordinate(left int) bool {
	for k := left; k >= 0; k-- {
		x := c.c[k]
		if x.kind != wordChunk {
			return false
		}
		switch {
		case blocking[x.w]:
			return true
		case adverbs[x.w], openers[x.w] && x.w != "so":
			continue
		case x.w == "that" || x.w == "so":
			return x.w == "that" && k > 0 && c.c[k-1].kind == wordChunk && (c.c[k-1].w == "so" || c.c[k-1].w == "such")
		}
		return false
	}
	return false
}

// agrees says whether subject and verb go together: "Bob use Vim" is an order to Bob or about him, no statement.
func (c *clause) agrees() bool {
	g := c.group()
	if len(c.subjects) == 0 {
		return false
	}
	if g.lets || c.dropped {
		return true
	}
	p := c.subjects[0]
	c.headline()
	plural := len(c.subjects) > 1 || p.plural || p.kind == argSelf && (p.pronoun == "i" || p.pronoun == "we")
	switch {
	case g.form == formIng && g.plain: // "Bob using Vim": no finite verb
		return false
	case g.form == formDone && g.plain && !g.perfect && !g.passive:
		return false
	case g.bare && !g.negated:
		if p.pronoun == "they" || p.pronoun == "you" {
			return true
		}
		return plural || p.kind == argNoun && collective[p.head] || p.kind == argName && p.det == "the" && collective[p.head]
	case g.form == formS && p.pronoun == "they":
		return false
	case g.form == formS:
		return !plural || p.kind == argNone || p.kind == argName && len(c.subjects) == 1 || p.kind == argNoun
	}
	return true
}

// headline takes a participle without its auxiliary for a passive: "Outage caused by an expired certificate", "a nurse based
// in Oslo".
func (c *clause) headline() {
	g := c.group()
	want, ok := participles[g.lemma]
	if !ok || !g.plain || g.form != formPast && g.form != formDone || g.negated {
		return
	}
	if oneOf(c.s.word(g.b), want) {
		g.passive, g.past, g.form, g.plain = true, false, formDone, false
	}
}

// participles that stand without an auxiliary, with the prepositions behind them.
var participles = map[string]string{"cause": "by", "assign": "to", "base": "in", "maintain": "by", "own": "by", "write": "by", "create": "by", "locate": "in", "employ": "by at"}

// opines says whether the speaker only thinks so what ends before token i: "I think we use Kafka".
func (c *clause) opines(i int) bool {
	for i := range c.from {
		w := c.s.t[i].lower
		if opinions[w] && (c.s.word(i-1) == "i" || c.s.word(i-1) == "we" || adverbs[c.s.word(i-1)]) || w == "afaik" || w == "iirc" || w == "seems" || hedges[w] || w == "looks" && c.s.word(i+1) == "like" ||
			w == "pretty" && c.s.word(i+1) == "sure" {
			return true
		}
	}
	for ; i < len(c.s.t); i++ {
		if w := c.s.t[i].lower; w == "afaik" || w == "iirc" || (w == "think" || w == "guess" || w == "believe") && c.s.word(i-1) == "i" || w == "probably" || w == "presumably" {
			return true
		}
	}
	return false
}

// elsewhereTold says whether tokens from i on name a made-up world: "in the new season of Severance", "in my mind".
func (s *sentence) elsewhereTold(i int) bool {
	if w := s.word(i); !articles[w] && !oneOf(w, "my our his her") {
		return false
	}
	for k := i + 1; k < i+5 && s.kind(k) == wordToken; k++ {
		if toldIn[s.word(k)] {
			return true
		}
	}
	return false
}
