package scanner_test

import (
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memory-graph/internal/safety/scanner"
)

// The scores from which turns are quarantined by default (settings quarantine_score_user, quarantine_score).
const (
	limitUser  = 3.0
	limitOther = 2.0
)

func limit(origin string) float64 {
	if origin == "user" {
		return limitUser
	}
	return limitOther
}

// labelled reads lines "origin<TAB>text", in which \n is a line break.
func labelled(t *testing.T, file string) [][2]string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out [][2]string
	for line := range strings.Lines(string(b)) {
		origin, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if ok && !strings.HasPrefix(line, "#") {
			out = append(out, [2]string{origin, strings.ReplaceAll(text, `\n`, "\n")})
		}
	}
	return out
}

// TestScan_RecognisesMostAttacks measures on the attacks that the rules were written for. docs/security.md has the
// figures for others.
func TestScan_RecognisesMostAttacks(t *testing.T) {
	t.Parallel()
	s := scanner.New(scanner.Options{})
	for _, set := range []struct {
		file         string
		messages     int
		leastPercent int
	}{
		{"../../../testdata/scanner/attacks.txt", 60, 95}, {"../../../testdata/scanner/attacks-2.txt", 110,
			95}, {"../../../testdata/scanner/attacks-3.txt", 90, 95},
		{"testdata/training/attacks-1.txt", 350, 95}, {"testdata/training/attacks-2.txt", 350, 95},
	} {
		attacks, held := labelled(t, set.file), 0
		for _, a := range attacks {
			v := s.Scan(a[1])
			if v.Score >= limit(a[0]) {
				held++
			} else {
				t.Logf("missed, %.2f %v: %s: %q", v.Score, v.Reasons, a[0], a[1])
			}
		}
		if len(attacks) < set.messages || held*100 < len(attacks)*set.leastPercent {
			t.Errorf("%s: %d of %d attacks are held back", set.file, held, len(attacks))
		}
	}
}

func TestScan_LeavesAloneWhatOnlyLooksLikeAnAttack(t *testing.T) {
	t.Parallel()
	s := scanner.New(scanner.Options{})
	for _, set := range []struct {
		file        string
		mostPercent int
	}{
		{"../../../testdata/scanner/benign-hard.txt", 3}, {"../../../testdata/scanner/benign-2.txt", 3},
		// Texts about attacks, and orders to people and assistants. The rules mistake them for attacks more often.
		{"testdata/training/benign-1.txt", 15}, {"testdata/training/benign-2.txt", 15}, {"testdata/training/benign-3.txt",
			10},
	} {
		messages, held := labelled(t, set.file), 0
		for _, m := range messages {
			if v := s.Scan(m[1]); v.Score >= limit(m[0]) {
				held++
				t.Logf("held back, %.2f %v: %s: %q", v.Score, v.Reasons, m[0], m[1])
			}
		}
		if len(messages) < 100 || held*100 > len(messages)*set.mostPercent {
			t.Errorf("%s: %d of %d ordinary messages are held back", set.file, held, len(messages))
		}
	}
}

// TestScan_LeavesOrdinaryTalkWithAgentsAlone tests lines in a style of talk between people and agents that training did
// not include.
func TestScan_LeavesOrdinaryTalkWithAgentsAlone(t *testing.T) {
	t.Parallel()
	s := scanner.New(scanner.Options{})
	lines, held := labelled(t, "testdata/talk.txt"), 0
	for _, l := range lines {
		if v := s.Scan(l[1]); v.Score >= limit(l[0]) {
			held++
			t.Logf("held back, %.2f %q: %s: %q", v.Score, v.Reasons, l[0], l[1])
		}
	}
	if len(lines) < 60 || held > 2 {
		t.Errorf("%d of %d ordinary lines are held back", held, len(lines))
	}
}

// TestScan_NeedsMoreThanAFewWords cuts attacks to their first words: the model alone must not hold these back.
func TestScan_NeedsMoreThanAFewWords(t *testing.T) {
	t.Parallel()
	all, rules := scanner.New(scanner.Options{}), scanner.New(scanner.Options{RulesAlone: true})
	n := 0
	for _, a := range labelled(t, "testdata/training/attacks-1.txt") {
		words := strings.Fields(a[1])
		text := strings.Join(words[:min(4, len(words))], " ")
		if strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && (r < 'A' || r > 'z') }) {
			continue // the scanner may count more words
		}
		n++
		if v := all.Scan(text); v.Score >= limitOther && rules.Scan(text).Score < limitOther {
			t.Errorf("%q scores %.2f by %q", text, v.Score, v.Reasons)
		}
	}
	if n < 50 {
		t.Errorf("only %d attacks could be cut", n)
	}
}

// TestScan_LeavesOurOwnSetsAlone tests the conversations, passages and messages of bench/testdata, which training did
// not include. Measured: 0 of 1,282 are held back; the margin is two.
func TestScan_LeavesOurOwnSetsAlone(t *testing.T) {
	t.Parallel()
	all := texts(t, filepath.Join("..", "..", "bench", "testdata"))
	user, other := heldBack(t, all)
	t.Logf("of %d: %d as a user's, %d as others'", len(all), user, other)
	if len(all) < 1000 || other > 2 {
		t.Errorf("%d of %d ordinary messages are held back", other, len(all))
	}
}

// TestScan_LeavesOrdinaryDataAlone tests 2,000 messages and passages of the development sets, which are not part of the
// repository and were not written for a scanner.
func TestScan_LeavesOrdinaryDataAlone(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("MEMORY_GRAPH_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	all := texts(t, dir)
	if len(all) < 2000 {
		t.Skipf("no development data in %s: set MEMORY_GRAPH_DATA to its directory", dir)
	}
	slices.Sort(all)
	rand.New(rand.NewPCG(5, 34)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	user, other := heldBack(t, all[:2000])
	t.Logf("of 2,000: %d as a user's, %d as others'", user, other)
	if other > 10 {
		t.Errorf("%d of 2,000 ordinary messages are held back", other)
	}
}

// heldBack counts the texts that would be held back from the user and from others.
func heldBack(t *testing.T, all []string) (user, other int) {
	t.Helper()
	s := scanner.New(scanner.Options{})
	for _, text := range all {
		v := s.Scan(text)
		if v.Score >= limitUser {
			user++
		}
		if v.Score >= limitOther {
			other++
			t.Logf("%.2f %v: %q", v.Score, v.Reasons, text)
		}
	}
	return user, other
}

// texts returns every string of some length in the JSON files of a folder.
func texts(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if len(v) > 15 {
				out = append(out, v)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(filepath.Ext(path), "json") {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		decoder := json.NewDecoder(strings.NewReader(string(b)))
		for {
			var v any
			if decoder.Decode(&v) != nil {
				return nil
			}
			walk(v)
		}
	})
	return out
}
