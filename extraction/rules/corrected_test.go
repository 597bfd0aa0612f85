package rules_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

// graphOf gives what a graph with these facts holds, and what is called how there.
func graphOf(held ...extraction.Held) (*mentions.Dictionary, func(string, memory.Direction) []extraction.Held) {
	known := mentions.NewDictionary()
	for _, h := range held {
		known.Add(h.Head, h.Tail)
	}
	return known, func(name string, as memory.Direction) (out []extraction.Held) {
		for _, h := range held {
			if as == memory.In && memory.Canonical(h.Tail) == memory.Canonical(name) || as == memory.Out &&
				memory.Canonical(h.Head) == memory.Canonical(name) {
				out = append(out, h)
			}
		}
		return out
	}
}

func uses(head, tail string, just bool) extraction.Held {
	return extraction.Held{Head: head, HeadType: "project", Relation: "uses", Tail: tail, TailType: "technology",
		Just: just}
}

func TestExtract_SetsRightTheOneFactThatIsMeant(t *testing.T) {
	t.Parallel()
	const just, long = true, false
	person := func(relation, tail string, just bool) extraction.Held {
		return extraction.Held{Head: "User", HeadType: "person", Relation: relation, Tail: tail, Just: just}
	}
	billing := uses("billing service", "Postgres", just)
	isMariaDB := []string{"billing service uses MariaDB", "not billing service uses Postgres"}
	for _, c := range []struct {
		text string
		held []extraction.Held
		want []string
	}{
		{"No wait, it was MariaDB, not Postgres", []extraction.Held{billing}, isMariaDB},
		{"no wait it was MariaDB, not postgres", []extraction.Held{billing}, isMariaDB},
		{"Wait, no: MariaDB, not Postgres.", []extraction.Held{billing}, isMariaDB},
		{"Sorry, I meant MariaDB, not Postgres.", []extraction.Held{billing}, isMariaDB},
		{"No, it's not Postgres but MariaDB.", []extraction.Held{billing}, isMariaDB},
		{"Oops, it wasn't Postgres, it was MariaDB.", []extraction.Held{billing}, isMariaDB},
		{"no, it's MariaDB, not Postgres, sorry", []extraction.Held{billing}, isMariaDB},
		{"No wait, it's MariaDB, not Postgres", []extraction.Held{uses("billing service", "Postgres", long)}, isMariaDB},
		// of what was just said first
		{"No, it was MariaDB, not Postgres", []extraction.Held{billing, uses("web shop", "Postgres", long)}, isMariaDB},
		{"No wait, it was Graz, not Linz.", []extraction.Held{person("located_in", "Linz", just)},
			[]string{"User located_in Graz", "not User located_in Linz"}},
		// nothing, where it is not clear of what, or may be of anything
		{"it's MariaDB, not Postgres", []extraction.Held{billing}, []string{}},
		{"No, it was MariaDB, not Postgres", []extraction.Held{uses("billing service", "Postgres", long)}, []string{}},
		{"No, it was MariaDB, not Postgres, that crashed.", []extraction.Held{billing}, []string{}},
		{"No wait, it was MariaDB, not Postgres, which was slow.", []extraction.Held{billing}, []string{}},
		{"No wait, it was MariaDB, not Postgres", []extraction.Held{uses("billing service", "Postgres", long),
			uses("web shop", "Postgres", long)}, []string{}},
		{"No, it was MariaDB, not Postgres", []extraction.Held{billing, uses("web shop", "Postgres", just)}, []string{}},
		{"No, it was MariaDB, not Postgres", nil, []string{}},
		{"It was Graz, not Linz.", []extraction.Held{person("located_in", "Linz", just)}, []string{}},
		{"No, it was Graz, not Linz.", []extraction.Held{person("located_in", "Linz", long)}, []string{}},
		{"No, it was Petra, not Ruben.", []extraction.Held{person("knows", "Ruben", just)}, []string{}},
		{"No, it was Petra, not Postgres.", []extraction.Held{billing}, []string{}},
		{"Was it MariaDB, not Postgres?", []extraction.Held{billing}, []string{}},
		{"Tom says it was MariaDB, not Postgres", []extraction.Held{billing}, []string{}},
		{"Maybe it was MariaDB, not Postgres", []extraction.Held{billing}, []string{}},
		{"No, MariaDB, not Postgres tests, please.", []extraction.Held{billing}, []string{}},
		{"If it's MariaDB, not Postgres, we are done.", []extraction.Held{billing}, []string{}},
		// what takes back the last statement ends it, where it said one thing
		{"Scratch that: billing is on SQLite", []extraction.Held{billing}, []string{"billing service uses SQLite",
			"not billing service uses Postgres"}},
		{"No wait, billing runs on SQLite", []extraction.Held{billing}, []string{"billing service uses SQLite",
			"not billing service uses Postgres"}},
		{"Scratch that: billing uses SQLite too", []extraction.Held{billing}, []string{"billing service uses SQLite"}},
		{"Scratch that: billing is on SQLite", []extraction.Held{billing, uses("billing service", "Kafka", just)},
			[]string{"billing service uses SQLite"}},
		{"Scratch that: billing is on SQLite", []extraction.Held{uses("billing service", "Postgres", long)},
			[]string{"billing service uses SQLite"}},
		{"Billing is on SQLite", []extraction.Held{billing}, []string{"Billing service uses SQLite"}},
	} {
		known, held := graphOf(c.held...)
		got := []string{}
		for _, r := range extractor.Extract(extraction.Input{Role: memory.RoleUser, Text: c.text, Self: "User",
			OccurredAt: said, Known: known, Facts: held}).Relations {
			f := r.Head + " " + r.Relation + " " + r.Tail
			if r.Ended {
				f = "not " + f
			}
			got = append(got, f)
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q of %v (-want +got):\n%s", c.text, c.held, diff)
		}
	}
}
