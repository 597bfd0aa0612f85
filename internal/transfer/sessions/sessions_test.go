package sessions_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/hooks"
	"memory-graph/internal/transfer/sessions"
	"memory-graph/internal/transfer/sessions/generated"
)

// turn is what a hook stored, or an import would store.
type turn struct {
	Key     string `json:"idempotency_key"`
	Session string `json:"session_id"`
	Role    string `json:"role"`
	Speaker string `json:"speaker"`
	Content string `json:"content"`
}

// hooked reads the turns that the hooks of a host stored while the fixtures were made.
func hooked(t *testing.T, host string) (turns []turn) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", host, "hooks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var one turn
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		turns = append(turns, one)
	}
	return turns
}

// below returns the fixtures of a host as a home directory, in which the host's directory has a dot.
func below(t *testing.T, host string) string {
	t.Helper()
	home := t.TempDir()
	entries, err := os.ReadDir(filepath.Join("testdata", host))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := os.CopyFS(filepath.Join(home, "."+e.Name()), os.DirFS(filepath.Join("testdata", host, e.Name()))); err != nil {
				t.Fatal(err)
			}
		}
	}
	return home
}

func find(t *testing.T, host, home string) []sessions.File {
	t.Helper()
	files, err := sessions.Find(t.Context(), host, sessions.Dirs(host, func(string) string { return "" }, home))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// read reads all files of a host, each entry once.
func read(t *testing.T, files []sessions.File) (all []sessions.Turn, skipped sessions.Skipped) {
	t.Helper()
	seen := map[string]bool{}
	for _, f := range files {
		s, err := f.Read(t.Context(), func(x sessions.Turn) error {
			if x.ID == "" || !seen[x.ID] {
				all = append(all, x)
			}
			seen[x.ID] = true
			return nil
		}, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		skipped.Add(s)
	}
	return all, skipped
}

func kept(all []sessions.Turn) (turns []turn) {
	for _, x := range all {
		if c, ok := x.Turn(x.At, hooks.Keeping{MaxBytes: 1 << 20, Server: "memory-graph"}); ok {
			turns = append(turns, turn{c.Key, x.Session, string(c.Role), c.Speaker, c.Text})
		}
	}
	return turns
}

// The fixtures are what the real hosts wrote while hooks stored the same sessions. Of subagents and summaries the hooks
// stored the answer, and an import takes nothing.
func TestRead_BringsWhatTheHooksBroughtWithTheSameKeys(t *testing.T) {
	t.Parallel()
	for host, c := range map[string]struct {
		turns, onlyHooked int
		keys              bool // the file has the ids that the hooks got
	}{"claude-code": {19, 2, true}, "codex": {10, 0, true}, "gemini-cli": {10, 0, false}} {
		all, skipped := read(t, find(t, host, below(t, host)))
		got := kept(all)
		if len(got) != c.turns || skipped != (sessions.Skipped{}) {
			t.Errorf("%s: %d turns, %+v", host, len(got), skipped)
		}
		left := hooked(t, host)
		for _, g := range got {
			i := 0
			for ; i < len(left); i++ {
				if !c.keys {
					left[i].Key = g.Key
				}
				if left[i] == g {
					break
				}
			}
			if i == len(left) {
				t.Errorf("%s: no hook brought %+v", host, g)
				continue
			}
			left = append(left[:i], left[i+1:]...)
		}
		if len(left) != c.onlyHooked {
			t.Errorf("%s: left out: %+v", host, left)
		}
		for _, x := range all {
			if !x.Dated || x.At.Format(time.DateOnly) != "2026-11-23" || !strings.HasPrefix(x.Dir, "/mnt/"+host) || x.ID == "" {
				t.Errorf("%s: %+v", host, x)
			}
		}
	}
}

// one writes a session and returns its turns as "role: content".
func one(t *testing.T, host, path, text string) (said []string, skipped sessions.Skipped) {
	t.Helper()
	home := t.TempDir()
	path = filepath.Join(home, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	all, skipped := read(t, find(t, host, home))
	for _, k := range kept(all) {
		said = append(said, k.Role+": "+k.Content)
	}
	return said, skipped
}

const claudeFile = ".claude/projects/-src/0.jsonl"

// claudeUser and claudeSays are lines of Claude Code.
func claudeUser(text, more string) string {
	return fmt.Sprintf(`{"type":"user","sessionId":"s","cwd":"/src",%s"timestamp":"2026-01-02T03:04:05.678Z","message":{"role":"user","content":%q}}`+
		"\n", more, text)
}

func claudeSays(part, more string) string {
	return fmt.Sprintf(`{"type":"assistant","sessionId":"s",%s"message":{"id":"m","content":[%s]}}`+"\n", more, part)
}

func TestClaude_LeavesOutWhatNobodySaid(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, s) }
	const use = `{"type":"tool_use","id":"u","name":"Bash","input":{"command":"make"}}`
	result := `{"type":"user","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"u","content":%q,"is_error":%t}]}}` + "\n"
	for name, c := range map[string]struct {
		lines string
		want  []string
	}{
		"reminders": {claudeUser("<system-reminder>x</system-reminder>Hello<system-reminder>y</system-reminder>", ""),
			[]string{"user: Hello"}},
		"a subagent":   {claudeUser("Scout", `"isSidechain":true,`), nil},
		"the host":     {claudeUser("Caveat", `"isMeta":true,`), nil},
		"a summary":    {claudeUser("This session", `"isCompactSummary":true,`), nil},
		"a command":    {claudeUser("<command-name>/clear</command-name>", ""), nil},
		"an interrupt": {claudeUser("[Request interrupted by user for tool use]", ""), nil},
		"a command with words": {claudeUser("<command-name>/fix</command-name><command-message>fix</command-message>"+
			"<command-args>the login</command-args>", ""), []string{"user: /fix the login"}},
		"a remark before a tool": {claudeSays(text("I look."), "") + claudeSays(use, "") + fmt.Sprintf(result, "ok", false) +
			claudeSays(text("Done."), ""), []string{"tool: Bash: make\n→ ok", "assistant: Done."}},
		"a remark before the end of the file": {claudeUser("Hi", "") + claudeSays(text("I look."), "") + claudeSays(use, ""),
			[]string{"user: Hi"}},
		"a tool that failed": {claudeSays(use, "") + fmt.Sprintf(result, "no", true),
			[]string{"tool: Bash: make\n→ failed: no"}},
		"a tool that was not allowed": {claudeSays(use, "") +
			fmt.Sprintf(result, "The user doesn't want to proceed with this tool use. The tool use was rejected", true), nil},
		"a result without its use": {fmt.Sprintf(result, "ok", false), nil},
		"an error of the host":     {claudeSays(text("API Error"), `"isApiErrorMessage":true,`), nil},
		"a message in parts": {claudeSays(text("One."), "") + claudeSays(text("Two."), ""),
			[]string{"assistant: One.\nTwo."}},
		"an answer that another message follows": {claudeSays(text("One."), "") +
			strings.Replace(claudeSays(text("Two."), ""), `"m"`, `"n"`, 1), []string{"assistant: Two."}},
		"typed during the work": {`{"type":"attachment","sessionId":"s","attachment":{"type":"queued_command","prompt":"Stop"}}` +
			"\n", []string{"user: Stop"}},
		"an image": {`{"type":"user","sessionId":"s","message":{"content":[{"type":"image","source":{"data":"AAAA"}},` +
			text("What is this?") + `]}}` + "\n", []string{"user: What is this?"}},
	} {
		got, skipped := one(t, "claude-code", claudeFile, c.lines)
		if diff := cmp.Diff(c.want, got); diff != "" || skipped != (sessions.Skipped{}) {
			t.Errorf("%s: %+v\n%s", name, skipped, diff)
		}
	}
}

func TestRead_SkipsLinesThatAreTooLongOrBrokenAndCountsThem(t *testing.T) {
	t.Parallel()
	long := claudeUser("Hi", fmt.Sprintf(`"image":%q,`, strings.Repeat("A", sessions.MaxLine)))
	got, skipped := one(t, "claude-code", claudeFile, claudeUser("One", "")+long+"{\"type\":\"user\"\n"+
		claudeUser("Two", "")+`{"type":"user","message":{"content":"being writ`)
	if diff := cmp.Diff([]string{"user: One", "user: Two"}, got); diff != "" || skipped != (sessions.Skipped{Long: 1, Broken: 1}) {
		t.Errorf("%+v\n%s", skipped, diff)
	}
}

func TestRead_EndsWithItsContextAndWithTheErrorOfItsCaller(t *testing.T) {
	t.Parallel()
	files := find(t, "claude-code", below(t, "claude-code"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	full := errors.New("the disk is full")
	if _, err := files[0].Read(ended, func(sessions.Turn) error { return nil }, func(int) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := files[0].Read(t.Context(), func(sessions.Turn) error { return full }, func(int) {}); !errors.Is(err, full) {
		t.Error(err)
	}
}

func TestCodex_ReadsOlderVersions(t *testing.T) {
	t.Parallel()
	got, _ := one(t, "codex", ".codex/sessions/2025/10/01/rollout-x.jsonl", strings.Join([]string{
		`{"timestamp":"2025-10-01T10:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/src","source":"cli"}}`,
		`{"timestamp":"2025-10-01T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}}`,
		`{"timestamp":"2025-10-01T10:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}}`,
		`{"timestamp":"2025-10-01T10:00:03Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c"}}`,
		`{"timestamp":"2025-10-01T10:00:04Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"{\"output\":\"a\\n\",\"metadata\":{\"exit_code\":0}}"}}`,
		`{"timestamp":"2025-10-01T10:00:05Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"One file."}]}}`,
	}, "\n"))
	if diff := cmp.Diff([]string{"user: Hi", "tool: Bash: ls\n→ a", "assistant: One file."}, got); diff != "" {
		t.Error(diff)
	}
	got, _ = one(t, "codex", ".codex/sessions/rollout-y.jsonl", `{"type":"session_meta","payload":{"id":"s","source":{"subagent":"review"}}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Review"}]}}`)
	if got != nil {
		t.Errorf("a subagent: %q", got)
	}
}

func TestGemini_ReadsOneObject(t *testing.T) {
	t.Parallel()
	got, _ := one(t, "gemini-cli", ".gemini/tmp/abc/chats/session-1.json", `{"sessionId":"s","startTime":"2025-12-01T10:00:00Z","messages":[
		{"id":"1","timestamp":"2025-12-01T10:00:00Z","type":"user","content":"Hi"},
		{"id":"2","timestamp":"2025-12-01T10:00:01Z","type":"info","content":"Update"},
		{"id":"3","timestamp":"2025-12-01T10:00:02Z","type":"gemini","content":"Hello."}]}`)
	if diff := cmp.Diff([]string{"user: Hi", "assistant: Hello."}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCursor_ReadsTranscripts(t *testing.T) {
	t.Parallel()
	const lines = `{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nHi\n</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"I look."},{"type":"tool_use","name":"Grep","input":{}}]}}
{"type":"turn_ended","status":"success"}
{"role":"assistant","message":{"content":[{"type":"text","text":"Hello."}]}}`
	got, _ := one(t, "cursor", ".cursor/projects/src-shop/agent-transcripts/s/s.jsonl", lines)
	if diff := cmp.Diff([]string{"user: Hi", "assistant: Hello."}, got); diff != "" {
		t.Error(diff)
	}
	if got, _ = one(t, "cursor", ".cursor/projects/x/agent-transcripts/s/subagents/a.jsonl", lines); got != nil {
		t.Errorf("a subagent: %q", got)
	}
}

func TestFind_FindsTheDirectoryOfATranscriptOfCursor(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	work := filepath.Join(home, "my.shop", "front-end")
	name := strings.Trim(strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(work), "-")
	path := filepath.Join(home, ".cursor/projects", name, "agent-transcripts/s/s.jsonl")
	if err := errors.Join(os.MkdirAll(work, 0o700), os.MkdirAll(filepath.Dir(path), 0o700),
		os.WriteFile(path, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	files := find(t, "cursor", home)
	if len(files) != 1 || files[0].Dir != work || files[0].Session != "s" {
		t.Errorf("%+v", files)
	}
}

func TestGenerated_HasTheTurnsThatItSays(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if err := generated.Write(filepath.Join(home, ".claude", "projects"), generated.Options{Sessions: 3, Bytes: 600_000,
		Image: sessions.MaxLine}); err != nil {
		t.Fatal(err)
	}
	all, skipped := read(t, find(t, "claude-code", home))
	if got := len(kept(all)); got != 3*generated.Turns || skipped.Long != 1 {
		t.Errorf("%d turns, %+v", got, skipped)
	}
}

// fuzzed runs a reader on any file. It must end without a panic, and texts are valid.
func fuzzed(f *testing.F, host, path string) {
	for _, seed := range seeds(f, host) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
			t.Fatal(err)
		}
		file := sessions.File{Host: host, Path: path, Session: "s", Size: int64(len(text)), Modified: time.Unix(1, 0)}
		read, lines := 0, 0
		if _, err := file.Read(t.Context(), func(x sessions.Turn) error {
			if c, ok := x.Turn(x.At, hooks.Keeping{MaxBytes: 1000}); ok && (len(c.Text) > 1200 || x.At.IsZero()) {
				t.Errorf("%d bytes at %v", len(c.Text), x.At)
			}
			lines++
			return nil
		}, func(n int) { read += n }); err != nil {
			t.Error(err)
		}
		if read > len(text) {
			t.Errorf("%d of %d bytes read", read, len(text))
		}
	})
}

// seeds returns each short line of the fixtures, after the first line of its file.
func seeds(f *testing.F, host string) (texts [][]byte) {
	f.Helper()
	err := filepath.WalkDir(filepath.Join("testdata", host), func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		text, err := os.ReadFile(path)
		all := bytes.SplitAfter(text, []byte("\n"))
		for _, line := range all {
			if len(line) < 1500 {
				texts = append(texts, append(bytes.Clone(all[0]), line...))
			}
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		f.Fatal(err)
	}
	return texts
}

func FuzzClaude(f *testing.F) { fuzzed(f, "claude-code", "s.jsonl") }
func FuzzCodex(f *testing.F)  { fuzzed(f, "codex", "s.jsonl") }
func FuzzGemini(f *testing.F) { fuzzed(f, "gemini-cli", "s.jsonl") }
func FuzzGeminiObject(f *testing.F) {
	f.Add([]byte(`{"sessionId":"s","messages":[{"id":"1","type":"user","content":"Hi"}]}`))
	fuzzed(f, "gemini-cli", "s.json")
}
func FuzzCursor(f *testing.F) {
	f.Add([]byte(`{"role":"user","message":{"content":[{"type":"text","text":"Hi"}]}}`))
	fuzzed(f, "cursor", "s.jsonl")
}
