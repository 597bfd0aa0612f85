package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"memory-graph/internal/config"
	"memory-graph/internal/memory"
)

// home returns an environment with a new home directory and, if toml is not "", a configuration file in it.
func home(t *testing.T, toml string, env ...string) (string, []string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "memory-graph", "config.toml")
	if toml != "" {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(toml), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file, append([]string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CACHE_HOME=" + dir},
		env...)
}

func load(t *testing.T, env []string, args ...string) (*config.Config, config.Sources, error) {
	t.Helper()
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return config.Load(config.LoadOptions{Env: env, Flags: fs})
}

func TestLoad_FlagOverEnvironmentOverFileOverDefault(t *testing.T) {
	t.Parallel()
	file, env := home(t,
		"[memory.graph]\nmax_hops = 3\nrecall_limit = 7\nuser = 'Ann'\n[memory.graph.spreading_activation]\nmax_hops = 4\n",
		"MEMORY_GRAPH_MAX_HOPS=4", "MEMORY_GRAPH_USER=Bob", "MEMORY_GRAPH_SPREADING_ACTIVATION_MAX_HOPS=2",
		"MEMORY_GRAPH_PROJECT=")
	c, sources, err := load(t, env, "--max-hops", "1", "--read-only")
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Value  any
		Source string
	}
	want := map[string]row{
		"max_hops": {1, "flag --max-hops"}, "user": {"Bob", "environment MEMORY_GRAPH_USER"}, "recall_limit": {7,
			"file " + file},
		"spreading_activation.max_hops": {2, "environment MEMORY_GRAPH_SPREADING_ACTIVATION_MAX_HOPS"}, "read_only": {true,
			"flag --read-only"},
		"project": {"", "default"}, "namespace": {"default", "default"}, "busy_timeout": {10 * time.Second, "default"},
	}
	got := map[string]row{}
	for _, s := range config.Settings() {
		if _, ok := want[s.Key]; ok {
			got[s.Key] = row{s.Value(c), sources[s.Key]}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c.File != file {
		t.Errorf("File = %q, want %q", c.File, file)
	}
}

func TestLoad_DefaultsAreUsedAndNothingIsCreated(t *testing.T) {
	t.Parallel()
	_, env := home(t, "")
	c, _, err := load(t, env)
	if err != nil {
		t.Fatal(err)
	}
	dir := strings.TrimPrefix(env[0], "HOME=")
	if want := filepath.Join(dir, "memory-graph", "memory.db"); c.DB != want {
		t.Errorf("DB = %q, want %q", c.DB, want)
	}
	want := config.Default()
	want.DB, want.Paths = c.DB, c.Paths
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("Load created %v", left)
	}
}

