package retrieval

import "testing"

func TestWanted_KnowsWhetherAKindOfAnswerIsThere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question, said string
		want           bool
	}{
		{"How much does the piano cost?", "The piano is out of tune, two men carried it for three hours.", false},
		{"How much does the piano cost?", "The piano was 900 euros.", true},
		{"What do we pay for the piano?", "The piano is four fifty.", true},
		{"How high is the rent of the studio?", "The studio has 3 windows.", false},
		{"How high is the rent of the studio?", "It is 640 a month.", true},
		{"What is the phone number of the plumber?", "The plumber came with one helper.", false},
		{"What is the phone number of the plumber?", "The plumber: 0151 2223344", true},
		{"What is the PIN of my card?", "My card is blue.", false},
		{"What is the PIN of my card?", "my card has 0042", true},
		{"How old is the boat?", "The boat leaks.", false},
		{"How old is the boat?", "The boat is from 1971.", true},
		{"How many sails has the boat?", "The boat has both sails.", true},
		{"What is the name of the plumber?", "The plumber fixed the tap on Monday.", false},
		{"What is the name of the plumber?", "The plumber is a Mr. Iversen.", true},
		{"What is Iversen's first name?", "We called Iversen again.", false},
		{"What is the boat called?", "We painted it on the bow, Albatros it is.", true},
		{"What is the boat called?", "The boat leaks.", false},
		{"When is the party?", "The party is loud.", true},
		{"What is Ilse's surname?", "Hi, Ilse here, and Tomasz sits across from me.", false},
		{"What is Ilse's surname?", "Ask Ilse Brandt for that.", true},
		{"What is Dr Keller's first name?", "Yesterday Dr Keller called Anna.", false},
		{"What is Dr Keller's first name?", "Her card says Mona Keller.", true},
		{"What is our last name on the door?", "We took the door's sign from Marsh.", true},
		{"How old is the boat?", "The boat has one sail, 32 mm thick.", false},
		{"How heavy is the boat?", "The boat is 7 metres long.", false},
		{"How much does the boat weigh?", "The boat is 7 metres long.", false},
		{"How much does the boat weigh?", "900 kilos with the motor.", true},
		{"How wide is the boat?", "The boat is 240 cm wide.", true},
		{"What colour is the boat?", "The boat is old.", false},
		{"Which colour is the boat?", "The boat is dark green.", true},
		{"At what time does the boat leave?", "The boat leaves from the pier.", false},
		{"At what time does the boat leave?", "The boat leaves at seven.", true},
		{"What time of year is best?", "Go in spring.", true},
		{"What is the email address of the club?", "The club has 40 members.", false},
		{"What is the email address of the club?", "Write to post@club.example", true},
		{"Who repairs the boat?", "A neighbour repairs it.", true},
		{"Who called?", "My aunt called.", true},
		{"", "", true},
	} {
		if got := readWanted(c.question).in("Hello.", c.said); got != c.want {
			t.Errorf("%q in %q: %v, want %v", c.question, c.said, got, c.want)
		}
	}
}
