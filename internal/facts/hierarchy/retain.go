package hierarchy

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode"

	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
	"memory-graph/store"
)

// titleRunes is the maximum length of a title that is taken from the content, in characters.
const titleRunes = 80

// Memory is a memory to store with Retain.
type Memory struct {
	Content   string
	Title     string // "" uses the beginning of the content
	Type      string // "" is concept
	Layer     *int   // 0..3; nil: one below the parent's, else 2
	Parent    string // an id, a name or an alias
	Updates   string // the memory that this is a new version of; "": the one with the same title, if any
	ValidFrom time.Time
	Relations []Relation
	Episode   int64          // the id of the turn that says it, 0 for none
	Labels    []memory.Label // replace those of the earlier version; nil: these stay
}

// Relation is an edge from a memory to another node. Any verb is allowed as its type.
type Relation struct {
	Target   string   // an id, a name or an alias; a concept is created if none is found
	Type     string   // related_to, is_about, part_of, contradicts, supports, or any other verb
	Strength *float64 // 0..1; nil is 1
}

// Retain stores a new memory or the next version of an existing one. Errors are those of store.Retain.
func (h *Hierarchy) Retain(ctx context.Context, scope memory.Scope, in Memory, by memory.Caller) (store.Retained,
	error) {
	title := cmp.Or(strings.TrimSpace(in.Title), Title(in.Content))
	d, err := h.Drafts.Entity(ctx, scope.Namespace,
		memory.EntityDraft{Name: title, Type: in.Type, Kind: memory.NodeMemory,
			Description: strings.TrimSpace(in.Content), Notes: values(in.Labels)}, by) // notes are masked and scanned, too
	if err != nil {
		return store.Retained{}, err
	}
	out := store.NewMemory{Title: d.Name, Content: d.Description, Type: d.Type, Layer: in.Layer, Parent: in.Parent,
		Updates:   in.Updates,
		ValidFrom: in.ValidFrom, Episode: in.Episode, Origin: d.Origin, Method: d.Method, Suspicion: d.Suspicion}
	if in.Labels != nil {
		out.Labels = make([]memory.Label, len(in.Labels))
		for i, l := range in.Labels {
			out.Labels[i] = memory.Label{Kind: l.Kind, Value: d.Notes[i]}
		}
	}
	if in.Updates != "" && strings.TrimSpace(in.Title) == "" {
		out.Title = "" // the memory keeps its title
	}
	for _, r := range in.Relations {
		draft, err := h.Drafts.Relation(memory.RelationDraft{Relation: r.Type, Tail: r.Target, Strength: r.Strength}, by)
		if err != nil {
			return store.Retained{}, err
		}
		out.Relations = append(out.Relations, draft)
	}
	if in.Updates == "" {
		if out.MayUpdate, err = h.mayUpdate(ctx, secrets.Scope(scope).Namespace, out); err != nil {
			return store.Retained{}, err
		}
	}
	out.Text = h.text(ctx, scope, out)
	by.Reason, _ = secrets.Mask(by.Reason)
	return h.Store.Retain(ctx, secrets.Scope(scope), out, by)
}

// text reads the text of a memory. It returns nil if the text has no facts, and for one that looks like an attack. An
// instruction always has a turn: it says in which project the instruction holds.
func (h *Hierarchy) text(ctx context.Context, scope memory.Scope, m store.NewMemory) *store.NewEpisode {
	if h.Read == nil || m.Suspicion != nil {
		return nil
	}
	role := memory.RoleAssistant
	if m.Origin.Trust() <= memory.OriginTool.Trust() {
		role = memory.RoleTool
	}
	at := m.ValidFrom
	if at.IsZero() || at.After(h.now()) {
		at = h.now()
	}
	read := h.Read(ctx, memory.Episode{Scope: secrets.Scope(scope), Role: role, Source: store.CallSource,
		Content: m.Content, Origin: m.Origin, OccurredAt: at})
	if len(read.Found.Relations)+len(read.Found.Entities)+len(read.Jobs) == 0 && !m.Instructs() {
		return nil
	}
	return &read
}

func values(labels []memory.Label) []string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = l.Value
	}
	return out
}

// Title returns the first line of a content as a title, cut after a word if it is too long.
func Title(content string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(content), "\n")
	runes := []rune(strings.TrimSpace(line))
	if len(runes) <= titleRunes {
		return string(runes)
	}
	cut := titleRunes
	for i := titleRunes; i > titleRunes/2; i-- {
		if unicode.IsSpace(runes[i]) {
			cut = i
			break
		}
	}
	return strings.TrimSpace(string(runes[:cut])) + "…"
}
