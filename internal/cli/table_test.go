package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"
)

func plainPaint(_, text string) string { return text }

func TestTable_AlignsByWhatIsSeen(t *testing.T) {
	t.Parallel()
	tab := table{columns: []column{{title: "NAME"}, {title: "N", right: true}, {title: "EMPTY"}, {title: "NOTE"}}}
	tab.add("", "東京", "1", "", "")
	tab.add("2", "e\u0301te\u0301", "20", "", "two  words")
	var b bytes.Buffer
	tab.write(&b, plainPaint)
	want := "NAME   N  NOTE\n東京   1\ne\u0301te\u0301   20  two  words\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTable_PaintsWholeRows(t *testing.T) {
	t.Parallel()
	tab := table{columns: []column{{title: "A"}, {title: "B"}}}
	tab.add("2", "x", "y")
	tab.add("", "xx", "y")
	var b bytes.Buffer
	tab.write(&b, func(colour, text string) string { return "<" + colour + " " + text + ">" })
	if diff := cmp.Diff("<1 A   B>\n<2 x   y>\nxx  y\n", b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestVisible_DropsWhatATerminalWouldObey(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                      "plain",
		" two\nlines\t ":             "two lines",
		"\x1b[31mred\x1b[0m\x07":     "[31mred[0m",
		"a\u202Eb\u200Bc\u0085d\xff": "abc d\ufffd",
		"東京 👩":                       "東京 👩",
	} {
		if got := visible(in); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzClip(f *testing.F) {
	f.Add("short", 10)
	f.Add(strings.Repeat("東", 50), 60)
	f.Add("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3)
	f.Fuzz(func(t *testing.T, s string, widest int) {
		if widest < 1 || widest > 500 {
			return
		}
		s = visible(s)
		got := clip(s, widest)
		if w := uniseg.StringWidth(got); w > widest {
			t.Errorf("clip(%q, %d) is %d wide", s, widest, w)
		}
		if got != s && (!strings.HasSuffix(got, "…") || !strings.HasPrefix(s, strings.TrimSuffix(got, "…"))) {
			t.Errorf("clip(%q, %d) = %q", s, widest, got)
		}
	})
}

func TestLocalTime_KeepsADateADate(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 18, 9, 30, 5, 0, time.UTC)
	for _, tt := range []struct {
		in   time.Time
		want string
	}{
		{time.Time{}, "–"},
		{at, at.Local().Format("2006-01-02 15:04")},
		{time.Date(2026, 3, 18, 0, 0, 0, 0, time.UTC), "2026-03-18"},
		{time.Date(2026, 3, 18, 2, 0, 0, 0, time.FixedZone("", 2*60*60)), "2026-03-18"},
	} {
		if got := localTime(tt.in); got != tt.want {
			t.Errorf("localTime(%v) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
