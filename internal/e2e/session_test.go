package e2e_test

import (
	"fmt"
	"strings"
	"testing"
)

// A whole session with everything that can be logged: stdout has one line for each request and nothing else, and the
// end of stdin loses no answer to calls that were sent just before it.
func TestSession_HasNothingButProtocolAndLosesNoAnswer(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	for round := range count(3, 20) { // the first on a file that does not exist
		h := start(t, db, "MEMORY_GRAPH_LOG_LEVEL=debug")
		h.initialize()
		for _, method := range []string{"ping", "tools/list"} {
			if _, err := h.ask(method, nil); err != nil {
				t.Errorf("%s: %v", method, err)
			}
		}
		if _, err := h.ask("no/such/method", nil); err == nil || !strings.Contains(err.Error(), "protocol error") {
			t.Errorf("unknown method: %v", err)
		}
		const calls = 50
		answers := make(chan reply, calls)
		stored, found := map[int]string{}, map[int]string{} // by request, what it is about
		for i := range calls / 2 {
			said := fmt.Sprintf("Round %d, pair %d: codeword %s", round, i, strings.Repeat(string(rune('a'+i)), 3+round))
			stored[h.begin(answers, "store_episode", arguments{"content": said})] = said
			words := strings.Fields(said)
			found[h.begin(answers, "retrieve", arguments{"query": words[len(words)-1], "strategy": "text"})] = said
		}
		h.stop()
		for range calls {
			r := <-answers
			a, err := r.read()
			if err != nil {
				t.Fatalf("round %d, request %d: %v", round, r.id, err)
			}
			if said, ok := stored[r.id]; ok && a.Status != "stored" {
				t.Errorf("%q: %s", said, a.Status)
			}
			if said, ok := found[r.id]; ok && (len(a.Episodes) != 1 || a.Episodes[0].Content != said) {
				t.Errorf("asked behind it for %q: %+v", said, a.Episodes)
			}
		}
		if !strings.Contains(h.stderr.String(), "level=DEBUG") {
			t.Error("nothing was logged")
		}
	}
}
