package heartbeat_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"memory-graph/heartbeat"
	"memory-graph/store"
)

var cacheDir = filepath.Join(os.TempDir(), "memory-graph-test-cache")

func openStore(t testing.TB, path string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), path, store.Options{CacheDir: cacheDir})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestBubble(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := openStore(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		n := 0
		ctx, stop := context.WithCancel(context.Background())
		var all sync.WaitGroup
		for range 6 {
			s := openStore(t, path)
			h := heartbeat.New(s, []heartbeat.Task{{Name: "x", Every: time.Hour, Do: func(ctx context.Context, run *store.Run) error {
				mu.Lock()
				n += run.Intervals
				mu.Unlock()
				return nil
			}}}, heartbeat.Options{})
			all.Go(func() { h.Run(ctx); s.Close() })
		}
		time.Sleep(100*time.Hour + 30*time.Minute)
		stop()
		all.Wait()
		t.Log(n)
	})
}
