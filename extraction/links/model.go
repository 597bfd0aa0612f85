package links

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"memory-graph/extraction/llm"
	"memory-graph/internal/memory"
	"memory-graph/prompts"
)

// Memory is a memory as a model reads it.
type Memory struct {
	ID    int64
	Text  string    // its name and content
	Since time.Time // since when it has had this content
}

// Asker sends a question to a language model. llm.Client implements it.
type Asker interface {
	Complete(ctx context.Context, r llm.Request, into any) (llm.Usage, error)
}

// Judgement is a model's answer about the links of memories, without what failed a check.
type Judgement struct {
	Want    []memory.NewLink
	Dropped map[string]int // number of dropped items by reason; nil for none
	Usage   llm.Usage
}

// The reasons for dropping an item of an answer.
const (
	DroppedIndex      = "link_index"      // no memory has this number
	DroppedTwice      = "link_twice"      // it repeats an earlier item
	DroppedSelf       = "link_self"       // it links a memory to itself
	DroppedWord       = "link_word"       // the class or the relation is not one of those asked for
	DroppedConfidence = "link_confidence" // the confidence is below the minimum or above 1
	DroppedUngrounded = "link_ungrounded" // neither memory contains the quoted words
	DroppedCondition  = "link_condition"  // the condition is malformed
	DroppedMany       = "link_many"       // the answer has too many items
)

func (f *Judgement) drop(reason string) {
	if f.Dropped == nil {
		f.Dropped = map[string]int{}
	}
	f.Dropped[reason]++
}

// The maximum length of a memory in a prompt, in characters.
const (
	shownSubject = 2000
	shownOther   = 600
)

// show numbers memories, beginning with first.
func show(list []Memory, first, limit int) []prompts.Data {
	out := make([]prompts.Data, len(list))
	for i, m := range list {
		since := "an unknown day"
		if !m.Since.IsZero() {
			since = m.Since.UTC().Format(time.DateOnly)
		}
		out[i] = prompts.Data{"Number": strconv.Itoa(first + i), "Since": since, "Text": prompts.Line(limit, m.Text)}
	}
	return out
}

// question renders the two messages of a question about a memory and others.
func question(name string, subject Memory, others []Memory) (llm.Request, error) {
	system, err := prompts.Render(name+"_system", nil)
	if err != nil {
		return llm.Request{}, err
	}
	texts := []string{subject.Text}
	for _, m := range others {
		texts = append(texts, m.Text)
	}
	user, err := prompts.Render("links_user", prompts.Data{"Mark": prompts.Mark(texts...),
		"Notes": append(show([]Memory{subject}, 0, shownSubject), show(others, 1, shownOther)...)})
	return llm.Request{Name: name, System: system, User: user, MaxTokens: answerTokens, Purpose: Purpose}, err
}

// Purpose is the purpose of the questions.
const Purpose = "link"

// answerTokens limits an answer: some forty tokens for each of twenty memories, doubled.
const answerTokens = 1600

// share reports whether v is a valid confidence and not below least.
func share(v, least float64) bool { return !math.IsNaN(v) && v >= least && v <= 1 }

// later sorts two memories by the time of their content, then by id.
func later(a, b Memory) (newer, older Memory) {
	if a.Since.Before(b.Since) || a.Since.Equal(b.Since) && a.ID < b.ID {
		return b, a
	}
	return a, b
}

// says reports whether a text contains the words, ignoring case and white space. Words of fewer than three
// characters never match.
func says(text, words string) bool {
	words = fold(words)
	return utf8.RuneCountInString(words) >= 3 && strings.Contains(fold(text), words)
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Replace returns the change from the present links of a node (there) to the wanted ones. It does not make a link again
// that somebody ended, nor its reverse if the relation is symmetric. nodes are the nodes that still exist.
func Replace(node int64, want []memory.NewLink, there []memory.Link,
	nodes map[int64]memory.LinkNode) memory.LinkChange {
	type edge struct {
		head, tail int64
		relation   string
	}
	refused := map[edge]bool{}
	for _, l := range there {
		if l.State == memory.LinkRefused {
			refused[edge{l.Head, l.Tail, l.Relation}] = true
		}
	}
	shown := func(id int64) bool { _, ok := nodes[id]; return ok }
	var change memory.LinkChange
	wanted := map[edge]bool{}
	for _, l := range want {
		e := edge{l.Head, l.Tail, l.Relation}
		back := edge{l.Tail, l.Head, l.Relation}
		symmetric := l.Relation == Contradicts
		if !shown(l.Head) || l.Condition == "" && !shown(l.Tail) || refused[e] || symmetric && refused[back] {
			continue
		}
		wanted[e] = true
		change.Want = append(change.Want, l)
	}
	for _, l := range there {
		if l.State == memory.LinkOurs && (l.Head == node || l.Tail == node) && !wanted[edge{l.Head, l.Tail, l.Relation}] {
			change.End = append(change.End, l.ID)
		}
	}
	slices.Sort(change.End)
	return change
}
