package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// childVariable makes the test binary act as another process: its value is the part that it plays.
const childVariable = "MEMORY_GRAPH_TEST_CHILD"

// childParts are parts that exist only on some systems.
var childParts = map[string]func(args []string) error{}

func TestMain(m *testing.M) {
	if part := os.Getenv(childVariable); part != "" {
		play, ok := childParts[part]
		if !ok {
			play = func(args []string) error { return playChild(part, args) }
		}
		if err := play(os.Args[1:]); err != nil {
			fmt.Println("child failed:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// playChild plays a part: "open PATH CACHE" opens a new file; "store PATH NAME N" stores N turns and acknowledges each
// on stdout; "die PATH CACHE N" kills itself after N migrations.
func playChild(part string, args []string) error {
	ctx := context.Background()
	if part == "die" {
		n, err := strconv.ParseInt(args[2], 10, 64)
		if err != nil {
			return err
		}
		if err := store.MigrateTo(ctx, args[0], args[1], n); err != nil {
			return err
		}
		fmt.Println("migrated")
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		return errors.Join(self.Kill(), self.Release())
	}
	cache := cacheDir
	if part == "open" {
		cache = args[1]
	}
	s, err := store.Open(ctx, args[0], store.Options{CacheDir: cache, Log: slog.New(slog.NewTextHandler(os.Stdout, nil))})
	if err != nil {
		return fmt.Errorf("open: %w (%v)", err, memory.AsError(err).Err)
	}
	fmt.Println("opened")
	if part == "store" {
		n, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		for i := range n {
			e := turn(args[1], fmt.Sprintf("turn %d of %s", i, args[1]))
			e.IdempotencyKey = fmt.Sprintf("%s-%d", args[1], i)
			r, err := s.RecordEpisode(ctx, e)
			if err != nil {
				return fmt.Errorf("store: %w (%v)", err, memory.AsError(err).Err)
			}
			fmt.Println("stored", r.Episode.ID)
		}
	}
	return s.Close()
}

func child(part string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), childVariable+"="+part)
	return cmd
}

func runChild(t *testing.T, part string, args ...string) string {
	t.Helper()
	out, err := child(part, args...).CombinedOutput()
	if err != nil {
		t.Errorf("%s %v: %v\n%s", part, args, err, out)
	}
	return string(out)
}

func TestProcesses_StartOnAMissingFileAndLoseNothing(t *testing.T) {
	t.Parallel()
	const processes, turns = 4, 100
	for round := range 3 {
		path := filepath.Join(t.TempDir(), fmt.Sprint("memory", round, ".db"))
		var running sync.WaitGroup
		for p := range processes {
			running.Go(func() { runChild(t, "store", path, fmt.Sprint("s", p), fmt.Sprint(turns)) })
		}
		running.Wait()
		s := open(t, path, store.Options{})
		counts, err := s.Counts(context.Background())
		if err != nil || counts.Episodes != processes*turns {
			t.Errorf("round %d: %d episodes, %v; want %d", round, counts.Episodes, err, processes*turns)
		}
		for p := range processes {
			if got := searchIDs(t, s, fmt.Sprint("turn s", p),
				memory.Filter{Namespace: "default", SessionID: fmt.Sprint("s", p)}); len(got) != 50 {
				t.Errorf("session %d: %d found, want the 50 asked for", p, len(got))
			}
		}
	}
}

// A process is killed at any moment, even during its first migration, and another one continues with the same keys.
// Every acknowledged turn is stored exactly once.
func TestProcesses_KilledAtAnyMomentKeepWhatWasAcknowledged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	acknowledged := map[int64]bool{}
	for kill := range 16 {
		cmd := child("store", path, "s", "1000")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		done, storing := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for first := true; lines.Scan(); {
				if id, ok := strings.CutPrefix(lines.Text(), "stored "); ok {
					n, err := strconv.ParseInt(id, 10, 64)
					if err != nil {
						t.Errorf("line %q", lines.Text())
					}
					acknowledged[n] = true
					if first {
						close(storing)
						first = false
					}
				} else if lines.Text() != "opened" {
					t.Errorf("the process said %q", lines.Text())
				}
			}
		}()
		if kill >= 8 { // from round 8 on, kill while turns are stored; before, at any time from the migration on
			select {
			case <-storing:
			case <-done:
			}
		}
		// Progress of a migration cannot be seen from outside, so the kill comes after a time. No result depends on it.
		time.Sleep(time.Duration(20+kill%8*20) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-done
		_ = cmd.Wait() // it was killed
	}
	s := open(t, path, store.Options{})
	ids, err := s.QueryInts(`SELECT id FROM mg_episodes`)
	if err != nil {
		t.Fatal(err)
	}
	stored := map[int64]bool{}
	for _, id := range ids {
		stored[id] = true
	}
	for id := range acknowledged {
		if !stored[id] {
			t.Errorf("t%d was acknowledged and is gone", id)
		}
	}
	if len(acknowledged) == 0 || len(ids) > len(acknowledged)+16 {
		t.Errorf("%d acknowledged, %d stored", len(acknowledged), len(ids))
	}
	if twice, err := s.QueryInts(`SELECT count(*) FROM mg_episodes GROUP BY content HAVING count(*) > 1`); err != nil ||
		len(twice) > 0 {
		t.Errorf("%d turns are stored more than once, %v", len(twice), err)
	}
	if unindexed, err := s.QueryInts(
		`SELECT id FROM mg_episodes EXCEPT SELECT rowid FROM mg_episodes_fts WHERE mg_episodes_fts MATCH
			'turn'`); err != nil || len(unindexed) > 0 {
		t.Errorf("turns %v cannot be found by text, %v", unindexed, err)
	}
	if findings, err := s.IntegrityCheck(context.Background()); err != nil || len(findings) > 0 {
		t.Errorf("integrity: %v, %v", findings, err)
	}
}
