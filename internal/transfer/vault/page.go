// Package vault writes a memory as a folder of Markdown pages that people read and edit, and finds what they changed.
// docs/vault.md specifies the form of the pages.
package vault

import (
	"strings"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Page is one entity or memory, in the form of its file: every text is as Parse returns it.
type Page struct {
	ID           memory.ID `json:"-"` // zero for a page that a person made
	Name         string    `json:"name"`
	Title        string    `json:"title,omitempty"`   // in the frontmatter; "" for Name
	Heading      string    `json:"heading,omitempty"` // the first heading; "" for Name
	Type         string    `json:"type"`
	Aliases      []string  `json:"aliases,omitempty"` // canonical
	Confidence   string    `json:"confidence,omitempty"`
	Info         []Info    `json:"info,omitempty"` // shown in the frontmatter, not editable there
	Description  string    `json:"description,omitempty"`
	Facts        []Fact    `json:"facts,omitempty"`
	Observations []string  `json:"observations,omitempty"`

	// What a person added and the memory does not have. It stays in the page as it is.
	Fields   string `json:"fields,omitempty"`   // of the frontmatter, as YAML
	Sections string `json:"sections,omitempty"` // as Markdown, each with its heading

	// Of a file that was parsed:
	Lines  map[string]int `json:"-"` // where a field of the frontmatter stands, from 1
	Merge  []string       `json:"-"` // pages that a person says are the same thing
	Unread map[int64]bool `json:"-"` // facts whose lines could not be read
	Unsure bool           `json:"-"` // an unreadable line may be any fact
	Kind   string         `json:"-"` // the field "memory-graph"
}

// Info is a field of the frontmatter that only informs.
type Info struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Fact is one line of a page.
type Fact struct {
	ID       int64  `json:"id,omitempty"` // 0 for a line that a person wrote
	Relation string `json:"relation"`
	Target   string `json:"target,omitempty"` // the name of the target's page, or what a person wrote
	To       string `json:"to,omitempty"`     // the id of the target; "" if it is not known
	Since    string `json:"since,omitempty"`
	Until    string `json:"until,omitempty"`
	Ended    bool   `json:"ended,omitempty"` // it stands in the section of ended facts

	Label   string   `json:"-"` // what the link to the target shows, "" for Target; only written
	Sources []string `json:"-"` // links to turns; only written
	Line    int      `json:"-"` // where it stands, from 1
	ToPage  string   `json:"-"` // the file of the target, a page that a person made
}

// mostSources bounds the turns that the line of a fact names as its evidence.
const mostSources = 5

// pageOf returns the page of an entity. stems gives the name of the page of a node with its name, "" for none, and
// places that of a turn.
func pageOf(e store.VaultEntity, now time.Time, stems func(id int64, name string) string,
	places func(turn int64) string) Page {
	p := Page{ID: e.Ref(), Name: oneLine(e.Name), Type: oneLine(e.Type), Confidence: share(e.Confidence),
		Description: lines(e.Own)}
	own := memory.Canonical(e.Name)
	for _, a := range e.Aliases {
		if a = oneLine(a); a != own && a != "" {
			p.Aliases = append(p.Aliases, a)
		}
	}
	p.Info = append(p.Info, Info{"origin", string(e.Origin)})
	if e.Layer != nil {
		p.Info = append(p.Info, Info{"layer", []string{"domain", "concept", "fact", "episode"}[*e.Layer&3]})
	}
	if stem := stems(e.ParentID, ""); stem != "" {
		p.Info = append(p.Info, Info{"parent", "[[" + stem + "]]"})
	}
	for _, o := range e.Notes {
		if o = oneLine(o); o != "" {
			p.Observations = append(p.Observations, o)
		}
	}
	for _, f := range e.Facts {
		stem := stems(f.Tail.ID, f.Tail.Name)
		if stem == "" {
			continue
		}
		line := Fact{ID: f.ID, Relation: f.Relation, Target: stem, Label: label(f.Tail.Name, stem),
			To:    f.Tail.Ref().String(),
			Since: f.FromUnit.Date(f.ValidFrom),
			Until: f.UntilUnit.Date(f.ValidUntil), Ended: !f.Active(now)}
		if f.ValidFrom.IsZero() {
			line.Since = ""
		}
		switch {
		case !f.ValidUntil.IsZero():
		case f.ExpiresAt.IsZero():
			line.Until = ""
		default:
			line.Until = f.UntilUnit.Date(f.ExpiresAt)
		}
		for _, turn := range f.Evidence[:min(len(f.Evidence), mostSources)] {
			if place := places(turn); place != "" {
				line.Sources = append(line.Sources, place)
			}
		}
		p.Facts = append(p.Facts, line)
	}
	return p
}

// dir returns the folder of a new page.
func (p Page) dir() string {
	if p.ID.Kind == memory.KindMemory {
		return memoriesDir
	}
	return entitiesDir
}

// fact returns the line of a fact; ok is false if the page has none.
func (p Page) fact(id int64) (f Fact, ok bool) {
	for _, f := range p.Facts {
		if f.ID == id && id != 0 {
			return f, true
		}
	}
	return Fact{}, false
}

// when returns the dates of a fact in the form of its line.
func (f Fact) when() string {
	var parts []string
	if f.Since != "" {
		parts = append(parts, "since "+f.Since)
	}
	if f.Until != "" {
		parts = append(parts, "until "+f.Until)
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
