package links

import (
	"context"
	"math"
	"slices"
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
	Text  string    // its name and what it says
	Since time.Time // when it came to say that
}

// Asker puts a question to a language model; llm.Client is one.
type Asker interface {
	Complete(ctx context.Context, r llm.Request, into any) (llm.Usage, error)
}

// Judgement is what a model says of how memories are linked, after checks: what fails a check is left out.
type Judgement struct {
	Want    []memory.NewLink
	Dropped map[string]int // what was left out, by reason; nil for nothing
	Usage   llm.Usage
}

// Reasons for which something of an answer is left out.
const (
	DroppedIndex      = "link_index"      // no memory has the number
	DroppedTwice      = "link_twice"      // it was said before
	DroppedSelf       = "link_self"       // it leads to where it begins
	DroppedWord       = "link_word"       // the class or the relation is none of those asked for
	DroppedConfidence = "link_confidence" // it is below the least, or no share
	DroppedUngrounded = "link_ungrounded" // neither memory has the words
	DroppedCondition  = "link_condition"  // the condition has no form
	DroppedMany       = "link_many"       // there are more than can be meant
)

func (f *Judgement) drop(reason string) {
	if f.Dropped == nil {
		f.Dropped = map[string]int{}
	}
	f.Dropped[reason]++
}

// How much of a memory a model is shown, in characters.
const (
	shownSubject = 2000
	shownOther   = 600
)

// numbered is a memory as a prompt shows it.
type numbered struct {
	Number int
	Since  string
	Text   string
}

// show numbers memories from a first number on.
func show(list []Memory, first, limit int) []numbered {
	out := make([]numbered, len(list))
	for i, m := range list {
		since := "an unknown day"
		if !m.Since.IsZero() {
			since = m.Since.UTC().Format(time.DateOnly)
		}
		out[i] = numbered{first + i, since, prompts.Line(limit, m.Text)}
	}
	return out
}

// question renders the two messages about a memory and others.
func question(name string, subject Memory, others []Memory) (llm.Request, error) {
	system, err := prompts.Render(name+"_system", nil)
	if err != nil {
		return llm.Request{}, err
	}
	texts := []string{subject.Text}
	for _, m := range others {
		texts = append(texts, m.Text)
	}
	user, err := prompts.Render("links_user", map[string]any{
		"Mark": prompts.Mark(texts...), "New": show([]Memory{subject}, 0, shownSubject)[0], "Others": show(others, 1,
			shownOther),
	})
	return llm.Request{Name: name, System: system, User: user, MaxTokens: answerTokens}, err
}

// answerTokens bounds an answer: some forty tokens for each of twenty memories, twice.
const answerTokens = 1600

// share says whether a confidence is one, and at least the least.
func share(v, least float64) bool { return !math.IsNaN(v) && v >= least && v <= 1 }

// later says which of two memories came later, by what they say since when, else by their numbers.
func later(a, b Memory) (newer, older Memory) {
	if a.Since.Before(b.Since) || a.Since.Equal(b.Since) && a.ID < b.ID {
		return b, a
	}
	return a, b
}

// says says whether a text has the words, whatever the case and the white space.
func says(text, words string) bool {
	words = fold(words)
	return utf8.RuneCountInString(words) >= 3 && strings.Contains(fold(text), words)
}

func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Replace gives the change that leaves a node with exactly the links that are wanted, of those that present is about.
// What somebody ended does not come back, in either direction of a relation that is said from both ends; nodes says
// which there still are.
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
