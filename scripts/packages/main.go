// Command packages makes every kind of package from the programs in dist/. scripts/release.sh runs it:
//
//	go run ./scripts/packages v1.2.3 UNIXTIME
//
// For each program it writes an archive, an npm package, a Python wheel, a bundle for hosts and a list of the modules
// inside (SBOM), and for Linux a deb, an rpm and a container image. The main npm package selects the program of the
// platform. owner.toml names the publisher; the Homebrew formula and the entry for the MCP registry need its downloads.
// The same programs, owner and time give the same bytes.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// release is what all packages of a release share.
type release struct {
	dir     string // holds the programs, and gets the packages
	version string // without the leading v
	time    time.Time
	owner   owner
	pages   []file // manual pages and completions, with their places below /usr/share
}

// owner is the content of owner.toml. Empty values are unknown.
type owner struct {
	Downloads  string `toml:"downloads"`
	NPM        string `toml:"npm"`
	PyPI       string `toml:"pypi"`
	Image      string `toml:"image"`
	Homepage   string `toml:"homepage"`
	Maintainer string `toml:"maintainer"`
}

// program is one built program. os and arch are Go's names.
type program struct{ path, os, arch string }

// name is the program's name inside packages.
func (p program) name() string {
	if p.os == "windows" {
		return "memory-graph.exe"
	}
	return "memory-graph"
}

var versions = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$`)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

// run reads the arguments and owner.toml and writes all packages into dist/.
func run(args []string) error {
	if len(args) != 2 || !versions.MatchString(args[0]) {
		return errors.New("usage: packages vMAJOR.MINOR.PATCH[-PRERELEASE] UNIXTIME")
	}
	seconds, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return fmt.Errorf("time %q: %w", args[1], err)
	}
	o, err := readOwner(filepath.Join("scripts", "packages", "owner.toml"))
	if err != nil {
		return err
	}
	r := release{dir: "dist", version: strings.TrimPrefix(args[0], "v"), time: time.Unix(seconds, 0).UTC(), owner: o}
	if r.pages, err = pages(r.version, r.time); err != nil {
		return err
	}
	return r.write()
}

func readOwner(path string) (o owner, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return o, err
	}
	if err := toml.Unmarshal(raw, &o); err != nil {
		return o, fmt.Errorf("%s: %w", path, err)
	}
	return o, nil
}

// write writes the packages of every program in r.dir.
func (r release) write() error {
	programs, err := r.programs()
	if err != nil {
		return err
	}
	for _, p := range programs {
		for _, write := range []func(program) error{r.archive, r.npm, r.wheel, r.bundle, r.modules, r.system,
			r.image} {
			if err := write(p); err != nil {
				return fmt.Errorf("%s: %w", p.path, err)
			}
		}
	}
	for _, write := range []func([]program) error{r.npmMain, r.formula, r.registry} {
		if err := write(programs); err != nil {
			return err
		}
	}
	return nil
}

// programs returns the programs of the release, sorted by name.
func (r release) programs() ([]program, error) {
	prefix := "memory-graph-v" + r.version + "-"
	paths, err := filepath.Glob(filepath.Join(r.dir, prefix+"*"))
	if err != nil {
		return nil, err
	}
	var list []program
	for _, path := range paths {
		target := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), prefix), ".exe")
		system, arch, ok := strings.Cut(target, "-")
		if ok && !strings.ContainsAny(arch, "-.") {
			list = append(list, program{path, system, arch})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no program %sOS-ARCH: build one first", r.dir, prefix)
	}
	return list, nil
}

// out returns the path of a package of the program, such as dist/memory-graph-v1.2.3-linux-amd64.tar.gz.
func (r release) out(p program, suffix string) string {
	return filepath.Join(r.dir, fmt.Sprintf("memory-graph-v%s-%s-%s%s", r.version, p.os, p.arch, suffix))
}

// download returns the address of a published file, or "" if the owner names no place.
func (r release) download(name string) string {
	if r.owner.Downloads == "" {
		return ""
	}
	base := strings.ReplaceAll(r.owner.Downloads, "{version}", "v"+r.version)
	return strings.TrimSuffix(base, "/") + "/" + name
}
