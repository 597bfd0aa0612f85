package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"memory-graph/internal/waitfor"
)

// person is somebody whose host runs our hooks: a home of their own, with projects in it.
type person struct {
	home, db string
	env      []string
	max      string // of a hook's time; long, where the test is not about it
}

func newPerson(t testing.TB, settings ...string) *person {
	t.Helper()
	home, err := os.MkdirTemp("", "mg") // short, as the path of a socket must be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	p := &person{home: home, db: filepath.Join(home, "data", "memory.db"), max: "60s"}
	p.env = environment(home, append([]string{"MEMORY_GRAPH_DB=" + p.db, "XDG_DATA_HOME=" + filepath.Join(home, "data")},
		settings...)...)
	return p
}

// project makes a repository with a remote and gives its directory.
func (p *person) project(t testing.TB, dir, remote string) string {
	t.Helper()
	root := filepath.Join(p.home, "src", dir)
	git := filepath.Join(root, ".git")
	if err := os.MkdirAll(git, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"HEAD": "ref: refs/heads/main\n",
		"config": "[remote \"origin\"]\n\turl = git@example.com:acme/" + remote + ".git\n"} {
		if err := os.WriteFile(filepath.Join(git, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func (p *person) command(host, event string, payload []byte) *exec.Cmd {
	cmd := exec.Command(program, "hook", host, event, "--max", p.max)
	cmd.Env, cmd.Stdin = p.env, bytes.NewReader(payload)
	return cmd
}

// hook runs a hook as a host does, and gives what it answers. One that fails its host fails the test.
func (p *person) hook(t testing.TB, host, event string, payload any) string {
	t.Helper()
	raw, ok := payload.([]byte)
	if !ok {
		var err error
		if raw, err = json.Marshal(payload); err != nil {
			t.Fatal(err)
		}
	}
	cmd := p.command(host, event, raw)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("hook %s %s: %v\n%s", host, event, err, errs.String())
	}
	if out.Len() > 0 && !json.Valid(out.Bytes()) {
		t.Errorf("hook %s %s answers %q", host, event, out.String())
	}
	return out.String()
}

// logged gives the hooks' log.
func (p *person) logged() string {
	log, _ := os.ReadFile(filepath.Join(p.home, "data", "memory-graph", "hook.log")) // none is an empty one
	return string(log)
}

// waiting gives how many turns wait beside the database.
func (p *person) waiting(t testing.TB) int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(p.db+"-spool", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// settles waits until nothing waits to be stored, and who stored it has ended.
func (p *person) settles(t testing.TB) {
	t.Helper()
	if !waitfor.Within(waitfor.Patience, func() bool {
		_, err := os.Stat(filepath.Join(p.db+"-spool", "attended"))
		return p.waiting(t) == 0 && errors.Is(err, fs.ErrNotExist)
	}) {
		t.Fatalf("%d turns wait\n%s", p.waiting(t), p.logged())
	}
}

func (p *person) count(t testing.TB, where string) int {
	t.Helper()
	return peek(t, p.db, `SELECT count(*) FROM mg_episodes WHERE `+where)
}

// sound lets doctor look at the file. Hooks make no vectors: servers do.
func (p *person) sound(t testing.TB, episodes int) {
	t.Helper()
	if d := doctor(t, p.db); !d.OK || d.Database.Episodes != episodes {
		t.Errorf("doctor: %+v; want a sound database of %d episodes", d, episodes)
	}
}

// spoken are a host's events and the fields of their payloads.
type spoken struct{ host, start, prompt, tool, answer, text, session, context string }

var speakers = []spoken{
	{"claude-code", "SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "last_assistant_message", "session_id",
		"additionalContext"},
	{"codex", "SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "last_assistant_message", "session_id",
		"additionalContext"},
	{"gemini-cli", "SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "prompt_response", "session_id",
		"additionalContext"},
	{"cursor", "sessionStart", "beforeSubmitPrompt", "postToolUse", "afterAgentResponse", "text", "conversation_id",
		"additional_context"},
}

// payload is one of the host's, with ids by which it tells turns apart.
func (s spoken) payload(session, dir, id string, more map[string]any) map[string]any {
	m := map[string]any{s.session: session, "cwd": dir, "prompt_id": id, "turn_id": id, "generation_id": id,
		"timestamp": id, "tool_use_id": id}
	if s.host == "cursor" {
		delete(m, "cwd")
		m["workspace_roots"] = []string{dir}
	}
	maps.Copy(m, more)
	return m
}

// The whole way as a user goes it: a fresh home, a conversation, and a new session that knows what the first one said.
func TestHook_ANewSessionKnowsWhatTheFirstOneSaid(t *testing.T) {
	t.Parallel()
	for _, s := range speakers {
		t.Run(s.host, func(t *testing.T) {
			t.Parallel()
			p := newPerson(t)
			shop, other := p.project(t, "shop", "shop-web"), p.project(t, "other", "other-app")
			deep := filepath.Join(shop, "api", "v2")
			if out := p.hook(t, s.host, s.start, s.payload("s1", shop, "0", map[string]any{"source": "startup"})); out != "" {
				t.Errorf("a memory without turns has something to say: %s", out)
			}
			p.hook(t, s.host, s.prompt, s.payload("s1", shop, "1",
				map[string]any{"prompt": "The staging server of the shop listens on port 8443."}))
			p.hook(t, s.host, s.tool, s.payload("s1", deep, "2",
				map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "curl staging:8443"},
					"tool_response": map[string]any{"stdout": "200 OK"}, "tool_output": `{"output":"200 OK"}`}))
			p.hook(t, s.host, s.tool, s.payload("s1", deep, "3",
				map[string]any{"tool_name": "Read", "tool_input": map[string]any{"file_path": "/x"},
					"tool_response": map[string]any{}, "tool_output": "{}"}))
			for range 2 { // delivered twice
				p.hook(t, s.host, s.answer, s.payload("s1", shop, "4",
					map[string]any{s.text: "Noted: the staging server answers on 8443."}))
			}

			out := p.hook(t, s.host, s.start, s.payload("s2", deep, "5", map[string]any{"source": "startup"}))
			if !strings.Contains(out, s.context) || !strings.Contains(out, "port 8443") ||
				!strings.Contains(out, "memory_context") {
				t.Errorf("the second session begins with %s", out)
			}
			if out := p.hook(t, s.host, s.start, s.payload("s3", other, "6",
				map[string]any{"source": "startup"})); strings.Contains(out, "8443") {
				t.Errorf("another project's session begins with %s", out)
			}
			asked := map[string]any{"prompt": "Which port does the staging server use?"}
			if out := p.hook(t, s.host, s.prompt, s.payload("s2", shop, "7", asked)); strings.Contains(out, "8443") {
				t.Errorf("the second session is told again: %s", out)
			}
			out = p.hook(t, s.host, s.prompt, s.payload("s4", shop, "7", asked))
			if takes := s.host != "cursor"; strings.Contains(out, "8443") != takes {
				t.Errorf("the question is answered with %s", out)
			}
			if out := p.hook(t, s.host, s.prompt, s.payload("s3", other, "8", asked)); strings.Contains(out, "8443") {
				t.Errorf("another project's question is answered with %s", out)
			}
			if p.waiting(t) == 0 {
				t.Error("the hook of a message stores it, while the host waits")
			}
			p.hook(t, s.host, s.start, s.payload("s3", other, "9", map[string]any{"source": "resume"}))
			for where, want := range map[string]int{
				`project = 'acme/shop-web' AND session_id = 's1' AND role = 'user' AND origin = 'user'`:           1,
				`project = 'acme/shop-web' AND session_id = 's1' AND role = 'tool' AND origin = 'tool'`:           1,
				`project = 'acme/shop-web' AND session_id = 's1' AND role = 'assistant' AND origin = 'assistant'`: 1,
				`project = 'acme/other-app'`:      1,
				`source <> 'hook:` + s.host + `'`: 0,
				`1`:                               6,
			} {
				if got := p.count(t, where); got != want {
					t.Errorf("%d turns where %s, want %d", got, where, want)
				}
			}
			if n := p.waiting(t); n != 0 {
				t.Errorf("%d turns wait", n)
			}
			if log := p.logged(); log != "" {
				t.Errorf("the log says:\n%s", log)
			}
		})
	}
}

func TestHook_AServerStoresWhatHooksWriteDown(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	s := speakers[0]
	dir := p.project(t, "shop", "shop-web")
	say := func(id, text string) {
		p.hook(t, s.host, s.prompt, s.payload("s1", dir, id, map[string]any{"prompt": text}))
	}
	say("1", "The first words are stored by the server.")
	cmd := exec.Command(program)
	cmd.Env = p.env
	h := run(t, cmd)
	h.initialize()
	h.retrieve(arguments{"query": "words"})
	waitfor.Until(t, "the server says that it looks after the spool", func() bool {
		return exists(filepath.Join(p.db+"-spool", "attended"))
	})
	for i := range 5 {
		text := fmt.Sprintf("Word number %d is written down.", i)
		say(fmt.Sprint("n", i), text)
		// A call waits a bounded time for the spool, which a loaded machine can exceed.
		waitfor.Until(t, "a call finds what the hook wrote", func() bool {
			a := h.retrieve(arguments{"query": text, "strategy": "text"})
			return len(a.Episodes) > 0 && a.Episodes[0].Content == text
		})
		if a, err := h.call("store_episode", arguments{"content": text, "session_id": "of the agent"}); err != nil ||
			a.Status != "duplicate" {
			t.Errorf("the agent stores it too: %+v, %v", a, err)
		}
	}
	if got := p.count(t, `1`); got != 6 {
		t.Errorf("%d turns, want 6", got)
	}
	h.stop()
	say("9", "The server has ended, so the next hook stores it.")
	p.hook(t, s.host, "PreCompact", s.payload("s1", dir, "10", nil))
	if got := p.count(t, `1`); got != 7 || p.waiting(t) != 0 {
		t.Errorf("%d turns and %d that wait, want 7 and none", got, p.waiting(t))
	}
	p.sound(t, 7)
}

// A hook that could only answer after compiling SQLite is answered by the server that runs, and compiles nothing.
func TestHook_AServerAnswersForIt(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	s := speakers[0]
	dir := p.project(t, "shop", "shop-web")
	p.hook(t, s.host, s.prompt, s.payload("s1", dir, "1",
		map[string]any{"prompt": "The staging server listens on port 8443."}))
	cmd := exec.Command(program)
	cmd.Env = p.env
	h := run(t, cmd)
	h.initialize()
	waitfor.Until(t, "the server has a socket", func() bool { return exists(filepath.Join(p.db+"-spool", "socket")) })
	cache := filepath.Join(p.home, "empty-cache")
	p.env = append(p.env, "XDG_CACHE_HOME="+cache)
	ask := func(session string) string {
		return p.hook(t, s.host, s.prompt, s.payload(session, dir, "2",
			map[string]any{"prompt": "Which port does the staging server use?"}))
	}
	if out := p.hook(t, s.host, s.start, s.payload("s2", dir, "3",
		map[string]any{"source": "startup"})); !strings.Contains(out, "8443") {
		t.Errorf("a session begins with %s", out)
	}
	if out := ask("s3"); !strings.Contains(out, "8443") {
		t.Errorf("answered with %s", out)
	}
	// The answer is of what was known before: what the message says, the server stores afterwards. A call waits a bounded
	// time for that, which a loaded machine can exceed.
	found := func(text string) {
		t.Helper()
		waitfor.Until(t, "a call finds what the hook wrote", func() bool {
			a := h.retrieve(arguments{"query": text, "strategy": "text"})
			return len(a.Episodes) > 0 && a.Episodes[0].Content == text
		})
	}
	const uses, moved = "The Kestrel gateway uses MySQL.", "We moved the Kestrel gateway from MySQL to Postgres."
	p.hook(t, s.host, s.prompt, s.payload("s2", dir, "3", map[string]any{"prompt": uses}))
	found(uses)
	if out := p.hook(t, s.host, s.prompt, s.payload("s2", dir, "4",
		map[string]any{"prompt": moved})); strings.Contains(
		out, "uses → Postgres") || !strings.Contains(out, "uses → MySQL") {
		t.Errorf("a message is told to itself, or what it corrects is not: %s", out)
	}
	found(moved)
	if files, _ := os.ReadDir(cache); len(files) > 0 {
		t.Error("the hooks opened the memory themselves")
	}
	h.stop()
	if out := ask("s4"); !strings.Contains(out, "8443") {
		t.Errorf("without the server, answered with %s", out)
	}
	if files, _ := os.ReadDir(cache); len(files) == 0 {
		t.Error("nobody opened the memory")
	}
}

// What the agent stores by the tools is of no project, as setup writes the server, and so of every one.
func TestHook_WhatIsOfNoProjectIsFoundFromEveryOne(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	s := speakers[0]
	shop, bank := p.project(t, "shop", "shop-web"), p.project(t, "bank", "bank-core")
	cmd := exec.Command(program)
	cmd.Env = p.env
	h := run(t, cmd)
	h.initialize()
	h.store(arguments{"content": "The Halcyon gateway listens on port 9191."})
	h.store(arguments{"content": "The Halcyon gateway of the bank listens on port 7272.", "project": "acme/bank-core"})
	h.stop()
	for dir, other := range map[string]bool{shop: false, bank: true} {
		out := p.hook(t, s.host, s.prompt, s.payload("of "+dir, dir, dir,
			map[string]any{"prompt": "Which port does the Halcyon gateway use?"}))
		if !strings.Contains(out, "9191") || strings.Contains(out, "7272") != other {
			t.Errorf("%s is given %s", dir, out)
		}
	}
}

// Without compiled SQLite no hook gets anywhere in its time. The turn is stored all the same, and the next hook
// answers.
func TestHook_TheFirstStartLosesOneAnswerAndNoTurn(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	p := newPerson(t, "MEMORY_GRAPH_EMBEDDER=none", "XDG_CACHE_HOME="+cache, "LOCALAPPDATA="+cache)
	s := speakers[0]
	dir := p.project(t, "shop", "shop-web")
	p.max = "1s" // enough to read the payload
	p.hook(t, s.host, s.prompt, s.payload("s1", dir, "1",
		map[string]any{"prompt": "The staging server listens on port 8443."}))
	want := 1
	if !strings.Contains(p.logged(), "no answer in time") { // SQLite was compiled in time: the next event stores the turn
		p.hook(t, s.host, s.answer, s.payload("s1", dir, "1", map[string]any{s.text: "I see."}))
		want = 2
	}
	p.settles(t)
	if got := p.count(t, `1`); got != want {
		t.Errorf("%d turns are stored, want %d\n%s", got, want, p.logged())
	}
	p.max = "60s"
	if out := p.hook(t, s.host, s.prompt, s.payload("s2", dir, "2",
		map[string]any{"prompt": "Which port does the staging server use?"})); !strings.Contains(out, "8443") {
		t.Errorf("the next hook answers %q\n%s", out, p.logged())
	}
}

// A turn that takes longer than hooks have is stored too, and holds up no other.
func TestHook_ALongTurnHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	p := newPerson(t, "MEMORY_GRAPH_EMBEDDER=none")
	s := speakers[0]
	dir := p.project(t, "shop", "shop-web")
	p.hook(t, s.host, s.answer, s.payload("s", dir, "0", map[string]any{s.text: "The file is made."}))
	p.max = "500ms" // enough to read the payload
	long := strings.Repeat(
		"The service of team Aldebaran depends on Redis 7 and Kafka, and Petra Novak works on it since May. ", 2200)
	p.hook(t, s.host, s.prompt, s.payload("s", dir, "1", map[string]any{"prompt": long}))
	for i := range 6 {
		p.hook(t, s.host, s.answer, s.payload("s", dir, fmt.Sprint("a", i),
			map[string]any{s.text: fmt.Sprintf("Answer number %d.", i)}))
	}
	p.settles(t)
	if got := p.count(t, `1`); got != 8 {
		t.Errorf("%d turns are stored, want 8\n%s", got, p.logged())
	}
}

func TestHook_ManyAtOnce(t *testing.T) {
	t.Parallel()
	p := newPerson(t, "MEMORY_GRAPH_EMBEDDER=none")
	s := speakers[0]
	dir := p.project(t, "shop", "shop-web")
	n := count(8, 40)
	var all sync.WaitGroup
	for i := range n {
		for range 2 { // each is delivered twice
			all.Go(func() {
				p.hook(t, s.host, s.answer, s.payload(fmt.Sprint("s", i%3), dir, fmt.Sprint(i),
					map[string]any{s.text: fmt.Sprintf("Answer %d.", i)}))
			})
		}
	}
	all.Wait()
	p.hook(t, s.host, "SessionEnd", s.payload("s", dir, "end", nil))
	p.settles(t) // a hook that was late left a process behind, and the others leave storing to it
	if got := p.count(t, `1`); got != n {
		t.Errorf("%d turns, want %d\n%s", got, n, p.logged())
	}
	p.sound(t, n)
}

// A busy host may take longer to write a payload than it should wait for a hook.
func TestHook_ALatePayloadOfAnEventWithoutAnAnswerIsStored(t *testing.T) {
	t.Parallel()
	p := newPerson(t, "MEMORY_GRAPH_EMBEDDER=none")
	s := speakers[0]
	dir := p.project(t, "shop", "shop-web")
	payload, err := json.Marshal(s.payload("s", dir, "1", map[string]any{s.text: "It came late."}))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "hook", s.host, s.answer) // with the times that users have
	cmd.Env = p.env
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitfor.Until(t, "it is too late to store the turn before the hook ends", func() bool {
		return time.Since(began) > time.Second
	})
	_, err = stdin.Write(payload)
	if err := errors.Join(err, stdin.Close(), cmd.Wait()); err != nil {
		t.Fatal(err)
	}
	p.settles(t) // the hook left a process behind
	if got := p.count(t, `content = 'It came late.'`); got != 1 {
		t.Errorf("the turn is stored %d times\n%s", got, p.logged())
	}
}

