package rules

import "strings"

// What is announced of somebody is told in the third person, by whom it is about or by who speaks for many: "Dunja wrote to
// everybody: Dunja Perić left …", "HR announced: …". It is no quotation, and stands. What one says of another is hearsay.

var (
	announces = pattern(`^(?i:and |so |just in: |per |from )?((?:(?i:the|our) )?[\p{L}'’-]+(?: [\p{L}'’-]+){0,2}?)(?i:(?: has| just| also| now)* (?:announced|announces|wrote|writes|posted|mailed|emailed|e-mailed|texted|messaged|slacked|shared|told|says|confirmed))\b[^.!?:\n"“]{0,50}:$`)
	addressed = pattern(`(?i)(?:^|[^\p{L}'’])(?:i|we|my|our|me|us|you|your|he|she|they|if|please|let's|"|“)(?:[^\p{L}]|$)`)
)

// toAll says that something was told to everybody.
var toAll = pattern(`(?i) (?:to )?(?:everybody|everyone|us all|all of us|the (?:whole )?(?:team|list|group|office|channel)) ?:$`)

// spokespeople are who announces what concerns others.
var spokespeople = set(`hr management newsletter company office intranet board`)

// announcement says whether what stands in a line from offset n on is announced of somebody.
func announcement(line string, n int) bool {
	m := announces().FindStringSubmatch(strings.TrimSpace(line[:n]))
	rest := strings.TrimSpace(line[n:])
	if m == nil || rest == "" {
		return false
	}
	who := strings.Fields(m[1])
	if whom, told, _ := strings.Cut(rest, " "); len(who) == 1 && hasUpper(who[0][:1]) && oneOf(lowerOf(whom), "he she") && toAll().MatchString(m[0]) { // "Oyun wrote to everybody: she left …"
		if i := strings.IndexAny(told, ".!?"); i > 0 {
			told = told[:i]
		}
		return !addressed().MatchString(told)
	}
	if addressed().MatchString(rest) {
		return false
	}
	if spokespeople[lowerOf(who[len(who)-1])] {
		return true
	}
	whom, _, _ := strings.Cut(rest, " ")
	return hasUpper(who[0][:1]) && who[0] == whom && !strings.Contains(lowerOf(m[0]), " says") && !strings.Contains(lowerOf(m[0]), " told")
}

// toldOfSelf says whether the word of doubt at token i is no doubt, since the clause is what somebody has told the user of
// themselves: "Ana told me on the ferry that she lives in Graz".
func (c *clause) toldOfSelf(i int) bool {
	p := c.subjects[0]
	if c.s.t[i].lower != "told" || len(c.subjects) != 1 || p.kind != argPronoun || p.pronoun != "he" && p.pronoun != "she" {
		return false
	}
	if w := c.s.word(i + 1); w != "me" && w != "us" && w != "everybody" && w != "everyone" {
		return false
	}
	k := i - 1
	for w := c.s.word(k); w == "just" || w == "has" || w == "already" || w == "also"; w = c.s.word(k) {
		k--
	}
	if c.s.kind(k) != nameToken {
		return false
	}
	n := c.s.names[c.s.t[k].name]
	if n.typ != "person" && n.sort&sortPerson == 0 && !c.s.mayBePerson(&n) {
		return false
	}
	for k++; k < p.a; k++ { // "told me that Bob said she …"
		if c.s.kind(k) == nameToken && c.s.names[c.s.t[k].name].sort&sortPerson != 0 || k > i+1 && verbForms[c.s.word(k)].lemma == "say" {
			return false
		}
	}
	return true
}

// mayBePerson says whether a name that no list has can be a person's.
func (s *sentence) mayBePerson(n *name) bool {
	return n.sort&^sortWord == 0 && (n.typ == "" || n.typ == "person") && !n.shape && n.text != "" && !(n.unsure && everyday(n.text)) && n.text == properCase(n.text) && !camelName(n.text) && !companyName(n) && !generic[n.text] && !timeOf(n.text)
}
