package mcpb_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"memory-graph/internal/clients/mcpb"
	"memory-graph/internal/config"
	"memory-graph/tools"
)

var update = flag.Bool("update", false, "write the list of tools into manifest.json")

// valid validates a document against a published schema, including formats.
func valid(t *testing.T, schema string, document []byte) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", schema))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	if !strings.Contains(string(readme), "`"+schema+"`") || !strings.Contains(string(readme), hex.EncodeToString(sum[:])) {
		t.Errorf("README.md does not have the SHA-256 of %s, %x", schema, sum)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(schema, parsed); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(v); err != nil {
		t.Errorf("it does not match %s: %v", schema, err)
	}
}

const (
	manifestSchema = "mcpb-manifest-v0.3.schema.json"
	serverSchema   = "server-2025-12-11.schema.json"
)

func serverJSON(t *testing.T) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestManifest_IsValid(t *testing.T) {
	valid(t, manifestSchema, mcpb.Manifest())
}

func TestServerJSON_IsValid(t *testing.T) {
	valid(t, serverSchema, serverJSON(t))
	var server, manifest struct{ Version string }
	if err := json.Unmarshal(serverJSON(t), &server); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(mcpb.Manifest(), &manifest); err != nil {
		t.Fatal(err)
	}
	if server != manifest {
		t.Errorf("server.json has version %s, the manifest %s", server.Version, manifest.Version)
	}
}

// The manifest lists the tools of a server without settings, each with the first sentence of its description.
func TestManifest_ListsTheTools(t *testing.T) {
	list, err := tools.All(nil, tools.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	type tool struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	want := make([]tool, len(list))
	for i, one := range list {
		description, _, _ := strings.Cut(one.Definition.Description, "\n")
		first, _, _ := strings.Cut(description, ". ")
		if first == "" {
			t.Errorf("%s has no description", one.Definition.Name)
		}
		want[i] = tool{one.Definition.Name, strings.TrimSuffix(first, ".") + "."}
	}
	if *update {
		lines := make([]string, len(want))
		for i, w := range want {
			name, _ := json.Marshal(w.Name)
			description, _ := json.Marshal(w.Description)
			lines[i] = `    { "name": ` + string(name) + `, "description": ` + string(description) + ` }`
		}
		section := regexp.MustCompile(`(?s)"tools": \[.*?\](,\n  "keywords")`)
		text := section.ReplaceAllLiteralString(string(mcpb.Manifest()),
			"\"tools\": [\n"+strings.Join(lines, ",\n")+"\n  ],\n  \"keywords\"")
		if err := os.WriteFile("manifest.json", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got struct{ Tools []tool }
	raw, err := os.ReadFile("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Tools); diff != "" {
		t.Errorf("run go test ./internal/clients/mcpb -run ListsTheTools -update (-want +got):\n%s", diff)
	}
}

// Every variable is a setting, and every question has a default: otherwise the program would get "${…}".
func TestManifest_AsksForSettings(t *testing.T) {
	var m struct {
		Server struct {
			Config struct {
				Env map[string]string `json:"env"`
			} `json:"mcp_config"`
		} `json:"server"`
		Questions map[string]struct{ Default any } `json:"user_config"`
	}
	if err := json.Unmarshal(mcpb.Manifest(), &m); err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, s := range config.Settings() {
		known = append(known, s.Env)
	}
	for name, value := range m.Server.Config.Env {
		if !slices.Contains(known, name) {
			t.Errorf("%s is not a setting", name)
		}
		question := strings.TrimSuffix(strings.TrimPrefix(value, "${user_config."), "}")
		if q, ok := m.Questions[question]; !ok || q.Default == nil {
			t.Errorf("%s is asked for by %q, which has no default", name, value)
		}
	}
	if len(m.Questions) != len(m.Server.Config.Env) {
		t.Errorf("%d questions for %d variables", len(m.Questions), len(m.Server.Config.Env))
	}
}

func TestWrite_MakesABundle(t *testing.T) {
	for system, name := range map[string]string{"linux": "server/memory-graph", "darwin": "server/memory-graph",
		"windows": "server/memory-graph.exe"} {
		var first, second bytes.Buffer
		for _, w := range []io.Writer{&first, &second} {
			if err := mcpb.Write(w, "1.2.3-rc.1", system, strings.NewReader("a program")); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: the bundle of the same program differs", system)
		}
		z, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
		if err != nil {
			t.Fatal(err)
		}
		raw := map[string]string{}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			raw[f.Name] = string(text)
			if f.Name == name && f.Mode().Perm() != 0o755 {
				t.Errorf("%s: mode %v", f.Name, f.Mode())
			}
		}
		if len(raw) != 2 || raw[name] != "a program" {
			t.Errorf("%s: it holds %q", system, raw)
		}
		valid(t, manifestSchema, []byte(raw["manifest.json"]))
		var m struct {
			Version string
			Server  struct {
				Entry string `json:"entry_point"`
			}
			Compatibility struct{ Platforms []string }
		}
		if err := json.Unmarshal([]byte(raw["manifest.json"]), &m); err != nil {
			t.Fatal(err)
		}
		if m.Version != "1.2.3-rc.1" || m.Server.Entry != name || len(m.Compatibility.Platforms) != 1 {
			t.Errorf("%s: the manifest says %+v", system, m)
		}
	}
	for _, wrong := range [][2]string{{"v1.2.3", "linux"}, {"1.2", "linux"}, {"1.2.3", "plan9"}} {
		if err := mcpb.Write(io.Discard, wrong[0], wrong[1], strings.NewReader("")); err == nil {
			t.Errorf("%q was accepted", wrong)
		}
	}
}

func TestRegister_NamesTheBundles(t *testing.T) {
	out, err := mcpb.Register(serverJSON(t), "1.2.3",
		[]mcpb.Package{{URL: "https://example.org/v1.2.3/memory-graph.mcpb", SHA256: strings.Repeat("0a", 32)}})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, serverSchema, out)
	if !strings.Contains(string(out), `"version": "1.2.3"`) || !strings.Contains(string(out), "memory-graph.mcpb") {
		t.Errorf("it is\n%s", out)
	}
	if _, err := mcpb.Register(serverJSON(t), "1.2.3", nil); err == nil {
		t.Error("an entry without bundles was made")
	}
}
