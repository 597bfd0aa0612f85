package aliases

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
)

func table(t *testing.T) *Table {
	t.Helper()
	got, err := Technologies()
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestTechnologies_KnowTheNamesOfOneThing(t *testing.T) {
	t.Parallel()
	all := table(t)
	for name, usual := range map[string]string{"Postgres": "postgresql", "PostgreSQL": "postgresql", "k8s": "kubernetes",
		"Golang": "go", "VS  Code": "visual studio code", "nvim": "neovim", "AWS": "amazon web services",
		"NextJS": "next.js", "Next JS": "next.js", "CI/CD": "", "rust-lang": "rust"} {
		if got, ok := all.Usual(memory.Canonical(name)); got != usual || ok != (usual != "") {
			t.Errorf("%s: %q, %v; want %q", name, got, ok, usual)
		}
	}
	if diff := cmp.Diff([]string{"kubernetes", "k8"}, all.Others("k8s")); diff != "" {
		t.Error(diff)
	}
	if got := all.Others("larder"); got != nil {
		t.Errorf("larder: %q", got)
	}
}

func TestTable_FindsTheThingInADescription(t *testing.T) {
	t.Parallel()
	all := table(t)
	for phrase, want := range map[string]string{
		"the postgresql database": "postgresql", "Postgres DB": "postgres", "our MySQL server": "mysql",
		"the Kafka message queue": "kafka", "the Go programming language": "go", "the Postgres": "postgres",
		// another thing than the technology that it is made with or for
		"the Go library": "", "a Django app": "", "Kubernetes cluster": "", "Postgres": "", "Go service": "",
		"the database": "", "": "",
	} {
		got, ok := all.Described(memory.Canonical(phrase))
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v; want %q", phrase, got, ok, want)
		}
	}
}

func TestParse_RefusesWhatIsNoTable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                "no names",
		"[a: b\nGo = Golang":              "not a heading",
		"[languages: x]\nGo = Golang":     "not a name",
		"[languages]\nGo = Golang":        "not a heading",
		"Go = Golang":                     "before the first heading",
		"[a: language]\nGo =":             "not a name",
		"[a: language]\nGo = , Golang":    "not a name",
		"[a: language]\nNext.js = NextJS": "line 2: \"nextjs\" stands there twice",
		"[a: language]\nGo = Golang, go":  "line 2: \"go\" stands there twice",
		"[a: language]\nGo = X1\nX1 = Y1": "line 3: \"x1\" stands there twice",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

func TestTechnologies_IsAModestList(t *testing.T) {
	t.Parallel()
	if n := len(table(t).rows); n < 100 || n > 250 {
		t.Errorf("%d rows", n)
	}
}

func TestTable_NilIsEmpty(t *testing.T) {
	t.Parallel()
	var none *Table
	_, usual := none.Usual("go")
	_, described := none.Described("the go language")
	if usual || described || none.Others("go") != nil {
		t.Error("a nil table knows names")
	}
}
