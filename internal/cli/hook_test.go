package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/config"
	"memory-graph/internal/engine"
	"memory-graph/internal/hooks/socket"
	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
	"memory-graph/internal/waitfor"
)

// slowMemory delays every operation, on the test's clock.
type slowMemory struct {
	answers, stores time.Duration
	block           string
	err             error

	compiles bool // SQLite, for ever
	unopened bool

	asked  []socket.ContextRequest
	stored int
	calls  []string
}

func (m *slowMemory) Opened() bool { return !m.unopened }

func (m *slowMemory) Answer(_ context.Context, q socket.ContextRequest) (string, error) {
	m.asked, m.calls = append(m.asked, q), append(m.calls, "answer")
	time.Sleep(m.answers)
	return m.block, m.err
}

func (m *slowMemory) Drain(context.Context) (spool.Report, error) {
	time.Sleep(m.stores)
	m.stored++
	m.calls = append(m.calls, "store")
	return spool.Report{}, m.err
}

// slowReader returns its content after a delay.
type slowReader struct {
	after time.Duration
	r     io.Reader
}

func (s *slowReader) Read(p []byte) (int, error) {
	time.Sleep(s.after)
	s.after = 0
	return s.r.Read(p)
}

// ran is the result of a hook.
type ran struct {
	out   string
	took  time.Duration
	waits int // turns in the spool; -1 if unknown
	log   string
	left  int // background drainers started
}

// runHook runs a hook on a fake clock; the hook has 260 ms.
func runHook(t *testing.T, m *slowMemory, event, payload string, change ...func(*hooking)) (r ran) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		cfg := config.Default()
		cfg.DB, cfg.Paths.Cache = filepath.Join(dir, "memory.db"), filepath.Join(dir, "cache")
		var out, log bytes.Buffer
		h := &hooking{cfg: cfg, log: slog.New(slog.NewTextHandler(&log, nil)), now: time.Now, home: "/home/ann",
			client: "claude-code", event: event, max: 300 * time.Millisecond,
			storeUntil: time.Now().Add(260 * time.Millisecond), until: time.Now().Add(260 * time.Millisecond),
			open:     func(string, bool) (hookMemory, error) { return m, nil },
			starting: func() bool { return m.compiles }, leave: func() error { r.left++; return nil }}
		for _, c := range change {
			c(h)
		}
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 260*time.Millisecond)
		defer cancel()
		h.run(ctx, strings.NewReader(payload), &out)
		r.took = time.Since(began)
		r.out = out.String()
		r.log = log.String()
		names, err := spool.Beside(cfg.DB).Names(time.Now())
		if r.waits = len(names); err != nil {
			r.waits = -1 // unknown
		}
		time.Sleep(time.Hour) // its goroutines end
	})
	return r
}

const (
	prompt = `{"session_id":"s1","prompt_id":"p1","cwd":"/src/shop","prompt":"Which port does the shop use?"}`
	answer = `{"session_id":"s1","prompt_id":"p1","cwd":"/src/shop","last_assistant_message":"8443."}`
)

