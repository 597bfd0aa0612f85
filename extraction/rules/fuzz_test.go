package rules_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
)

var seeds = []string{
	"I moved from Vim to Helix.", "# Skylark\n- uses [[Postgres]]", "it's “Bob’s” `code()` and 'x'", "don't can't I'd've", "> quoted\n```\ncode\n",
	"a-b-c-d OPS-1 PR #12 #", "Zoe's", "\u00e9\u0301 \xff\xfe İstanbul's ẞ", "User's User's user's", "A, B, C and D use E, F or G.", "Decision: use", "Root cause of the: x",
	"the the the", "“", "\"", "is is is", "[[", "- [[|]]", "from to from to", "I switched from to", "My name's",
	"called called called", "Ines, based in Porto, uses Vim",
}

// check holds what is true of every answer: offsets are of the text, quotes stand in it, and facts are whole.
func checkFound(t *testing.T, text string, found memory.Findings) {
	t.Helper()
	for _, m := range found.Mentions {
		if m.Start < 0 || m.Stop > len(text) || m.Start >= m.Stop || !strings.Contains(m.Name, " ") &&
			memory.Canonical(mentions.Visible(text[m.Start:m.Stop])) != memory.Canonical(m.Name) {
			t.Errorf("mention %q at %d..%d of %q", m.Name, m.Start, m.Stop, text)
		}
	}
	for _, r := range found.Relations {
		if r.Head == "" || r.Tail == "" || r.Relation == "" || r.Confidence == nil || *r.Confidence <= 0 ||
			*r.Confidence > 1 || r.Method == "" {
			t.Errorf("%q gives %+v", text, r)
		}
		if r.Quote == "" || !strings.Contains(text, r.Quote) {
			t.Errorf("the quote %q does not stand in %q", r.Quote, text)
		}
		if memory.Canonical(r.Head) == memory.Canonical(r.Tail) {
			t.Errorf("%q relates %q to itself", text, r.Head)
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add("dace", true) // a first name in small letters is shown with its capital
	for _, s := range seeds {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, user bool) {
		if len(text) > 4096 || !utf8.ValidString(text) {
			return
		}
		role := memory.RoleUser
		if !user {
			role = memory.RoleAssistant
		}
		checkFound(t, text, read(role, text))
	})
}

func BenchmarkExtract_500Bytes(b *testing.B) {
	text := "hi, I'm a backend dev at Fastly and most of my day is Go. We replaced Jenkins with GitHub Actions in the payments-api repo last month. " +
		"My teammate Yuki is based in Osaka, so mornings only. The outage on Monday was caused by an expired certificate, and INFRA-341 is assigned to Mateo now. " +
		"Do you know whether Svelte 5 works with Vite 6? I'd rather have bullet points than long paragraphs, please. We decided to use Temporal for the refund workflow."
	text = text[:min(len(text), 500)]
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		_ = read(memory.RoleUser, text)
	}
}
