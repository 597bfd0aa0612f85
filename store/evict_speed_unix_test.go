//go:build unix

package store_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"memory-graph/store"
)

// BenchmarkReadsAtOtherTimes compares what reads at other times cost in two files with the same facts: in one of them
// half of the facts are archived. The reads of the two alternate in one process, and their cost is the CPU time of the
// process, so other programs on the machine hardly count. It reports p95 in microseconds, its ratio, and the ratio of
// the instructions of SQLite's machine. Each round reads every kind once; 300 rounds are enough:
//
//	go test ./store -run xxx -bench ReadsAtOtherTimes -benchtime 300x
func BenchmarkReadsAtOtherTimes(b *testing.B) {
	facts := fromEnvironment("MEMORY_GRAPH_FACTS", 100_000)
	nodes := max(20, facts/50)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	options := store.Options{Synchronous: "off", Now: func() time.Time { return now }}
	dir := b.TempDir()
	var files [2]*store.Store
	for i, name := range []string{"whole.db", "archived.db"} {
		files[i] = open(b, filepath.Join(dir, name), options)
		manyFacts(b, files[i], facts, nodes)
	}
	if out := evict(b, files[1], store.Eviction{}); out.Facts != int64(facts/2) {
		b.Fatalf("%+v", out)
	}
	var cost [2]map[string][]time.Duration
	var steps [2]map[string]int
	for i := range files {
		cost[i], steps[i] = map[string][]time.Duration{}, map[string]int{}
	}
	round := uint64(0)
	for b.Loop() {
		round++
		for _, kind := range otherTimes {
			for i := range files {
				i = (i + int(round)) % 2 // each of the two is the first in turn
				before, _ := files[i].Steps()
				began := cpuTime(b)
				readAtOtherTime(b, files[i], kind, rand.New(rand.NewPCG(round, 2)), nodes)
				cost[i][kind] = append(cost[i][kind], cpuTime(b)-began)
				after, _ := files[i].Steps()
				steps[i][kind] += after - before
			}
		}
	}
	for _, kind := range otherTimes {
		name := strings.ReplaceAll(kind, " ", "-")
		var p95 [2]time.Duration
		for i := range files {
			all := cost[i][kind]
			slices.Sort(all)
			p95[i] = all[len(all)*95/100]
		}
		b.ReportMetric(float64(p95[0].Microseconds()), name+"-before-µs")
		b.ReportMetric(float64(p95[1].Microseconds()), name+"-after-µs")
		b.ReportMetric(float64(p95[1])/float64(p95[0]), name+"-ratio")
		b.ReportMetric(float64(steps[1][kind])/float64(steps[0][kind]), name+"-steps-ratio")
	}
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
