package retrieval

import (
	"testing"

	"memory-graph/internal/memory"
)

func TestDemands_AreMetByTheTurnThatTellsIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question, turn string
		want           bool
	}{
		{"Does Acme use Haskell?", "Acme uses Go for its backend.", false},
		{"Does Acme use Haskell?", "At Acme we write Haskell.", true},
		{"Is Acme based in Paris?", "Acme is based in Berlin.", false},
		{"What did Acme open in Paris?", "Acme opened a bakery.", true}, // a place is often told elsewhere
		{"Who is Ann Miller?", "Ann is my boss.", true},                 // a part of a name
		{"What happened to Ann in May?", "Ann broke her arm.", true},
		{"Where does Zoe's sister live?", "Zoe lives in Lisbon.", false},
		{"Where does Zoe's sister live?", "Zoe's little sister moved to Porto.", true},
		{"Where does Zoe's sister live?", "Tom's sister lives in Porto, says Zoe.", false},
		{"What is my mother called?", "My mum's name is Rosa.", true},
		{"Where does Zoe live?", "Zoe works at Initech.", false},
		{"where does zoe work?", "zoe got a new job", true},
		{"What does it cost?", "Five euros.", true},
	} {
		d := demandsOf(c.question)
		turn := &candidate{turn: memory.Rankable{Role: memory.RoleUser, Content: c.turn}}
		if got := d.metBy(turn); got != c.want {
			t.Errorf("%q by %q: %v, want %v (%v)", c.question, c.turn, got, c.want, d)
		}
	}
}

func TestDemands_AreMetByWhatATurnRefersTo(t *testing.T) {
	t.Parallel()
	turn := func(role memory.Role, content string) *candidate {
		c := &candidate{turn: memory.Rankable{Role: role, Content: content}}
		c.readContent()
		return c
	}
	d := demandsOf("Where does Ann live?")
	for _, c := range []struct {
		before, turn *candidate
		want         bool
	}{
		{turn(memory.RoleUser, "Ann's boss is Carl."), turn(memory.RoleUser, "Carl lives in Oslo."), false},
		{turn(memory.RoleUser, "I met Ann."), turn(memory.RoleUser, "She lives in Oslo."), true},
		{turn(memory.RoleUser, "And Ann?"), turn(memory.RoleUser, "Lives in Oslo."), true},
		{turn(memory.RoleAssistant, "Tell me about Ann."), turn(memory.RoleUser, "Moved to Oslo."), true},
	} {
		c.turn.prev, c.before.next = c.before, c.turn
		if got := d.metBy(c.turn); got != c.want {
			t.Errorf("%q after %q: %v, want %v", c.turn.turn.Content, c.before.turn.Content, got, c.want)
		}
	}
}
