package classifier

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
)

func TestShipped_IsOfTheseExemplarsAndThisEmbedder(t *testing.T) {
	t.Parallel()
	m, err := shippedBuiltin()
	if err != nil {
		t.Fatalf("%v: run `go generate ./classifier`", err)
	}
	if want := builtin.New().Identity().String(); m.identity != want {
		t.Errorf("the model is of %s and the embedder is %s: run `go generate ./classifier`", m.identity, want)
	}
	words, err := shippedWords()
	if err != nil {
		t.Fatalf("%v: run `go generate ./classifier`", err)
	}
	if m.source != source() || words.source != source() {
		t.Error("a model is of other exemplars or another version: run `go generate ./classifier`")
	}
}

func TestReadExemplars_NamesTheBadLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"> a\nmaybe b": "x:2", "> ": "x:1", "fix": "x:1"} {
		if _, _, err := readExemplars(nil, 0, "x", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that says %s", text, err, want)
		}
	}
}

func TestReadAsked_NamesTheLineWithoutAMark(t *testing.T) {
	t.Parallel()
	if _, err := readAsked(nil, "x", "# of nothing\nwho am I?\n"); err == nil || !strings.Contains(err.Error(), "x:2") {
		t.Errorf("error %v, want one that says x:2", err)
	}
	got, err := readAsked(nil, "x", "[own]\nwho am I?\n\n[any]\n# comment\nwhy is it so?\\nwhy\n")
	if err != nil || len(got) != 2 || !got[0].particular || got[1].particular || got[1].Text != "why is it so?\nwhy" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReadPersonal_NamesTheLineWithoutAMark(t *testing.T) {
	t.Parallel()
	if _, err := readPersonal(nil, "x", "# of nothing\nwho am I?\n"); err == nil || !strings.Contains(err.Error(), "x:2") {
		t.Errorf("error %v, want one that says x:2", err)
	}
	got, err := readPersonal(nil, "a/food.txt", "[fits]\nlunch?\n\n[told]\nI'm vegan\n")
	if err != nil || len(got) != 2 || got[0] != (personalLine{"lunch?", "food", markFits}) || got[1].mark != markTold {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPersonal_EachKindHasRequestsAndStandingFacts(t *testing.T) {
	t.Parallel()
	lines, err := personalLines()
	if err != nil {
		t.Fatal(err)
	}
	n, seen := map[string]map[string]int{}, map[string]bool{}
	for _, l := range lines {
		if n[l.kind] == nil {
			n[l.kind] = map[string]int{}
		}
		n[l.kind][l.mark]++
		if seen[l.text] {
			t.Errorf("%q stands twice", l.text)
		}
		seen[l.text] = true
	}
	for kind, of := range n {
		if of[markFits] < 15 || of[markSame] < 15 || of[markTold] < 10 && kind != "chatty" {
			t.Errorf("%s has %v", kind, of)
		}
	}
}

func TestAsks_AreOfEachKindAndOnce(t *testing.T) {
	t.Parallel()
	list, err := asks()
	if err != nil {
		t.Fatal(err)
	}
	of, kinds := map[string]asked{}, map[bool]int{}
	for _, a := range list {
		text := strings.ToLower(strings.TrimRight(a.Text, "?!. "))
		if b, ok := of[text]; ok && a.particular != b.particular {
			t.Errorf("%q is of both kinds, in %s and %s", a.Text, b.file, a.file)
		}
		of[text] = a
		kinds[a.particular]++
	}
	if kinds[true] < 1000 || kinds[false] < 1000 {
		t.Errorf("%d particular and %d general messages", kinds[true], kinds[false])
	}
}

// What a message is about is not learnt by heart: words alone tell it of a matter that no exemplar had.
func TestParticular_IsToldOfAMatterThatWasNotSeen(t *testing.T) {
	t.Parallel()
	list, err := asks()
	if err != nil {
		t.Fatal(err)
	}
	unseen := func(a asked) bool { return strings.HasSuffix(a.file, "/travel.txt") }
	var rest []asked
	for _, a := range list {
		if !unseen(a) {
			rest = append(rest, a)
		}
	}
	examples, are, err := examplesOfAsks(t.Context(), embedding.None{}, rest)
	if err != nil {
		t.Fatal(err)
	}
	m := &model{vocabulary: map[string]int{}, signals: examples[0].signals.names, scale: 1}
	m.fitBinary(particular, examples, are)
	right, all := 0, 0
	for _, a := range list {
		if unseen(a) {
			all++
			if (m.decide(exampleOf(Message{Text: a.Text})).Particular >= .5) == a.particular {
				right++
			}
		}
	}
	if all < 100 || float64(right) < .8*float64(all) {
		t.Errorf("%d of %d are told right", right, all)
	}
}

func TestClip_KeepsBothEndsAndWholeCharacters(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "short", strings.Repeat("é", 50), "a" + strings.Repeat("日", 40), strings.Repeat("\x80", 90)} {
		got := clip(s, 20, 10)
		if !utf8.ValidString(got) || len(got) > 4*len(s) {
			t.Errorf("clip(%q) = %q", s, got)
		}
	}
	if got, want := clip("0123456789abcdefghijklmnop", 5, 3), "01234 … nop"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestMinimize_FindsTheOptimum(t *testing.T) {
	t.Parallel()
	got := minimize(func(x, g []float64) float64 {
		var sum float64
		for i := range x {
			d, weight := x[i]-float64(i), float64(i*i+1)
			g[i] = weight * d
			sum += weight * d * d / 2
		}
		return sum
	}, 20)
	for i, x := range got {
		if math.Abs(x-float64(i)) > 1e-2 {
			t.Errorf("x[%d] = %f", i, x)
		}
	}
}

func TestLoss_HasTheGradientItSays(t *testing.T) {
	t.Parallel()
	rows := [][]feature{{{0, 1}, {1, .5}}, {{1, 2}}, {{0, -1}}}
	of := []Class{Correction, NewTopic, Conversational}
	w := make([]float64, 3*int(classes))
	for i := range w {
		w[i] = math.Sin(float64(i))
	}
	g, scratch := make([]float64, len(w)), make([]float64, len(w))
	penalties := []float64{.5, 3, 2} // of two features and the bias
	loss(rows, of, penalties, w, g)
	const h = 1e-6
	for i := range w {
		up, down := append([]float64{}, w...), append([]float64{}, w...)
		up[i] += h
		down[i] -= h
		above, below := loss(rows, of, penalties, up, scratch), loss(rows, of, penalties, down, scratch)
		if slope := (above - below) / (2 * h); math.Abs(slope-g[i]) > 1e-4 {
			t.Errorf("gradient[%d] = %f, slope %f", i, g[i], slope)
		}
	}
}
