package command_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/command"
	"memory-graph/internal/waitfor"
)

func TestSplit_KeepsWhatIsQuotedTogether(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"claude -p":                                {"claude", "-p"},
		"  ollama\trun   qwen3:8b ":                {"ollama", "run", "qwen3:8b"},
		`llm -s "be short" -m 'a b'`:               {"llm", "-s", "be short", "-m", "a b"},
		`claude --tools ""`:                        {"claude", "--tools", ""},
		`x "say \"hi\" to C:\dir\\"`:               {"x", `say "hi" to C:\dir\`},
		`x 'no \" escapes' a\b`:                    {"x", `no \" escapes`, `a\b`},
		`x pre"fix and"post`:                       {"x", "prefix andpost"},
		"x $HOME ~ *.txt `id` $(id) a|b":           {"x", "$HOME", "~", "*.txt", "`id`", "$(id)", "a|b"},
		"/opt/my/ask --json":                       {"/opt/my/ask", "--json"},
		`claude --settings '{"a":"b c","d":true}'`: {"claude", "--settings", `{"a":"b c","d":true}`},
		`ask --separator '|' ">" '2>&1' a'&'`:      {"ask", "--separator", "|", ">", "2>&1", "a&"},
		`/opt/a=b/ask --key=v`:                     {"/opt/a=b/ask", "--key=v"},
	} {
		if runtime.GOOS == "windows" && strings.HasPrefix(line, "/") {
			continue
		}
		got, err := command.Split(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", line, d)
		}
	}
}

func TestSplit_RefusesWhatNeedsAShell(t *testing.T) {
	t.Parallel()
	for line, why := range map[string]string{
		"":                        "names no program",
		" \t":                     "names no program",
		`"" x`:                    "names no program",
		`claude "-p`:              "not closed",
		"claude 'p":               "not closed",
		"cat | claude -p":         "operator of a shell",
		"claude -p > out":         "operator of a shell",
		"./ask":                   "relative path",
		"bin/ask":                 "relative path",
		"../ask -p":               "relative path",
		"FOO=1 && claude -p":      "operator of a shell",
		`a '|' b | c`:             "operator of a shell",
		"API_KEY=hunter2 claude":  "API_KEY=… sets a variable",
		"cd /tmp ; claude -p":     "operator of a shell",
		"claude -p && rm -rf /":   "operator of a shell",
		"claude -p 2>&1":          "operator of a shell",
		"claude -p < prompt.text": "operator of a shell",
	} {
		if _, err := command.Split(line); err == nil || !strings.Contains(err.Error(), why) ||
			strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v, want %q", line, err, why)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, line := range []string{"claude -p", `a "b \" c" 'd'`, `"`, `'a`, `\`, "\x00"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args, err := command.Split(line)
		if err != nil {
			return
		}
		if len(args) == 0 || args[0] == "" {
			t.Fatalf("%q: %q", line, args)
		}
		var quoted []string
		for _, a := range args {
			if strings.Contains(a, "'") {
				return
			}
			quoted = append(quoted, "'"+a+"'")
		}
		again, err := command.Split(strings.Join(quoted, " "))
		if err != nil || !slices.Equal(args, again) {
			t.Fatalf("%q: %q, quoted again %q, %v", line, args, again, err)
		}
	})
}

func TestQuiet_SwitchesOffToolsServersAndHooks(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"claude -p": `claude -p --tools  --strict-mcp-config --settings {"disableAllHooks":true} ` +
			`--no-session-persistence`,
		"claude --print --model haiku --tools=Read": `claude --print --model haiku --tools=Read ` +
			`--strict-mcp-config --settings {"disableAllHooks":true} --no-session-persistence`,
		"codex exec -m small": "codex exec -m small --ignore-user-config --ephemeral " +
			"--skip-git-repo-check --sandbox read-only",
		"codex exec --skip-git-repo-check -s read-only": "codex exec --skip-git-repo-check -s read-only " +
			"--ignore-user-config --ephemeral",
		"gemini -p Brief --extensions=x": "gemini -p Brief --extensions=x --allowed-mcp-server-names none",
		"gemini -p": "gemini -p Answer as the text above asks. " +
			"--allowed-mcp-server-names none --extensions none",
		"ollama run qwen3": "ollama run qwen3",
		"llm -m small":     "llm -m small",
	} {
		args, err := command.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(command.Quiet(args), " "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", line, got, want)
		}
	}
}

// TestMain lets this test binary play commands: the first argument names what it does.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "-play" {
		play(os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

func play(args []string) {
	in := make([]byte, 1<<16)
	n, _ := os.Stdin.Read(in)
	switch args[0] {
	case "echo":
		fmt.Printf("heard %s", in[:n])
	case "where":
		dir, _ := os.Getwd()
		list, _ := os.ReadDir(".")
		fmt.Printf("%s %d\n%s", filepath.Base(dir), len(list), strings.Join(os.Environ(), "\n"))
	case "exit":
		fmt.Fprint(os.Stderr, "no credit left")
		os.Exit(3)
	case "much":
		for {
			if _, err := os.Stdout.Write(make([]byte, 1<<16)); err != nil {
				os.Exit(1)
			}
		}
	case "litter": // leaves a process that holds the pipes, and tells its pid in a file
		child, err := os.StartProcess(os.Args[0], []string{os.Args[0], "-play", "sleeper", args[1]},
			&os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}, Env: os.Environ()})
		if err != nil {
			os.Exit(1)
		}
		_ = os.WriteFile(args[1], fmt.Append(nil, child.Pid), 0o600)
		if len(args) > 2 {
			<-time.After(time.Hour)
		}
		fmt.Print("done")
	case "sleeper":
		<-time.After(time.Hour)
	}
}

