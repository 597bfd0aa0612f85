package heartbeat_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"memory-graph/heartbeat"
	"memory-graph/internal/waitfor"
	"memory-graph/store"
)

// In these tests the test binary acts as six processes on one file. Their clock is a file that the test writes. If a
// process finds the file "stop", it removes it and blocks at the place named there, so that the test can kill it.

const childVariable = "MEMORY_GRAPH_TEST_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childVariable); name != "" {
		if err := playChild(name, os.Args[1]); err != nil {
			fmt.Println("failed", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// clock is the path of a file with the current time.
type clock struct{ path string }

func (c clock) now() (now time.Time) {
	if !waitfor.Within(waitfor.Patience, func() bool { // a read may hit the moment of its replacement
		b, err := os.ReadFile(c.path)
		n, e := strconv.ParseInt(string(b), 10, 64)
		now = time.UnixMilli(n).UTC()
		return err == nil && e == nil
	}) {
		panic("the clock " + c.path + " cannot be read")
	}
	return now
}

func (c clock) set(now time.Time) error {
	next := c.path + ".next"
	return errors.Join(os.WriteFile(next, []byte(strconv.FormatInt(now.UnixMilli(), 10)), 0o600), os.Rename(next, c.path))
}

// after returns a channel that receives when the clock has advanced by d.
func (c clock) after(d time.Duration) <-chan time.Time {
	due, fires := c.now().Add(d), make(chan time.Time, 1)
	go func() {
		for range time.Tick(3 * time.Millisecond) {
			if !c.now().Before(due) {
				fires <- due
				return
			}
		}
	}()
	return fires
}

const lease = time.Minute

// playChild runs one process: the heartbeat on the file in dir, until the process is killed or its stdin ends.
func playChild(name, dir string) error {
	c := clock{filepath.Join(dir, "clock")}
	s, err := store.Open(context.Background(), filepath.Join(dir, "memory.db"),
		store.Options{CacheDir: cacheDir, Now: c.now})
	if err != nil {
		return err
	}
	var out sync.Mutex
	say := func(line string) {
		out.Lock()
		defer out.Unlock()
		fmt.Println(line)
	}
	ctx, stop := context.WithCancel(context.Background())
	tasks := []heartbeat.Task{
		{Name: "tick", Every: time.Hour, Do: func(_ context.Context, run *store.Run) error {
			say(fmt.Sprint("tick ", run.Intervals))
			return nil
		}},
		{Name: "fade", Every: 24 * time.Hour, Do: func(ctx context.Context, run *store.Run) error {
			at := place(dir, name)
			watched := &standing{Context: ctx, at: at, say: say}
			_, err := s.FadeEntities(watched, run, .05)
			if at == afterwards {
				stand(say)
			}
			say(fmt.Sprint("asked ", watched.asked))
			return err
		}},
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		heartbeat.New(s, tasks, heartbeat.Options{Holder: name, Lease: lease, After: c.after}).Run(ctx)
	}()
	say("ready")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // blocks until the test closes stdin
	stop()
	<-done
	return s.Close()
}

// Places at which a process blocks. A positive number counts how often the work has checked its context, which it does
// before each statement and during long ones.
const (
	nowhere    = -1
	afterwards = -2 // after the run, before it is recorded
)

// place returns the place at which this process must block, if it is the one.
func place(dir, name string) int {
	mine := filepath.Join(dir, "stop."+name)
	if os.Rename(filepath.Join(dir, "stop"), mine) != nil {
		return nowhere
	}
	b, err := os.ReadFile(mine)
	n, e := strconv.Atoi(string(b))
	if err != nil || e != nil {
		return nowhere
	}
	return n
}

func stand(say func(string)) {
	say("standing")
	select {}
}

// standing is a context that blocks its user at a place.
type standing struct {
	context.Context
	asked, at int
	say       func(string)
}

func (s *standing) Err() error {
	if s.asked == s.at {
		stand(s.say)
	}
	s.asked++
	return s.Context.Err()
}
