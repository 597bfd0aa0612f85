package llm

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"memory-graph/memory"
)

var (
	// firstPerson and secondPerson are how a turn speaks of who speaks, and of who is spoken to.
	firstPerson  = words("i me my mine myself we us our ours ourselves user speaker")
	secondPerson = words("you your yours yourself user")
	// pronouns name nothing, whatever the model says.
	pronouns = words(`i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its itself
		they them their theirs themselves this that these those who whom whose which what someone somebody anyone anybody everyone everybody
		nobody something anything everything nothing here there one ones other others assistant ai bot none null unknown`)
	// references are the words by which a turn may mean what an earlier one names.
	references = words(`he him his she her hers it its they them their theirs this that these those who which there here then one ones both
		former latter same such another other others also too yes yeah yep no nope ok okay sure`)
	// timely are words that say when, beside digits.
	timely = words(`yesterday today tomorrow tonight now currently since until till ago last next this previous past recently lately before after
		monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november
		december jan feb mar apr jun jul aug sep sept oct nov dec spring summer autumn fall winter day days week weeks weekend month months
		quarter year years decade decades christmas easter morning afternoon evening night noon midnight`)
	// endings are words by which a turn may say that something holds no longer, beside verbs in the past.
	endings = words(`left leave leaves leaving quit quits quitting stop stops stopping longer anymore more former formerly ex past previous
		previously until till end ends ending over off away out instead switch switches switching migrate migrates migrating migration move moves
		moving replace replaces replacing drop drops dropping remove removes removing deprecate deprecating retire retires retiring retirement
		sell sells selling sold gave give gives giving cancel cancels canceling cancelling resign resigns resigning finish finishes finishing
		done gone go goes going went broke break breaks breaking divorce divorces lose loses losing lost rid got get getting was were had been
		ago before old once last died dead death sunset sunsets sunsetting shut shuts shutting kill kills killing ditch ditches ditching
		abandon abandons abandoning discontinue discontinues withdrew withdraw withdraws became become swap swaps swapping from`)
	// english are words that stand in nearly every English sentence.
	english = words(`the a an is are was were be been am and or of to in on at for with from by as not we i you he she it they my our your his her
		their this that have has had do does did will would can could use uses used now`)
	// examples are the names of the prompt's examples: small models repeat them.
	examples = map[string]bool{"quorbel": true, "quorbel cluster": true, "zintrax": true, "vemmeld": true, "drovane uplick": true,
		"drovane": true, "uplick": true, "hespermoor": true}
)

// refers says whether the turn may mean what earlier ones name. Of a turn that does not look English it is not known, and
// it may.
func (f folded) refers() bool { return f.hasWord(references) || !f.hasWord(english) }

// tells says whether the turn may say when something was. The same holds of other languages.
func (f folded) tells() bool {
	return strings.ContainsFunc(f.folded, unicode.IsDigit) || f.hasWord(timely) || !f.hasWord(english)
}

// ends says whether the turn may say that something holds no longer.
func (f folded) ends() bool {
	return f.hasWord(endings) || strings.Contains(f.folded, "ed ") || strings.HasSuffix(strings.TrimRight(f.folded, ".!;, "), "ed") || !f.hasWord(english)
}

// isSelf says whether a canonical name is one for the turn's user.
func (t *turn) isSelf(key string) bool {
	key = strings.TrimPrefix(key, "the ")
	if key == memory.Canonical(t.self) || key == "user" {
		return true
	}
	switch t.Role {
	case memory.RoleUser:
		return firstPerson[key]
	case memory.RoleAssistant:
		return secondPerson[key] || key == "we" || key == "us" || key == "our"
	}
	return false
}

// ofSelf says whether the turn may state something of its user. A user's turn always may: "Moved to Bern" has no "I".
// An assistant's does where it speaks to the user or of both; what is said of the assistant alone is not the user's.
func (t *turn) ofSelf() bool {
	switch t.Role {
	case memory.RoleUser:
		return true
	case memory.RoleAssistant:
		return t.folded.hasWord(secondPerson) || t.folded.hasWord(ourselves) || t.folded.has(t.self)
	}
	return t.folded.has(t.self)
}

var ourselves = words("we us our ours")

// quote gives the turn's own words for what the model says that it quotes, or why there are none: they must stand in the
// turn, and not only where it quotes others or has code, since what stands there its speaker does not say.
func (t *turn) quote(s string) (said, why string) {
	why = DroppedQuote
	for _, s := range []string{s, strings.Trim(s, "\"'“”‘’. \t\n")} { // it may have put its own marks around it
		for from := 0; ; {
			start, stop, ok := t.folded.find(s, from)
			if !ok {
				break
			}
			said, first, last := t.folded.span(start, stop)
			if !slices.ContainsFunc(t.apart, func(a [2]int) bool { return first < a[1] && last > a[0] }) {
				return said, ""
			}
			why, from = DroppedQuoted, stop
		}
	}
	return "", why
}

// quotes says whether a quote is about what the fact is about: it has one of the names, where the turn names one at all.
func (t *turn) quotes(quote string, ends ...end) bool {
	q := fold(quote)
	named := false
	for _, e := range ends {
		if e.here {
			named = true
			if q.has(e.name) {
				return true
			}
		}
	}
	return !named
}

// bare gives a name without what models put around it: quotation marks, and an article that is not the name's own.
func bare(name string) string {
	name = strings.Trim(strings.TrimSpace(name), "\"'`“”‘’*,;:")
	for _, article := range []string{"the ", "a ", "an ", "my ", "our ", "your "} {
		if rest, ok := strings.CutPrefix(name, article); ok {
			return strings.TrimSpace(rest)
		}
	}
	return name
}

// entityType gives a type of the list; another one is a concept (decision 2).
func entityType(s string) string {
	if typ := strings.ToLower(strings.TrimSpace(s)); slices.Contains(memory.EntityTypes, typ) {
		return typ
	}
	return memory.DefaultType
}

// period reads when a fact began and ended; ok is false where a time cannot be read, or the end is not behind the
// beginning. What is said to the month or the year means its first instant, as for a date.
func period(from, until *string) (f, u time.Time, ok bool) {
	f, ok1 := instant(from)
	u, ok2 := instant(until)
	if !ok1 || !ok2 || !f.IsZero() && !u.IsZero() && !f.Before(u) {
		return time.Time{}, time.Time{}, false
	}
	return f, u, true
}

// instant reads one time; nil, "" and "null" say none.
func instant(s *string) (time.Time, bool) {
	if s == nil {
		return time.Time{}, true
	}
	in := strings.TrimSpace(*s)
	if in == "" || strings.EqualFold(in, "null") {
		return time.Time{}, true
	}
	for _, layout := range []string{"2006", "2006-01"} {
		if t, err := time.ParseInLocation(layout, in, time.UTC); err == nil && t.Year() >= 1 {
			return t, true
		}
	}
	t, err := memory.ParseTime("time", in)
	return t, err == nil && !t.IsZero()
}
