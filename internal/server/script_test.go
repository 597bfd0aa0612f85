package server_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/server"
	"memory-graph/tools"
)

var update = flag.Bool("update", false, "write the answers into the scripts")

// TestScripts plays the exchanges in testdata/mcp, each with a new database. The server in this process and the built
// program must give the same answers. A script is a txtar archive with the file "exchange" and an optional file "env"
// (KEY=value lines). In the exchange, a line after "> " is sent, and the test waits for its answer. CURSOR in it stands
// for the last next_cursor. A line after "! " is sent without waiting. All other lines are the answers, which -update
// writes.
func TestScripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "mcp", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name+"/in process", func(t *testing.T) {
			t.Parallel()
			playScript(t, file, *update, inProcess)
		})
		t.Run(name+"/built", func(t *testing.T) {
			t.Parallel()
			if testing.Short() {
				t.Skip("builds the program")
			}
			playScript(t, file, false, built)
		})
	}
}

// start runs a server with an environment. It returns its stdin, its stdout, and a function that waits for its end.
type start func(t *testing.T, env []string) (io.WriteCloser, io.Reader, func() error)

func playScript(t *testing.T, file string, renew bool, begin start) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	// Without an embedder there is no background work, and the answers are the same in every run.
	env := []string{"HOME=" + home, "MEMORY_GRAPH_DB=" + filepath.Join(home, "memory.db"), "MEMORY_GRAPH_EMBEDDER=none",
		"XDG_CACHE_HOME=" + cacheHome(), "LOCALAPPDATA=" + home, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	var exchange *txtar.File
	for i, f := range archive.Files {
		switch f.Name {
		case "env":
			env = append(env, strings.Fields(string(f.Data))...)
		case "exchange":
			exchange = &archive.Files[i]
		default:
			t.Fatalf("%s: unknown file %q", file, f.Name)
		}
	}
	if exchange == nil {
		t.Fatalf("%s: no exchange", file)
	}
	got := converseBy(t, string(exchange.Data), env, begin)
	if renew {
		exchange.Data = []byte(got)
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(exchange.Data), got); diff != "" {
		t.Errorf("the answers differ; if that is intended, update them with -update:\n%s", diff)
	}
}

// cacheHome lets the tests share SQLite's compiled module, which takes a second to compile.
func cacheHome() string {
	if dir := os.Getenv("XDG_CACHE_HOME"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return os.TempDir()
	}
	return dir
}

// converseBy sends the lines of an exchange and returns the exchange with the received answers.
func converseBy(t *testing.T, exchange string, env []string, begin start) string {
	t.Helper()
	stdin, stdout, wait := begin(t, env)
	r := bufio.NewReader(stdout)
	var out strings.Builder
	cursor := "" // the last one received
	for line := range strings.Lines(exchange) {
		send, answered := strings.CutPrefix(line, "> ")
		if !answered {
			var silent bool
			if send, silent = strings.CutPrefix(line, "! "); !silent {
				continue
			}
		}
		out.WriteString(line)
		send = strings.ReplaceAll(send, "CURSOR", cursor)
		if _, err := io.WriteString(stdin, send); err != nil {
			t.Fatalf("send %.100s: %v", send, err)
		}
		if !answered {
			continue
		}
		answer, err := r.ReadBytes('\n')
		if err != nil {
			t.Fatalf("no answer to %.100s: %v", send, err)
		}
		if m := nextCursor.FindSubmatch(answer); m != nil {
			cursor = string(m[1])
		}
		out.WriteString(tidy(t, answer))
	}
	if err := stdin.Close(); err != nil {
		t.Errorf("close stdin: %v", err)
	}
	rest, err := io.ReadAll(r)
	if err != nil || len(rest) > 0 {
		t.Errorf("unexpected output after the answers: %q, %v", rest, err)
	}
	if err := wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	return out.String()
}

