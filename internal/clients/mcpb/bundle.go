// Package mcpb puts built programs into bundles that hosts install with one click, and names these in the MCP
// registry's entry. See README.md beside it.
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

// Manifest is the bundle's description as it stands in the repository.
func Manifest() []byte { return bytes.Clone(manifest) }

// platforms are the manifest's names of systems, by GOOS.
var platforms = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}

// release is a version as the manifest and the registry write it.
var release = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$`)

// Write writes the bundle of one program, which is for a system as GOOS names it. version has no v in front. The same
// input gives the same bytes.
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

// add puts a file into the archive, with the oldest time that the format knows.
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

// describe is the manifest for one version and one system.
func describe(version, system string) ([]byte, error) {
	platform, ok := platforms[system]
	if !ok {
		return nil, fmt.Errorf("there are no bundles for %q", system)
	}
	if !release.MatchString(version) {
		return nil, fmt.Errorf("%q is no version such as 1.2.3", version)
	}
	text := string(manifest)
	for _, c := range [][2]string{
		{`"version": "0.1.0"`, `"version": "` + version + `"`},
		{`"platforms": ["darwin", "linux", "win32"]`, `"platforms": ["` + platform + `"]`},
	} {
		if strings.Count(text, c[0]) != 1 {
			return nil, fmt.Errorf("manifest.json has no single %s", c[0])
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
	URL    string // of the .mcpb file
	SHA256 string // of its bytes, in hexadecimal digits
}

// Register is the registry's entry for one version, with its bundles.
func Register(entry []byte, version string, packages []Package) ([]byte, error) {
	if !release.MatchString(version) {
		return nil, fmt.Errorf("%q is no version such as 1.2.3", version)
	}
	if len(packages) == 0 {
		return nil, errors.New("there is no bundle to name")
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
