package e2e_test

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memory-graph/internal/clients/mcpb"
)

// A bundle that is unpacked as hosts do, with its questions left at their defaults, starts a server.
func TestBundle_Starts(t *testing.T) {
	t.Parallel()
	home, dir := t.TempDir(), t.TempDir()
	path := filepath.Join(t.TempDir(), "memory-graph.mcpb")
	in, err := os.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }() // it was only read
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := mcpb.Write(out, "1.2.3", runtime.GOOS, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	unpack(t, path, dir)

	raw, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	type config struct {
		Command   string
		Args      []string
		Env       map[string]string
		Overrides map[string]struct{ Command string } `json:"platform_overrides"`
	}
	var m struct {
		Server struct {
			Config config `json:"mcp_config"`
		}
		Questions map[string]struct{ Default any } `json:"user_config"`
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	pairs := []string{"${__dirname}", dir}
	for name, q := range m.Questions {
		pairs = append(pairs, "${user_config."+name+"}", fmt.Sprint(q.Default))
	}
	fill := strings.NewReplacer(pairs...)
	c := m.Server.Config
	if runtime.GOOS == "windows" {
		c.Command = c.Overrides["win32"].Command
	}
	for i := range c.Args {
		c.Args[i] = fill.Replace(c.Args[i])
	}
	cmd := exec.Command(filepath.FromSlash(fill.Replace(c.Command)), c.Args...)
	cmd.Env = environment(home, "USERPROFILE="+home)
	for name, value := range c.Env {
		cmd.Env = append(cmd.Env, name+"="+fill.Replace(value))
	}
	h := run(t, cmd)
	h.initialize()
	h.store(arguments{"content": "I moved to Ghent."})
	h.stop()
}

// unpack unpacks an archive with its modes.
func unpack(t *testing.T, path, dir string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }() // it was only read
	for _, f := range z.File {
		to := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		w, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, f.Mode())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(w, r); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
