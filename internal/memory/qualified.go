package memory

import "strings"

// Qualifier says which of several people of one name is meant: "support" in "Tom from support".
type Qualifier struct {
	Text     string // "" for none
	Relation string // what it says of the person: member_of, works_at, works_as or "my"; "" if the words do not tell
	Known    bool   // it chooses among the known people of the name and tells of no other one
	Besides  string // a name of a person who is not meant, such as the speaker; "" for none
}

// Kin is the relation of a qualifier that says who somebody is to the speaker: "my brother".
const Kin = "my"

// Qualified splits a name that says which namesake it means: "Tom (support)" is "Tom" and "support". ok is false for
// any other name.
func Qualified(name string) (base, qualifier string, ok bool) {
	rest, closed := strings.CutSuffix(strings.TrimSpace(name), ")")
	base, qualifier, open := strings.Cut(rest, " (")
	base, qualifier = strings.TrimSpace(base), strings.TrimSpace(qualifier)
	return base, qualifier, closed && open && Canonical(base) != "" && Canonical(qualifier) != "" &&
		!strings.ContainsAny(qualifier, "()")
}

// NamedBy splits a name that says in words which namesake it means: "Tom from support", "Tom from the data team", "Tom
// my brother". ok is false for any other name. It looks at the form only: "Letter from Paris" has it too.
func NamedBy(name string) (base string, q Qualifier, ok bool) {
	words := strings.Fields(strings.ReplaceAll(name, ",", " "))
	if len(words) > 2 && strings.EqualFold(words[0], "my") { // "my brother Tom"
		words = append(words[2:], words[:2]...)
	}
	for i, w := range words {
		w, rest := strings.ToLower(w), words[i+1:]
		switch {
		case i == 0 || len(rest) == 0:
		case w == "my" && len(rest) == 1:
			return strings.Join(words[:i], " "), Qualifier{Text: strings.ToLower(rest[0]), Relation: Kin}, true
		case w == "from":
			q.Relation = "member_of"
			if rest[0] != strings.ToLower(rest[0]) {
				q.Relation = "works_at"
			}
			q.Text = BareGroup(strings.Join(rest, " "))
			return strings.Join(words[:i], " "), q, q.Text != "" && len(rest) < 5
		}
	}
	return "", Qualifier{}, false
}

// BareGroup returns a group without its article and noun: "data" for "the data team".
func BareGroup(group string) string {
	for _, noun := range []string{" team", " department", " dept"} {
		group = strings.TrimSuffix(group, noun)
	}
	return strings.TrimPrefix(group, "the ")
}

// Name returns the name of the namesake that is meant: "Tom (support)".
func (q Qualifier) Name(base string) string { return strings.TrimSpace(base) + " (" + q.Text + ")" }