func TestLoad_RefusesWithKeyValueSourceAndRange(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, toml string
		env, args  []string
		want       []string
	}{
		{name: "file out of range", toml: "[memory.graph]\nmax_hops = 9\n",
			want: []string{"max_hops = 9", "config.toml", "a whole number from 1 to 8"}},
		{name: "environment out of range", env: []string{"MEMORY_GRAPH_MAX_HOPS=0"},
			want: []string{"max_hops = 0", "environment MEMORY_GRAPH_MAX_HOPS", "from 1 to 8"}},
		{name: "flag out of range", args: []string{"--max-hops=99"},
			want: []string{"max_hops = 99", "flag --max-hops", "from 1 to 8"}},
		{name: "NaN in the file", toml: "[memory.graph]\ntemporal_decay_rate = nan\n",
			want: []string{"temporal_decay_rate = NaN", "a number from 0 to 10"}},
		{name: "Inf in the file", toml: "[memory.graph]\ntemporal_decay_rate = -inf\n",
			want: []string{"temporal_decay_rate = -Inf", "from 0 to 10"}},
		{name: "NaN in a variable", env: []string{"MEMORY_GRAPH_TEMPORAL_DECAY_RATE=NaN"},
			want: []string{"temporal_decay_rate = NaN", "from 0 to 10"}},
		{name: "Inf in a flag", args: []string{"--relation-decay-rate=+Inf"},
			want: []string{"relation_decay_rate = +Inf", "from 0 to 10"}},
		{name: "open end", env: []string{"MEMORY_GRAPH_NOTE_LINKING_LINK_WEIGHT_DECAY_LAMBDA=0"},
			want: []string{"note_linking.link_weight_decay_lambda = 0", "above 0 and at most 1"}},
		{name: "not a number", env: []string{"MEMORY_GRAPH_MAX_HOPS=two"},
			want: []string{`max_hops = "two"`, "a whole number from 1 to 8"}},
		{name: "a fraction", env: []string{"MEMORY_GRAPH_MAX_HOPS=1.5"}, want: []string{"max_hops = 1.5"}},
		{name: "a number in quotes", toml: "[memory.graph]\nmax_hops = '2'\n", want: []string{`max_hops = "2"`}},
		{name: "not a word", env: []string{"MEMORY_GRAPH_EMBEDDER=cohere"},
			want: []string{`embedder = "cohere"`, "builtin, openai or none"}},
		{name: "not a toolset", args: []string{"--toolsets=core,moer"},
			want: []string{`toolsets = "core,moer"`, "any of core, temporal"}},
		{name: "no toolset", args: []string{"--toolsets=,"}, want: []string{"toolsets"}},
		{name: "not a bool", env: []string{"MEMORY_GRAPH_READ_ONLY=maybe"},
			want: []string{`read_only = "maybe"`, "true or false"}},
		{name: "no unit", env: []string{"MEMORY_GRAPH_BUSY_TIMEOUT=10"},
			want: []string{"busy_timeout = 10", "a duration from 100ms to 5m, such as 10s"}},
		{name: "empty namespace", args: []string{"--namespace="}, want: []string{`namespace = ""`, "1 to 200 bytes"}},
		{name: "unknown key", toml: "[memory.graph]\nmax_hop = 2\n",
			want: []string{"memory.graph.max_hop is not a setting", "Did you mean max_hops?"}},
		{name: "unknown key in a section", toml: "[memory.graph.note_linking]\ntopk = 2\n",
			want: []string{"note_linking.topk is not a setting", "Did you mean note_linking.top_k?"}},
		{name: "key outside of the table", toml: "max_hops = 2\n",
			want: []string{"max_hops is not a setting", "below [memory.graph]"}},
		{name: "table as value", toml: "[memory.graph]\nnote_linking = true\n",
			want: []string{"note_linking is not a setting", "as a table"}},
		{name: "value as table", toml: "[memory.graph.max_hops]\n", want: []string{"max_hops = a table"}},
		{name: "list of tables", toml: "[[memory.graph]]\nmax_hops = 2\n",
			want: []string{"memory.graph is not a setting", "as a table"}},
		{name: "empty table of others", toml: "[memory.graph]\nlimit = {}\n",
			want: []string{"memory.graph.limit is not a setting"}},
		{name: "a key twice", toml: "[memory.graph]\nmax_hops = 2\nmax_hops = 3\n",
			want: []string{"config.toml:3:1 is not valid TOML"}},
		{name: "not TOML", toml: "[memory.graph]\nmax_hops = \n", want: []string{"config.toml:2:", "is not valid TOML"}},
		{name: "unknown variable", env: []string{"MEMORY_GRAPH_MAX_HOP=2"},
			want: []string{"MEMORY_GRAPH_MAX_HOP is not a setting", "Did you mean MEMORY_GRAPH_MAX_HOPS?"}},
		{name: "file that is not there", args: []string{"--config", "/does/not/exist.toml"},
			want: []string{"configuration file /does/not/exist.toml (flag --config)"}},
		{name: "file of a variable", env: []string{"MEMORY_GRAPH_CONFIG=/does/not/exist.toml"},
			want: []string{"environment MEMORY_GRAPH_CONFIG"}},
		{name: "an ambiguous band that is none", env: []string{"MEMORY_GRAPH_NOTE_LINKING_AMBIGUOUS_SIMILARITY_MIN=0.95"},
			want: []string{"note_linking.ambiguous_similarity_min = 0.95",
				"not above note_linking.ambiguous_similarity_max, which is 0.9"}},
		{name: "activation not below inhibition", env: []string{"MEMORY_GRAPH_SPREADING_ACTIVATION_ACTIVATION_THRESHOLD=0.8"},
			want: []string{"spreading_activation.activation_threshold = 0.8",
				"below spreading_activation.inhibition_threshold, which is 0.8"}},
		{name: "ambiguous above similar", env: []string{"MEMORY_GRAPH_ENTITY_AMBIGUOUS_THRESHOLD=0.9"},
			want: []string{"entity_ambiguous_threshold = 0.9", "which is 0.85"}},
		{name: "deeper than allowed", env: []string{"MEMORY_GRAPH_MAX_HOPS=3", "MEMORY_GRAPH_LIMITS_TRAVERSE_HOPS=2"},
			want: []string{"max_hops = 3", "limits.traverse_hops, which is 2"}},
		{name: "endpoint without URL", env: []string{"MEMORY_GRAPH_EMBEDDER=openai"}, want: []string{"embedding_base_url"}},
		{name: "sse without http", args: []string{"--sse"}, want: []string{"sse = true", "http is set"}},
		{name: "database in memory", env: []string{"MEMORY_GRAPH_DB=:memory:"},
			want: []string{`db = ":memory:"`, "the path of a file"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, env := home(t, tt.toml, tt.env...)
			_, _, err := load(t, env, tt.args...)
			var e *memory.Error
			if !errors.As(err, &e) || e.Code != memory.InvalidArgument {
				t.Fatalf("error = %v, want invalid_argument", err)
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the message lacks %q: %s", part, err)
				}
			}
		})
	}
}

