// Package facts prepares the entities and relations that a caller supplies, and hands them to the store. It masks
// secrets, sets the origin, and resolves names by the similarity of their vectors if that is switched on.
package facts

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
)

// Store is the part of the store that writes facts.
type Store interface {
	CreateEntity(ctx context.Context, scope memory.Scope, d memory.EntityDraft, by memory.Caller) (memory.EntityWrite,
		error)
	UpdateEntity(ctx context.Context, namespace string, ch memory.EntityChange, by memory.Caller) (memory.Entity, int,
		error)
	CreateRelation(ctx context.Context, scope memory.Scope, d memory.RelationDraft, evidence int64,
		by memory.Caller) (memory.RelationWrite, error)
	UpdateRelation(ctx context.Context, namespace string, ch memory.RelationChange,
		by memory.Caller) (memory.Relationship, int, error)
	Supersede(ctx context.Context, scope memory.Scope, s memory.Supersession, by memory.Caller) (memory.Superseded, error)
	ReferenceStore
}

// Options are the settings of a Writer.
type Options struct {
	MinConfidence float64  // facts and entities with a lower confidence are refused
	Resolver      Resolver // nil: names are matched exactly
	Suspects      Suspects // nil: no text looks like an attack
	Log           *slog.Logger
}

// Suspects returns why a text of an origin looks like an attack on its reader, or nil if it does not.
type Suspects func(text string, o memory.Origin) []string

// Resolver finds the entity that a name means by the similarity of vectors.
type Resolver interface {
	// Resolve returns the id of the entity that the draft is (same, 0 for none), or the entities that it may be (similar).
	Resolve(ctx context.Context, namespace string, d memory.EntityDraft) (same int64, similar []memory.Hit, err error)
}

// Writer writes facts. It is safe for concurrent use.
type Writer struct {
	store Store
	opts  Options
}

// New returns a Writer over a store.
func New(s Store, o Options) *Writer {
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return &Writer{s, o}
}

// CreateEntity creates an entity or a memory, or observes the existing one.
func (w *Writer) CreateEntity(ctx context.Context, scope memory.Scope, d memory.EntityDraft,
	by memory.Caller) (memory.EntityWrite, error) {
	d, err := w.Entity(ctx, scope.Namespace, d, by)
	if err != nil {
		return memory.EntityWrite{}, err
	}
	return w.store.CreateEntity(ctx, secrets.Scope(scope), d, masked(by))
}

// UpdateEntity changes an entity and returns the number of its new version.
func (w *Writer) UpdateEntity(ctx context.Context, scope memory.Scope, ch memory.EntityChange,
	by memory.Caller) (memory.Entity, int, error) {
	for _, part := range []*string{ch.Name, ch.Description, ch.Own} {
		if part == nil {
			continue
		}
		cleaned, err := clean("name or description", *part)
		if err != nil {
			return memory.Entity{}, 0, err
		}
		*part = cleaned
	}
	var err error
	var notes []string
	if ch.Notes != nil {
		if notes, err = cleanAll("observations", *ch.Notes); err != nil {
			return memory.Entity{}, 0, err
		}
		ch.Notes = &notes
	}
	if ch.AddAliases, err = cleanAll("add_aliases", ch.AddAliases); err != nil {
		return memory.Entity{}, 0, err
	}
	if ch.RemoveAliases, err = cleanAll("remove_aliases", ch.RemoveAliases); err != nil {
		return memory.Entity{}, 0, err
	}
	if ch.Type != nil {
		typ, err := entityType(*ch.Type)
		if err != nil {
			return memory.Entity{}, 0, err
		}
		ch.Type = &typ
	}
	var said []string
	for _, part := range []*string{ch.Name, ch.Type, ch.Description, ch.Own} {
		if part != nil {
			said = append(said, *part)
		}
	}
	ch.Suspicion = w.suspicion(memory.SuppliedOrigin(by.Actor), slices.Concat(said, ch.AddAliases, notes)...)
	return w.store.UpdateEntity(ctx, scope.Namespace, ch, masked(by))
}

