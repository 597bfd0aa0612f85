package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/engine"
	"memory-graph/internal/hooks"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/transfer/sessions"
	"memory-graph/internal/transfer/sessions/generated"
	"memory-graph/store"
)

// claudeSession writes a session of Claude Code: prompts "user|id|text" and answers "assistant|text", a minute apart.
func claudeSession(t *testing.T, dir, name string, said ...string) {
	t.Helper()
	var b strings.Builder
	for i, s := range said {
		at := fmt.Sprintf("2026-01-02T03:%02d:04Z", i)
		parts := strings.Split(s, "|")
		fmt.Fprintf(&b, `{"type":%q,"uuid":"%s-%d","sessionId":%q,"cwd":"/src/shop","timestamp":%q,"promptId":%q,`+
			`"message":{"id":"m%d","content":[{"type":"text","text":%q}]}}`+"\n", parts[0], name, i, name, at,
			parts[1], i, parts[len(parts)-1])
	}
	path := filepath.Join(dir, "p", name+".jsonl")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
		os.WriteFile(path, []byte(b.String()), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// importSessions imports the sessions of Claude Code in a directory.
func importSessions(t *testing.T, ctx context.Context, e *engine.Engine, dir string,
	change ...func(*engine.SessionsRequest)) (found []engine.SessionFile, done engine.SessionsReport, err error) {
	t.Helper()
	files, err := sessions.Find(t.Context(), "claude-code", []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	req := engine.SessionsRequest{Files: files, Progress: func(int) {},
		Problem: func(path, why string) { t.Errorf("%s: %s", path, why) }, Keeping: hooks.Keeping{MaxBytes: 1 << 20},
		Scope: func(e hooks.Event) memory.Scope {
			return memory.Scope{Namespace: "n", Project: filepath.Base(e.Dir), SessionID: e.Session}
		}}
	for _, c := range change {
		c(&req)
	}
	run, err := e.Sessions(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	if found, err = run.Scan(ctx); err != nil {
		return found, done, err
	}
	done, err = run.Run(ctx)
	return found, done, err
}

func TestSessions_TakeOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	e, dir := forImport(t), t.TempDir()
	claudeSession(t, dir, "s1", "user|p1|ok", "assistant||Good.", "user|p2|ok", "assistant||Good.")
	found, done, err := importSessions(t, t.Context(), e, dir)
	if err != nil || done.New != 4 || found[0].New != 4 || found[0].Scope.Project != "shop" ||
		!found[0].First.Equal(time.Date(2026, 1, 2, 3, 0, 4, 0, time.UTC)) || found[0].Last.Minute() != 3 {
		t.Fatalf("%+v, %+v, %v", found, done, err)
	}
	_, again, err := importSessions(t, t.Context(), e, dir)
	if err != nil || again.New != 0 || again.Known != 4 || again.CallID != "" {
		t.Errorf("%+v, %v", again, err)
	}
	claudeSession(t, dir, "s1", "user|p1|ok", "assistant||Good.", "user|p2|ok", "assistant||Good.", "user|p3|ok")
	claudeSession(t, dir, "s2", "user|q1|The mooring is dear.")
	if _, grown, err := importSessions(t, t.Context(), e, dir); err != nil || grown.New != 2 || grown.Known != 4 {
		t.Errorf("%+v, %v", grown, err)
	}
	undone(t, e, done.CallID)
	if _, back, err := importSessions(t, t.Context(), e, dir); err != nil || back.New != 4 {
		t.Errorf("after an undo %+v, %v", back, err)
	}
	soundGraph(t, e)
}

func TestSessions_TakeOnlyWhatIsNewOfFilesWithoutIDs(t *testing.T) {
	t.Parallel()
	e, dir := forImport(t), t.TempDir()
	for i, want := range []int{4, 0, 1} {
		said := []string{"user||ok", "assistant||Good.", "user||ok", "assistant||Good.", "user||Bye."}
		claudeSession(t, dir, "s1", said[:4+i/2]...)
		path := filepath.Join(dir, "p", "s1.jsonl")
		text, err := os.ReadFile(path)
		text = regexp.MustCompile(`"(uuid|promptId|id)":"[^"]*",`).ReplaceAll(text, nil)
		if err := errors.Join(err, os.WriteFile(path, text, 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, done, err := importSessions(t, t.Context(), e, dir); err != nil || done.New != want {
			t.Errorf("import %d: %+v, %v; want %d new", i, done, err, want)
		}
	}
}

func TestSessions_DoNotRepeatWhatHooksAndCallsStored(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 0, 6, 0, time.UTC)
	said := func(source, session, text string, at time.Time) store.NewEpisode {
		scope := memory.Scope{Namespace: "n", SessionID: session}
		return store.NewEpisode{Episode: memory.Episode{Scope: scope, Content: text, Source: source, OccurredAt: at}}
	}
	for name, c := range map[string]struct {
		stored store.NewEpisode
		actor  string
		want   int // new turns
	}{
		"a hook without ids":      {said("hook:claude-code", "s1", "The mooring is dear.", at), "hook", 1},
		"a hook, hours later":     {said("hook:claude-code", "s1", "The mooring is dear.", at.Add(time.Hour)), "hook", 2},
		"a hook, another session": {said("hook:claude-code", "s2", "The mooring is dear.", at), "hook", 2},
		"other words":             {said("hook:claude-code", "s1", "The mooring is cheap.", at), "hook", 2},
		"an import without ids":   {said("import:claude-code", "s1", "The mooring is dear.", at), "import", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, dir := forImport(t), t.TempDir()
			c.stored.Caller.Actor = c.actor
			if _, err := e.StoreEpisode(t.Context(), c.stored); err != nil {
				t.Fatal(err)
			}
			claudeSession(t, dir, "s1", "user|p1|The mooring is dear.", "user|p2|The mooring is dear.")
			if found, done, err := importSessions(t, t.Context(), e, dir); err != nil || done.New != c.want ||
				found[0].New != c.want {
				t.Errorf("%+v, %v", done, err)
			}
		})
	}
	// A call's turn has the time at which it was stored.
	e, dir := forImport(t), t.TempDir()
	put(t, e, "The mooring is dear.")
	claudeSession(t, dir, "s1", "user|p1|The mooring is dear.")
	path := filepath.Join(dir, "p", "s1.jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC().Format(time.RFC3339)
	text = bytes.ReplaceAll(text, []byte("2026-01-02T03:00:04Z"), []byte(now))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, done, err := importSessions(t, t.Context(), e, dir); err != nil || done.New != 0 {
		t.Errorf("a call: %+v, %v", done, err)
	}
}

func TestSessions_AFileThatRepeatsAnotherAddsNothing(t *testing.T) {
	t.Parallel()
	e, dir := forImport(t), t.TempDir()
	claudeSession(t, dir, "s1", "user|p1|The mooring is dear.")
	text, err := os.ReadFile(filepath.Join(dir, "p", "s1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	fork := strings.ReplaceAll(string(text), `"sessionId":"s1"`, `"sessionId":"s2"`)
	if err := os.WriteFile(filepath.Join(dir, "p", "s2.jsonl"), []byte(fork), 0o600); err != nil {
		t.Fatal(err)
	}
	for want := range 2 {
		if _, done, err := importSessions(t, t.Context(), e, dir); err != nil || done.New != 1-want {
			t.Errorf("%+v, %v", done, err)
		}
	}
}

func TestSessions_AreTrustedOnlyIfSomebodyVouches(t *testing.T) {
	t.Parallel()
	e, dir := forImport(t), t.TempDir()
	claudeSession(t, dir, "s1", "user|p1|My sister Lena lives in Porto.", "assistant||Porto is fine.")
	vouch := func(r *engine.SessionsRequest) { r.Trusted = true }
	origins := func() (out []string) {
		for _, f := range ask(t, e, "Porto", retrieval.Text).Episodes {
			out = append(out, string(f.Episode.Role)+" "+string(f.Episode.Origin))
		}
		slices.Sort(out)
		return out
	}
	_, done, err := importSessions(t, t.Context(), e, dir)
	if diff := cmp.Diff([]string{"assistant tool", "user tool"}, origins()); diff != "" || err != nil || done.New != 2 {
		t.Errorf("%+v, %v\n%s", done, err, diff)
	}
	_, done, err = importSessions(t, t.Context(), e, dir, vouch)
	diff := cmp.Diff([]string{"assistant assistant", "user user"}, origins())
	if diff != "" || err != nil || done.Raised != 2 {
		t.Errorf("%+v, %v\n%s", done, err, diff)
	}
	if _, done, err = importSessions(t, t.Context(), e, dir, vouch); err != nil || done.Raised != 0 || done.Known != 2 {
		t.Errorf("%+v, %v", done, err)
	}
	soundGraph(t, e)
}

// clocks matches the times at which a memory stored something.
var clocks = regexp.MustCompile(`"(created_at|updated_at|last_seen_at|last_observed_at)":"[^"]*",?`)

// contentOf returns the turns and facts of a memory, without the times and ids of its calls.
func contentOf(t *testing.T, e *engine.Engine) string {
	t.Helper()
	var out []string
	for line := range strings.Lines(exported(t, e)) {
		if strings.HasPrefix(line, `{"record":"episode"`) || strings.HasPrefix(line, `{"record":"relationship"`) ||
			strings.HasPrefix(line, `{"record":"entity"`) {
			out = append(out, clocks.ReplaceAllString(line, ""))
		}
	}
	return strings.Join(out, "")
}

func TestSessions_AnImportThatWasInterruptedComesToTheSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := generated.Write(dir, generated.Options{Sessions: 12, Bytes: 1_500_000, Seed: 3}); err != nil {
		t.Fatal(err)
	}
	whole, parts := forImport(t), forImport(t)
	if _, done, err := importSessions(t, t.Context(), whole, dir); err != nil || done.New != 12*generated.Turns {
		t.Fatalf("%+v, %v", done, err)
	}
	stops := 0
	for limit := 300_000; ; limit += 150_000 { // of bytes read until the interruption
		ctx, cancel := context.WithCancel(t.Context())
		read := 0
		_, _, err := importSessions(t, ctx, parts, dir, func(r *engine.SessionsRequest) {
			r.Progress = func(n int) {
				if read += n; read > 1_500_000+limit { // the first pass reads all
					cancel()
				}
			}
		})
		cancel()
		if err == nil {
			break
		}
		if stops++; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(contentOf(t, whole), contentOf(t, parts)); diff != "" || stops < 3 {
		t.Errorf("after %d interruptions: %.3000s", stops, diff)
	}
	soundGraph(t, parts)
}
