package bench_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/classifier"
	"memory-graph/internal/bench"
	"memory-graph/internal/embedding"
	"memory-graph/internal/embedding/builtin"
)

func TestReadMessages_ReadsLines(t *testing.T) {
	t.Parallel()
	list, sum, err := bench.ReadMessages(labelled(t,
		"\ufeff{\"text\":\"hi\",\"label\":\"conversational\"}\r\n\r\n"+
			"{\"text\":\"no\",\"context\":[\"a\",\"b\"],\"label\":\"correction\",\"src\":\"x\"}"))
	if err != nil || len(list) != 2 || len(sum) != 64 {
		t.Fatalf("%v, %q, %v", list, sum, err)
	}
	if diff := cmp.Diff([]string{"a", "b"}, list[1].Context); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
}

func TestClassify_CountsWhatWouldNotBeLookedUp(t *testing.T) {
	t.Parallel()
	list, _, err := bench.ReadMessages(labelled(t, `{"text":"thank you so much","label":"new_topic"}
{"text":"thanks!","label":"conversational"}
{"text":"thank you, bye","label":"conversational"}
`))
	if err != nil {
		t.Fatal(err)
	}
	words, err := classifier.Open(embedding.None{}, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := bench.Classify(t.Context(), words, words, embedding.None{}.Identity(), list)
	if err != nil {
		t.Fatal(err)
	}
	if r.LostRecall != 1 || r.Confusion["new_topic"]["conversational"] != 1 || len(r.Misses) != 1 || r.N != 3 {
		t.Errorf("%+v", r)
	}
	want := bench.ClassScore{Precision: 2. / 3, Recall: 1, F1: .8, N: 2}
	if diff := cmp.Diff(want, r.Classes["conversational"]); diff != "" {
		t.Errorf("conversational (-want +got):\n%s", diff)
	}
	if r.MacroF1 != .4 || r.Majority != .4 { // over the two classes that occur
		t.Errorf("macro-F1 %f, majority %f", r.MacroF1, r.Majority)
	}
}

// TestClassify_BeatsTheMajorityElsewhere tests the classifier on messages of another domain than its exemplars. The
// messages are not part of the repository.
func TestClassify_BeatsTheMajorityElsewhere(t *testing.T) {
	t.Parallel()
	list, _, err := bench.ReadMessages(external(t, "messages-dev.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	emb := builtin.New()
	c, err := classifier.New(t.Context(), emb, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := bench.Classify(t.Context(), c, c, emb.Identity(), list)
	if err != nil {
		t.Fatal(err)
	}
	if r.MacroF1 < 3*r.Majority || r.MacroF1 <= *r.WithoutContext {
		t.Errorf("macro-F1 %.3f, without context %.3f, majority %.3f", r.MacroF1, *r.WithoutContext, r.Majority)
	}
}