func TestHook_ALockedDatabaseFailsNobodyAndLosesNothing(t *testing.T) {
	t.Parallel()
	p := newPerson(t, "MEMORY_GRAPH_EMBEDDER=none")
	s := speakers[0]
	dir := p.project(t, "shop", "shop-web")
	p.hook(t, s.host, s.answer, s.payload("s", dir, "1", map[string]any{s.text: "Before the lock."}))
	release := lockWhole(t, p.db)
	p.max = "5s"
	if out := p.hook(t, s.host, s.prompt, s.payload("s", dir, "2",
		map[string]any{"prompt": "What was before the lock?"})); out != "" {
		t.Errorf("an answer from a locked file: %s", out)
	}
	p.hook(t, s.host, s.answer, s.payload("s", dir, "2", map[string]any{s.text: "While it is locked."}))
	if n := p.waiting(t); n != 2 {
		t.Errorf("%d turns wait, want 2", n)
	}
	if log := p.logged(); !strings.Contains(log, "no answer in time") && !strings.Contains(log, "cannot answer") {
		t.Errorf("the log says:\n%s", log)
	}
	release()
	p.max = "60s"
	p.hook(t, s.host, s.answer, s.payload("s", dir, "3", map[string]any{s.text: "Behind the lock."}))
	p.settles(t) // a hook that was late left a process behind, and the others leave storing to it
	if got := p.count(t, `1`); got != 4 || p.waiting(t) != 0 {
		t.Errorf("%d turns and %d that wait, want 4 and none\n%s", got, p.waiting(t), p.logged())
	}
	if got := peek(t, p.db, `SELECT count(*) FROM mg_episodes WHERE seq = 2 AND role = 'user'`); got != 1 {
		t.Error("the turns are not stored in the order in which they were said")
	}
}

