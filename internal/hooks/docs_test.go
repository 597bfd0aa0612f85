package hooks_test

import (
	"os"
	"strings"
	"testing"

	"memory-graph/internal/hooks"
)

func TestDocs_NameEveryHostAndEvent(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/hooks.md")
	if err != nil {
		t.Fatal(err)
	}
	table := string(page)
	for i, host := range hooks.Clients() {
		_, rows, ok := strings.Cut(table, "| `"+host+"` |")
		if !ok {
			t.Errorf("%s is missing or out of order", host)
			continue
		}
		if next := hooks.Clients()[i+1:]; len(next) > 0 {
			rows, _, _ = strings.Cut(rows, "| `"+next[0]+"` |")
		}
		for _, event := range hooks.Events(host) {
			if !strings.Contains(rows, "`"+event+"`") {
				t.Errorf("%s: %s is missing", host, event)
			}
		}
	}
	if hooks.Events("emacs") != nil {
		t.Error("an unknown host has events")
	}
}
