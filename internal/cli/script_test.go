package cli_test

import (
	"compress/gzip"
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"memory-graph/internal/cli"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

// TestMain lets the scripts run this test binary as memory-graph: a real process with its own streams and exit code.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"memory-graph": func() {
			os.Exit(cli.Run(context.Background(), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("TZ", "UTC")
			e.Setenv("USERPROFILE", home)
			e.Setenv("LOCALAPPDATA", filepath.Join(home, "AppData", "Local"))
			for _, name := range []string{"XDG_DATA_HOME", "XDG_CONFIG_HOME"} {
				e.Setenv(name, filepath.Join(home, strings.ToLower(name)))
			}
			data, err := filepath.Abs(filepath.Join("..", "bench", "testdata"))
			if err != nil {
				return err
			}
			e.Setenv("BENCH_DATA", data)
			if data, err = filepath.Abs(filepath.Join("..", "transfer", "testdata")); err != nil {
				return err
			}
			e.Setenv("OTHER_DATA", data)
			// all scripts share one cache, since compiling SQLite takes a second
			e.Setenv("XDG_CACHE_HOME", filepath.Join(os.TempDir(), "memory-graph-test-cache"))
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "remember": remember, "sql": sqlOn,
			"swap": swap, "jsonfield": jsonField, "expand": expand, "unpack": unpack},
	})
}

// exits runs a command and checks its exit code: `exits 2 memory-graph --nonsense`.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code program [args]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if e, ok := err.(interface{ ExitCode() int }); ok {
		code = map[int]string{1: "1", 2: "2"}[e.ExitCode()]
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// unpack writes the content of a file that is packed with gzip: `unpack from.gz to`.
func unpack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unpack from to")
	}
	z, err := gzip.NewReader(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	text, err := io.ReadAll(z)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o600))
}

// expand replaces $NAME in files by the value of the variable, with forward slashes: `expand payload.json`.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: expand file...")
	}
	for _, name := range args {
		text := os.Expand(ts.ReadFile(name), func(key string) string { return filepath.ToSlash(ts.Getenv(key)) })
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}
