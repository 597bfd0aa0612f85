package graph

import (
	"slices"
	"strings"
)

// Links between the names of relations (docs/decisions.md, "Linked relations"). A fact is stored under one name, in one
// direction. The other names are accepted wherever a relation is named.
const (
	same    = iota // another name for the relation
	inverse        // the relation with head and tail exchanged
	implies        // told as a change, it says that the relation holds from then on: moved_to implies lives_in
)

// link is the relation under which the facts of another name are stored.
type link struct {
	kind       int
	to         string // the relation under which such facts are stored
	head, tail kinds  // the types of head and tail for which this is so, as the caller wrote them
}

func is(relation string) link     { return link{kind: same, to: relation} }
func turned(relation string) link { return link{kind: inverse, to: relation} }
func tells(relation string) link  { return link{kind: implies, to: relation} }

// of returns the link for heads and tails of these types only.
func (l link) of(head, tail kinds) link {
	l.head, l.tail = head, tail
	return l
}

// kinds are types of a node, separated by spaces. "" allows all. "!" before them allows all but these.
type kinds string

func (k kinds) allow(typ string) bool {
	list, not := strings.CutPrefix(string(k), "!")
	return list == "" || slices.Contains(strings.Fields(list), typ) != not
}

// Types that decide which relation a name means. A node of which nobody said the type is a concept.
const (
	aPerson  kinds = "person"
	noPerson kinds = "!person"
	aPlace   kinds = "location concept"
	aFirm    kinds = "organization"
	aTool    kinds = "tool technology concept"
)

// named are the other names of relations, besides the inverses that the registry marks with Turned. Of several links of
// a name the first that the types allow counts. A name without such a link is stored as it is.
var named = map[string][]link{
	// A person's home is lives_in, whatever it is called. Everything else is located_in.
	"resides_in":   {is("lives_in")},
	"lives_at":     {is("lives_in")},
	"home_is":      {is("lives_in")},
	"based_in":     {is("lives_in").of(aPerson, ""), is("located_in")},
	"based_at":     {is("lives_in").of(aPerson, aPlace), is("located_in").of(noPerson, "")},
	"located_in":   {is("lives_in").of(aPerson, "")},
	"located_at":   {is("lives_in").of(aPerson, aPlace), is("located_in").of(noPerson, "")},
	"location_of":  {turned("lives_in").of("", aPerson), turned("located_in")},
	"home_of":      {turned("lives_in").of("", aPerson)},
	"moved_to":     {tells("lives_in").of(aPerson, aPlace), tells("located_in").of("", "location")},
	"relocated_to": {tells("lives_in").of(aPerson, aPlace), tells("located_in").of("", "location")},

	"works_for":    {is("works_at").of("", noPerson)},
	"employed_by":  {is("works_at").of("", noPerson)},
	"employed_at":  {is("works_at")},
	"employee_of":  {is("works_at")},
	"employer_of":  {turned("works_at")},
	"has_employee": {turned("works_at")},
	"hired":        {turned("works_at").of(aFirm, aPerson)},
	"joined":       {tells("works_at").of(aPerson, aFirm)},

	// Who manages a person is whom the person reports to. Who manages a thing is a relation of its own.
	"manages":     {turned("reports_to").of("", aPerson)},
	"manager_of":  {turned("reports_to").of("", aPerson), is("manages")},
	"boss_of":     {turned("reports_to")},
	"has_manager": {is("reports_to").of(aPerson, ""), turned("manages")},
	"has_boss":    {is("reports_to")},
	"managed_by":  {is("reports_to").of(aPerson, ""), turned("manages")},

	"colleague_of":   {is("works_with")},
	"coworker_of":    {is("works_with")},
	"spouse_of":      {is("married_to")},
	"friends_with":   {is("friend_of")},
	"has_friend":     {is("friend_of")},
	"has_sibling":    {is("sibling_of")},
	"has_child":      {turned("child_of")},
	"has_parent":     {is("child_of")},
	"belongs_to":     {turned("owns").of(noPerson, "person organization")},
	"made_by":        {is("created_by")},
	"developed_by":   {is("created_by")},
	"written_by":     {is("created_by")},
	"hosted_on":      {is("deployed_to")},
	"hosted_at":      {is("deployed_to")},
	"deployed_on":    {is("deployed_to")},
	"contact":        {turned("contact_of").of("", "person concept")},
	"contact_for":    {is("contact_of")},
	"contact_at":     {is("contact_of")},
	"contact_person": {turned("contact_of")},
	"taught_by":      {turned("teacher_of")},
	"neighbour_of":   {is("neighbor_of")},
	"has_neighbour":  {turned("neighbor_of")},
	"switched_to":    {tells("uses").of("", aTool)},
	"migrated_to":    {tells("uses").of("", aTool)},
	"caused":         {turned("caused_by")},
	"authored":       {turned("created_by")},
	"is_part_of":     {is("part_of")},
}

// Stored is how a fact is stored that a caller gave under some name.
type Stored struct {
	Relation string
	Swap     bool // head and tail are exchanged
	News     bool // the name tells it as a change
}

// Store returns how a fact is stored whose relation is given, in snake_case, between nodes of these types.
func Store(relation, headType, tailType string) Stored {
	if r := registry[relation]; r.Turned {
		return Stored{Relation: r.Inverse, Swap: true}
	}
	for _, l := range named[relation] {
		if l.head.allow(headType) && l.tail.allow(tailType) {
			return Stored{Relation: l.to, Swap: l.kind == inverse, News: l.kind == implies}
		}
	}
	return Stored{Relation: relation}
}

// Mirrored reports whether facts of a relation are the same facts with head and tail exchanged. Three more relations
// are symmetric: the head of same_as is the speaker who states a name, and links of the others are stored both ways.
func Mirrored(relation string) bool {
	return registry[relation].Symmetric && !slices.Contains([]string{"same_as", "similar_to", "contradicts"}, relation)
}

// Reads reports whether facts that are stored under a relation may be shown as the facts of another name, and whether
// head and tail are then exchanged. A name that only implies the relation is not one of its names.
func Reads(name, stored string) (swap, ok bool) {
	if name == stored {
		return false, true
	}
	for _, l := range linksOf(name) {
		if l.to == stored && l.kind != implies {
			return l.kind == inverse, true
		}
	}
	return false, false
}

func linksOf(name string) []link {
	if r := registry[name]; r.Turned {
		return []link{{kind: inverse, to: r.Inverse}}
	}
	return named[name]
}

// Names returns the relations under which facts of the given names may be stored: those with head and tail as given,
// and those with head and tail exchanged. Facts that were stored under another name before the names were linked are
// found by the name that they have.
func Names(given []string) (direct, turned []string) {
	add := func(list *[]string, name string) {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, name := range given {
		add(&direct, name)
		for _, l := range linksOf(name) {
			if l.kind == inverse {
				add(&turned, l.to)
			} else {
				add(&direct, l.to)
			}
		}
	}
	return direct, turned
}

// Linked returns the names that are stored under another relation for some types, sorted.
func Linked() []string {
	out := make([]string, 0, len(named))
	for name := range named {
		out = append(out, name)
	}
	for name, r := range registry {
		if r.Turned {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
