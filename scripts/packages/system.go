package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// nfpm is the program that writes deb and rpm. Later releases need modules that Go's proxy does not serve.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.0"

// system writes the deb and the rpm of a Linux program, with manual pages and completions.
func (r release) system(p program) error {
	if p.os != "linux" {
		return nil
	}
	dir, err := os.MkdirTemp("", "memory-graph-packages-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	config, err := r.nfpmConfig(p, dir)
	if err != nil {
		return err
	}
	for _, kind := range []string{"deb", "rpm"} {
		cmd := exec.Command("go", "run", nfpm, "package", "--config", config, "--packager", kind,
			"--target", r.out(p, "."+kind))
		cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.time.Unix()), "GOFLAGS=-mod=mod")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("nfpm: %w\n%s", err, out)
		}
	}
	return nil
}

// nfpmConfig writes the files of the package into dir and returns the path of nfpm's configuration. It is JSON, which
// is YAML as well.
func (r release) nfpmConfig(p program, dir string) (string, error) {
	type info struct {
		Mode  uint32 `json:"mode"`
		MTime string `json:"mtime"`
	}
	type content struct {
		Src  string `json:"src"`
		Dst  string `json:"dst"`
		Info info   `json:"file_info"`
	}
	at := r.time.Format("2006-01-02T15:04:05Z")
	contents := []content{{p.path, "/usr/bin/memory-graph", info{0o755, at}},
		{"LICENSE", "/usr/share/doc/memory-graph/copyright", info{0o644, at}},
		{"NOTICE", "/usr/share/doc/memory-graph/NOTICE", info{0o644, at}}}
	for i, f := range r.pages {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, f.data, 0o644); err != nil {
			return "", err
		}
		contents = append(contents, content{path, "/usr/share/" + f.name, info{f.mode, at}})
	}
	maintainer := r.owner.Maintainer
	if maintainer == "" {
		maintainer = "nobody <nobody@localhost>" // a local package; the format requires one
	}
	raw, err := json.MarshalIndent(map[string]any{
		"name": "memory-graph", "arch": p.arch, "platform": "linux", "version": "v" + r.version, "section": "utils",
		"maintainer": maintainer, "description": description, "homepage": r.owner.Homepage, "license": "MIT",
		"mtime": at, "contents": contents, "rpm": map[string]string{"buildhost": "localhost"},
	}, "", "  ")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "nfpm.yaml")
	return path, os.WriteFile(path, raw, 0o644)
}
