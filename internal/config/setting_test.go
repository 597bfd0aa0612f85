package config

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTable_TagsAreSound(t *testing.T) {
	t.Parallel()
	settings, err := table()
	if err != nil {
		t.Fatal(err)
	}
	envs, flags := map[string]string{}, map[string]string{"config": "--config"}
	for _, s := range settings {
		if s.Help == "" || s.Group == "" {
			t.Errorf("%s has no help or no group", s.Key)
		}
		if _, err := s.parseText(s.Default); err != nil && !(s.Kind == String && s.Default == "") {
			t.Errorf("%s: its default %q is not allowed: %s", s.Key, s.Default, s.Allowed())
		}
		if s.Kind == String && s.format == "" && len(s.oneof) == 0 {
			t.Errorf("%s has neither format nor words", s.Key)
		}
		if other, taken := envs[s.Env]; taken {
			t.Errorf("%s and %s share the variable %s", s.Key, other, s.Env)
		}
		envs[s.Env] = s.Key
		if s.Secret {
			if s.Flag != "" {
				t.Errorf("the secret %s has a flag", s.Key)
			}
			continue
		}
		if other, taken := flags[s.Flag]; taken {
			t.Errorf("%s and %s share the flag %s", s.Key, other, s.Flag)
		}
		flags[s.Flag] = s.Key
	}
	for _, name := range internals {
		if key, taken := envs[name]; taken {
			t.Errorf("%s uses the reserved variable %s", key, name)
		}
	}
}

// The source systems' settings with their defaults; only `enabled` differs.
func TestTable_HasEveryKeyOfTheSources(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"enabled": "true", "extract_model": "", "max_entities_per_message": "10", "max_edges_per_message": "15",
		"max_hops": "2", "recall_limit": "10",
		"extraction_timeout_secs": "15", "entity_similarity_threshold": "0.85", "entity_ambiguous_threshold": "0.7",
		"use_embedding_resolution":   "false",
		"community_refresh_interval": "100", "community_summary_concurrency": "4", "lpa_edge_chunk_size": "10000",
		"expired_edge_retention_days": "90",
		"max_entities":                "0", "temporal_decay_rate": "0", "edge_history_limit": "100",
		"note_linking.enabled": "false", "note_linking.similarity_threshold": "0.85", "note_linking.top_k": "10",
		"note_linking.timeout_secs":             "5",
		"note_linking.link_weight_decay_lambda": "0.95", "note_linking.link_weight_decay_interval_secs": "86400",
		"spreading_activation.enabled": "false", "spreading_activation.decay_lambda": "0.85",
		"spreading_activation.max_hops":             "3",
		"spreading_activation.activation_threshold": "0.1", "spreading_activation.inhibition_threshold": "0.8",
		"spreading_activation.max_activated_nodes": "50", "spreading_activation.seed_structural_weight": "0.4",
		"spreading_activation.seed_community_cap": "3",
		// settings of this project
		"db": "", "namespace": "default", "project": "", "user": "", "embedder": "builtin", "toolsets": "core",
		"read_only": "false", "token": "",
		"embedding_base_url": "", "embedding_model": "", "embedding_api_key": "", "embedding_dimensions": "0",
		"llm_base_url": "", "llm_model": "", "llm_api_key": "", "log_level": "info", "log_file": "",
		"limits.content_bytes": "262144", "limits.name_bytes": "512", "limits.entities": "100", "limits.relations": "200",
		"limits.results":      "50",
		"limits.answer_bytes": "32768", "limits.full_answer_bytes": "262144", "budget_tokens": "500",
		"confidence_minimum": "0.4", "confidence_threshold": "0.7",
		"entity_confidence_floor": "0.05", "trust_roles": "true", "extract_tool_turns": "false",
		"context_style": "memory_context",
	}
	got := map[string]string{}
	for _, s := range Settings() {
		if _, asked := want[s.Key]; asked {
			got[s.Key] = s.Default
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys or defaults differ (-want +got):\n%s", diff)
	}
}

