package e2e_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// ledger is what one host wants stored, and what it was told about it.
type ledger struct {
	t     testing.TB
	name  string
	turns []*turn
}

// turn is a turn of its own words. Its key goes with every attempt to store it.
type turn struct {
	number       int
	key, content string
	id           string // "" until it is acknowledged
}

func newLedger(t testing.TB, name string) *ledger { return &ledger{t: t, name: name} }

// next makes a turn to store.
func (l *ledger) next() *turn {
	n := len(l.turns)
	t := &turn{number: n, key: fmt.Sprintf("%s-%d", l.name, n)}
	t.content = fmt.Sprintf("Turn %d of %s: the word to ask for is %s, and the rest is like that of any other turn.", n,
		l.name, l.word(t))
	l.turns = append(l.turns, t)
	return t
}

// word is a word that no other turn has and no stemmer changes.
func (l *ledger) word(t *turn) string {
	const consonants, vowels = "bdfgklmnprstvz", "aiou"
	var b strings.Builder
	b.WriteString(l.name)
	for n := t.number; ; n /= len(consonants) * len(vowels) {
		b.WriteByte(consonants[n%len(consonants)])
		b.WriteByte(vowels[n/len(consonants)%len(vowels)])
		if n < len(consonants)*len(vowels) {
			return b.String() + "ko"
		}
	}
}

func (t *turn) arguments(l *ledger) arguments {
	return arguments{"content": t.content, "session_id": l.name, "idempotency_key": t.key}
}

// open gives the turns that were not acknowledged.
func (l *ledger) open() []*turn {
	return slices.DeleteFunc(slices.Clone(l.turns), func(t *turn) bool { return t.id != "" })
}

// note takes the answer to a turn. Its duplicate is said where an attempt had been stored before the process died.
func (l *ledger) note(t *turn, r reply) (duplicate bool, err error) {
	a, err := r.read()
	if err != nil {
		return false, err
	}
	if a.Status != "stored" && a.Status != "duplicate" || a.EpisodeID == "" {
		l.t.Errorf("%s: status %q, id %q", t.key, a.Status, a.EpisodeID)
	}
	if t.id != "" && t.id != a.EpisodeID {
		l.t.Errorf("%s was %s and is %s", t.key, t.id, a.EpisodeID)
	}
	t.id = a.EpisodeID
	return a.Status == "duplicate", nil
}

// sendOpen sends every turn that was not acknowledged again, and counts those that had been stored nevertheless.
func (l *ledger) sendOpen(h *host) (duplicates int) {
	l.t.Helper()
	for _, t := range l.open() {
		to := make(chan reply, 1)
		h.begin(to, "store_episode", t.arguments(l))
		duplicate, err := l.note(t, <-to)
		if err != nil {
			l.t.Fatalf("send %s again: %v", t.key, err)
		}
		if duplicate {
			duplicates++
		}
	}
	return duplicates
}

// verify expects every turn of the ledgers to be there exactly once, under the id that was given, found by its own
// word, and nothing else.
func verify(t testing.TB, h *host, ledgers ...*ledger) {
	t.Helper()
	stored := h.all()
	want := map[string]string{}
	for _, l := range ledgers {
		for _, turn := range l.turns {
			if turn.id == "" {
				t.Errorf("%s was never acknowledged", turn.key)
			}
			if _, taken := want[turn.id]; taken {
				t.Errorf("%s was given twice, to %s too", turn.id, turn.key)
			}
			want[turn.id] = turn.content
		}
	}
	for _, id := range slices.Sorted(maps.Keys(want)) {
		if stored[id] != want[id] {
			t.Errorf("%s is %q; want %q", id, stored[id], want[id])
		}
	}
	if len(stored) != len(want) {
		t.Errorf("%d turns are stored; want %d", len(stored), len(want))
	}
	for _, l := range ledgers {
		for _, turn := range l.turns {
			a := h.retrieve(arguments{"query": l.word(turn), "strategy": "text", "limit": 2, "detail": "ids",
				"budget_tokens": 0})
			if len(a.Episodes) != 1 || a.Episodes[0].ID != turn.id {
				t.Errorf("asked for %s: %+v; want %s alone", l.word(turn), a.Episodes, turn.id)
			}
		}
	}
}
