package bench

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"memory-graph/classifier"
	"memory-graph/internal/embedding"
	"memory-graph/internal/memory"
)

// LabelledMessage is a line of a file for `bench classify`: {"text", "context": [turn, …], "label"}, with the oldest
// context first. Other fields are ignored.
type LabelledMessage struct {
	Text    string   `json:"text"`
	Context []string `json:"context"`
	Label   string   `json:"label"`

	class classifier.Class
}

// ReadMessages reads a file for `bench classify`, one object per line. Errors name the line. sum is the SHA-256, in
// hex.
func ReadMessages(name string) (list []LabelledMessage, sum string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, "", memory.Errorf(memory.InvalidArgument, "%s cannot be read: %w.", name, err)
	}
	defer f.Close()
	h := sha256.New()
	list, err = parseMessages(name, io.TeeReader(f, h))
	if err != nil {
		return nil, "", err
	}
	return list, fmt.Sprintf("%x", h.Sum(nil)), nil
}

func parseMessages(name string, r io.Reader) ([]LabelledMessage, error) {
	var list []LabelledMessage
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 4<<20)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" {
			continue
		}
		bad := func(format string, args ...any) error {
			return memory.Errorf(memory.InvalidArgument, "%s:%d: %s.", name, n, fmt.Sprintf(format, args...)).
				WithHint("A line is {\"text\": …, \"context\": [up to three previous turns], \"label\": %s}.",
					strings.Join(classNames(), "|"))
		}
		var m LabelledMessage
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			return nil, bad("not a message: %v", err)
		}
		class, ok := classifier.ParseClass(m.Label)
		switch {
		case strings.TrimSpace(m.Text) == "":
			return nil, bad("the text is empty")
		case !ok:
			return nil, bad("%q is not a label", m.Label)
		}
		m.class = class
		list = append(list, m)
	}
	if err := lines.Err(); err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "%s cannot be read after line %d: %w.", name, n, err)
	}
	if len(list) == 0 {
		return nil, memory.Errorf(memory.InvalidArgument, "%s has no messages.", name)
	}
	return list, nil
}

func classNames() []string {
	var out []string
	for _, c := range classifier.Classes() {
		out = append(out, c.String())
	}
	return out
}

// ClassScore holds the scores of one class. Undefined scores are 0.
type ClassScore struct {
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	N         int     `json:"n"`
}

// ClassifyResult is the output of `bench classify`.
type ClassifyResult struct {
	MacroF1   float64               `json:"macro_f1"` // an abstention counts as its most likely class
	Classes   map[string]ClassScore `json:"classes"`
	Abstained float64               `json:"abstained"`        // share of the messages
	Decided   float64               `json:"accuracy_decided"` // of the messages without an abstention
	// Share of the other classes' messages for which nothing would be retrieved.
	LostRecall     float64                   `json:"task_as_conversational"`
	WithoutContext *float64                  `json:"macro_f1_without_context,omitempty"`
	Words          *float64                  `json:"macro_f1_words_alone,omitempty"` // without an embedder
	Majority       float64                   `json:"majority_macro_f1"`
	CueWords       float64                   `json:"cue_words_macro_f1"`
	Confusion      map[string]map[string]int `json:"confusion"` // label → assigned class
	QueryMS        *Quantiles                `json:"query_ms,omitempty"`
	N              int                       `json:"n"`
	Data           string                    `json:"data"`
	SHA256         string                    `json:"sha256,omitempty"`
	Embedder       string                    `json:"embedder"`
	Misses         []ClassifyMiss            `json:"misses,omitempty"`
}

// ClassifyMiss is a message with a wrong class.
type ClassifyMiss struct {
	Text       string  `json:"text"`
	Label      string  `json:"label"`
	Class      string  `json:"class"`
	Confidence float64 `json:"confidence"`
	Abstained  bool    `json:"abstained,omitempty"`
}

// Classify classifies each message with its context, without context, and without an embedder.
func Classify(ctx context.Context, c, words *classifier.Classifier, emb embedding.Identity,
	list []LabelledMessage) (ClassifyResult, error) {
	run := func(c *classifier.Classifier, context bool) ([]classifier.Result, []float64, error) {
		out, took := make([]classifier.Result, len(list)), make([]float64, len(list))
		for i, m := range list {
			message := classifier.Message{Text: m.Text}
			if context {
				message.Previous = m.Context
			}
			start := time.Now()
			r, err := c.Classify(ctx, message)
			if err != nil {
				return nil, nil, err
			}
			out[i], took[i] = r, milliseconds(start)
		}
		return out, took, nil
	}
	got, took, err := run(c, true)
	if err != nil {
		return ClassifyResult{}, err
	}
	r := scoreClasses(list, got)
	r.Embedder = emb.String()
	ms := quantiles(took)
	r.QueryMS = &ms
	bare, _, err := run(c, false)
	if err != nil {
		return ClassifyResult{}, err
	}
	alone, _, err := run(words, true)
	if err != nil {
		return ClassifyResult{}, err
	}
	without, byWords := scoreClasses(list, bare).MacroF1, scoreClasses(list, alone).MacroF1
	r.WithoutContext, r.Words = &without, &byWords
	return r, nil
}

