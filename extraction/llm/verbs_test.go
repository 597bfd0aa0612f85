package llm

import (
	"testing"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// A relation that ends others needs words that state it. Words that hint at it make it an implied fact.
func TestValidate_AsksForTheVerbOfARelationThatEndsOthers(t *testing.T) {
	t.Parallel()
	const stated, implied, dropped = "stated", "implied", "dropped"
	at := func(quote, head, verb, tail string) says { return says{quote, head, verb, tail, false, ""} }
	left := func(quote, head, verb, tail string) says { return says{quote, head, verb, tail, true, ""} }
	for _, c := range []struct {
		text string
		fact says
		want string
	}{
		{"I work at Acme.", at("I work at Acme", "I", "works_at", "Acme"), stated},
		{"I got a job at Hooli.", at("I got a job at Hooli", "I", "works_at", "Hooli"), stated},
		{"Hooli hired me in May.", at("Hooli hired me", "I", "works_at", "Hooli"), stated},
		{"Ann is employed by Hooli in the archive.", at("Ann is employed by Hooli", "Ann", "works_at", "Hooli"), stated},
		{"I'm a nurse at Hooli.", at("I'm a nurse at Hooli", "I", "works_at", "Hooli"), stated},
		{"Ann is CTO of Hooli.", at("CTO of Hooli", "Ann", "works_at", "Hooli"), stated},
		{"As a senior developer at Hooli I see a lot.", at("developer at Hooli", "I", "works_at", "Hooli"), stated},
		{"Ann works at Acme and Ben at Hooli.", at("Ben at Hooli", "Ben", "works_at", "Hooli"), stated},
		{"I am at Hooli now.", at("I am at Hooli now", "I", "works_at", "Hooli"), implied},
		{"My company is Hooli.", at("My company is Hooli", "I", "works_at", "Hooli"), implied},
		{"I started at Hooli in May.", at("I started at Hooli", "I", "works_at", "Hooli"), implied},
		{"I left Acme in May.", left("I left Acme", "I", "works_at", "Acme"), stated},
		{"I gave a workshop at Hooli and they were quite impressed by it.",
			at("I gave a workshop at Hooli", "I", "works_at", "Hooli"), dropped},
		{"Ann sued Hooli over the fence last year.", at("Ann sued Hooli over the fence", "Ann", "works_at", "Hooli"),
			dropped},
		{"Ann phoned Hooli.", at("Ann phoned Hooli", "Ann", "works_at", "Hooli"), dropped},
		{"I visited my friend at Hooli.", at("I visited my friend at Hooli", "I", "works_at", "Hooli"), dropped},
		{"I had an interview at Hooli.", at("I had an interview at Hooli", "I", "works_at", "Hooli"), dropped},
		{"The coffee at Acme was terrible today, so I went out.",
			left("The coffee at Acme was terrible today, so I went out", "I", "works_at", "Acme"), dropped},

		{"I live in Lima.", at("I live in Lima", "I", "located_in", "Lima"), stated},
		{"Ann has settled in Lima.", at("Ann has settled in Lima", "Ann", "located_in", "Lima"), stated},
		{"We moved to Lima.", at("We moved to Lima", "I", "lives_in", "Lima"), stated},
		{"I rent a flat in Lima.", at("I rent a flat in Lima", "I", "located_in", "Lima"), implied},
		{"I am in Lima.", at("I am in Lima", "I", "located_in", "Lima"), implied},
		{"Acme has its labs in Lima.", at("Acme has its labs in Lima", "Acme", "located_in", "Lima"), implied},
		{"Acme is based in Lima.", at("Acme is based in Lima", "Acme", "located_in", "Lima"), stated},
		{"I took the train to Lima with them.", at("I took the train to Lima with them", "I", "located_in", "Lima"), dropped},
		{"My old house in Lima has been sold to a dentist.", at("My old house in Lima", "I", "located_in", "Lima"), dropped},
		{"I drove to Lima.", at("I drove to Lima", "I", "located_in", "Lima"), dropped},
		{"My parents are in Lima.", at("My parents are in Lima", "I", "located_in", "Lima"), dropped},

		{"I prefer Vim.", at("I prefer Vim", "I", "prefers", "Vim"), stated},
		{"Vim is great.", at("Vim is great", "I", "prefers", "Vim"), dropped}, // does not state who likes it
		{"I opened Vim.", at("I opened Vim", "I", "prefers", "Vim"), dropped},
		{"I don't like Vim.", at("I don't like Vim", "I", "dislikes", "Vim"), stated},
		{"I really hate Vim.", at("hate Vim", "I", "dislikes", "Vim"), stated},
		{"I like Vim.", at("I like Vim", "I", "dislikes", "Vim"), dropped},

		{"Ich arbeite jetzt bei Hooli.", at("arbeite jetzt bei Hooli", "I", "works_at", "Hooli"), implied},
		{"Ich wohne in Lima, aber nicht gern.", at("Ich wohne in Lima", "I", "located_in", "Lima"), implied},
		{"Vivo en Lima con mi madre.", at("Vivo en Lima", "I", "located_in", "Lima"), implied},
		{"我们住在Lima，很好", at("我们住在Lima", "I", "located_in", "Lima"), implied},
		{"Ann arbeitet nicht bei Acme, sondern bei Hooli.", at("Ann arbeitet nicht bei Acme", "Ann", "works_at", "Acme"),
			dropped},
		{"Ann arbeitet nicht bei Acme, sondern bei Hooli.", at("sondern bei Hooli", "Ann", "works_at", "Hooli"), implied},
		{"Ann arbeitet nicht mehr bei Acme.", left("Ann arbeitet nicht mehr bei Acme", "Ann", "works_at", "Acme"), implied},
		{"Ich war gestern zu Besuch bei Hooli und es war sehr schön.",
			at("Ich war gestern zu Besuch bei Hooli", "I", "works_at", "Hooli"), dropped},
		{"Este agosto me voy a Lima con mi madre.", at("me voy a Lima", "I", "located_in", "Lima"), dropped},
		{"Ya no aguanto el calor de Lima en agosto.", left("Ya no aguanto el calor de Lima", "I", "located_in", "Lima"),
			dropped},
		{"Hier je suis allé voir ma tante à Lima avec les enfants.", at("voir ma tante à Lima", "I", "located_in", "Lima"),
			dropped},
		{"私はLimaに住んでいません。", at("私はLimaに住んでいません", "I", "located_in", "Lima"), dropped},
		{"私はLimaに住んでいます。", at("私はLimaに住んでいます", "I", "located_in", "Lima"), implied},
		{"Ich nutze Redis nicht.", at("Ich nutze Redis nicht", "I", "uses", "Redis"), dropped},
		{"Ich mag Vim nicht.", at("Ich mag Vim nicht", "I", "dislikes", "Vim"), implied},
	} {
		got := newValidation([]extraction.Input{one(c.text)}, 0).validate(answers(c.fact),
			Limits{Entities: 10, Relations: 15})
		is := dropped
		if len(got.Relations) == 1 {
			is = map[memory.Method]string{memory.MethodModelStated: stated,
				memory.MethodModelImplied: implied}[got.Relations[0].Method]
		}
		if is != c.want {
			t.Errorf("%s: %s, want %s (%s)", c.text, is, c.want, shown(got))
		}
	}
}
