package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"memory-graph/internal/clients/mcpb"
)

// bundle writes the .mcpb bundle, which hosts install with one click.
func (r release) bundle(p program) error {
	in, err := os.Open(p.path)
	if err != nil {
		return err
	}
	defer in.Close()
	return create(r.out(p, ".mcpb"), func(w io.Writer) error { return mcpb.Write(w, r.version, p.os, in) })
}

// registry writes server.json, the entry for the MCP registry. It names the bundles where they will be published.
func (r release) registry(programs []program) error {
	if r.owner.Downloads == "" {
		return nil
	}
	var list []mcpb.Package
	for _, p := range programs {
		path := r.out(p, ".mcpb")
		sum, err := sum(path)
		if err != nil {
			return err
		}
		list = append(list, mcpb.Package{URL: r.download(filepath.Base(path)), SHA256: sum})
	}
	raw, err := os.ReadFile("server.json")
	if err != nil {
		return err
	}
	out, err := mcpb.Register(raw, r.version, list)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.dir, "server.json"), out, 0o644)
}

// sum returns the SHA-256 of a file in hexadecimal digits.
func sum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// formula writes the Homebrew formula of the archives. It needs the address of the downloads.
func (r release) formula(programs []program) error {
	if r.owner.Downloads == "" {
		return nil
	}
	system := map[string]string{"darwin": "macos", "linux": "linux"}
	arch := map[string]string{"amd64": "intel", "arm64": "arm"}
	var choices strings.Builder
	for _, p := range programs {
		if system[p.os] == "" {
			continue
		}
		path := r.out(p, ".tar.gz")
		sum, err := sum(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&choices, "  on_%s do\n    on_%s do\n      url %q\n      sha256 %q\n    end\n  end\n",
			system[p.os], arch[p.arch], r.download(filepath.Base(path)), sum)
	}
	text := fmt.Sprintf(`class MemoryGraph < Formula
  desc %q
  homepage %q
  version %q
  license "MIT"
%s
  def install
    bin.install "memory-graph"
    man1.install Dir["man/man1/*"]
    bash_completion.install "bash-completion/completions/memory-graph"
    zsh_completion.install "zsh/site-functions/_memory-graph"
    fish_completion.install "fish/vendor_completions.d/memory-graph.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/memory-graph version")
  end
end
`, description, r.owner.Homepage, r.version, choices.String())
	return os.WriteFile(filepath.Join(r.dir, "memory-graph.rb"), []byte(text), 0o644)
}
