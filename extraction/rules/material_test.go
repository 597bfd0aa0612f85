package rules_test

import (
	"testing"

	"memory-graph/extraction"
	"memory-graph/internal/memory"
)

// factsOf is facts for a user with a name.
func factsOf(self, text string) []string {
	out := []string{}
	for _, r := range extractor.Extract(extraction.Input{Role: memory.RoleUser, Text: text, Self: self,
		OccurredAt: said}).Relations {
		out = append(out, r.Head+" "+r.Relation+" "+r.Tail)
	}
	return out
}

func TestExtract_TakesNothingOfWhatOthersSay(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		// with their name before it
		"Ove: I quit Nokia", "[09:15] Ove: I quit Nokia", "Ove (09:15): I moved to Graz.", "Petra, 09:15: I work at Bosch.", "Mum: I live in Graz now", "ove> I live in Graz\nmira> nice",
		"Host: Where do you work?\nGuest: I work at Bosch.", "Speaker 2: I live in Graz.", "Q: Where do you live? A: I live in Graz.", "Ove: left Nokia today",
		// said to be theirs
		"Ove texted me: I quit Nokia.", "Ove texted me this: I quit Nokia.", "Petra just emailed:\nI quit Nokia.", "Petra wrote:\n\nI moved to Graz.\n\nI work at Bosch.", "From Petra:\n\nI quit Nokia.",
		"Here's what my landlord sent me:\n\nI moved to Graz.", "Got this from our CTO today:\n\nWe switched from Jira to Linear.", "My aunt sent this:\n\nI live in Graz.", "Ove posted in #random:\nI quit Nokia!",
		// letters
		"Hi Mira,\n\nI quit Nokia and moved to Graz.\n\nBest,\nOve", "Dear Mira,\nI live in Graz now.\nCheers\nPetra", "Hello all,\n\nI joined Bosch.\n\nRegards,\nSam",
		"Dear hiring manager,\n\nI work at Bosch.", "Email from Ove below.\n\nHi Mira,\n\nI work at Bosch.",
		// quotations of every kind
		"‘I work at Bosch and don’t use Vim’", "„I work at Bosch and I live in Graz“", "«I work at Bosch and I live in Graz»", "“I work at Bosch and I live in Graz”",
		// what a terminal shows
		"$ cat notes.txt\nI live in Graz.\n$", "mira@box:~$ cat notes.txt\nI live in Graz.\nmira@box:~$",
	} {
		if got := factsOf("Mira", text); len(got) > 0 {
			t.Errorf("%q states %q", text, got)
		}
	}
}

func TestExtract_TakesNothingOfATextThatIsGivenToBeWorkedOn(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Proofread please.\nI work at Bosch.", "My cover letter: I work at Bosch.", "My cover letter:\n\nI work at Bosch.\n\nI live in Graz.", "Improve this paragraph\n\nI work at Bosch.",
		"What do you make of this testimonial? We use Redis.", "Here is a review from a customer.\nWe switched from Jira to Linear.", "Can you summarise this thread for me?\n\nWe use Redis.\n\nI live in Graz.",
		"Could you turn this into a tweet?\n\nWe replaced Jest with Vitest.", "Is this sentence correct? I live in Graz.", "Translate to German.\nI live in Graz.", "Make this sound friendlier.\n\nI quit Nokia.",
		"Below is the bio of our speaker.\n\nI live in Graz.", "Customer feedback:\n\nWe use Redis.", "Please shorten the following message. I work at Bosch.",
	} {
		if got := factsOf("Mira", text); len(got) > 0 {
			t.Errorf("%q states %q", text, got)
		}
	}
	for _, text := range []string{"Here is the draft:\n\nDear all, we use Vim. The user works at Bosch.",
		"Here's a better version.\n\nWe use Vim.", "You could write: we use Vim."} {
		if got := facts(memory.RoleAssistant, text); len(got) > 0 {
			t.Errorf("the assistant's %q states %q", text, got)
		}
	}
}

func TestExtract_KeepsTheUsersOwnWordsAmongThose(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"Mira: I quit Nokia": 1, "me: I live in Graz": 1, "Update: I quit Nokia.": 1, "Hi Claude,\n\nI quit Nokia and moved to Graz.\n\nThanks!": 2, "Hi,\nI moved to Graz.\nBest,\nMira": 1,
		"Can you help me with a Dockerfile? We use Redis.": 1, "Please shorten your answers. I live in Graz.": 1, "Backend: we use Redis.": 1, "Fun fact: I live in Graz.": 1,
		"What do you think? I moved to Graz.": 1, "TL;DR: I quit Nokia.": 1, "Ove: I quit Nokia\n\nI live in Graz.": 1, "So, done: I moved to Graz": 1, "From my side: we use Redis.": 1,
		"Mira: I live in Graz\nOve: I live in Rome": 1,
	} {
		if got := factsOf("Mira", text); len(got) != want {
			t.Errorf("%q states %q, want %d facts", text, got, want)
		}
	}
}