// CreateRelation stores a fact or observes an existing one. evidence is the id of the episode that says it, 0 for none.
func (w *Writer) CreateRelation(ctx context.Context, scope memory.Scope, d memory.RelationDraft, evidence int64,
	by memory.Caller) (memory.RelationWrite, error) {
	d, err := w.Relation(d, by)
	if err != nil {
		return memory.RelationWrite{}, err
	}
	if d.CreateMissing {
		d = w.Ends(ctx, scope.Namespace, d)
	}
	return w.store.CreateRelation(ctx, secrets.Scope(scope), d, evidence, masked(by))
}

// Supersede ends a fact and stores its replacement, if there is one.
func (w *Writer) Supersede(ctx context.Context, scope memory.Scope, s memory.Supersession,
	by memory.Caller) (memory.Superseded, error) {
	if s.Replacement != nil {
		d, err := w.replacement(*s.Replacement, by)
		if err != nil {
			return memory.Superseded{}, err
		}
		s.Replacement = &d
	}
	s.Reason, _ = secrets.Mask(s.Reason)
	return w.store.Supersede(ctx, secrets.Scope(scope), s, masked(by))
}

// UpdateRelation changes a fact and returns the number of its new version.
func (w *Writer) UpdateRelation(ctx context.Context, namespace string, ch memory.RelationChange,
	by memory.Caller) (memory.Relationship, int, error) {
	if ch.Fact != nil {
		fact, err := clean("fact", *ch.Fact)
		if err != nil {
			return memory.Relationship{}, 0, err
		}
		ch.Fact = &fact
		ch.Suspicion = w.suspicion(memory.SuppliedOrigin(by.Actor), fact)
	}
	return w.store.UpdateRelation(ctx, namespace, ch, masked(by))
}

// suspicion checks everything that is to be stored as one text, as a reader would see it.
func (w *Writer) suspicion(o memory.Origin, parts ...string) *memory.Suspicion {
	if w.opts.Suspects == nil {
		return nil
	}
	text := strings.Join(slices.DeleteFunc(parts, func(s string) bool { return strings.TrimSpace(s) == "" }), "\n")
	reasons := w.opts.Suspects(strings.ReplaceAll(text, "_", " "), o)
	if reasons == nil {
		return nil
	}
	return &memory.Suspicion{Text: text, Reasons: reasons}
}

// masked masks secrets in the caller's reason.
func masked(by memory.Caller) memory.Caller {
	by.Reason, _ = secrets.Mask(by.Reason)
	return by
}

// Entity prepares a draft for the store: it masks secrets, sets the origin, and resolves the name if a Resolver is set.
// The error is InvalidArgument.
func (w *Writer) Entity(ctx context.Context, namespace string, d memory.EntityDraft,
	by memory.Caller) (memory.EntityDraft, error) {
	var err error
	if d.Name, err = clean("name", d.Name); err != nil {
		return d, err
	}
	if d.Description, err = clean("description", d.Description); err != nil {
		return d, err
	}
	if d.Aliases, err = cleanAll("aliases", d.Aliases); err != nil {
		return d, err
	}
	if d.Notes, err = cleanAll("observations", d.Notes); err != nil {
		return d, err
	}
	d.TypeLabel, _ = secrets.Mask(d.TypeLabel)
	if d.Type != "" {
		if d.Type, err = entityType(d.Type); err != nil {
			return d, err
		}
	}
	if c := d.Confidence; c != nil && *c >= 0 && *c < w.opts.MinConfidence {
		return d, memory.Errorf(memory.InvalidArgument, "confidence: %v is below the minimum of %v.", *c,
			w.opts.MinConfidence).
			WithHint("Do not store something that is this unsure, or store the turn that says it with store_episode.")
	}
	if d.Origin == "" {
		d.Origin = memory.SuppliedOrigin(by.Actor)
	}
	if d.Method == "" {
		d.Method = memory.MethodSupplied
	}
	d.Suspicion = w.suspicion(d.Origin, append([]string{d.Name, d.Type, d.Description, d.TypeLabel}, append(d.Aliases,
		d.Notes...)...)...)
	if w.opts.Resolver == nil {
		return d, nil
	}
	if d.SameAs, d.Similar, err = w.opts.Resolver.Resolve(ctx, namespace, d); err != nil {
		w.opts.Log.Warn("cannot compare vectors of entities; the name is matched exactly", "error", err)
		d.SameAs, d.Similar = 0, nil
	}
	return d, nil
}

