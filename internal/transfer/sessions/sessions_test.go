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
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

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
			from := os.DirFS(filepath.Join("testdata", host, e.Name()))
			if err := os.CopyFS(filepath.Join(home, "."+e.Name()), from); err != nil {
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
			if !x.Dated || x.At.Format(time.DateOnly) != "2026-11-23" || !strings.HasPrefix(x.Dir, "/mnt/"+host) ||
				x.ID == "" {
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
	return fmt.Sprintf(`{"type":"user","sessionId":"s","cwd":"/src",%s"timestamp":"2026-01-02T03:04:05.678Z",`+
		`"message":{"role":"user","content":%q}}`+"\n", more, text)
}

func claudeSays(part, more string) string {
	return fmt.Sprintf(`{"type":"assistant","sessionId":"s",%s"message":{"id":"m","content":[%s]}}`+"\n", more, part)
}

func TestRead_DatesAnUndatedTurnByItsSession(t *testing.T) {
	t.Parallel()
	line := func(timestamp, text string) string {
		return fmt.Sprintf(`{"type":"user","sessionId":"s","timestamp":%q,"message":{"content":%q}}`+"\n", timestamp, text)
	}
	undated, future := line("garbage", "One"), line("2999-01-01T00:00:00Z", "Two")
	for name, c := range map[string]struct{ file, lines, want string }{
		"the turn before": {"s", line("2025-03-04T05:06:07Z", "A") + line("2025-03-04T05:07:08Z", "B") + undated,
			"05:07:08"},
		"the session":        {"s", undated + line("2025-03-04T05:06:07Z", "A"), "05:06:07"},
		"the file's name":    {"rollout-2025-03-04T05-08-00-id", undated, "05:08:00"},
		"the file":           {"s", undated, "05:09:00"},
		"a turn yet to come": {"s", future + undated, "05:09:00"},
	} {
		home := t.TempDir()
		path := filepath.Join(home, ".claude/projects/p", c.file+".jsonl")
		written := time.Date(2025, 3, 4, 5, 9, 0, 0, time.UTC)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(c.lines), 0o600),
			os.Chtimes(path, written, written)); err != nil {
			t.Fatal(err)
		}
		all, _ := read(t, find(t, "claude-code", home))
		for _, x := range all {
			if got := x.At.Format(time.TimeOnly); x.Text == "One" && (got != c.want || x.Dated || x.At.Year() != 2025) {
				t.Errorf("%s: %v, want %s", name, x.At, c.want)
			}
		}
		if len(all) == 0 {
			t.Errorf("%s: no turn", name)
		}
	}
}

func TestClaude_LeavesOutWhatNobodySaid(t *testing.T) {
	t.Parallel()
	text := func(s string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, s) }
	const use = `{"type":"tool_use","id":"u","name":"Bash","input":{"command":"make"}}`
	result := `{"type":"user","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"u",` +
		`"content":%q,"is_error":%t}]}}` + "\n"
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
		"a remark before a tool": {claudeSays(text("I look."), "") + claudeSays(use, "") +
			fmt.Sprintf(result, "ok", false) + claudeSays(text("Done."), ""),
			[]string{"tool: Bash: make\n→ ok", "assistant: Done."}},
		"a remark before the end of the file": {claudeUser("Hi", "") + claudeSays(text("I look."), "") +
			claudeSays(use, ""), []string{"user: Hi"}},
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
		"typed during the work": {`{"type":"attachment","sessionId":"s",` +
			`"attachment":{"type":"queued_command","prompt":"Stop"}}` + "\n", []string{"user: Stop"}},
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
	want := sessions.Skipped{Long: 1, Broken: 1}
	if diff := cmp.Diff([]string{"user: One", "user: Two"}, got); diff != "" || skipped != want {
		t.Errorf("%+v\n%s", skipped, diff)
	}
}

func TestRead_EndsWithItsContextAndWithTheErrorOfItsCaller(t *testing.T) {
	t.Parallel()
	files := find(t, "claude-code", below(t, "claude-code"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	full := errors.New("the disk is full")
	visit := func(err error) func(sessions.Turn) error { return func(sessions.Turn) error { return err } }
	if _, err := files[0].Read(ended, visit(nil), func(int) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := files[0].Read(t.Context(), visit(full), func(int) {}); !errors.Is(err, full) {
		t.Error(err)
	}
}

// The files of small.txtar have the forms of older versions, and of Cursor, by their documentation.
func TestRead_ReadsOtherForms(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "small.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		host, file, path string
		want             []string
	}{
		{"codex", "codex", ".codex/sessions/2025/10/01/rollout-x.jsonl",
			[]string{"user: Hi", "tool: Bash: ls\n→ a", "assistant: One file."}},
		{"codex", "codex subagent", ".codex/sessions/rollout-y.jsonl", nil},
		{"gemini-cli", "gemini", ".gemini/tmp/abc/chats/session-1.json", []string{"user: Hi", "assistant: Hello."}},
		{"cursor", "cursor", ".cursor/projects/src-shop/agent-transcripts/s/s.jsonl",
			[]string{"user: Hi", "assistant: Hello."}},
		{"cursor", "cursor", ".cursor/projects/src-shop/agent-transcripts/s/subagents/a.jsonl", nil},
	} {
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == c.file })
		got, skipped := one(t, c.host, c.path, string(archive.Files[i].Data))
		if diff := cmp.Diff(c.want, got); diff != "" || skipped != (sessions.Skipped{}) {
			t.Errorf("%s: %+v\n%s", c.path, skipped, diff)
		}
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