func TestLoad_NeverTellsASecret(t *testing.T) {
	t.Parallel()
	_, env := home(t, "", "MEMORY_GRAPH_TOKEN=hunter2 hunter2")
	_, _, err := load(t, env)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error = %v, want a refusal without the token", err)
	}
	_, env = home(t, "", "MEMORY_GRAPH_TOKEN=hunter2", "MEMORY_GRAPH_LLM_API_KEY=sk-1")
	c, _, err := load(t, env)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range config.Settings() {
		if shown := s.Show(c); strings.Contains(shown, "hunter2") || strings.Contains(shown, "sk-1") {
			t.Errorf("%s is shown as %q", s.Key, shown)
		}
	}
	if c.Token != "hunter2" || c.LLMAPIKey != "sk-1" {
		t.Error("the secrets did not arrive")
	}
}

func TestLoad_AcceptsWhatPeopleWrite(t *testing.T) {
	t.Parallel()
	_, env := home(t,
		"\ufeff[memory.graph]\ntemporal_decay_rate = 1\ntoolsets = ['core', 'temporal']\nbusy_timeout = "+
			"'2s'\n[memory.graph.note_linking]\n",
		"MEMORY_GRAPH_KERNEL=scalar", "MEMORY_GRAPHIC=1", "MEMORY_GRAPH_MAX_ENTITES=", "MEMORY_GRAPH_SSE=no",
		"MEMORY_GRAPH_MAX_HOPS= 3 ")
	c, _, err := load(t, env)
	if err != nil {
		t.Fatal(err)
	}
	if c.TemporalDecayRate != 1 || c.BusyTimeout != 2*time.Second || c.MaxHops != 3 ||
		!cmp.Equal(c.Toolsets, []string{"core", "temporal"}) {
		t.Errorf("read %v, %v, %v, %v", c.TemporalDecayRate, c.BusyTimeout, c.MaxHops, c.Toolsets)
	}
}

func TestLoad_TakesKeysHoweverTheirTablesAreWritten(t *testing.T) {
	t.Parallel()
	for _, toml := range []string{
		"[memory.graph.spreading_activation]\nmax_hops = 4\n",
		"[memory.graph]\nspreading_activation.max_hops = 4\n",
		"[memory.graph]\nspreading_activation = {max_hops = 4}\n",
		"[memory.graph]\n\"spreading_activation.max_hops\" = 4\n",
		"memory.graph.spreading_activation.max_hops = 4\n",
	} {
		file, env := home(t, toml)
		c, sources, err := load(t, env)
		if err != nil || c.SpreadingActivation.MaxHops != 4 ||
			sources["spreading_activation.max_hops"] != "file "+file {
			t.Errorf("%q: %v, %d from %q", toml, err, c.SpreadingActivation.MaxHops, sources["spreading_activation.max_hops"])
		}
	}
}

func TestLoad_PathsAreAbsolute(t *testing.T) {
	t.Parallel()
	file, env := home(t, "[memory.graph]\ndb = 'mine.db'\nlog_file = '~/log'\n")
	c, _, err := load(t, env)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(filepath.Dir(file), "mine.db"); c.DB != want {
		t.Errorf("DB = %q, want it beside the file: %q", c.DB, want)
	}
	if want := filepath.Join(strings.TrimPrefix(env[0], "HOME="), "log"); c.LogFile != want {
		t.Errorf("LogFile = %q, want %q", c.LogFile, want)
	}
	c, _, err = load(t, env, "--db", "here.db")
	if wd, _ := os.Getwd(); err != nil || c.DB != filepath.Join(wd, "here.db") {
		t.Errorf("DB of a flag = %q, %v, want it in the working directory", c.DB, err)
	}
	if _, _, err := load(t, []string{"PATH=/bin"}); err == nil || !strings.Contains(err.Error(), "Set HOME") {
		t.Errorf("without a home: %v, want what to set", err)
	}
	if c, _, err := load(t, []string{"MEMORY_GRAPH_DB=/x/y.db"}); err != nil || c.DB != "/x/y.db" ||
		c.Paths != (config.Paths{}) {
		t.Errorf("without a home but with a database: %v", err)
	}
}

