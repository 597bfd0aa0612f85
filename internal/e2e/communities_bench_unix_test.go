//go:build unix

package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"memory-graph/internal/graph"
	"memory-graph/internal/graph/planted"
)

// BenchmarkRefresh reports what communities cost in a file of 100,000 facts among 13,500 entities (an LFR graph with
// mixing .3): label propagation, a first refresh, and a second one, which writes nothing, in seconds of CPU time with
// the start of the process; and the p95 of store_episode before and during the first refresh, which another process
// does, in milliseconds by the clock. MEMORY_GRAPH_FACTS makes a smaller file. It makes the file anew each time, which
// takes minutes:
//
//	go test ./internal/e2e -run xxx -bench Refresh -benchtime 1x
func BenchmarkRefresh(b *testing.B) {
	facts := 100_000
	if n, err := strconv.Atoi(os.Getenv("MEMORY_GRAPH_FACTS")); err == nil {
		facts = n
	}
	nodes := facts * 135 / 1000
	g := planted.New(planted.Standard(nodes, .3, 1))
	edges := make([][2]int32, len(g.Edges))
	for i, e := range g.Edges {
		edges[i] = [2]int32{int32(e[0]), int32(e[1])}
	}
	began := cpuTime(b)
	const rounds = 5
	for range rounds {
		graph.Communities(nodes, edges)
	}
	propagation := (cpuTime(b) - began).Seconds() / rounds

	db := newDB(b)
	settings := []string{"MEMORY_GRAPH_EMBEDDER=none", "MEMORY_GRAPH_RULES=false", "MEMORY_GRAPH_HEARTBEAT_ENABLED=false"}
	h := start(b, db, settings...)
	h.initialize()
	const aTurn = 200
	for at := 0; at < len(g.Edges); at += aTurn {
		var relations []arguments
		for _, e := range g.Edges[at:min(at+aTurn, len(g.Edges))] {
			relations = append(relations, arguments{"head": fmt.Sprint("n", e[0]), "relation": "knows",
				"tail": fmt.Sprint("n", e[1])})
		}
		h.store(arguments{"content": fmt.Sprint("part ", at), "role": "system", "relations": relations})
	}
	turns := 0
	store := func() time.Duration {
		turns++
		began := time.Now()
		h.store(arguments{"content": fmt.Sprintf("the kettle was on at %d and the tea was fine", turns), "session_id": "tea"})
		return time.Since(began)
	}
	p95 := func(times []time.Duration) float64 {
		slices.Sort(times)
		return float64(times[len(times)*95/100].Microseconds()) / 1000
	}
	for b.Loop() {
		var before, during []time.Duration
		for range 300 {
			before = append(before, store())
		}
		first := refreshing(b, db, settings)
		for ended := false; !ended; {
			select {
			case ended = <-first.ended:
			default:
				during = append(during, store())
			}
		}
		b.ReportMetric(float64(len(edges)), "facts")
		b.ReportMetric(propagation, "propagation-cpu-s")
		b.ReportMetric(first.report(b).Seconds(), "first-cpu-s")
		b.ReportMetric(first.took.Seconds(), "first-s")
		if first.Refreshed.Changed == 0 {
			b.Fatal("the first refresh found nothing")
		}
		b.ReportMetric(p95(before), "store-before-p95-ms")
		b.ReportMetric(p95(during), "store-meanwhile-p95-ms")
		b.ReportMetric(float64(len(during)), "stored-meanwhile")
		second := refreshing(b, db, settings)
		<-second.ended
		b.ReportMetric(second.report(b).Seconds(), "second-cpu-s")
		b.ReportMetric(second.took.Seconds(), "second-s")
		if second.Refreshed.Changed != 0 || second.Refreshed.Unchanged != first.Refreshed.Changed {
			b.Fatalf("first %+v, second %+v", first.Refreshed, second.Refreshed)
		}
	}
}

// refresh is a process that refreshes the communities.
type refresh struct {
	cmd       *exec.Cmd
	stdout    *lockedBuffer
	stderr    *lockedBuffer
	took      time.Duration
	ended     chan bool
	Refreshed struct{ Changed, Unchanged int }
}

func refreshing(b *testing.B, db string, settings []string) *refresh {
	b.Helper()
	r := &refresh{cmd: exec.Command(program, "communities", "--refresh", "--json", "--limit", "1"),
		stdout: &lockedBuffer{}, stderr: &lockedBuffer{}, ended: make(chan bool, 1)}
	r.cmd.Env = environment(filepath.Dir(db), append([]string{"MEMORY_GRAPH_DB=" + db}, settings...)...)
	r.cmd.Stdout, r.cmd.Stderr = r.stdout, r.stderr
	began := time.Now()
	if err := r.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	go func() {
		_ = r.cmd.Wait() // report has the exit code
		r.took = time.Since(began)
		r.ended <- true
	}()
	return r
}

// report reads the answer of a process that has ended, and returns its CPU time.
func (r *refresh) report(b *testing.B) time.Duration {
	b.Helper()
	if err := json.Unmarshal([]byte(r.stdout.String()), r); err != nil || !r.cmd.ProcessState.Success() {
		b.Fatalf("%v, %v: %s", r.cmd.ProcessState, err, r.stderr.String())
	}
	return r.cmd.ProcessState.UserTime() + r.cmd.ProcessState.SystemTime()
}

// cpuTime is the CPU time that the process has used.
func cpuTime(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
