package llm

import (
	"slices"
	"strconv"
	"strings"

	"memory-graph/extraction"
	"memory-graph/extraction/mentions"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/prompts"
)

// Limits on the context of a question.
const (
	maxKnown  = 60   // names in the graph
	maxNames  = 2400 // bytes of them
	maxOther  = 3    // other names of one
	maxBefore = 4    // earlier turns
)

// render returns the two messages of a question about turns.
func render(turns []extraction.Input) (system, user string, err error) {
	list := func(words []string) string { return strings.Join(words, ", ") }
	system, err = prompts.Render("extract_system", prompts.Data{"Types": list(memory.EntityTypes),
		"Relations": list(choices())})
	if err != nil {
		return "", "", err
	}
	before := lines(turns[0].Before)
	var texts []string
	var earlier, data []prompts.Data
	for _, l := range before {
		speaker := l.Speaker
		if speaker != "" {
			speaker = prompts.Quoted(speaker)
		}
		texts = append(texts, l.Speaker, l.Text)
		earlier = append(earlier, prompts.Data{"Role": string(l.Role), "Speaker": speaker,
			"Text": prompts.Line(300, l.Text)})
	}
	for i, t := range turns {
		texts = append(texts, t.Self, t.Text)
		data = append(data, prompts.Data{"Number": strconv.Itoa(i + 1), "Role": string(t.Role),
			"Self": prompts.Quoted(self(t)), "Said": said(t), "Text": t.Text})
	}
	var block []prompts.Data // none or one
	if len(earlier) > 0 {
		block = []prompts.Data{{"Lines": earlier}}
	}
	user, err = prompts.Render("extract_user", prompts.Data{
		"Mark": prompts.Mark(texts...), "Known": list(known(turns, before)),
		"Held": strings.Join(held(turns[0].Held), "\n"), "Earlier": block, "Turns": data,
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

// known returns the names of the graph that the turns may mean, as the prompt lists them: those in Names, and others
// that occur in the turns or the earlier lines.
func known(turns []extraction.Input, before []extraction.Line) []string {
	var names []string
	seen, size := map[string]bool{}, 0
	list := func(n extraction.Name) {
		line := listed(n)
		if key := memory.Canonical(n.Name); !seen[key] && len(names) < maxKnown && size+len(line) <= maxNames {
			size += len(line)
			names = append(names, line)
			seen[key] = true
			for _, a := range n.Aliases {
				seen[a] = true
			}
		}
	}
	for _, n := range turns[0].Names {
		list(n)
	}
	add := func(text string, d *mentions.Dictionary) {
		if d.Len() == 0 {
			return
		}
		// Join the lines: the first line of a text may look like a title, which the finder would report instead of a known
		// name.
		for _, m := range (mentions.Finder{}).Find(strings.Join(strings.Fields(text), " "), d) {
			if m.Known {
				list(extraction.Name{Name: m.Name})
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

// held returns facts as the prompt lists them, without those that the memory makes itself.
func held(facts []extraction.Held) (lines []string) {
	for _, f := range facts {
		if verb, _ := directed(f.Relation); !reserved[verb] {
			lines = append(lines, "- "+prompts.Quoted(f.Head)+" "+graph.Snake(f.Relation)+" "+prompts.Quoted(f.Tail)+dates(f))
		}
	}
	return lines
}

// dates returns the stated times of a fact: " (since 2026-03, until 2026-08-28)", or " (on 2026-08-28)" of a plan.
func dates(f extraction.Held) string {
	var list []string
	if !f.From.IsZero() && !f.Assumed {
		from := "since "
		if graph.Snake(f.Relation) == graph.ScheduledFor {
			from = "on "
		}
		list = append(list, from+f.FromUnit.Date(f.From))
	}
	if !f.Until.IsZero() {
		list = append(list, "until "+f.UntilUnit.Date(f.Until))
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// listed returns a name with its type and its first other names: `"Ann Lee" (person, also "ann")`.
func listed(n extraction.Name) string {
	var more []string
	if n.Type != "" && n.Type != memory.DefaultType {
		more = append(more, n.Type)
	}
	for i, a := range n.Aliases[:min(len(n.Aliases), maxOther)] {
		if i == 0 {
			a = "also " + prompts.Quoted(a)
		} else {
			a = prompts.Quoted(a)
		}
		more = append(more, a)
	}
	if len(more) == 0 {
		return prompts.Quoted(n.Name)
	}
	return prompts.Quoted(n.Name) + " (" + strings.Join(more, ", ") + ")"
}
