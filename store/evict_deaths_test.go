package store_test

import (
	"bufio"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func init() { childParts["evict"] = evictUntilKilled }

// evictUntilKilled evicts from the file args[0]. When its statements have asked args[1] times whether to go on, it says
// "standing" and waits to be killed.
func evictUntilKilled(args []string) error {
	left, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	s, err := store.Open(context.Background(), args[0], store.Options{CacheDir: cacheDir})
	if err != nil {
		return err
	}
	if _, err := s.Evict(&standing{context.Background(), left}, store.Eviction{Retention: day}); err != nil {
		return err
	}
	fmt.Println("finished")
	return s.Close()
}

// standing is a context that blocks its user for ever after a number of checks.
type standing struct {
	context.Context
	left int
}

func (s *standing) Err() error {
	if s.left--; s.left == 0 {
		fmt.Println("standing")
		select {}
	}
	return nil
}

// A process that evicts is killed at one place after another, within its transactions and between them. The next one
// continues. After every kill the file is sound, and its export is unchanged.
func TestEvict_KilledAnywhereLosesAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	s, err := store.Open(t.Context(), path, store.Options{CacheDir: cacheDir})
	if err != nil {
		t.Fatal(err)
	}
	const facts = 40
	for i := range facts {
		d := draft(fmt.Sprint("Head ", i), "uses", fmt.Sprint("Tail ", i%7))
		d.ValidFrom, d.ValidUntil = time.Now().AddDate(-2, 0, 0), time.Now().AddDate(-1, 0, 0)
		relate(t, s, d)
	}
	relate(t, s, draft("Ann", "uses", "Tail 1"))
	if err := s.ExecOnWriter(`UPDATE mg_entities SET last_seen_at = '2020-01-01 00:00:00.000'`); err != nil {
		t.Fatal(err)
	}
	before := exported(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	kills, said := 0, ""
	for step := 3; said != "finished"; step += 5 {
		if step > 10_000 {
			t.Fatal("it never finishes")
		}
		said = standOrFinish(t, path, step)
		if said == "standing" {
			kills++
		}
		s := open(t, path, store.Options{})
		if diff := cmp.Diff(before, exported(t, s)); diff != "" {
			t.Fatalf("killed at %d: %s", step, diff)
		}
		rows, err := s.QueryInts(`SELECT count(*) FROM mg_facts UNION ALL SELECT count(DISTINCT id) FROM mg_facts`)
		if err != nil || rows[0] != facts+1 || rows[1] != facts+1 {
			t.Fatalf("killed at %d: %v facts, %v", step, rows, err)
		}
	}
	s = open(t, path, store.Options{})
	counts, err := s.QueryInts(`SELECT count(*) FROM mg_archive UNION ALL
		SELECT count(*) FROM mg_entities WHERE archived_at IS NOT NULL`)
	if diff := cmp.Diff([]int64{facts, facts + 6}, counts); err != nil || diff != "" || kills < 10 {
		t.Errorf("%d kills, %v\n%s", kills, err, diff)
	}
	isSound(t, s)
	at := memory.AsOf{ValidAt: time.Now().AddDate(-1, -6, 0)}
	list, _, err := s.ListRelationships(t.Context(), store.RelationshipFilter{Namespace: ns, At: at}, 0, 100)
	if err != nil || len(list) != facts {
		t.Errorf("%d facts then, %v", len(list), err)
	}
}

// standOrFinish starts the child, returns the word that it says, and kills it.
func standOrFinish(t *testing.T, path string, step int) string {
	t.Helper()
	cmd := child("evict", path, strconv.Itoa(step))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := bufio.NewScanner(out)
	line.Scan()
	said := line.Text()
	_ = cmd.Process.Kill() // it may have ended
	_ = cmd.Wait()
	if said != "standing" && said != "finished" {
		t.Fatalf("the process said %q", said)
	}
	return said
}
