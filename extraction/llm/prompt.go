package llm

import (
	"slices"
	"strings"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/graph"
	"memory-graph/memory"
	"memory-graph/prompts"
)

// What helps the model to read a turn.
const (
	maxKnown  = 20 // names that the memory knows
	maxBefore = 4  // earlier turns
)

// reserved are relations that the memory makes itself, about its own records: nobody says them of people and things.
var reserved = map[string]bool{
	"similar_to": true, "contradicts": true, "supersedes": true, "superseded_by": true, "shared_node": true, "conditional_on": true,
	"mentions": true, "mentioned_in": true, "co_occurs_with": true, "is_about": true, "supports": true, "supported_by": true,
}

// registered are the relations of which the memory knows the class.
var registered = func() map[string]bool {
	set := map[string]bool{}
	for _, r := range graph.Known() {
		set[r] = true
	}
	return set
}()

// offered are the relations that the model may choose from.
var offered = slices.DeleteFunc(graph.Known(), func(r string) bool { return reserved[r] })

// turnData is a turn as the prompt shows it.
type turnData struct {
	Number int
	Role   memory.Role
	Self   string
	Said   string
	Text   string
}

// render gives the two messages of a question about turns.
func render(turns []extraction.Turn) (system, user string, err error) {
	system, err = prompts.Render("extract_system", map[string]any{"Types": memory.EntityTypes, "Relations": offered})
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

// said gives the day of a turn, with the day of the week for what is said relative to it.
func said(t extraction.Turn) string {
	if t.OccurredAt.IsZero() {
		return "an unknown day"
	}
	return t.OccurredAt.UTC().Format("2006-01-02 (Monday)")
}

// self gives who the user of a turn is.
func self(t extraction.Turn) string {
	if memory.Canonical(t.Self) == "" {
		return extraction.DefaultSelf
	}
	return t.Self
}

// lines gives the last earlier turns that may be shown: the host's own instructions are nobody's words.
func lines(before []extraction.Line) []extraction.Line {
	out := slices.DeleteFunc(slices.Clone(before), func(l extraction.Line) bool { return l.Role == memory.RoleSystem })
	return out[max(0, len(out)-maxBefore):]
}

// known gives names of the graph that stand in the turns or before them.
func known(turns []extraction.Turn, before []extraction.Line) []string {
	var names []string
	seen := map[string]bool{}
	add := func(text string, d *mentions.Dictionary) {
		if d.Len() == 0 {
			return
		}
		// As one line: the first line of a text may be its title, which is known by itself and not as a name of the graph.
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
