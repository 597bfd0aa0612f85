package llm

import (
	"slices"
	"strings"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/memory"
	"memory-graph/prompts"
)

// Limits on the context of a question.
const (
	maxKnown  = 20 // names in the graph
	maxBefore = 4  // earlier turns
)

// turnData is a turn as the prompt template reads it.
type turnData struct {
	Number int
	Role   memory.Role
	Self   string
	Said   string
	Text   string
}

// render returns the two messages of a question about turns.
func render(turns []extraction.Input) (system, user string, err error) {
	system, err = prompts.Render("extract_system", map[string]any{"Types": memory.EntityTypes, "Relations": choices()})
	if err != nil {
		return "", "", err
	}
	before := lines(turns[0].Before)
	var texts []string
	for _, l := range before {
		texts = append(texts, l.Speaker, l.Text)
	}
	data := make([]turnData, len(turns))
	for i, t := range turns {
		data[i] = turnData{Number: i + 1, Role: t.Role, Self: self(t), Said: said(t), Text: t.Text}
		texts = append(texts, t.Self, t.Text)
	}
	user, err = prompts.Render("extract_user", map[string]any{
		"Mark": prompts.Mark(texts...), "Known": known(turns, before), "Before": before, "Turns": data,
	})
	return system, user, err
}

// said returns the day of a turn with its day of the week, which resolves relative dates.
func said(t extraction.Input) string {
	if t.OccurredAt.IsZero() {
		return "an unknown day"
	}
	return t.OccurredAt.UTC().Format("2006-01-02 (Monday)")
}

// self returns the name of the turn's user.
func self(t extraction.Input) string {
	if memory.Canonical(t.Self) == "" {
		return extraction.DefaultSelf
	}
	return t.Self
}

// lines returns the latest earlier turns, without system turns.
func lines(before []extraction.Line) []extraction.Line {
	out := slices.DeleteFunc(slices.Clone(before), func(l extraction.Line) bool { return l.Role == memory.RoleSystem })
	return out[max(0, len(out)-maxBefore):]
}

// known returns the names of the graph that occur in the turns or the earlier lines.
func known(turns []extraction.Input, before []extraction.Line) []string {
	var names []string
	seen := map[string]bool{}
	add := func(text string, d *mentions.Dictionary) {
		if d.Len() == 0 {
			return
		}
		// Join the lines: the first line of a text may look like a title, which the finder would report instead of a known
		// name.
		for _, m := range (mentions.Finder{}).Find(strings.Join(strings.Fields(text), " "), d) {
			if key := memory.Canonical(m.Name); m.Known && !seen[key] && len(names) < maxKnown {
				seen[key] = true
				names = append(names, m.Name)
			}
		}
	}
	for _, t := range turns {
		add(t.Text, t.Known)
	}
	for _, l := range before {
		add(l.Text, turns[0].Known)
	}
	return names
}
