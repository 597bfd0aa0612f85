package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// newRelease returns a release in a new directory, with a program for each system that is only text.
func newRelease(t *testing.T, o owner) (release, []program) {
	t.Helper()
	if _, err := os.Stat("LICENSE"); err != nil {
		t.Chdir(filepath.Join("..", "..")) // packages are made in the root of the repository
	}
	r := release{dir: t.TempDir(), version: "1.2.3", time: time.Unix(1_790_000_000, 0).UTC(), owner: o,
		pages: []file{{name: "man/man1/memory-graph.1.gz", mode: 0o644, data: []byte("page")}}}
	for _, name := range []string{"linux-amd64", "darwin-arm64", "windows-arm64.exe"} {
		path := filepath.Join(r.dir, "memory-graph-v1.2.3-"+name)
		if err := os.WriteFile(path, []byte("program for "+name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	programs, err := r.programs()
	if err != nil {
		t.Fatal(err)
	}
	return r, programs
}

// packages writes what needs no Go program and no other tool.
func packages(t *testing.T, r release, programs []program) {
	t.Helper()
	for _, p := range programs {
		if err := errors.Join(r.archive(p), r.npm(p), r.wheel(p), r.bundle(p), r.image(p)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(r.npmMain(programs), r.formula(programs), r.registry(programs)); err != nil {
		t.Fatal(err)
	}
}

// untar returns the entries of a tar.gz by name.
func untar(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]string{}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			return entries
		}
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		entries[h.Name] = string(raw)
	}
}

func TestPrograms_AreFoundBesideTheirPackages(t *testing.T) {
	r, programs := newRelease(t, owner{})
	packages(t, r, programs)
	again, err := r.programs()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(programs, again, cmp.AllowUnexported(program{})); diff != "" {
		t.Errorf("programs after the packages are written (-before +after):\n%s", diff)
	}
	r.version = "9.9.9"
	if _, err := r.programs(); err == nil {
		t.Error("a release without programs gave no error")
	}
}

func TestPackages_AreTheSameBytesEachTime(t *testing.T) {
	r, programs := newRelease(t, owner{Downloads: "https://example.org/{version}", NPM: "@ann/memory"})
	sums := func() map[string]string {
		packages(t, r, programs)
		all := map[string]string{}
		entries, err := os.ReadDir(r.dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if all[e.Name()], err = sum(filepath.Join(r.dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	first := sums()
	if diff := cmp.Diff(first, sums()); diff != "" {
		t.Errorf("checksums (-first +second):\n%s", diff)
	}
}

func TestNPM_WithoutAnOwnerFetchesNothing(t *testing.T) {
	for _, c := range []struct {
		owner owner
		file  string
		want  map[string]string
	}{
		{owner{}, "memory-graph-1.2.3.tgz", nil},
		{owner{NPM: "@ann/memory"}, "ann-memory-1.2.3.tgz", map[string]string{"@ann/memory-linux-x64": "1.2.3",
			"@ann/memory-darwin-arm64": "1.2.3", "@ann/memory-win32-arm64": "1.2.3"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			r, programs := newRelease(t, c.owner)
			packages(t, r, programs)
			var m manifest
			if err := json.Unmarshal([]byte(untar(t, filepath.Join(r.dir, c.file))["package/package.json"]), &m); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, m.Optional); diff != "" {
				t.Errorf("packages to fetch (-want +got):\n%s", diff)
			}
			if m.Private != (c.owner.NPM == "") {
				t.Errorf("private is %v for the owner %q", m.Private, c.owner.NPM)
			}
		})
	}
}

func TestWheel_RecordsEachOfItsFiles(t *testing.T) {
	r, programs := newRelease(t, owner{PyPI: "ann-memory"})
	packages(t, r, programs)
	z, err := zip.OpenReader(filepath.Join(r.dir, "ann_memory-1.2.3-py3-none-macosx_12_0_arm64.whl"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var record string
	recorded := map[string]bool{}
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		digest := sha256.Sum256(raw)
		recorded[f.Name+",sha256="+base64.RawURLEncoding.EncodeToString(digest[:])] = true
		if strings.HasSuffix(f.Name, "RECORD") {
			record = string(raw)
		}
	}
	lines := strings.Split(strings.TrimSpace(record), "\n")
	if len(lines) != len(z.File) {
		t.Errorf("RECORD has %d lines for %d files", len(lines), len(z.File))
	}
	for _, line := range lines[:len(lines)-1] { // the last is RECORD itself
		if at := strings.LastIndex(line, ","); !recorded[line[:at]] {
			t.Errorf("no file of the wheel is %q", line)
		}
	}
}

func TestRegistryAndFormula_NameOnlyPublishedFiles(t *testing.T) {
	r, programs := newRelease(t, owner{Downloads: "https://example.org/{version}/"})
	packages(t, r, programs)
	raw, err := os.ReadFile(filepath.Join(r.dir, "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	formula, err := os.ReadFile(filepath.Join(r.dir, "memory-graph.rb"))
	if err != nil {
		t.Fatal(err)
	}
	for text, file := range map[string]string{string(raw): "memory-graph-v1.2.3-linux-amd64.mcpb",
		string(formula): "memory-graph-v1.2.3-darwin-arm64.tar.gz"} {
		if !strings.Contains(text, `"https://example.org/v1.2.3/`+file+`"`) {
			t.Errorf("%s is not named in\n%s", file, text)
		}
	}
	r, programs = newRelease(t, owner{})
	packages(t, r, programs)
	for _, name := range []string{"server.json", "memory-graph.rb"} {
		if _, err := os.Stat(filepath.Join(r.dir, name)); err == nil {
			t.Errorf("%s was written, but the owner names no place", name)
		}
	}
}

func TestPythonVersion_FollowsPEP440(t *testing.T) {
	for in, want := range map[string]string{"1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3rc1", "1.2.3-beta2": "1.2.3b2",
		"1.2.3-alpha.3": "1.2.3a3", "1.2.3-nightly.5": "1.2.3+nightly.5", "1.2.3-rc": "1.2.3+rc"} {
		if got := pythonVersion(in); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}

func TestPages_DescribeEachCommand(t *testing.T) {
	files, err := pages("1.2.3", time.Unix(0, 0).UTC())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range files {
		names[f.name] = true
	}
	for _, want := range []string{"man/man1/memory-graph.1.gz", "man/man1/memory-graph-setup.1.gz",
		"zsh/site-functions/_memory-graph"} {
		if !names[want] {
			t.Errorf("%s is missing", want)
		}
	}
}

// Nobody owns a name on a registry while owner.toml is empty, so a page that tells to install one would install a
// stranger's program.
func TestPages_NameNoPackageThatNobodyOwns(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	o, err := readOwner("scripts/packages/owner.toml")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "README.md") {
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range unowned(string(raw), o) {
			t.Errorf("%s names %q, and owner.toml does not", page, found)
		}
	}
	for text, want := range map[string]int{"npx memory-graph demo": 1,
		"uvx --from ./dist/memory_graph-1.whl memory-graph": 0,
		"npm install -g memory-graph":                       1, "npm install -g ./dist/a.tgz": 0,
		"brew install memory-graph": 1,
		"pip install memory-graph":  1, "pip install ./dist/a.whl": 0, "npx -y ./dist/a.tgz": 0,
		"podman run --rm -v memory:/data ghcr.io/ann/memory-graph": 1, "docker pull memory-graph": 1,
		"podman run --rm localhost/memory-graph:1.2.3 demo": 0} {
		if got := len(unowned(text, o)); got != want {
			t.Errorf("%q names %d unowned packages, want %d", text, got, want)
		}
	}
}
