package graph_test

import (
	"testing"

	"memory-graph/internal/graph"
)

func TestKinds_TableIsValid(t *testing.T) {
	t.Parallel()
	if err := graph.CheckKinds(); err != nil {
		t.Error(err)
	}
	for text, valid := range map[string]bool{
		"database: postgres, mysql": true, "# a comment\n\ncache: redis": true,
		"postgres, mysql": false, "database: Postgres": false, "database: postgres, ,": false,
		"database: mysql, mysql": false, ": mysql": false,
	} {
		if err := graph.CheckKindsIn(text); (err == nil) != valid {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSameKind_JoinsWhatIsUsedOneAtATime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want string }{
		{"MySQL", "Postgres", "database"}, {"MySQL 8", "the PostgreSQL 16 database", "database"}, {"MySQL", "Redis", ""},
		{"Sentry", "GlitchTip", "error tracker"}, {"GitHub", "GitHub Actions", ""}, {"Travis CI", "GitHub Actions", "ci"},
		{"VS Code", "Helix", "editor"}, {"Go", "Rust", ""}, {"Larder", "Postgres", ""}, {"", "", ""},
	} {
		if got := graph.SameKind(c.a, c.b); got != c.want {
			t.Errorf("%s and %s are both %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

func TestBreadth_TellsCountriesAndBuildingsFromCities(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"Belgium": 1, "the Netherlands": 1, "Texas": 1, "Ghent": 0, "Bruges": 0,
		"the Boekentoren building": -1, "Main Street 12": -1, "Ann's apartment": -1, "Squareville": 0,
		"Oranienstrasse": -1, "Oranienstraße 12": -1, "Rue de Rivoli 5b": -1, "Keizersgracht 3": -1, "Paris 11": -1} {
		if got := graph.Breadth(name); got != want {
			t.Errorf("%s has breadth %d, want %d", name, got, want)
		}
	}
}
