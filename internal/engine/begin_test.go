package engine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"memory-graph/internal/memory"
)

// saidIn makes turns from lines "session role text", oldest first, and returns them newest first.
func saidIn(lines ...string) []memory.Episode {
	out := make([]memory.Episode, len(lines))
	for i, line := range lines {
		f := strings.SplitN(line, " ", 3)
		out[len(lines)-1-i] = memory.Episode{ID: int64(i + 1), Seq: int64(i + 1),
			Scope: memory.Scope{SessionID: strings.TrimPrefix(f[0], "-")}, Role: memory.Role(f[1]), Content: f[2] +
				" lamps and kettles",
			Origin: memory.OriginUser, Status: memory.StatusDone, OccurredAt: time.Date(2026, 11, 22, 3, 0, i, 0, time.UTC)}
		if f[2] == "reported" {
			out[len(lines)-1-i].Source, out[len(lines)-1-i].Speaker = memory.HookSource+"claude-code", "Explore"
		}
		if f[2] == "lgtm" || strings.HasSuffix(f[2], "?") {
			out[len(lines)-1-i].Content = f[2]
		}
		if f[2] == "attack" {
			out[len(lines)-1-i].Status = memory.StatusQuarantined
		}
	}
	return out
}

func TestGist_IsOfTheLastSession(t *testing.T) {
	t.Parallel()
	var long []string
	for i := range 9 {
		long = append(long, fmt.Sprintf("a user q%d", i), fmt.Sprintf("a assistant r%d", i))
	}
	for name, tc := range map[string]struct {
		turns   []string
		session string
		own     bool
		want    string
	}{
		"a new session": {[]string{"a user one", "a assistant two", "b user three", "b assistant four"}, "c", false,
			"three four"},
		"not its own turns": {[]string{"a user one", "b user two", "b user three"}, "b", false, "one"},
		"its own":           {[]string{"a user one", "b user two", "a user three"}, "a", true, "one three"},
		"none before it":    {[]string{"b user two"}, "b", false, ""},
		"a long one":        {long, "c", false, "q0 q6 q7 r7 q8 r8"},
		"without a session": {[]string{"- user one", "- assistant two"}, "", false, "one two"},
		"an agent's agent": {[]string{"a user one", "a assistant two", "a assistant three", "a assistant reported"}, "b",
			false, "one two three"},
		"what says nothing": {[]string{"a user one", "a user what is 17*23?", "a assistant lgtm", "a assistant two",
			"a user lgtm"}, "b", false, "one two"},
		"only questions": {[]string{"a user which kettles boil lamps?", "a assistant lgtm", "a user 2?"}, "b", false,
			"which"},
		"what was quarantined": {[]string{"a user one", "a user attack"}, "b", false, "one"},
	} {
		var got []string
		for _, e := range gist(saidIn(tc.turns...), tc.session, tc.own) {
			got = append(got, strings.Fields(e.Content)[0])
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
