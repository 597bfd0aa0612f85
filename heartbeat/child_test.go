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

// In these tests the test binary plays six processes on one file. Their clock is a file that the test writes. A process
// that finds the file "stop" takes it away and stands still at the place that it names, for the test to kill it there.

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

// clock is a file that says what time it is.
type clock struct{ path string }

func (c clock) now() (now time.Time) {
	if !waitfor.Within(waitfor.Patience, func() bool { // now and then it is just being replaced
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

// after tells when the clock has been turned on by d.
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

// playChild is one process: it keeps the heartbeat on the file in dir until it is killed or its stdin ends.
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
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // until the test closes it
	stop()
	<-done
	return s.Close()
}

// Places to stand still at, beside a number: how often the work has asked whether it is to go on, which it does before
// each statement and within the longer ones.
const (
	nowhere    = -1
	afterwards = -2 // when the run is finished, and before anybody is told
)

// place gives where this process is to stand still, if it is the one.
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

// standing is a context under which what runs stands still at a place.
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