func run(t *testing.T, ctx context.Context, env []string, args ...string) (string, error) {
	t.Helper()
	out, err := command.Run(ctx, append([]string{os.Args[0], "-play"}, args...), env, "a prompt", 1<<20)
	return string(out), err
}

func TestRun_GivesThePromptAndReturnsTheAnswer(t *testing.T) {
	t.Parallel()
	if out, err := run(t, t.Context(), os.Environ(), "echo"); err != nil || out != "heard a prompt" {
		t.Errorf("%q, %v", out, err)
	}
}

func TestRun_IsInAnEmptyDirectoryWithoutOurVariables(t *testing.T) {
	t.Parallel()
	env := append(os.Environ(), "MEMORY_GRAPH_TOKEN=hunter2", "MEMORY_GRAPH_DB=/x", "CLAUDECODE=1", "KEPT=yes")
	out, err := run(t, t.Context(), env, "where")
	if err != nil {
		t.Fatal(err)
	}
	place, vars, _ := strings.Cut(out, "\n")
	if !strings.HasPrefix(place, command.DirPrefix) || !strings.HasSuffix(place, " 0") {
		t.Errorf("it ran in %s", place)
	}
	list := strings.Split(vars, "\n")
	for _, v := range list {
		if strings.HasPrefix(v, "MEMORY_GRAPH_") && v != command.OffVariable+"=1" || strings.HasPrefix(v, "CLAUDECODE") {
			t.Errorf("it sees %s", v)
		}
	}
	if !slices.Contains(list, "KEPT=yes") || command.Inside(list, "/") == "" {
		t.Errorf("it sees %q", list)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), strings.Fields(place)[0])); len(left) > 0 {
		t.Errorf("its directory is left: %s", left)
	}
}

func TestRun_TellsWhyThereIsNoAnswer(t *testing.T) {
	t.Parallel()
	var exit *command.ExitError
	if _, err := run(t, t.Context(), nil, "exit"); !errors.As(err, &exit) || exit.Code != 3 ||
		exit.Said != "no credit left" {
		t.Errorf("error %v", err)
	}
	if _, err := run(t, t.Context(), nil, "much"); !errors.Is(err, command.ErrTooLong) {
		t.Errorf("error %v, want ErrTooLong", err)
	}
	_, err := command.Run(t.Context(), []string{"no-such-program-here"}, nil, "", 10)
	if !errors.Is(err, command.ErrNotFound) {
		t.Errorf("error %v, want ErrNotFound", err)
	}
}

func TestRun_KillsTheWholeGroup(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the test asks for a process by signal 0")
	}
	for _, hangs := range []bool{true, false} {
		file := filepath.Join(t.TempDir(), "pid")
		over := errors.New("the time is over")
		ctx, cancel := context.WithCancelCause(t.Context())
		args := []string{"litter", file}
		if hangs {
			args = append(args, "hangs")
			go func() {
				waitfor.Within(waitfor.Patience, func() bool {
					b, err := os.ReadFile(file)
					return err == nil && len(b) > 0
				})
				cancel(over)
			}()
		}
		out, err := run(t, ctx, os.Environ(), args...)
		if hangs && !errors.Is(err, over) || !hangs && (err != nil || out != "done") {
			t.Errorf("hangs %v: %q, %v", hangs, out, err)
		}
		cancel(nil)
		var pid int
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscan(string(b), &pid); err != nil {
			t.Fatal(err)
		}
		waitfor.Until(t, "the process that it started ended", func() bool {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
			if err == nil && strings.Contains(string(stat), ") Z ") {
				return true // killed; nobody has waited for it
			}
			p, err := os.FindProcess(pid)
			return err != nil || p.Signal(syscall.Signal(0)) != nil
		})
	}
}

// A program may drop the environment, so the directory alone tells. No name that a person gives is taken for one.
func TestInside_RecognisesOnlyOurDirectory(t *testing.T) {
	t.Parallel()
	out, err := run(t, t.Context(), os.Environ(), "where")
	if err != nil {
		t.Fatal(err)
	}
	ours := filepath.Join(t.TempDir(), strings.Fields(out)[0])
	if why := command.Inside([]string{"A=b"}, ours); !strings.Contains(why, ours) {
		t.Errorf("the directory of a command is not recognised: %q", why)
	}
	if why := command.Inside([]string{command.OffVariable + "=1"}, "/"); !strings.Contains(why, command.OffVariable) {
		t.Errorf("the variable is not recognised: %q", why)
	}
	for _, dir := range []string{"", "/home/ann/memory-graph", "/tmp/memory-graph-model-123",
		"/tmp/memory-graph-model-notes", "/tmp/memory-graph-model-", "/tmp/memory-graph-model--", ours + "a", ours + "/src",
		filepath.Join("/tmp", strings.TrimSuffix(filepath.Base(ours), filepath.Base(ours)[len(filepath.Base(ours))-1:]))} {
		if why := command.Inside([]string{command.OffVariable + "="}, dir); why != "" {
			t.Errorf("%q: %s", dir, why)
		}
	}
}
