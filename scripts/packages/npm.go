package main

import (
	_ "embed"
	"encoding/json"
	"path/filepath"
	"strings"
)

//go:embed launcher.js
var launcher []byte

// nodeSystem and nodeArch are Node's names for Go's.
var (
	nodeSystem = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	nodeArch   = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

// manifest is the package.json of npm.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Homepage    string            `json:"homepage,omitempty"`
	Private     bool              `json:"private,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

func (r release) npmName() string {
	if r.owner.NPM != "" {
		return r.owner.NPM
	}
	return "memory-graph"
}

// manifest returns a package.json. Without an owner it is private, so that nobody publishes it by mistake.
func (r release) manifest(name string) manifest {
	return manifest{Name: name, Version: r.version, Description: description, License: "MIT",
		Homepage: r.owner.Homepage, Private: r.owner.NPM == ""}
}

// npm writes the npm package of one platform: the program and nothing that runs at installation.
func (r release) npm(p program) error {
	m := r.manifest(r.npmName() + "-" + nodeSystem[p.os] + "-" + nodeArch[p.arch])
	m.OS, m.CPU = []string{nodeSystem[p.os]}, []string{nodeArch[p.arch]}
	files := append(licenses("package/"), file{name: "package/" + p.name(), mode: 0o755, from: p.path})
	return r.writeNPM(m, files)
}

// npmMain writes the package that people install: a launcher that starts the program of the platform's package. With an
// owner, npm fetches that package too; without one it must be installed from its file.
func (r release) npmMain(programs []program) error {
	m := r.manifest(r.npmName())
	m.Bin = map[string]string{"memory-graph": "memory-graph.js"}
	m.Engines = map[string]string{"node": ">=18"}
	if r.owner.NPM != "" {
		m.Optional = map[string]string{}
		for _, p := range programs {
			m.Optional[m.Name+"-"+nodeSystem[p.os]+"-"+nodeArch[p.arch]] = r.version
		}
	}
	return r.writeNPM(m, append(licenses("package/"), file{name: "package/memory-graph.js", mode: 0o755, data: launcher}))
}

// writeNPM writes the package as npm names it: without @, and with - for /.
func (r release) writeNPM(m manifest, files []file) error {
	raw, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	name := strings.ReplaceAll(strings.TrimPrefix(m.Name, "@"), "/", "-") + "-" + m.Version + ".tgz"
	files = append([]file{{name: "package/package.json", mode: 0o644, data: append(raw, '\n')}}, files...)
	return writeTar(filepath.Join(r.dir, name), r.time, files)
}