// ClassifyExemplars measures on the classifier's own exemplars, each with a model that was not trained on its scene.
func ClassifyExemplars(ctx context.Context, emb embedding.Embedder) (ClassifyResult, error) {
	exemplars, got, err := classifier.Validate(ctx, emb)
	if err != nil {
		return ClassifyResult{}, err
	}
	list := make([]LabelledMessage, len(exemplars))
	for i, e := range exemplars {
		list[i] = LabelledMessage{Text: e.Text, Context: e.Previous, Label: e.Class.String(), class: e.Class}
	}
	r := scoreClasses(list, got)
	r.Data, r.Embedder = "exemplars, cross-validated", emb.Identity().String()
	return r, nil
}

func scoreClasses(list []LabelledMessage, got []classifier.Result) ClassifyResult {
	r := ClassifyResult{N: len(list)}
	of, as := make([]classifier.Class, len(list)), make([]classifier.Class, len(list))
	var abstained, right, tasks, lost int
	for i, m := range list {
		of[i], as[i] = m.class, got[i].Class
		switch {
		case got[i].Abstained:
			abstained++
		case of[i] == as[i]:
			right++
		}
		if m.class != classifier.Conversational {
			tasks++
			if !got[i].Policy().Retrieve {
				lost++
			}
		}
		if of[i] != as[i] {
			r.Misses = append(r.Misses, ClassifyMiss{m.Text, m.Label, as[i].String(), got[i].Confidence, got[i].Abstained})
		}
	}
	r.MacroF1, r.Classes, r.Confusion = macroF1(of, as)
	r.Abstained, r.Decided, r.LostRecall = share(abstained, len(list)), share(right, len(list)-abstained), share(lost,
		tasks)
	r.Majority, _, _ = macroF1(of, all(majority(of), len(of)))
	cues := make([]classifier.Class, len(list))
	for i, m := range list {
		cues[i] = cueWords(m.Text)
	}
	r.CueWords, _, _ = macroF1(of, cues)
	return r
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// macroF1 returns the mean F1 of the classes that occur or were assigned.
func macroF1(of, as []classifier.Class) (float64, map[string]ClassScore, map[string]map[string]int) {
	scores, confusion := map[string]ClassScore{}, map[string]map[string]int{}
	for i, c := range of {
		if confusion[c.String()] == nil {
			confusion[c.String()] = map[string]int{}
		}
		confusion[c.String()][as[i].String()]++
	}
	var sum float64
	var n int
	for _, c := range classifier.Classes() {
		var right, is, told int
		for i := range of {
			if of[i] == c {
				is++
			}
			if as[i] == c {
				told++
			}
			if of[i] == c && as[i] == c {
				right++
			}
		}
		s := ClassScore{Precision: share(right, told), Recall: share(right, is), F1: share(2*right, is+told), N: is}
		scores[c.String()] = s
		if is+told > 0 {
			sum += s.F1
			n++
		}
	}
	return sum / float64(max(n, 1)), scores, confusion
}

func majority(of []classifier.Class) classifier.Class {
	count := map[classifier.Class]int{}
	for _, c := range of {
		count[c]++
	}
	top := classifier.Conversational
	for _, c := range classifier.Classes() {
		if count[c] > count[top] {
			top = c
		}
	}
	return top
}

func all(c classifier.Class, n int) []classifier.Class {
	out := make([]classifier.Class, n)
	for i := range out {
		out[i] = c
	}
	return out
}

// cueWords is the baseline: it returns the class of the first phrase found (docs/sources.md, plugin-classes).
func cueWords(s string) classifier.Class {
	s = " " + strings.ToLower(s) + " "
	for _, rule := range []struct {
		class classifier.Class
		cues  []string
	}{
		{classifier.Correction, []string{"actually", "wrong", "mistake", "not what i", "i meant", "correction", "instead",
			"let me clarify", "hold on", "sorry", " no, "}},
		{classifier.NewTopic, []string{"different", "switch", "new topic", "separate", "unrelated", "by the way",
			"another thing", "something else"}},
		{classifier.TaskContinuation, []string{"continue", "next", "also", "go on", "now ", "building on", "keep going",
			"again"}},
		{classifier.Conversational, []string{"thank", " ok ", "okay", "great", "got it", "sounds good", "perfect", " hi ",
			"hello", "good morning", "bye", "cool"}},
	} {
		for _, cue := range rule.cues {
			if strings.Contains(s, cue) {
				return rule.class
			}
		}
	}
	return classifier.NewTopic
}