func TestInterval_EndsAndNotNumbers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text    string
		in, out []float64
		words   string
	}{
		{"[0,1]", []float64{0, 0.5, 1}, []float64{-0.001, 1.001, math.NaN(), math.Inf(1), math.Inf(-1)}, "from 0 to 1"},
		{"(0,1]", []float64{0.001, 1}, []float64{0, 1.001}, "above 0 and at most 1"},
		{"[1,)", []float64{1, 1e300}, []float64{0.999, math.Inf(1), math.NaN()}, "at least 1"},
		{"(,2)", []float64{-1e300, 1.999}, []float64{2, math.Inf(-1)}, "below 2"},
	} {
		r, err := parseInterval(tt.text, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range tt.in {
			if !r.has(x) {
				t.Errorf("%s lacks %v", tt.text, x)
			}
		}
		for _, x := range tt.out {
			if r.has(x) {
				t.Errorf("%s has %v", tt.text, x)
			}
		}
		if r.words() != tt.words {
			t.Errorf("%s in words is %q, want %q", tt.text, r.words(), tt.words)
		}
	}
	for _, wrong := range []string{"", "[]", "[0;1]", "{0,1}", "[x,1]", "0,1"} {
		if _, err := parseInterval(wrong, false); err == nil {
			t.Errorf("%q was taken for an interval", wrong)
		}
	}
	if r, err := parseInterval("[1s,10m]", true); err != nil || !r.has(float64(time.Minute)) || r.has(float64(time.Hour)) {
		t.Errorf("interval of durations: %+v, %v", r, err)
	}
}

func TestFormats_RefuseWhatCannotWork(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ good, bad []string }{
		"scope": {[]string{"work", "日本語", "a b"}, []string{"a\nb", "a\x00", "\xff", strings.Repeat("x", 201)}},
		"url": {[]string{"http://127.0.0.1:11434/v1", "https://host/v1/"},
			[]string{"host/v1", "ftp://host", "http://", "http://h/v1?key=x", "http://h\n/v1"}},
		"hostport": {[]string{"127.0.0.1:8765", "[::1]:0", "localhost:1", ":80"},
			[]string{"8765", "localhost", "h:99999", "h:-1", "h:http"}},
		"token": {[]string{"abc-123", "~!"}, []string{"a b", "é", "a\tb", "\x7f"}},
		"path":  {[]string{"/a/b.db", "b.db", `C:\b.db`}, []string{":memory:", "file:x.db", "a\x00b"}},
	} {
		for _, s := range tt.good {
			if !formats[name].ok(s) {
				t.Errorf("%s refuses %q", name, s)
			}
		}
		for _, s := range tt.bad {
			if formats[name].ok(s) {
				t.Errorf("%s takes %q", name, s)
			}
		}
	}
}

func TestPaths_OfEachSystem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, goos string
		env        map[string]string
		want       Paths
	}{
		{"home", "linux", map[string]string{"HOME": "/h"},
			Paths{"/h/.local/share/memory-graph", "/h/.config/memory-graph", "/h/.cache/memory-graph"}},
		{"xdg", "linux", map[string]string{"HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c"},
			Paths{"/d/memory-graph", "/h/.config/memory-graph", "/c/memory-graph"}},
		{"relative xdg", "linux", map[string]string{"HOME": "/h", "XDG_DATA_HOME": "d"},
			Paths{"/h/.local/share/memory-graph", "/h/.config/memory-graph", "/h/.cache/memory-graph"}},
		{"nothing", "linux", nil, Paths{}},
		{"mac", "darwin", map[string]string{"HOME": "/h"},
			Paths{"/h/Library/Application Support/memory-graph", "/h/Library/Application Support/memory-graph",
				"/h/Library/Caches/memory-graph"}},
		{"windows", "windows", map[string]string{"LOCALAPPDATA": "/l"},
			Paths{"/l/memory-graph", "/l/memory-graph", "/l/cache/memory-graph"}},
	} {
		if diff := cmp.Diff(tt.want, findPaths(tt.goos, tt.env)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestSuggest_NamesWhatIsCloseAndNothingElse(t *testing.T) {
	t.Parallel()
	keys := []string{"max_hops", "recall_limit", "db", "limits.results", "limits.answer_bytes", "MEMORY_GRAPH_DB",
		"MEMORY_GRAPH_USER"}
	for name, want := range map[string]string{
		"max_hop":           "max_hops",
		"mxa_hops":          "max_hops", // swapped letters
		"MAX_HOPS":          "max_hops",
		"recal_limit":       "recall_limit",
		"rec":               "recall_limit", // a prefix
		"limits.reslts":     "limits.results",
		"limits.zzzzzz":     "", // a common table is not compared
		"MEMORY_GRAPH_USRE": "MEMORY_GRAPH_USER",
		"MEMORY_GRAPH_XYZ":  "", // nor is the common prefix
		"quokka":            "",
		"foo":               "",
		"":                  "",
	} {
		if got := Suggest(name, keys); got != want {
			t.Errorf("%q suggests %q, want %q", name, got, want)
		}
	}
	if got := Suggest("se", []string{"serve", "setup", "stats"}); got != "serve or setup" {
		t.Errorf("got %q", got)
	}
}
