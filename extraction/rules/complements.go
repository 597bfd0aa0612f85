package rules

// deniedNow reports whether a plain denial means that something has ended. It does for where the user lives and works,
// and for anything with "now" or "actually".
func (c *clause) deniedNow() bool {
	g := c.group()
	if !g.present || g.past || g.perfect || g.modal || g.ing || g.passive || g.copula || g.decided {
		return false
	}
	self := c.subjects[0].kind == argSelf && c.subjects[0].pronoun == "i" && len(c.subjects) == 1
	next := c.s.word(g.b)
	said := self && (g.lemma == "live" && next == "in" || g.lemma == "work" && (next == "at" || next == "for"))
	for i := 0; i < len(c.s.t); i++ {
		w := c.s.t[i].lower
		switch {
		case oneOf(w, "yet only just usually always really often") ||
			w == "because" && i > g.b:
			return false
		case w == "now" && (i >= g.a-1 && i < g.b || i > g.b && c.s.closes(i)), w == "actually" && i == 0:
			said = true
		}
	}
	return said
}
