package rules_test

import (
	"testing"

	"memory-graph/internal/memory"
)

func TestExtract_TakesWhatUsersSayToUseThemselvesByUncommonSmallWords(t *testing.T) {
	t.Parallel()
	check(t, memory.RoleUser, []statement{
		{"Most days I use pandas, on a slow machine.", []string{"User uses pandas"}},
		{"Against moths I use neem extract, always did.", []string{"User uses neem extract"}},
		{"I switched from neem extract to camphor, my nose had enough.", []string{"User uses camphor", "not User uses neem extract"}},
		{"Which is why I switched from pandas to Dask this weekend.", []string{"User uses Dask", "not User uses pandas"}},
		{"That's why I use Redis.", []string{"User uses Redis"}},
		{"For the invoices I use Skylark, or rather it uses me.", []string{"User uses Skylark"}},
	})
	none(t, memory.RoleUser, "I use public transport.", "I use dark mode.", "I use reading glasses.", "I use brute force sometimes.", "I use whatever works.",
		"I switched from piano to violin.", "I switched from physics to biology.", "I switched from organic chemistry to molecular biology.", "I should use neem extract.", "I use neem extract or camphor.", "The zoo needs pandas.",
		"I use Vim, or rather Emacs.", "I use Vim, or rather I used to.", "Which is why I want to use Redis.", "I will switch to Dask this weekend.")
}

func TestExtract_KnowsPeopleInTownsFromModulesInPackages(t *testing.T) {
	t.Parallel()
	check(t, memory.RoleUser, []statement{
		{"My friend Carla Sousa lives in Porto. I haven't seen her since school.", []string{"User knows Carla Sousa", "Carla Sousa located_in Porto"}},
		{"My sister Ana Costa lives in Coimbra.", []string{"User knows Ana Costa", "Ana Costa located_in Coimbra"}},
		{"The parser lives in lumen-core.", []string{"parser part_of lumen-core"}},
	})
}

func TestExtract_TellsAConditionOfWhatFollowsFromOneOfWhatIsSaid(t *testing.T) {
	t.Parallel()
	check(t, memory.RoleUser, []statement{
		{"The import script was written by Ove Lind from the club, and if it says minus one that's a typo.", []string{"import script created_by Ove Lind"}},
		{"We use Redis, and if it fails we restart it.", []string{"User uses Redis"}},
		{"I live in Graz, but if you visit we can meet in Linz.", []string{"User located_in Graz"}},
	})
	none(t, memory.RoleUser, "We use Redis, but only if it is cold.", "We use Redis, and if so only for tests.", "I work at Nokia, and if you believe that I have a bridge to sell you.",
		"We use Redis if it rains, and if it snows we use Kafka.", "We use Redis, if it rains.")
}