func TestHook_KilledLosesNothingAndStoresNothingTwice(t *testing.T) {
	t.Parallel()
	rnd := random(t)
	p := newPerson(t, "MEMORY_GRAPH_EMBEDDER=none")
	s := speakers[0]
	dir := p.project(t, "shop", "shop-web")
	p.hook(t, s.host, s.answer, s.payload("s", dir, "first", map[string]any{s.text: "The file is made."}))
	n := count(15, 150)
	cut := 0
	for i := range n {
		payload, err := json.Marshal(s.payload("s", dir, fmt.Sprint(i), map[string]any{s.text: fmt.Sprintf("Answer %d.", i)}))
		if err != nil {
			t.Fatal(err)
		}
		cmd := p.command(s.host, s.answer, payload)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		killWithin(rnd, 250*time.Millisecond, func() { _ = cmd.Process.Kill() })
		before := p.waiting(t) + p.count(t, `1`)
		if cmd.Wait() != nil {
			cut++
		}
		if i%2 == 0 {
			p.hook(t, s.host, s.answer, payload) // the host tries again
		} else if before == 0 {
			t.Error("nothing is left at all")
		}
	}
	kept := map[string]bool{}
	names, err := filepath.Glob(filepath.Join(p.db+"-spool", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		var turn struct {
			Key string `json:"key"`
		}
		if err := json.Unmarshal(content(t, name), &turn); err != nil {
			t.Errorf("%s is broken: %v", name, err)
		}
		kept[turn.Key] = true
	}
	stored := p.count(t, `1`)
	p.hook(t, s.host, "SessionEnd", s.payload("s", dir, "end", nil))
	after := p.count(t, `1`)
	t.Logf("%d of %d were killed in time; %d stored, %d waited", cut, n, stored, len(kept))
	if after < stored || after > stored+len(kept) || after < n/2 {
		t.Errorf("%d turns, from %d that were stored and %d that waited", after, stored, len(kept))
	}
	if twice := peek(t, p.db,
		`SELECT count(*) FROM (SELECT content FROM mg_episodes GROUP BY content HAVING count(*) > 1)`); twice != 0 {
		t.Errorf("%d turns are stored twice", twice)
	}
	if p.waiting(t) != 0 {
		t.Errorf("%d turns wait\n%s", p.waiting(t), p.logged())
	}
	p.sound(t, after)
}

func TestHook_NeverFailsItsHost(t *testing.T) {
	t.Parallel()
	huge := []byte(
		`{"session_id":"s","prompt_id":"p","cwd":"/src/x","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"cat"},"tool_response":{"stdout":"` + strings.Repeat("x", 9<<20) + `"}}`)
	for name, tc := range map[string]struct {
		args   []string
		stdin  []byte
		stored int
		log    string
	}{
		"empty": {[]string{"claude-code", "UserPromptSubmit"}, nil, 0, "is empty"},
		"cut": {[]string{"claude-code", "UserPromptSubmit"}, []byte(`{"session_id":"s","prompt":"hel`), 0,
			"cut off"},
		"not JSON":      {[]string{"codex", "Stop"}, []byte("hello"), 0, "not JSON"},
		"huge":          {[]string{"claude-code", "PostToolUse"}, huge, 1, "too long: only its beginning"},
		"unknown event": {[]string{"claude-code", "Dreaming"}, []byte(`{"session_id":"s"}`), 0, "no known event"},
		"newer form": {[]string{"codex", "Stop"},
			[]byte(`{"session_id":{"v":2},"last_assistant_message":[{"type":"text","text":"hi"}]}`), 1, ""},
		"unknown host":        {[]string{"emacs", "Stop"}, []byte(`{}`), 0, "no hooks"},
		"no event":            {[]string{"codex"}, nil, 0, "arguments"},
		"nothing":             {nil, nil, 0, "arguments"},
		"an unknown flag":     {[]string{"codex", "Stop", "--no-such-flag"}, nil, 0, "no-such-flag"},
		"a time out of range": {[]string{"codex", "Stop", "--max", "1h"}, nil, 0, "out of range"},
		"settings of no use": {[]string{"codex", "Stop", "--config", "/no/such/file"},
			[]byte(`{"last_assistant_message":"x"}`), 0, "settings"},
		"a directory for a file": {[]string{"codex", "Stop", "--db", "."}, []byte(`{"last_assistant_message":"x"}`), 0,
			"level=WARN"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPerson(t, "MEMORY_GRAPH_EMBEDDER=none")
			args := append([]string{"hook"}, tc.args...)
			if len(tc.args) == 2 || len(tc.args) == 4 && tc.args[2] == "--db" {
				args = append(args, "--max", p.max) // the log says what failed only if that is known in time
			}
			cmd := exec.Command(program, args...)
			cmd.Env, cmd.Stdin, cmd.Dir = p.env, bytes.NewReader(tc.stdin), p.home
			out, err := cmd.Output()
			var exit *exec.ExitError
			if errors.As(err, &exit) || err != nil || len(out) != 0 {
				t.Errorf("%v, stdout %q", err, out)
			}
			if log := p.logged(); (tc.log == "") != (log == "") || !strings.Contains(log, tc.log) {
				t.Errorf("the log says %q, want %q", log, tc.log)
			}
			stored := 0
			if _, err := os.Stat(p.db); err == nil {
				stored = p.count(t, `1`)
			}
			if stored != tc.stored {
				t.Errorf("%d turns are stored, want %d", stored, tc.stored)
			}
		})
	}
}
