package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unpack returns the entries of a tar by name.
func unpack(t *testing.T, r io.Reader) (map[string][]byte, map[string]*tar.Header) {
	t.Helper()
	content, headers := map[string][]byte{}, map[string]*tar.Header{}
	for in := tar.NewReader(r); ; {
		h, err := in.Next()
		if err == io.EOF {
			return content, headers
		}
		if err != nil {
			t.Fatal(err)
		}
		if content[h.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
		headers[h.Name] = h
	}
}

func TestImage_HoldsTheProgramAndNothingThatRunsAsRoot(t *testing.T) {
	r, programs := newRelease(t, owner{Image: "example.org/ann/memory"})
	packages(t, r, programs)
	raw, err := os.ReadFile(filepath.Join(r.dir, "memory-graph-v1.2.3-linux-amd64.oci.tar"))
	if err != nil {
		t.Fatal(err)
	}
	blobs, _ := unpack(t, bytes.NewReader(raw))
	for name, data := range blobs {
		if dir, sum := filepath.Split(name); dir == "blobs/sha256/" && sum != digest(data) {
			t.Errorf("%s has the digest %s", name, digest(data))
		}
	}
	type descriptor struct{ Digest string }
	var index struct {
		Manifests []struct {
			descriptor
			Annotations map[string]string
		}
	}
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	var config struct {
		Architecture string
		Config       struct {
			User       string
			Entrypoint []string
			Volumes    map[string]any
		}
		RootFS struct {
			DiffIDs []string `json:"diff_ids"`
		}
	}
	read := func(name string, into any) {
		if err := json.Unmarshal(blobs[name], into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	read("index.json", &index)
	read(blobPath(index.Manifests[0].Digest), &manifest)
	read(blobPath(manifest.Config.Digest), &config)
	if got := index.Manifests[0].Annotations["org.opencontainers.image.ref.name"]; got != "example.org/ann/memory:1.2.3" {
		t.Errorf("the image is named %q", got)
	}
	if c := config.Config; c.User != "65532:65532" || c.Entrypoint[0] != "/memory-graph" || c.Volumes["/data"] == nil ||
		config.Architecture != "amd64" {
		t.Errorf("configuration %+v", config)
	}
	z, err := gzip.NewReader(bytes.NewReader(blobs[blobPath(manifest.Layers[0].Digest)]))
	if err != nil {
		t.Fatal(err)
	}
	layer, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"sha256:" + digest(layer)}, config.RootFS.DiffIDs); diff != "" {
		t.Errorf("layers (-want +got):\n%s", diff)
	}
	files, headers := unpack(t, bytes.NewReader(layer))
	if string(files["memory-graph"]) != "program for linux-amd64" || headers["memory-graph"].Mode != 0o755 ||
		headers["memory-graph"].Uid != 0 {
		t.Errorf("the program is %q, %+v", files["memory-graph"], headers["memory-graph"])
	}
	if d := headers["data/"]; d == nil || d.Uid != imageUser || d.Mode != 0o700 {
		t.Errorf("/data is %+v, want it to belong to the user of the container", d)
	}
	if len(files) != 5 || files["LICENSE"] == nil {
		t.Errorf("the image has %d files, want the program, two licences and two directories", len(files))
	}
	if _, err := os.Stat(filepath.Join(r.dir, "memory-graph-v1.2.3-darwin-arm64.oci.tar")); err == nil {
		t.Error("an image of a system without containers of its own was written")
	}
}
