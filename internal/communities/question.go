package communities

import (
	"context"
	"fmt"
	"strings"

	"memory-graph/extraction/llm"
	"memory-graph/prompts"
)

// The limits of a question and of its answer.
const (
	MaxPromptBytes = 8192 // both messages, and the schema of the answer where it stands in the prompt
	answerTokens   = 500
	maxName        = 80 // characters
	maxSummary     = 700
)

// Purpose is the purpose of the questions.
const Purpose = "community"

// description is the model's answer.
type description struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

// describe asks the model for a name and a summary.
func describe(ctx context.Context, ask Asker, t told) (name, summary string, u llm.Usage, err error) {
	q, err := question(t)
	if err != nil {
		return "", "", u, err
	}
	var d description
	clean := func() { d.Name, d.Summary = prompts.Line(maxName, d.Name), prompts.Line(maxSummary, d.Summary) }
	q.Check = func() error {
		if clean(); d.Name == "" || d.Summary == "" {
			return fmt.Errorf("the name or the summary is empty")
		}
		return nil
	}
	u, err = ask.Complete(ctx, q, &d)
	clean()
	return d.Name, d.Summary, u, err
}

// question renders the two messages: as many names and facts as fit into MaxPromptBytes, at most a quarter of it names.
func question(t told) (llm.Request, error) {
	system, err := prompts.Render("community_system", nil)
	if err != nil {
		return llm.Request{}, err
	}
	empty, err := render(nil, nil)
	if err != nil {
		return llm.Request{}, err
	}
	r := llm.Request{Name: "community", System: system, User: empty, MaxTokens: answerTokens, Purpose: Purpose}
	used, err := r.PromptBytes(new(description))
	if err != nil {
		return r, err
	}
	room := MaxPromptBytes - used
	var names []string
	for _, m := range t.members {
		names = append(names, prompts.Line(80, m.Name))
	}
	names = fitting(names, room/4)
	for _, n := range names {
		room -= len(n) + 1
	}
	var facts []string
	for _, f := range t.facts {
		facts = append(facts, prompts.Line(260, f.String()))
	}
	r.User, err = render(names, fitting(facts, room))
	return r, err
}

func render(names, facts []string) (string, error) {
	each := func(list []string, limit int) string {
		var b strings.Builder
		for _, s := range list {
			b.WriteString(prompts.Line(limit, s) + "\n")
		}
		return b.String()
	}
	return prompts.Render("community_user", prompts.Data{"Mark": prompts.Mark(append(names, facts...)...),
		"Members": each(names, 80), "Facts": each(facts, 260)})
}

// fitting returns the first lines that fit into room bytes.
func fitting(lines []string, room int) []string {
	for i, l := range lines {
		if room -= len(l) + 1; room < 0 {
			return lines[:i]
		}
	}
	return lines
}
