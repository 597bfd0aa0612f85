// Package mcpb packs programs into bundles that hosts install with one click, and lists the bundles in the MCP
// registry's entry. See README.md in this directory.
package mcpb

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

//go:embed manifest.json
var manifest []byte

// Manifest returns the bundle's manifest from the repository.
func Manifest() []byte { return bytes.Clone(manifest) }

// platforms maps GOOS to the manifest's names of systems.
var platforms = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}

// release matches a version in the manifest and the registry.
var release = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$`)

// Write writes the bundle of one program. system is a GOOS; version has no leading v. The same input gives the same
// bytes.
func Write(w io.Writer, version, system string, program io.Reader) error {
	text, err := describe(version, system)
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	if err := add(z, "manifest.json", 0o644, bytes.NewReader(text)); err != nil {
		return err
	}
	name := "server/memory-graph"
	if system == "windows" {
		name += ".exe"
	}
	if err := add(z, name, 0o755, program); err != nil {
		return err
	}
	return z.Close()
}

// add adds a file to the archive, with the earliest time that the format supports.
func add(z *zip.Writer, name string, mode uint32, from io.Reader) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
		CreatorVersion: 3 << 8, ExternalAttrs: (0o100000 | mode) << 16}
	f, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return err
}

// describe returns the manifest for a version and a system.
func describe(version, system string) ([]byte, error) {
	platform, ok := platforms[system]
	if !ok {
		return nil, fmt.Errorf("there are no bundles for %q", system)
	}
	if !release.MatchString(version) {
		return nil, fmt.Errorf("%q is not a version such as 1.2.3", version)
	}
	text := string(manifest)
	for _, c := range [][2]string{
		{`"version": "0.1.0"`, `"version": "` + version + `"`},
		{`"platforms": ["darwin", "linux", "win32"]`, `"platforms": ["` + platform + `"]`},
	} {
		if strings.Count(text, c[0]) != 1 {
			return nil, fmt.Errorf("manifest.json must contain %s exactly once", c[0])
		}
		text = strings.Replace(text, c[0], c[1], 1)
	}
	if system == "windows" {
		text = strings.Replace(text, `"entry_point": "server/memory-graph"`, `"entry_point": "server/memory-graph.exe"`, 1)
	}
	return []byte(text), nil
}

// Package is one published bundle.
type Package struct {
	URL    string // URL of the .mcpb file
	SHA256 string // of the file, in hexadecimal digits
}

// Register returns the registry's entry for a version, with its bundles.
func Register(entry []byte, version string, packages []Package) ([]byte, error) {
	if !release.MatchString(version) {
		return nil, fmt.Errorf("%q is not a version such as 1.2.3", version)
	}
	if len(packages) == 0 {
		return nil, errors.New("there are no bundles to register")
	}
	type transport struct {
		Type string `json:"type"`
	}
	type named struct {
		RegistryType string    `json:"registryType"`
		Identifier   string    `json:"identifier"`
		Version      string    `json:"version"`
		FileSHA256   string    `json:"fileSha256"`
		Transport    transport `json:"transport"`
	}
	var server struct {
		Schema      string  `json:"$schema"`
		Name        string  `json:"name"`
		Title       string  `json:"title"`
		Description string  `json:"description"`
		Version     string  `json:"version"`
		Packages    []named `json:"packages"`
	}
	if err := json.Unmarshal(entry, &server); err != nil {
		return nil, fmt.Errorf("read server.json: %w", err)
	}
	server.Version = version
	for _, p := range packages {
		server.Packages = append(server.Packages, named{"mcpb", p.URL, version, p.SHA256, transport{"stdio"}})
	}
	out, err := json.MarshalIndent(server, "", "  ")
	return append(out, '\n'), err
}
