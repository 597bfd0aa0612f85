package e2e_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
)

// Four hosts start at once on a file that does not exist, and each stores through a window of calls under way.
func TestProcesses_FourStartOnAMissingFileAndStore(t *testing.T) {
	t.Parallel()
	const processes = 4
	each := count(100, 1000)
	db := newDB(t)
	ledgers, hosts := make([]*ledger, processes), make([]*host, processes)
	for p := range processes {
		ledgers[p] = newLedger(t, string(rune('w'+p)))
		hosts[p] = start(t, db)
	}
	var running sync.WaitGroup
	for p, h := range hosts {
		running.Go(func() {
			if err := storeAll(h, ledgers[p], each); err != nil {
				t.Errorf("process %d: %v", p, err)
			}
		})
	}
	running.Wait()
	for p, h := range hosts {
		for _, other := range ledgers { // the last turn of each, in every process
			turn := other.turns[len(other.turns)-1]
			if a := h.retrieve(arguments{"query": other.word(turn)}); !a.has(turn.id) {
				t.Errorf("process %d, asked for %s: %+v; want %s", p, other.word(turn), a, turn.id)
			}
		}
	}
	hosts[0].settled()
	verify(t, hosts[0], ledgers...)
	for _, h := range hosts {
		h.stop()
	}
	sound(t, db, processes*each)
}

// storeAll stores n turns, eight under way at a time. No call may fail, and none may be taken for another.
func storeAll(h *host, l *ledger, n int) error {
	if _, err := h.ask("initialize", initializeParams); err != nil {
		return err
	}
	answers := make(chan reply, 8)
	under := map[int]*turn{}
	var errs []error
	for sent := 0; sent < n || len(under) > 0; {
		for sent < n && len(under) < cap(answers) {
			turn := l.next()
			under[h.begin(answers, "store_episode", turn.arguments(l))] = turn
			sent++
		}
		r := <-answers
		duplicate, err := l.note(under[r.id], r)
		if duplicate {
			err = fmt.Errorf("%s is called a duplicate", under[r.id].key)
		}
		if err != nil {
			errs = append(errs, err)
		}
		delete(under, r.id)
	}
	return errors.Join(errs...)
}

// What one process was told is found by the other's very next question: by its words at once, by its meaning as soon
// as its vector is there, whichever process makes it.
func TestProcesses_FindWhatTheOtherStored(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	hosts := []*host{start(t, db), start(t, db)}
	ledgers := []*ledger{newLedger(t, "left"), newLedger(t, "right")}
	for _, h := range hosts {
		h.initialize()
		h.retrieve(arguments{"query": "anything", "strategy": "fused"}) // both have loaded what there is: nothing
	}
	for i := range count(20, 100) {
		from, to := i%2, 1-i%2
		turn := ledgers[from].next()
		turn.id = hosts[from].store(turn.arguments(ledgers[from]))
		a := hosts[to].retrieve(arguments{"query": ledgers[from].word(turn)})
		if !a.has(turn.id) {
			t.Fatalf("%s is not found by the other process: %+v", turn.key, a.Episodes)
		}
	}
	for i, m := range []struct{ said, asked string }{
		{"Our kitten sleeps on the sofa all afternoon.", "where does the cat like to nap"},
		{"The flight to Lisbon got cancelled because of fog.", "airplane trip called off by bad weather"},
	} {
		from, to := hosts[i%2], hosts[1-i%2]
		id := from.store(arguments{"content": m.said})
		from.settled()
		a := to.retrieve(arguments{"query": m.asked, "strategy": "vector", "limit": 3, "detail": "ids"})
		if !a.has(id) {
			t.Errorf("%q is not found by %q in the other process: %+v", m.said, m.asked, a)
		}
	}
	stored := hosts[0].all()
	if want := len(ledgers[0].turns) + len(ledgers[1].turns) + 2; len(stored) != want {
		t.Errorf("%d turns; want %d", len(stored), want)
	}
	for _, h := range hosts {
		h.stop()
	}
}