// Relation prepares a draft for the store. The error is InvalidArgument, also for a confidence below the minimum.
func (w *Writer) Relation(d memory.RelationDraft, by memory.Caller) (memory.RelationDraft, error) {
	if graph.Snake(d.Relation) == "" {
		return d, memory.Errorf(memory.InvalidArgument, "relation: %q is not a verb.",
			d.Relation).WithHint("Use a verb in snake_case, such as works_at.")
	}
	return w.replacement(d, by)
}

// Ends compares the head and the tail of a prepared fact with the entities of the namespace, if a Resolver is set. The
// store looks at the result only for a name that nobody has.
func (w *Writer) Ends(ctx context.Context, namespace string, d memory.RelationDraft) memory.RelationDraft {
	if w.opts.Resolver == nil {
		return d
	}
	near := map[string]memory.Likeness{}
	for _, end := range [2]struct {
		name, typ string
		is        memory.Qualifier
	}{{d.Head, d.HeadType, d.HeadIs}, {d.Tail, d.TailType, d.TailIs}} {
		if _, err := memory.ParseID(strings.TrimSpace(end.name)); err == nil || end.is.Text != "" && !end.is.Known ||
			strings.ContainsFunc(end.name, unicode.IsDigit) { // vectors hardly distinguish "24 April" from "25 April"
			continue
		}
		same, similar, err := w.opts.Resolver.Resolve(ctx, namespace,
			memory.EntityDraft{Name: end.name, Type: end.typ, Method: d.Method, Origin: d.Origin})
		if err != nil {
			w.opts.Log.Warn("cannot compare vectors of entities; the name is matched exactly", "error", err)
		} else if same != 0 || len(similar) > 0 {
			near[end.name] = memory.Likeness{Same: same, Similar: similar}
		}
	}
	if len(near) > 0 {
		d.Near = near
	}
	return d
}

// replacement is Relation for a draft that may leave fields empty; these are copied from the fact that it replaces.
func (w *Writer) replacement(d memory.RelationDraft, by memory.Caller) (memory.RelationDraft, error) {
	var err error
	for _, part := range []struct {
		name string
		text *string
	}{{"head", &d.Head}, {"tail", &d.Tail}, {"relation", &d.Relation}, {"fact", &d.Fact}, {"quote", &d.Quote}} {
		if *part.text, err = clean(part.name, *part.text); err != nil {
			return d, err
		}
	}
	for _, typ := range []*string{&d.HeadType, &d.TailType} {
		if *typ != "" {
			if *typ, err = entityType(*typ); err != nil {
				return d, err
			}
		}
	}
	if d.Origin == "" {
		d.Origin = memory.SuppliedOrigin(by.Actor)
	}
	if d.Method == "" {
		d.Method = memory.MethodSupplied
	}
	d.Suspicion = w.suspicion(d.Origin, d.Head+" "+d.Relation+" "+d.Tail, d.Fact, d.HeadType, d.TailType, d.Quote)
	if c := d.Confidence; c != nil && *c >= 0 && *c < w.opts.MinConfidence {
		return d, memory.Errorf(memory.InvalidArgument, "confidence: %v is below the minimum of %v.", *c,
			w.opts.MinConfidence).
			WithHint("Do not store a fact that is this unsure, or store the turn that says it with store_episode.")
	}
	return d, nil
}

// clean refuses invalid UTF-8 and masks secrets.
func clean(argument, s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", memory.Errorf(memory.InvalidArgument, "%s is not valid UTF-8.", argument).WithHint("Send text as UTF-8.")
	}
	cleaned, _ := secrets.Mask(s)
	return cleaned, nil
}

// entityType masks a type and converts it to snake_case.
func entityType(s string) (string, error) {
	s, _ = secrets.Mask(s)
	typ := graph.Snake(s)
	if typ == "" || len(typ) > graph.MaxRelationBytes {
		return "", memory.Errorf(memory.InvalidArgument, "type: %q is not a word of 1 to %d bytes.", s,
			graph.MaxRelationBytes).
			WithHint("Use a word in snake_case, such as person, organization, project, tool or concept.")
	}
	return typ, nil
}