// tidy formats an answer and makes it the same in every run. It indents it, and removes values that depend on the
// clock, the release or the ranking weights, the instructions, and the text that repeats the structured content.
func tidy(t *testing.T, answer []byte) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(answer, &m); err != nil {
		t.Fatalf("stdout contains a line that is not JSON-RPC: %q", answer)
	}
	if res, ok := m["result"].(map[string]any); ok {
		if content, ok := res["content"].([]any); ok && len(content) == 1 {
			item, _ := content[0].(map[string]any)
			text, _ := item["text"].(string)
			var same any
			if json.Unmarshal([]byte(text), &same) == nil && cmp.Equal(same, res["structuredContent"]) {
				delete(res, "content")
			}
		}
		if _, ok := res["instructions"]; ok {
			res["instructions"] = "INSTRUCTIONS"
		}
		if info, ok := res["serverInfo"].(map[string]any); ok {
			info["version"] = "VERSION"
		}
		if body, ok := res["structuredContent"].(map[string]any); ok && body["strategy"] != "ids" &&
			body["strategy"] != "newest" && body["match"] != nil {
			body["match"] = "MATCH"
		}
		still(res["structuredContent"])
		if meta, ok := res["_meta"].(map[string]any); ok {
			if info, ok := meta["io.modelcontextprotocol/serverInfo"].(map[string]any); ok {
				info["version"] = "VERSION"
			}
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		t.Fatal(err)
	}
	text := score.ReplaceAllString(createdAt.ReplaceAllString(b.String(), `"created_at": "TIME"`), `$1: "SCORE"`)
	return times.ReplaceAllStringFunc(calls.ReplaceAllString(text, `$1: "CALL"`), recent)
}

// still rounds confidences, so that their decay during a test does not show.
func still(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			if c, ok := inner.(float64); ok && k == "confidence" {
				v[k] = math.Round(c*1000) / 1000
				continue
			}
			still(inner)
		}
	case []any:
		for _, inner := range v {
			still(inner)
		}
	}
}

// recent returns NOW and TODAY for a time and a date of the current run, and other values unchanged.
func recent(s string) string {
	now := time.Now().UTC()
	const slack = time.Hour
	if len(s) == len(time.DateOnly) {
		if s == now.Add(-slack).Format(time.DateOnly) || s == now.Add(slack).Format(time.DateOnly) {
			return "TODAY"
		}
		return s
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateTime} {
		if t, err := time.Parse(layout, s); err == nil && now.Sub(t).Abs() < slack {
			return "NOW"
		}
	}
	return s
}

var nextCursor = regexp.MustCompile(`"next_cursor":"([^"]*)"`)

var (
	createdAt = regexp.MustCompile(`"created_at": "[^"]*"`)
	times     = regexp.MustCompile(`\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}:\d{2}(\.\d+)?Z?)?`)
	calls     = regexp.MustCompile(`("call_id"|"undone_by"): "[-0-9a-f]{36}"`)
	score     = regexp.MustCompile(`("score"|"best_below"): [-0-9.e]+`)
)

func inProcess(t *testing.T, env []string) (io.WriteCloser, io.Reader, func() error) {
	t.Helper()
	cfg, _, err := config.Load(config.LoadOptions{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	eng, err := engine.Start(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	o := server.Options{Tools: tools.Defaults(), Version: "test"}
	o.Tools.ReadOnly, o.Tools.Namespace, o.Tools.Toolsets = cfg.ReadOnly, cfg.Namespace, cfg.Toolsets
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	served := make(chan error, 1)
	go func() {
		err := server.ServeStdio(t.Context(), tools.Of(eng), o, inR, outW)
		outW.Close()
		eng.Close()
		served <- err
	}()
	return inW, outR, func() error { return <-served }
}

// programDir is the directory of the built program; TestMain removes it.
var programDir string

// program returns the path of the built program, which is built once for all scripts.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "memory-graph-test")
	if err != nil {
		return "", err
	}
	programDir = dir
	bin := filepath.Join(dir, "memory-graph")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", bin, "memory-graph").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return bin, nil
})

func built(t *testing.T, env []string) (io.WriteCloser, io.Reader, func() error) {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), bin)
	cmd.Env = env
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return stdin, stdout, cmd.Wait
}