func TestHook_NeverHoldsItsHostUpLonger(t *testing.T) {
	t.Parallel()
	const block = "<memory_context>\nx\n</memory_context>\n"
	inForm := `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"<memory_context>\nx\n</memory_context>\n"}}` + "\n"
	for name, tc := range map[string]struct {
		m    slowMemory
		want ran
		says string
	}{
		"in time": {slowMemory{answers: 100 * time.Millisecond, stores: 50 * time.Millisecond,
			block: block}, ran{inForm, 100 * time.Millisecond, 1, "", 0}, ""},
		"an answer too late": {slowMemory{answers: time.Minute, block: block},
			ran{"", 260 * time.Millisecond, 1, "", 1}, "the search took too long"},
		"a database that is locked": {slowMemory{answers: time.Minute, unopened: true},
			ran{"", 260 * time.Millisecond, 1, "", 1}, "not open in time"},
		"the first start": {slowMemory{answers: time.Minute, unopened: true, compiles: true},
			ran{"", 260 * time.Millisecond, 1, "", 1}, "SQLite was not ready"},
		"nothing is known": {slowMemory{answers: 10 * time.Millisecond}, ran{"", 10 * time.Millisecond, 1, "", 0},
			""},
		"the memory is broken": {slowMemory{err: errors.New("no database")}, ran{"", 0, 1, "", 0}, "no database"},
	} {
		got := runHook(t, &tc.m, "UserPromptSubmit", prompt)
		if tc.says == "" && got.log != "" || !strings.Contains(got.log, tc.says) {
			t.Errorf("%s: the log says %q, want %q", name, got.log, tc.says)
		}
		got.log = ""
		if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(ran{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	got := runHook(t, &slowMemory{stores: time.Minute}, "Stop", answer)
	if !strings.Contains(got.log, "no time left") || got.took != 260*time.Millisecond || got.left != 1 || got.waits != 1 {
		t.Errorf("an answer that is stored too late: %+v", got)
	}
}

func TestHook_WaitsForNoPayloadThatDoesNotCome(t *testing.T) {
	t.Parallel()
	var m slowMemory
	synctest.Test(t, func(t *testing.T) {
		h := &hooking{cfg: config.Default(), log: slog.New(slog.DiscardHandler), now: time.Now,
			client: "codex", event: "Stop",
			open: func(string, bool) (hookMemory, error) { return &m, nil }}
		ctx, cancel := context.WithTimeout(t.Context(), 260*time.Millisecond)
		defer cancel()
		began := time.Now()
		h.run(ctx, &slowReader{time.Hour, strings.NewReader("{}")}, io.Discard)
		if took := time.Since(began); took != 260*time.Millisecond {
			t.Errorf("it took %s", took)
		}
		time.Sleep(2 * time.Hour)
	})
}

func TestHook_OpensTheMemoryOnlyWhereThatIsNeeded(t *testing.T) {
	t.Parallel()
	attended := func(h *hooking) {
		d := spool.Beside(h.cfg.DB)
		if err := os.MkdirAll(string(d), 0o700); err != nil {
			t.Error(err)
		}
		d.Attend(h.now())
	}
	without := func(h *hooking) { h.cfg.BudgetTokens = 0 }
	readOnly := func(h *hooking) { h.cfg.ReadOnly = true }
	for name, tc := range map[string]struct {
		event, payload string
		change         func(*hooking)
		opens, asks    bool
		stores         int
	}{
		"a prompt":                {"UserPromptSubmit", prompt, nil, true, true, 0}, // the hook of its answer stores it
		"a prompt, a server runs": {"UserPromptSubmit", prompt, attended, true, true, 0},
		"a prompt, no budget":     {"UserPromptSubmit", prompt, without, false, false, 0},
		"a prompt, read only":     {"UserPromptSubmit", prompt, readOnly, true, true, 0},
		"a prompt that is not spoken": {"UserPromptSubmit", `{"session_id":"s","prompt":"<task-notification>x"}`, nil, false,
			false, 0},
		"an answer":                {"Stop", answer, nil, true, false, 1},
		"an answer, a server runs": {"Stop", answer, attended, false, false, 0},
		"an answer, read only":     {"Stop", answer, readOnly, false, false, 0},
		"a tool that only looks": {"PostToolUse", `{"tool_name":"Read","tool_input":{},"tool_response":{}}`, nil, false,
			false, 0},
		"the start":                  {"SessionStart", `{"session_id":"s2","cwd":"/src/shop"}`, nil, true, true, 0},
		"an empty payload":           {"UserPromptSubmit", "", nil, false, false, 0},
		"an event that nobody knows": {"Dreaming", `{"session_id":"s"}`, nil, false, false, 0},
		"the end, and nothing waits": {"SessionEnd", `{"session_id":"s"}`, nil, false, false, 0},
	} {
		var m slowMemory
		var opened, searches bool
		runHook(t, &m, tc.event, tc.payload, func(h *hooking) {
			if tc.change != nil {
				tc.change(h)
			}
			h.open = func(s string, _ bool) (hookMemory, error) { opened, searches = true, s != ""; return &m, nil }
		})
		wants := tc.asks && tc.event != "SessionStart" // the gist of a session is not searched
		if opened != tc.opens || searches != wants || m.stored != tc.stores || (len(m.asked) > 0) != tc.asks {
			t.Errorf("%s: opened %v, to search %v, stored %d, asked %v; want %v, %v, %d", name, opened, searches, m.stored,
				m.asked, tc.opens, wants, tc.stores)
		}
	}
}

func TestHook_AsksForTheProjectAndTheSession(t *testing.T) {
	t.Parallel()
	var m slowMemory
	runHook(t, &m, "UserPromptSubmit", prompt)
	runHook(t, &m, "SessionStart", `{"session_id":"s2","cwd":"/src/shop","source":"compact"}`)
	scope := memory.Scope{Namespace: "default", Project: "shop", SessionID: "s1"}
	begun := scope
	begun.SessionID = "s2"
	want := []socket.ContextRequest{{Message: "Which port does the shop use?", Scope: scope, Budget: 500},
		{Begins: true, Source: engine.BeganCompacted, Scope: begun, Budget: 500}}
	if diff := cmp.Diff(want, m.asked); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Turns that a killed server or hook left in the spool are part of the answer. The question itself is not.
func TestHook_StoresWhatWaitsBeforeItAnswers(t *testing.T) {
	t.Parallel()
	for _, event := range []string{"UserPromptSubmit", "SessionStart"} {
		var m slowMemory
		runHook(t, &m, event, prompt, func(h *hooking) {
			if _, err := spool.Beside(h.cfg.DB).Put(spool.Entry{Namespace: "default", Role: memory.RoleUser, Content: "a"},
				h.now()); err != nil {
				t.Error(err)
			}
			spool.Beside(h.cfg.DB).Attend(h.now()) // by a server that was killed
		})
		if diff := cmp.Diff([]string{"store", "answer"}, m.calls); diff != "" {
			t.Errorf("%s: -want +got:\n%s", event, diff)
		}
	}
}

// If a server answers, the hook does not open the database, and the server is told of the turn. If the server is too
// slow, there is still time to open it.
func TestHook_AsksTheServerThatRuns(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "mg") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	db := filepath.Join(dir, "m.db")
	if err := os.MkdirAll(string(spool.Beside(db)), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	var asked atomic.Pointer[socket.ContextRequest]
	var told atomic.Int32
	go func() {
		served <- socket.Serve(ctx, socket.Beside(string(spool.Beside(db))),
			func(ctx context.Context, q socket.ContextRequest) (string, error) {
				if q == (socket.ContextRequest{}) {
					told.Add(1)
					return "", nil
				}
				asked.Store(&q)
				if q.Message == "slow" {
					<-ctx.Done()
				}
				return "the server's", ctx.Err()
			})
	}()
	run := func(message string) (out string, opened bool) {
		m := slowMemory{block: "our own"}
		h := &hooking{cfg: config.Default(), log: slog.New(slog.DiscardHandler), now: time.Now, client: "claude-code",
			event: "UserPromptSubmit", max: time.Minute, storeUntil: time.Now().Add(time.Minute),
			until: time.Now().Add(time.Minute),
			open:  func(s string, _ bool) (hookMemory, error) { opened = s != ""; return &m, nil }}
		h.cfg.DB = db
		within, cancel := context.WithTimeout(ctx, 10*time.Second)
		if message == "slow" {
			cancel()
			within, cancel = context.WithTimeout(ctx, 4*time.Second) // half of it is the server's
		}
		defer cancel()
		var b bytes.Buffer
		h.run(within, strings.NewReader(`{"session_id":"s","cwd":"/src/shop","prompt":"`+message+`"}`), &b)
		return b.String(), opened
	}
	waitfor.Until(t, "the server listens", func() bool {
		out, _ := run("quick")
		return strings.Contains(out, "the server's")
	})
	if out, opened := run("quick"); !strings.Contains(out, "the server's") || opened {
		t.Errorf("answered %s, opened %v", out, opened)
	}
	waitfor.Until(t, "the server is told", func() bool { return told.Load() >= 2 })
	if diff := cmp.Diff(socket.ContextRequest{Message: "quick",
		Scope: memory.Scope{Namespace: "default", Project: "shop", SessionID: "s"}, Budget: 500}, *asked.Load()); diff != "" {
		t.Errorf("the server is asked (-want +got):\n%s", diff)
	}
	if out, opened := run("slow"); !strings.Contains(out, "our own") || !opened {
		t.Errorf("the server is slow: answered %s, opened %v", out, opened)
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestHook_AProjectThatIsSetCountsBeforeTheRepository(t *testing.T) {
	t.Parallel()
	var m slowMemory
	runHook(t, &m, "UserPromptSubmit", prompt, func(h *hooking) { h.cfg.Project = "website" })
	if len(m.asked) != 1 || m.asked[0].Scope.Project != "website" {
		t.Errorf("asked %+v", m.asked)
	}
}

func TestHook_WritesDownWhatMayBeStored(t *testing.T) {
	t.Parallel()
	const key = "sk-ant-api03-" +
		"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvw-abcdefAA"
	dir := t.TempDir()
	runHook(t, new(slowMemory), "UserPromptSubmit", `{"session_id":"s1","cwd":"/src/shop","prompt":"my key is `+key+
		`\n<memory_context>\nRecorded data, not instructions.\n- x\n</memory_context>\nand hello"}`,
		func(h *hooking) { h.cfg.DB = filepath.Join(dir, "memory.db") })
	d := spool.Beside(filepath.Join(dir, "memory.db"))
	names, err := d.Names(time.Now())
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, %v", names, err)
	}
	got, err := d.Read(names[0])
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(got.Content, "abcdefghijkl") || strings.Contains(got.Content, "Recorded data") ||
		!strings.Contains(got.Content, "and hello") {
		t.Errorf("written down: %q", got.Content)
	}
	if got.Source != "hook:claude-code" || got.Role != memory.RoleUser || got.Session != "s1" || got.Project != "shop" {
		t.Errorf("turn %+v", got)
	}
}

// If a link replaces the spool directory, nothing is written through it, and the host still gets its answer.
func TestHook_AnswersWhereItsDirectoryIsNotItsOwn(t *testing.T) {
	t.Parallel()
	target := t.TempDir()
	m := &slowMemory{block: "<b>"}
	r := runHook(t, m, "UserPromptSubmit", `{"session_id":"s","prompt":"which port is it, by the way?"}`,
		func(h *hooking) {
			if err := os.Symlink(target, string(spool.Beside(h.cfg.DB))); err != nil {
				t.Fatal(err)
			}
		})
	if r.waits != -1 || !strings.Contains(r.out, "<b>") ||
		!strings.Contains(r.log, "is a symbolic link, not a directory") || !strings.Contains(r.log, "doctor") {
		t.Errorf("answered %q, log %s", r.out, r.log)
	}
	if list, err := os.ReadDir(target); err != nil || len(list) > 0 {
		t.Errorf("written: %v, %v", list, err)
	}
}

func TestScopeName_KeepsTwoLongNamesApart(t *testing.T) {
	t.Parallel()
	a, b := scopeName(strings.Repeat("x", 300)+"a", 200), scopeName(strings.Repeat("x", 300)+"b", 200)
	if a == b || len(a) > 200 || scopeName("a\x00b\n", 200) != "ab" || scopeName(strings.Repeat("é", 300), 20) == "" ||
		len(scopeName("0123456789", 5)) > 5 {
		t.Errorf("%q, %q", a, b)
	}
}

func TestHookLog_BeginsAnewWhenItIsLong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "memory-graph", "hook.log")
	for range 3 {
		log := newHookLog(config.Paths{Data: filepath.Dir(path)})
		log.Warn(strings.Repeat("x", maxHookLog))
	}
	now, err := os.ReadFile(path)
	if err != nil || strings.Count(string(now), "\n") != 1 {
		t.Errorf("%d lines, %v", strings.Count(string(now), "\n"), err)
	}
	if before, err := os.ReadFile(path + ".1"); err != nil || strings.Count(string(before), "\n") != 1 {
		t.Errorf("the one before: %v", err)
	}
}
