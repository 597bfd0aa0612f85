package config_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"memory-graph/internal/config"
)

// template makes a file from flags and answers.
func template(t *testing.T, chosen map[string]any, args ...string) (string, error) {
	t.Helper()
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	text, err := config.Template(fs, chosen)
	return string(text), err
}

func TestTemplate_ChangesNothingUntilALineIsUncommented(t *testing.T) {
	t.Parallel()
	text, err := template(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, env := home(t, text)
	c, sources, err := load(t, env)
	if err != nil {
		t.Fatal(err)
	}
	for key, source := range sources {
		if source != "default" {
			t.Errorf("%s comes from %s", key, source)
		}
	}
	// each setting once, with its default: with every # before a key removed, the file says the same
	lines := strings.Split(text, "\n")
	n := 0
	for i, line := range lines {
		if strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "# ") {
			lines[i] = line[1:]
			n++
		}
	}
	if want := len(config.Settings()) - 1; n != want { // routes are a table without keys
		t.Errorf("%d settings, want %d", n, want)
	}
	_, env = home(t, strings.Join(lines, "\n"))
	all, sources, err := load(t, env)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range config.Settings() {
		if s.Key == "db" || s.Key == "routes" { // a path of this user, and a table without keys
			continue
		}
		if !reflect.DeepEqual(s.Value(c), s.Value(all)) || !strings.HasPrefix(sources[s.Key], "file ") {
			t.Errorf("%s is %v from %s, want %v", s.Key, s.Value(all), sources[s.Key], s.Value(c))
		}
	}
	for i, line := range lines {
		if len(line) > 240 {
			t.Errorf("line %d has %d bytes", i+1, len(line))
		}
	}
}

func TestTemplate_HasTheAnswersAndTheFlags(t *testing.T) {
	t.Parallel()
	text, err := template(t, map[string]any{"enabled": false, "llm_model": `a "b"`},
		"--llm-base-url", "http://127.0.0.1:1/v1", "--heartbeat-expiry", "2h", "--toolsets", "core,temporal",
		"--limits-results", "20")
	if err != nil {
		t.Fatal(err)
	}
	_, env := home(t, text)
	c, sources, err := load(t, env)
	if err != nil {
		t.Fatal(err)
	}
	if c.Enabled || c.LLMModel != `a "b"` || c.LLMBaseURL == "" || c.Heartbeat.Expiry.Hours() != 2 ||
		c.Limits.Results != 20 || cmp.Diff([]string{"core", "temporal"}, c.Toolsets) != "" {
		t.Errorf("%+v", c)
	}
	set := 0
	for _, source := range sources {
		if source != "default" {
			set++
		}
	}
	if set != 6 {
		t.Errorf("%d settings are set", set)
	}
	for _, args := range [][]string{{"--max-hops", "9"}, {"--llm-base-url", "http://127.0.0.1:1/v1"}} {
		if text, err := template(t, nil, args...); err == nil || text != "" {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestLoad_TheOtherNameOfAFlag(t *testing.T) {
	t.Parallel()
	_, env := home(t, "[memory.graph]\nenabled = true\n", "MEMORY_GRAPH_ENABLED=true")
	c, sources, err := load(t, env, "--graph-memory=false")
	if err != nil || c.Enabled || sources["enabled"] != "flag --graph-memory" {
		t.Errorf("enabled %v from %q, %v", c.Enabled, sources["enabled"], err)
	}
	if c, _, err := load(t, env, "--graph-memory=false", "--enabled"); err != nil || !c.Enabled {
		t.Errorf("the flag and its other name: %v, %v", c.Enabled, err)
	}
}
