package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"memory-graph/internal/waitfor"
	"memory-graph/migrations"
)

// random gives instants that differ in every run; the seed is in the log of a failure.
func random(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// upTo gives a time below d.
func upTo(rnd *rand.Rand, d time.Duration) time.Duration { return time.Duration(rnd.Int64N(int64(d))) }

// killWithin kills at an instant of the next d. Nothing tells from outside how far a process has come, so time it is:
// no test expects that it has come anywhere by then.
func killWithin(rnd *rand.Rand, d time.Duration, kill func()) {
	time.Sleep(upTo(rnd, d))
	kill()
}

// Killed while calls are under way, and while vectors are made: on one file, which lives through all of it.
func TestKill_LosesNothingAndStoresNothingTwice(t *testing.T) {
	t.Parallel()
	rnd := random(t)
	db := newDB(t)
	l := newLedger(t, "kill")
	inFlight, embedding, others, duplicates := 0, 0, 0, 0
	for inFlight < count(6, 70) || embedding < count(3, 15) {
		if others > 20+inFlight+embedding {
			t.Fatalf("the kills miss: %d with a call under way, %d while embedding, %d neither", inFlight, embedding, others)
		}
		h := start(t, db)
		duplicates += l.sendOpen(h)
		if inFlight < count(6, 70) {
			if storeUntilKilled(t, h, l, rnd) > 0 {
				inFlight++
			} else {
				others++
			}
			continue
		}
		for range 24 {
			l.next()
		}
		l.sendOpen(h)
		killWithin(rnd, 150*time.Millisecond, h.kill)
		if peek(t, db, `SELECT count(*) FROM mg_jobs WHERE kind = 'embed' AND status = 'running'`) > 0 {
			embedding++
		} else {
			others++
		}
	}
	h := start(t, db)
	duplicates += l.sendOpen(h)
	h.settled()
	verify(t, h, l)
	h.stop()
	sound(t, db, len(l.turns))
	t.Logf("%d kills with calls under way, %d while embedding, %d at other moments; %d turns, %d of them stored but not "+
		"acknowledged",
		inFlight, embedding, others, len(l.turns), duplicates)
}

// storeUntilKilled keeps one to eight calls under way, kills the server at some instant, and gives the number of calls
// that it left without an answer.
func storeUntilKilled(t *testing.T, h *host, l *ledger, rnd *rand.Rand) (unanswered int) {
	t.Helper()
	window := 1 + rnd.IntN(8)
	answers := make(chan reply, window)
	under := map[int]*turn{}
	kill := time.After(upTo(rnd, 120*time.Millisecond))
	for killed := false; !killed || len(under) > 0; {
		for !killed && len(under) < window {
			turn := l.next()
			under[h.begin(answers, "store_episode", turn.arguments(l))] = turn
		}
		select {
		case <-kill:
			killed = true
			h.kill() // all answers that it wrote, and errGone for the rest, are in the channel now
		case r := <-answers:
			if _, err := l.note(under[r.id], r); err != nil {
				if !killed {
					t.Errorf("store: %v", err)
				}
				unanswered++
			}
			delete(under, r.id)
		}
	}
	return unanswered
}

// Killed while a new file is being made, again and again on the same file: the next start goes on.
func TestKill_DuringTheFirstMigration(t *testing.T) {
	t.Parallel()
	rnd := random(t)
	version := fmt.Sprintf("SELECT max(version_id) >= %d FROM %s WHERE is_applied", migrations.Latest(), migrations.Table)
	during, others, duplicates := 0, 0, 0
	for during < count(3, 20) {
		if others > 40+4*during {
			t.Fatalf("the kills miss: %d during the migration, %d not", during, others)
		}
		db := newDB(t)
		l := newLedger(t, "first")
		for attempt := range 2 {
			h := start(t, db)
			answers := make(chan reply, 4)
			turns := map[int]*turn{}
			for range cap(answers) {
				turn := l.next()
				turns[h.begin(answers, "store_episode", turn.arguments(l))] = turn
			}
			waitfor.Until(t, "the file is there, which comes first", func() bool { return attempt > 0 || exists(db) })
			killWithin(rnd, 150*time.Millisecond, h.kill) // from the empty file to the first turn in it
			if exists(db) && peek(t, db, version) == 0 {
				during++
			} else {
				others++
			}
			for range turns {
				r := <-answers
				_, _ = l.note(turns[r.id], r) // what is not acknowledged is sent again
			}
		}
		h := start(t, db)
		duplicates += l.sendOpen(h)
		verify(t, h, l)
		h.stop()
		if d := doctor(t, db); !d.OK || d.Database.Integrity != "sound" {
			t.Errorf("doctor: %+v", d)
		}
	}
	t.Logf("%d kills during the first migration, %d before or after it; %d turns were stored but not acknowledged", during,
		others, duplicates)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
