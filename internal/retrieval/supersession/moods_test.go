package supersession

import "testing"

func TestMoods_TellWhatIsStatedFromWhatIsNot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []mood // of each sentence's first word
	}{
		{"The fee is 12 euros.", []mood{stated}},
		{"Is the fee 12 euros? It rose.", []mood{asking, stated}},
		{"is the fee 12 euros", []mood{asking}},
		{"Can you make it 12 euros?", []mood{stated}},
		{"Can you tell me the fee?", []mood{asking}},
		{"If the fee is 12 euros, I quit.", []mood{hypothetical}},
		{"The fee rose to 12, if you need it for the books.", []mood{stated}},
		{"The fee isn't 12 euros.", []mood{refused}},
		{"The fee isn't 12 euros any more.", []mood{stated}},
		{"Not before nine.", []mood{stated}},
		{"Don't wake me below eight.", []mood{stated}},
		{"The fee was 12 euros.", []mood{bygone}},
		{"The fee was raised to 12 euros.", []mood{stated}},
		{"My old fee, 12 euros.", []mood{bygone}},
		{"They will ask 12 euros.", []mood{future}},
		{"They are going to ask 12 euros. They are going to Rome.", []mood{future, stated}},
		{"They might ask 12 euros.", []mood{planned}},
		{"I would like 12.", []mood{stated}},
	} {
		tokens := split(c.text)
		all := moods(tokens)
		var got []mood
		for i, m := range all {
			if i == 0 || tokens[i-1].ends {
				got = append(got, m)
			}
		}
		if len(got) != len(c.want) {
			t.Fatalf("%q: %v, want %v", c.text, got, c.want)
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q: sentence %d has the mood %b, want %b", c.text, i+1, got[i], c.want[i])
			}
		}
	}
}
