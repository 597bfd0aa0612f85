package config_test

import (
	"strings"
	"testing"

	"memory-graph/internal/config"
)

func TestRoutes_TheMostSpecificPatternCounts(t *testing.T) {
	t.Parallel()
	routes := config.Routes{"acme": "work", "acme/secret-*": "secret", "acme/secret-garden": "garden", "*/dotfiles": "me",
		"Zenith.io": "zenith", "group/sub": "sub", "z*": "any"}
	for project, want := range map[string]string{
		"acme/api":             "work",
		"ACME/Api":             "work",
		"acme/web/shop":        "work",
		"acme/secret-plan":     "secret",
		"acme/secret-plan/sub": "secret",
		"acme/secret-garden":   "garden",
		"acme/dotfiles":        "me",
		"zenith.io/x":          "zenith",
		"zebra/x":              "any",
		"group/sub/x":          "sub",
		"group/other":          "",
		"acmeco/api":           "",
		"acme":                 "", // a folder of that name has no owner
		"":                     "",
		"ann/api":              "",
	} {
		_, got, ok := routes.Match(project)
		if got != want || ok != (want != "") {
			t.Errorf("%q is routed to %q, want %q", project, got, want)
		}
	}
	if _, _, ok := config.Routes(nil).Match("acme/api"); ok {
		t.Error("no routes match")
	}
}

func TestLoad_TakesRoutesOnlyFromTheUsersOwnFile(t *testing.T) {
	t.Parallel()
	const file = "[memory.graph.routes]\n\"acme\" = 'work'\n\"acme.io/web-*\" = 'web'\n"
	own, env := home(t, file)
	c, sources, err := load(t, env)
	if err != nil || c.Routes["acme"] != "work" || c.Routes["acme.io/web-*"] != "web" ||
		sources["routes"] != "file "+own {
		t.Fatalf("%v from %q, %v", c.Routes, sources["routes"], err)
	}
	project, _ := home(t, file)
	c, sources, err = load(t, env, "--config", project)
	if err != nil || len(c.Routes) != 0 || sources["routes"] != "default" || len(c.Warnings) != 1 ||
		!strings.Contains(c.Warnings[0], "routes in "+project+" is ignored") {
		t.Errorf("from a file of a project: %v, %v, %v", c.Routes, c.Warnings, err)
	}
	if _, _, err := load(t, append(env, "MEMORY_GRAPH_ROUTES=acme=x")); err == nil {
		t.Error("a variable is taken")
	}
}

func TestLoad_RefusesRoutesThatCannotBeMeant(t *testing.T) {
	t.Parallel()
	for _, table := range []string{
		"routes = 'acme'", "routes = ['acme']", "[memory.graph.routes]\n\"\" = 'x'", "[memory.graph.routes]\n\"/a\" = 'x'",
		"[memory.graph.routes]\n\"a//b\" = 'x'", "[memory.graph.routes]\n\"a[\" = 'x'", "[memory.graph.routes]\na = ''",
		"[memory.graph.routes]\na = 1", "[memory.graph.routes]\nacme.io = 'x'", "[memory.graph.routes]\na = \"b\\u0000\"",
	} {
		_, env := home(t, "[memory.graph]\n"+table+"\n")
		if c, _, err := load(t, env); err == nil || !strings.Contains(err.Error(), "routes") {
			t.Errorf("%s: %v, %v", table, c, err)
		}
	}
}
