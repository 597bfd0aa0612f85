package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// benchTurns is how many turns the benchmark's database has.
const benchTurns = 10_000

// BenchmarkHook is the time of whole hooks from the start of the process to its end, on a database of 10,000 turns: run
// it with -benchtime=100x. The database is made once, which takes a minute, and kept in the directory for temporary
// files.
func BenchmarkHook(b *testing.B) {
	made := benchDB(b)
	for _, server := range []bool{false, true} {
		for _, event := range []string{"UserPromptSubmit", "SessionStart", "PostToolUse", "Stop"} {
			b.Run(fmt.Sprintf("server=%t/%s", server, event), func(b *testing.B) {
				p := newPerson(b)
				p.max = "10s"
				if err := os.MkdirAll(filepath.Dir(p.db), 0o700); err != nil {
					b.Fatal(err)
				}
				if err := os.WriteFile(p.db, content(b, made), 0o600); err != nil {
					b.Fatal(err)
				}
				s, dir := speakers[0], p.home // no project: all turns are searched
				payload := func(i int) map[string]any {
					return s.payload("s", dir, fmt.Sprint(i),
						map[string]any{"prompt": fmt.Sprintf("Which of the %d ports did we choose for the staging server?", i),
							"last_assistant_message": fmt.Sprintf("It is port %d.",
								i), "tool_name": "Bash", "tool_input": map[string]any{"command": fmt.Sprint("nc staging ", i)},
							"tool_response": map[string]any{"stdout": "open"}})
				}
				p.hook(b, s.host, s.prompt, payload(-1)) // the caches are warm
				if server {
					cmd := exec.Command(program)
					cmd.Env = p.env
					h := run(b, cmd)
					h.initialize()
					h.settled()
				}
				var times []time.Duration
				b.ResetTimer()
				for i := range b.N {
					began := time.Now()
					p.hook(b, s.host, event, payload(i))
					times = append(times, time.Since(began))
				}
				b.StopTimer()
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
				if log := p.logged(); log != "" {
					b.Logf("the log says:\n%s", log)
				}
			})
		}
	}
}

// benchDB gives a database with 10,000 turns and their vectors.
func benchDB(b *testing.B) string {
	b.Helper()
	if path := os.Getenv("MEMORY_GRAPH_BENCH_DB"); path != "" {
		return path
	}
	path := filepath.Join(os.TempDir(), fmt.Sprintf("memory-graph-bench-%d.db", benchTurns))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	making := newDB(b)
	h := start(b, making)
	h.initialize()
	things := []string{"staging server", "payment service", "parser", "release", "holiday in Lisbon", "search index",
		"billing job", "login page"}
	verbs := []string{"moved to", "depends on", "is tested with", "was replaced by", "waits for", "belongs to"}
	for i := range benchTurns {
		h.store(arguments{"session_id": fmt.Sprint("s", i/40),
			"content": fmt.Sprintf("The %s of team %d %s the %s since week %d, as Ann and Bob agreed.", things[i%8], i%97,
				verbs[i%6], things[i*7%8], i%53)})
	}
	h.settled()
	h.stop()
	if err := os.Rename(making, path); err != nil {
		b.Fatal(err)
	}
	return path
}
