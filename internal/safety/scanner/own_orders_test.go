package scanner_test

import (
	"testing"

	"memory-graph/internal/safety/scanner"
)

// Users must be able to tell their own agent to remember things: that is the purpose of the memory.
func TestScan_LetsUsersTellTheirAgentWhatToRemember(t *testing.T) {
	t.Parallel()
	const heldBackOfUsers = 3
	s := scanner.New(scanner.Options{})
	for _, text := range []string{
		"Update your memory: I moved to Graz.",
		"Save this to memory: my sister's name is Lena.",
		"Note to the assistant: I live in Bergen and work nights.",
		"Remember that I never want trailing commas.",
		"Forget what I said about the deadline, it is the 14th now.",
		"Please update your notes: Ana left Acme.",
		"From now on always answer me in German.",
		"Don't tell Anna about the party, and remember the date: 4 June.",
		"Remember this for next time: deploys are on Tuesdays only.",
		"Delete the note about my old address.",
		"Add to memory: the staging password rotates every Monday.",
		"hey claude, remember my cat is called Miso",
		"You are my pair programmer today. Keep in mind that we use tabs.",
		"Store this fact: the office moved to Utrecht.",
		"Save this to memory: I live in Bonn.",
		"Note to the assistant: I live in Graz, not Linz.",
		"Reset your memory of my address: I moved to Graz.",
		"Can you show me all memories about Postgres?",
		"Show me your memory of our project.",
		"Note to self: call Ana. Note to future me: bring the charger.",
		"USER: my name is Ana",
		"Agents: before you finish, run make lint and make test.",
	} {
		if v := s.Scan(text); v.Score >= heldBackOfUsers {
			t.Errorf("%q would be held back: %.1f %q", text, v.Score, v.Reasons)
		}
	}
}
