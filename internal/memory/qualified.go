package memory

import "strings"

// Qualifier says which of several people of one name is meant: "support" in "Tom from support".
type Qualifier struct {
	Text     string // "" for none
	Relation string // what it says of the person: member_of, works_at or works_as; "" if the words do not tell
}

// Qualified splits a name that says which namesake it means: "Tom (support)" is "Tom" and "support". ok is false for
// any other name.
func Qualified(name string) (base, qualifier string, ok bool) {
	rest, closed := strings.CutSuffix(strings.TrimSpace(name), ")")
	base, qualifier, open := strings.Cut(rest, " (")
	base, qualifier = strings.TrimSpace(base), strings.TrimSpace(qualifier)
	return base, qualifier, closed && open && Canonical(base) != "" && Canonical(qualifier) != "" &&
		!strings.ContainsAny(qualifier, "()")
}

// Name returns the name of the namesake that is meant: "Tom (support)".
func (q Qualifier) Name(base string) string { return strings.TrimSpace(base) + " (" + q.Text + ")" }
