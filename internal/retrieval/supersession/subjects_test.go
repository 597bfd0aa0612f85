package supersession_test

import (
	"testing"

	"memory-graph/internal/retrieval/supersession"
)

// The later turn speaks of somebody or something else of the same kind, and was taken for what holds
// now of the first. Whose it is (my, Ann's, the other team's), which it is (login, session) and who it is about must agree. That one
// may switch to tea and to another phone, only the vectors tell.
func TestPoints_AnotherOfTheSameKindTakesNoPlace(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"What is Ann's phone number?", "Ann changed her phone number to 123.", "Bob changed his phone number to 456."},
		{"What is Ann's phone number?", "Ann changed her phone number to 123.", "I changed my phone number to 456."},
		{"What is my sister's job?", "My sister is a nurse now.", "My brother is a pilot now."},
		{"What is the login timeout?", "The login timeout is now 30 s.", "The session timeout is now 60 s."},
		{"What is my address?", "My new address is Elm 1.", "Bob's new address is Oak 2."},
		{"When is the standup?", "The standup is now at 9.", "The standup of the other team is now at 10."},
		{"Which school does my son go to?", "My son changed schools; he goes to Elm School now.", "My daughter changed schools; she goes to Oak School now."},
		{"Where is Rex?", "Rex moved to a new kennel.", "Max moved to a new kennel."},
		{"Is our cat on a diet?", "Our cat is now on a diet.", "Our dog is now on a diet."},
		{"What do I not eat?", "I no longer eat meat.", "Ann no longer eats fish."},
		{"What do I not eat?", "I no longer eat meat.", "I no longer drink wine."},
		{"Where do I live?", "I moved to Bergen yesterday.", "Carl moved to Bergen."},
	} {
		if got := points(c[0], c[1], c[2]); got >= supersession.Enough {
			t.Errorf("%.1f points for %q after %q, asked %q", got, c[2], c[1], c[0])
		}
	}
}

// What is left unsaid may well be the same.
func TestPoints_TheSameThingWithAnotherValueTakesThePlace(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"When does my flight leave?", "My flight leaves at 9.", "My flight was moved to 11."},
		{"Who is my manager?", "Bob is my manager.", "Carl is my manager now."},
		{"How many tablets does Opa take?", "Opa takes two tablets.", "From now on three, said the doctor."},
		{"Where does my sister work?", "My sister works at the mill.", "She switched to the harbour, my sister says."},
		{"What is Ann's number?", "Ann's number is 4455.", "She changed it to 7788."},
		{"When is the sauna free?", "The sauna is free on Mondays.", "Moved to Fridays, the other people complained."},
	} {
		if got := points(c[0], c[1], c[2]); got < supersession.Enough {
			t.Errorf("%.1f points for %q after %q", got, c[2], c[1])
		}
	}
}

func TestRead_AReplyRepeatsInClearWhatWasMeant(t *testing.T) {
	t.Parallel()
	question, earlier, later := "From which share of errors do you page me?", "Page me when errors go over 2 percent.", "Pages all night. Don't wake me below eight."
	with := func(reply string) float64 {
		p := near(earlier, later)
		p.Later = supersession.Read(later, "", reply)
		return p.Points(supersession.ReadQuestion(question, now))
	}
	plain := with("")
	for reply, more := range map[string]bool{
		"Raised to eight percent.":             true,
		"Eight percent, then.":                 true,
		"Eight percent it is.":                 true,
		"Disabled.":                            true,
		"Sleep well.":                          false,
		"Shall I raise it to eight percent?":   false,
		"Good night. Is it changed for good? ": false,
	} {
		if got := with(reply); (got > plain) != more {
			t.Errorf("%.1f points with %q, %.1f without", got, reply, plain)
		}
	}
}

func TestPoints_ExactlyWhatIsAskedForCountsMore(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{
		{"What is the code of the gate?", "The gate has 4471 for a code.", "I am now at 0926.", "I am now at 92."},
		{"What is the IP of the printer?", "The printer is at 10.0.0.7.", "It is at 192.168.17.20 now.", "It is now 20."},
		{"How many eggs?", "Take three eggs.", "Now five eggs.", "Now five."},
	} {
		if exact, vague := points(c[0], c[1], c[2]), points(c[0], c[1], c[3]); exact <= vague {
			t.Errorf("%.1f points for %q, %.1f for %q", exact, c[2], vague, c[3])
		}
	}
	where := "Where are the kayaks?"
	if put, idle := points(where, "The kayaks are in the shed.", "We carried them under the porch."), points(where, "The kayaks are in the shed.", "We saw them under the porch."); put < supersession.Enough || idle >= supersession.Enough {
		t.Errorf("%.1f points where they were carried, %.1f where not", put, idle)
	}
}
