// Package e2e_test plays hosts against the built program: it is killed, started several times on one file, given broken
// files, full disks and bad input, and has to keep what it acknowledged. What can be tested inside one process is
// tested in the packages themselves.
//
// MEMORY_GRAPH_E2E=full makes as many kills and processes' turns as the promises in README.md were checked with;
// without it a sample of each fits into an ordinary test run.
package e2e_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// program is the path of the built program.
var program string

// full asks for the full counts.
var full = os.Getenv("MEMORY_GRAPH_E2E") == "full"

// count gives the number of rounds of a test.
func count(sample, whole int) int {
	if full {
		return whole
	}
	return sample
}

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("skipped: these tests build the program")
		return
	}
	code, err := buildAndRun(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func buildAndRun(m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "memory-graph-e2e-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o755); err != nil { // some tests run it as another user
		return 1, err
	}
	program = filepath.Join(dir, "memory-graph")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", program, "memory-graph").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("build: %w\n%s", err, out)
	}
	return m.Run(), nil
}
