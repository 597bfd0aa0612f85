package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// imageUser is the user of the container: the one that images without a shell call nonroot.
const imageUser = 65532

// imageName is the image's name without the version.
func (r release) imageName() string {
	if r.owner.Image != "" {
		return r.owner.Image
	}
	return "localhost/memory-graph"
}

// image writes a container image of a Linux program as an OCI archive, which podman and docker load from the file. It
// holds the program, its licences and two empty directories: /data for everything that is stored, and /tmp.
func (r release) image(p program) error {
	if p.os != "linux" {
		return nil
	}
	plain, packed, err := r.layer(p)
	if err != nil {
		return err
	}
	blobs := map[string][]byte{}
	type descriptor struct {
		MediaType   string            `json:"mediaType"`
		Digest      string            `json:"digest"`
		Size        int               `json:"size"`
		Annotations map[string]string `json:"annotations,omitempty"`
	}
	add := func(kind string, data []byte) descriptor {
		d := digest(data)
		blobs[d] = data
		return descriptor{MediaType: "application/vnd.oci.image." + kind, Digest: "sha256:" + d, Size: len(data)}
	}
	layer := add("layer.v1.tar+gzip", packed)
	labels := map[string]string{"org.opencontainers.image.title": "memory-graph",
		"org.opencontainers.image.description": description, "org.opencontainers.image.version": r.version,
		"org.opencontainers.image.licenses": "MIT"}
	if r.owner.Homepage != "" {
		labels["org.opencontainers.image.url"] = r.owner.Homepage
	}
	at := r.time.Format(time.RFC3339)
	config, err := json.Marshal(map[string]any{
		"architecture": p.arch, "os": "linux", "created": at,
		"config": map[string]any{
			"User":       "65532:65532",
			"Entrypoint": []string{"/memory-graph"},
			"Cmd":        []string{"serve"},
			"WorkingDir": "/data",
			"Volumes":    map[string]any{"/data": map[string]any{}},
			"Env": []string{"HOME=/data", "XDG_DATA_HOME=/data", "XDG_CONFIG_HOME=/data", "XDG_CACHE_HOME=/data/cache",
				"PATH=/"},
			"Labels": labels,
		},
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + digest(plain)}},
		"history": []map[string]string{{"created": at, "created_by": "memory-graph v" + r.version}},
	})
	if err != nil {
		return err
	}
	settings := add("config.v1+json", config)
	manifest, err := json.Marshal(map[string]any{"schemaVersion": 2,
		"mediaType": "application/vnd.oci.image.manifest.v1+json", "config": settings, "layers": []descriptor{layer}})
	if err != nil {
		return err
	}
	top := add("manifest.v1+json", manifest)
	name := r.imageName() + ":" + r.version
	top.Annotations = map[string]string{"org.opencontainers.image.ref.name": name}
	index, err := json.Marshal(map[string]any{"schemaVersion": 2, "manifests": []descriptor{top}})
	if err != nil {
		return err
	}
	// docker before release 25 reads only this file of its own form.
	docker, err := json.Marshal([]map[string]any{{"Config": blobPath(settings.Digest), "RepoTags": []string{name},
		"Layers": []string{blobPath(layer.Digest)}}})
	if err != nil {
		return err
	}
	files := []file{{name: "oci-layout", mode: 0o644, data: []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		{name: "index.json", mode: 0o644, data: index}, {name: "manifest.json", mode: 0o644, data: docker}}
	for _, d := range []descriptor{settings, top, layer} {
		files = append(files, file{name: blobPath(d.Digest), mode: 0o644, data: blobs[d.Digest[len("sha256:"):]]})
	}
	return create(r.out(p, ".oci.tar"), func(w io.Writer) error { return tarTo(w, r.time, files) })
}

// blobPath returns the place of a digest such as sha256:ab… in an OCI layout.
func blobPath(digest string) string { return "blobs/sha256/" + digest[len("sha256:"):] }

func digest(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// layer returns the file system of the image as a tar, plain and compressed.
func (r release) layer(p program) (plain, packed []byte, err error) {
	var text, small bytes.Buffer
	t := tar.NewWriter(&text)
	dir := func(name string, mode int64, user int) error {
		return t.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name, Mode: mode, Uid: user, Gid: user, ModTime: r.time,
			Format: tar.FormatUSTAR})
	}
	if err := errors.Join(dir("data/", 0o700, imageUser), dir("tmp/", 0o1777, 0)); err != nil {
		return nil, nil, err
	}
	files := append(licenses(""), file{name: "memory-graph", mode: 0o755, from: p.path})
	if err := writeFiles(t, r.time, files); err != nil {
		return nil, nil, err
	}
	z, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err != nil {
		return nil, nil, err
	}
	if err := t.Close(); err != nil {
		return nil, nil, err
	}
	if _, err := z.Write(text.Bytes()); err != nil {
		return nil, nil, err
	}
	if err := z.Close(); err != nil {
		return nil, nil, err
	}
	return text.Bytes(), small.Bytes(), nil
}
