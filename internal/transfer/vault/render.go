package vault

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// The headings of a page.
const (
	headFacts        = "Facts"
	headEnded        = "Ended facts"
	headObservations = "Observations"
)

// The kinds of pages, in the field "memory-graph" of the frontmatter.
const (
	kindEntity  = "entity"
	kindMemory  = "memory"
	kindSession = "session"
	kindIndex   = "index"
)

// Render returns the file of a page.
func Render(p Page) []byte {
	var b bytes.Buffer
	kind := kindEntity
	if p.ID.Kind == memory.KindMemory {
		kind = kindMemory
	}
	fmt.Fprintf(&b, "---\nmemory-graph: %s\n", kind)
	if p.ID.Num != 0 {
		fmt.Fprintf(&b, "id: %s\n", p.ID)
	}
	fmt.Fprintf(&b, "title: %s\ntype: %s\n", quoted(p.Name), quoted(p.Type))
	if len(p.Aliases) > 0 {
		b.WriteString("aliases:\n")
		for _, a := range p.Aliases {
			fmt.Fprintf(&b, "  - %s\n", quoted(a))
		}
	}
	if p.Confidence != "" {
		fmt.Fprintf(&b, "confidence: %s\n", p.Confidence)
	}
	for _, i := range p.Info {
		fmt.Fprintf(&b, "%s: %s\n", i.Key, quoted(i.Value))
	}
	fmt.Fprintf(&b, "%s---\n\n# %s\n", p.Fields, escape(p.Name))
	if p.Description != "" {
		fmt.Fprintf(&b, "\n%s\n", escapeLines(p.Description))
	}
	for _, ended := range []bool{false, true} {
		head := headFacts
		if ended {
			head = headEnded
		}
		for _, f := range p.Facts {
			if f.Ended != ended {
				continue
			}
			if head != "" {
				fmt.Fprintf(&b, "\n## %s\n\n", head)
				head = ""
			}
			b.WriteString(factLine(f) + "\n")
		}
	}
	if len(p.Observations) > 0 {
		fmt.Fprintf(&b, "\n## %s\n\n", headObservations)
		for _, o := range p.Observations {
			fmt.Fprintf(&b, "- %s\n", escape(o))
		}
	}
	if p.Sections != "" {
		b.WriteString("\n" + p.Sections + "\n")
	}
	return b.Bytes()
}

// label returns the text of a link to the page of a name, "" for the name of the file. A name that needs backslashes is
// not used, because links would show them.
func label(name, stem string) string {
	if name = oneLine(name); name == stem || name == "" || escape(name) != name {
		return ""
	}
	return name
}

func linkTo(stem, label string) string {
	if label != "" {
		return "[[" + stem + "|" + label + "]]"
	}
	return "[[" + stem + "]]"
}

// factLine returns the line of a fact: - works_at [[Acme]] (since 2024) [[2026-01-02 chat#^t5|source]] ^r12
func factLine(f Fact) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- %s %s%s", f.Relation, linkTo(f.Target, f.Label), f.when())
	for i, place := range f.Sources {
		label := "source"
		if i > 0 {
			label = fmt.Sprintf("source %d", i+1)
		}
		fmt.Fprintf(&b, " [[%s|%s]]", place, label)
	}
	if f.ID != 0 {
		fmt.Fprintf(&b, " ^%s", memory.RelationshipID(f.ID))
	}
	return b.String()
}

// renderTurn writes a turn of a session's page. Its text is a quotation, so that none of its lines is read as a line of
// the page.
func renderTurn(b *bytes.Buffer, e memory.Episode) {
	who := string(e.Role)
	if speaker := oneLine(e.Speaker); speaker != "" {
		who += " " + escape(speaker)
	}
	fmt.Fprintf(b, "\n## %s %s\n\n", e.OccurredAt.UTC().Format("2006-01-02 15:04 MST"), who)
	text := lines(e.Content)
	if text == "" {
		text = "(empty)"
	}
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight("> "+escape(line), " ") + "\n")
	}
	fmt.Fprintf(b, "\n^%s\n", memory.EpisodeID(e.ID))
}

// renderSession begins a page of turns. title is the session, "" for the turns of a day.
func renderSession(b *bytes.Buffer, session string, day time.Time) {
	title := oneLine(session)
	if title == "" {
		title = day.Format(time.DateOnly)
	}
	fmt.Fprintf(b, "---\nmemory-graph: %s\ntitle: %s\ndate: %s\n---\n\n# %s\n", kindSession, quoted(title),
		day.Format(time.DateOnly), escape(title))
}