func FuzzLoad_FileNeverPanicsAndErrorsAreTheCallers(f *testing.F) {
	for _, seed := range []string{"", "[memory.graph]\nmax_hops=2", "[memory.graph.limits]\nresults=50",
		"[[memory.graph]]\n", "memory.graph = 1", "a.b.c = {}", "[memory.graph]\n\"x.y\" = 1\ntoolsets=[1]"} {
		f.Add(seed)
	}
	file := filepath.Join(f.TempDir(), "c.toml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := config.Load(config.LoadOptions{Env: []string{"HOME=/h", "MEMORY_GRAPH_CONFIG=" + file}})
		var e *memory.Error
		if err != nil && (!errors.As(err, &e) || e.Code != memory.InvalidArgument) {
			t.Errorf("error %v is not the caller's", err)
		}
	})
}

// A file that a project could bring along must not name a program to run.
func TestLoad_LLMCommandComesOnlyFromTheUser(t *testing.T) {
	t.Parallel()
	const toml = "[memory.graph]\nllm_command = \"claude -p\"\nuser = \"Ann\"\n"
	own, env := home(t, toml)
	project := filepath.Join(t.TempDir(), "memory-graph.toml")
	if err := os.WriteFile(project, []byte(strings.Replace(toml, "claude -p", "curl evil", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		env, args []string
		want      string
		warned    bool
	}{
		"own file":                  {env: env, want: "claude -p"},
		"own file, named":           {env: env, args: []string{"--config", own}, want: "claude -p"},
		"variable":                  {env: append(env, "MEMORY_GRAPH_LLM_COMMAND=ollama run q"), want: "ollama run q"},
		"flag":                      {env: env, args: []string{"--llm-command", "llm"}, want: "llm"},
		"file of a flag":            {env: env, args: []string{"--config", project}, warned: true},
		"file of a variable":        {env: append(env, "MEMORY_GRAPH_CONFIG="+project), warned: true},
		"file of a flag, overruled": {env: env, args: []string{"--config", project, "--llm-command", "llm"}, want: "llm"},
	} {
		c, sources, err := load(t, row.env, row.args...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.LLMCommand != row.want || c.User != "Ann" {
			t.Errorf("%s: %q of %q, want %q", name, c.LLMCommand, c.User, row.want)
		}
		if (len(c.Warnings) > 0) != row.warned || row.warned && (!strings.Contains(c.Warnings[0], project) ||
			sources["llm_command"] != "default") {
			t.Errorf("%s: warnings %q, from %s", name, c.Warnings, sources["llm_command"])
		}
	}
}

func TestLoad_LLMCommandIsOneWayToAskAModel(t *testing.T) {
	t.Parallel()
	_, env := home(t, "")
	for _, args := range [][]string{
		{"--llm-command", "claude -p", "--llm-base-url", "http://127.0.0.1:1/v1", "--llm-model", "m"},
		{"--llm-command", "cat | claude"}, {"--llm-command", "./ask"}, {"--llm-command", `claude "`},
	} {
		if _, _, err := load(t, env, args...); err == nil || memory.AsError(err).Code != memory.InvalidArgument {
			t.Errorf("%q: error %v", args, err)
		}
	}
	if c, _, err := load(t, append(env, "MEMORY_GRAPH_OFF=1"), "--llm-command", "llm"); err != nil || c.LLMCommand != "" {
		t.Errorf("what a command starts would run %v, %v", c, err)
	}
	c, _, err := load(t, env, "--llm-command", "/usr/bin/claude -p --key hunter2")
	if err != nil {
		t.Fatal(err)
	}
	calls, tokens := c.Budget()
	if !c.UsesModel() || c.ReadingModel() != "claude" || calls != 300 || tokens != 2_000_000 {
		t.Errorf("model %s, %d calls, %d tokens", c.ReadingModel(), calls, tokens)
	}
}

// An argument or an address may hold a key: a refused one is not repeated.
func TestLoad_ARefusedCommandOrAddressIsNotRepeated(t *testing.T) {
	t.Parallel()
	for line, why := range map[string]string{
		"MEMORY_GRAPH_LLM_COMMAND=./ask --key hunter2":          `"./ask" is a relative path`,
		"MEMORY_GRAPH_LLM_COMMAND=ask 'hunter2":                 "not closed",
		"MEMORY_GRAPH_LLM_COMMAND=ask hunter2 | jq":             `"|" is an operator of a shell`,
		"MEMORY_GRAPH_LLM_COMMAND=KEY=hunter2 ask":              "KEY=… sets a variable",
		"MEMORY_GRAPH_LLM_COMMAND=ask hunter2\nb":               "one command line",
		"MEMORY_GRAPH_LLM_BASE_URL=htp://ann:hunter2@127.0.0.1": "http://",
		"MEMORY_GRAPH_EMBEDDING_BASE_URL=http://h?key=hunter2":  "without query",
	} {
		_, _, err := config.Load(config.LoadOptions{Env: []string{"HOME=" + t.TempDir(), line}})
		if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), why) ||
			!strings.Contains(err.Error(), line[:strings.Index(line, "=")]) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
