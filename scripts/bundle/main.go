// Command bundle writes a .mcpb bundle of each program in dist/. If it gets the URL of the directory in which the
// bundles will be published, it also writes dist/server.json. scripts/release.sh runs it:
//
//	go run ./scripts/bundle v1.2.3 [URL]
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"memory-graph/internal/clients/mcpb"
)

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: bundle vMAJOR.MINOR.PATCH [URL]")
		os.Exit(2)
	}
	url := ""
	if len(os.Args) == 3 {
		url = os.Args[2]
	}
	if err := run("dist", "server.json", os.Args[1], url); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// run writes a bundle of each program in dist. If url is set, it also writes the registry entry, based on server.json.
func run(dist, entry, version, url string) error {
	programs, err := filepath.Glob(filepath.Join(dist, "memory-graph-"+version+"-*"))
	if err != nil {
		return err
	}
	var packages []mcpb.Package
	for _, program := range programs {
		if strings.HasSuffix(program, ".mcpb") {
			continue
		}
		target := strings.TrimSuffix(program, ".exe")
		system, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(target), "memory-graph-"+version+"-"), "-")
		sum, err := bundle(target+".mcpb", program, strings.TrimPrefix(version, "v"), system)
		if err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		packages = append(packages, mcpb.Package{URL: strings.TrimSuffix(url, "/") + "/" + filepath.Base(target) + ".mcpb",
			SHA256: sum})
	}
	if url == "" && len(packages) > 0 {
		return nil
	}
	raw, err := os.ReadFile(entry)
	if err != nil {
		return err
	}
	out, err := mcpb.Register(raw, strings.TrimPrefix(version, "v"), packages)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dist, "server.json"), out, 0o644)
}

// bundle writes one bundle and returns the SHA-256 of its bytes.
func bundle(path, program, version, system string) (sum string, err error) {
	in, err := os.Open(program)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.Create(path)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	err = errors.Join(mcpb.Write(io.MultiWriter(out, hash), version, system, in), out.Close())
	return hex.EncodeToString(hash.Sum(nil)), err
}
