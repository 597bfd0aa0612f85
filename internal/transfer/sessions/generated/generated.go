// Package generated writes sessions in the form of Claude Code, for tests. As in real sessions, results of tools are
// most of the bytes.
package generated

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Options say what to write.
type Options struct {
	Sessions int
	Bytes    int64  // of all sessions, about
	Image    int    // bytes of one line with an image, in the first session; 0 for none
	Seed     uint64 // equal seeds give equal files
}

// prompts and tools is how many of them a session has.
const (
	prompts = 8
	tools   = 3 // for each prompt; one of them only reads a file
)

// other is about how many bytes of a session are not results of tools.
const other = 75_000

// Turns is the number of turns of one session that belong in a memory.
const Turns = prompts * (2 + tools - 1)

// Write writes the sessions below dir, which stands for ~/.claude/projects. They are from ten projects, one after the
// other in time.
func Write(dir string, o Options) error {
	at := time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	for n := range o.Sessions {
		w := &writer{random: rand.New(rand.NewPCG(o.Seed, uint64(n))), at: at.Add(time.Duration(n) * time.Hour),
			result: max(100, int(o.Bytes/int64(o.Sessions)-other)/(prompts*tools)/2), // a result stands in its line twice
			dir:    fmt.Sprintf("/src/project-%d", n%10), n: n}
		w.session = w.id()
		if n == 0 {
			w.image = o.Image
		}
		path := filepath.Join(dir, strings.ReplaceAll(w.dir, "/", "-"), w.session+".jsonl")
		if err := w.write(path); err != nil {
			return err
		}
		if err := os.Chtimes(path, w.at, w.at); err != nil {
			return err
		}
	}
	return nil
}

// entry is a line of a session.
type entry = map[string]any

// writer writes one session.
type writer struct {
	random             *rand.Rand
	at                 time.Time
	n, result, image   int
	dir, session, last string
	out                *json.Encoder
	err                error
}

func (w *writer) write(path string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(f)
	w.out = json.NewEncoder(buffered)
	w.out.SetEscapeHTML(false)
	for i := range prompts {
		w.exchange(i)
	}
	return errors.Join(w.err, buffered.Flush(), f.Close())
}

// exchange writes a prompt, the tools that it causes, the answer, and what Claude Code writes between them.
func (w *writer) exchange(i int) {
	prompt := w.id()
	service, city := w.pick(services), w.pick(cities)
	ask := fmt.Sprintf("Please deploy the %s to %s. We use %s for it since %s. %s", service, city, w.pick(products),
		w.pick(months), w.words(20))
	w.raw(entry{"type": "queue-operation", "operation": "enqueue", "content": ask})
	reminder := "\n<system-reminder>\nThe task list is empty.\n</system-reminder>"
	w.line("user", entry{"promptId": prompt, "permissionMode": "default",
		"message": entry{"role": "user", "content": ask + reminder}})
	w.line("attachment", entry{"attachment": entry{"type": "skill_listing", "content": w.words(200)}})
	if w.image > 0 && i == 0 {
		w.line("user", entry{"promptId": prompt, "message": entry{"role": "user", "content": []entry{{"type": "image",
			"source": entry{"type": "base64", "data": strings.Repeat("A", w.image)}}}}})
	}
	for n := range tools {
		use, name, input := "toolu_"+w.id(), "Bash", entry{"command": "make " + w.words(3), "description": w.words(4)}
		if n == 0 {
			name, input = "Read", entry{"file_path": w.dir + "/" + w.pick(services) + ".go"}
		}
		w.assistant(entry{"type": "text", "text": "I look at it. " + w.words(8)})
		w.assistant(entry{"type": "tool_use", "id": use, "name": name, "input": input})
		text := w.words(w.result / 7)
		w.line("user", entry{"promptId": prompt, "message": entry{"role": "user", "content": []entry{{
			"tool_use_id": use, "type": "tool_result", "content": text, "is_error": false}}},
			"toolUseResult": entry{"stdout": text, "stderr": "", "interrupted": false, "isImage": false}})
	}
	w.line("user", entry{"isSidechain": true, "promptId": prompt,
		"message": entry{"role": "user", "content": "Scout " + w.words(10)}})
	w.assistant(entry{"type": "thinking", "thinking": w.words(60)})
	w.assistant(entry{"type": "text", "text": fmt.Sprintf("The %s is deployed in %s now. %s", service, city,
		w.words(60))})
	if i == prompts/2 {
		w.line("user", entry{"isCompactSummary": true, "promptId": w.id(), "message": entry{"role": "user",
			"content": "This session is being continued from a previous conversation. " + w.words(100)}})
		w.line("user", entry{"isMeta": true, "message": entry{"role": "user",
			"content": "<local-command-caveat>Caveat</local-command-caveat>"}})
	}
	w.raw(entry{"type": "last-prompt", "lastPrompt": ask})
}

func (w *writer) assistant(part entry) {
	stopped := "end_turn"
	if part["type"] == "tool_use" {
		stopped = "tool_use"
	}
	w.line("assistant", entry{"message": entry{"id": "msg_" + w.id(), "type": "message", "role": "assistant",
		"model": "claude-opus-4-8", "content": []entry{part}, "stop_reason": stopped}})
}

// line writes an entry with the fields that most entries have.
func (w *writer) line(typ string, e entry) {
	w.at = w.at.Add(20 * time.Second)
	id := w.id()
	e["type"], e["uuid"], e["parentUuid"], e["cwd"], e["version"] = typ, id, w.last, w.dir, "2.1.197"
	e["timestamp"], e["userType"] = w.at.Format("2006-01-02T15:04:05.000Z"), "external"
	if e["isSidechain"] == nil {
		e["isSidechain"] = false
	}
	w.last = id
	w.raw(e)
}

func (w *writer) raw(e entry) {
	e["sessionId"] = w.session
	if err := w.out.Encode(e); w.err == nil {
		w.err = err
	}
}

// id returns an id in the form of a UUID.
func (w *writer) id() string {
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", w.random.Uint32(), w.random.IntN(1<<16), w.random.IntN(1<<12),
		w.random.IntN(1<<12), w.random.Uint64N(1<<48))
}

func (w *writer) pick(list []string) string { return list[w.random.IntN(len(list))] }

// words returns a text of n words of about six letters.
func (w *writer) words(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.pick(vocabulary))
	}
	return b.String()
}

var (
	services = strings.Fields("billing-service login-page search-index mail-queue report-job image-proxy user-store")
	cities   = strings.Fields("Lisbon Oslo Turin Gdansk Porto Bergen Zagreb Malaga Tallinn Graz")
	products = strings.Fields("Redis Kafka Postgres Terraform Grafana Nomad Envoy")
	months   = strings.Fields("January February March April May June")

	vocabulary = strings.Fields(`handler request response timeout retry cache index worker thread buffer stream socket
		config option branch commit merge release deploy rollback metric trace sample ledger invoice tenant account session
		cookie header payload schema column cursor vector matrix kernel driver module package import export format parser
		lexer token syntax symbol linker loader debug assert verify measure compare select insert update delete shard replica
		leader follower quorum backup restore archive snapshot`)
)
