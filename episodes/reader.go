package episodes

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"memory-graph/extraction"
	"memory-graph/internal/facts"
	"memory-graph/internal/graph"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Rules finds what a turn states explicitly.
type Rules interface {
	Extract(t extraction.Input) memory.Findings
}

// Names finds the names and facts of the graph. If the graph cannot be read, it returns none, and the turn is read
// without them.
type Names interface {
	// Find returns the names in a text, those of the namespace's entities first.
	Find(ctx context.Context, namespace, text string) []memory.Mention
	// Inform adds the names and the facts of the graph to the extractors' input for e.
	Inform(ctx context.Context, e memory.Episode, t *extraction.Input)
	// Others returns the other names of the entity with a name, in canonical form; nil if nothing is known.
	Others(ctx context.Context, namespace, name string) []string
}

// Hearing reports for each fact whether the turn states it in its own words.
type Hearing func(t extraction.Input, facts []memory.RelationDraft) []bool

// ReaderOptions are the settings of a Reader.
type ReaderOptions struct {
	Off          bool          // nothing is extracted, not even names
	Rules        Rules         // nil: only a model finds facts
	Names        Names         // nil: the graph is not read, and turns are not linked to entities
	Facts        *facts.Writer // prepares drafts; nil: one without a minimum confidence
	MaxBytes     int           // bytes of a turn that are read for facts; 0: all
	MaxEntities  int           // maximum per turn; 0: no limit
	MaxRelations int           // maximum per turn; 0: no limit
	ToolTurns    bool          // facts are read from tool turns too
	User         string        // name for "I" if a turn has neither speaker nor user; "": extraction.DefaultSelf
	// Worth reports whether a model is to read a turn; names is the number of names in it. nil: there is no model.
	Worth func(t extraction.Input, names int) bool
	Hear  Hearing // nil: no supplied fact counts as said by the user
	// Refer completes the findings of the rules with facts that the turn only refers to. nil: nothing is added.
	Refer func(t extraction.Input, found memory.Findings) memory.Findings
	// Qualify returns the words, of a fact or else of its turn, that tell which person of a name is meant. nil: none.
	Qualify func(text, quote, name string) memory.Qualifier
	// Kin returns a person's relationship to the speaker, if the text states it: "my friend Ann". Set it together with
	// Qualify.
	Kin func(text, name string) memory.Qualifier
	// Told reports whether a turn's text tells a supplied fact as a change. nil: no supplied fact is news.
	Told func(text string, d memory.RelationDraft) bool
	// Nominal reports whether a text says that a fact holds by name only: "on paper". nil: none does.
	Nominal func(text string, d memory.RelationDraft) bool
}

// Reader reads turns for names and facts. It decides which extractors read a turn, runs the rules, and prepares
// findings for the store (docs/extraction.md). It is safe for concurrent use.
type Reader struct{ o ReaderOptions }

// NewReader returns a Reader. Without Worth it asks no model.
func NewReader(o ReaderOptions) *Reader {
	if o.Facts == nil {
		o.Facts = facts.New(nil, facts.Options{})
	}
	return &Reader{o}
}

// On reports whether extraction is on.
func (r *Reader) On() bool { return !r.o.Off }

// Model reports whether a model reads turns.
func (r *Reader) Model() bool { return !r.o.Off && r.o.Worth != nil }

// Rules reports whether the built-in rules read turns.
func (r *Reader) Rules() bool { return !r.o.Off && r.o.Rules != nil }

// Names reports whether the names in turns of a role are linked.
func (r *Reader) Names(role memory.Role) bool { return !r.o.Off && role != memory.RoleSystem }

// States reports whether turns of a role are read for facts.
func (r *Reader) States(role memory.Role) bool {
	return r.Names(role) && (role != memory.RoleTool || r.o.ToolTurns)
}

// Asks reports whether the model is to read a turn; names is the number of names in it.
func (r *Reader) Asks(t extraction.Input, names int) bool {
	return r.Model() && r.States(t.Role) && r.o.Worth(t, names)
}

// Input returns the extractors' input for an episode: its beginning, up to MaxBytes, with the names and facts of the
// graph.
func (r *Reader) Input(ctx context.Context, e memory.Episode) extraction.Input {
	t := r.words(e)
	if r.o.Names != nil {
		r.o.Names.Inform(ctx, e, &t)
	}
	return t
}

// words returns the extractors' input without the graph.
func (r *Reader) words(e memory.Episode) extraction.Input {
	return extraction.Input{Role: e.Role, Text: beginning(e.Content, r.o.MaxBytes), Self: r.self(e),
		OccurredAt: e.OccurredAt}
}

// self returns the name for "I": the speaker of a user's turn, else the user of the scope, else the configured user.
func (r *Reader) self(e memory.Episode) string {
	speaker := ""
	if e.Role == memory.RoleUser && !strings.Contains(e.Speaker, "[masked:") {
		speaker = e.Speaker
	}
	return cmp.Or(speaker, e.Scope.User, r.o.User, extraction.DefaultSelf)
}

// Read reads a turn with the rules, if its role is read. It returns the names, and the facts ready to be stored.
func (r *Reader) Read(ctx context.Context, e memory.Episode, t extraction.Input) memory.Findings {
	if !r.Names(e.Role) {
		return memory.Findings{}
	}
	if r.o.Rules == nil {
		return memory.Findings{Mentions: r.names(ctx, e)}
	}
	found := r.o.Rules.Extract(t)
	if r.o.Refer != nil {
		found = r.o.Refer(t, found)
	}
	if len(t.Text) < len(e.Content) { // link the names after that part, too
		found.Mentions = append(slices.Clip(found.Mentions), r.names(ctx, e)...)
	}
	if !r.States(e.Role) {
		return memory.Findings{Mentions: found.Mentions}
	}
	return r.Ready(ctx, e, found)
}

func (r *Reader) names(ctx context.Context, e memory.Episode) []memory.Mention {
	if r.o.Names == nil {
		return nil
	}
	return r.o.Names.Find(ctx, e.Scope.Namespace, e.Content)
}

// Reasons for dropping a finding.
const (
	dropInvalid      = "invalid"                       // a malformed draft, or a confidence below the minimum
	dropOverEdges    = "over_max_edges_per_message"    // more facts than the limit per turn
	dropOverEntities = "over_max_entities_per_message" // more names than the limit per turn
)

// Ready prepares an extractor's findings for the store. The drafts get the episode's origin, and secrets in them are
// masked. Drafts below the minimum confidence are dropped. If a limit per turn is exceeded, the least important drafts
// are dropped. The user and concepts do not count as entities. The mentions are unchanged.
func (r *Reader) Ready(ctx context.Context, e memory.Episode, found memory.Findings) memory.Findings {
	out := memory.Findings{Mentions: found.Mentions, Dropped: maps.Clone(found.Dropped),
		DroppedItems: slices.Clip(found.DroppedItems)}
	by := memory.Caller{Actor: store.ActorExtraction}
	for _, d := range found.Relations {
		d.Origin, d.CreateMissing = e.Origin, true
		ready, err := r.o.Facts.Relation(d, by)
		if err != nil {
			out.Drop(dropInvalid, fact(d)+": "+err.Error())
			continue
		}
		stated := ready.Method == memory.MethodRule || ready.Method == memory.MethodModelStated
		ready.NamesSpeaker = stated && r.ownName(e, ready)
		out.Relations = append(out.Relations, ready)
	}
	out.Relations = r.instead(e, out.Relations)
	r.qualify(ctx, e, out.Relations)
	names := map[string]bool{memory.Canonical(r.self(e)): false}
	out.Relations = r.surest(out.Relations, names, out.Drop)
	for i, d := range out.Relations {
		out.Relations[i] = r.o.Facts.Ends(ctx, e.Scope.Namespace, d)
	}
	for _, d := range found.Entities {
		if d.Type != value && !r.fits(names, d.Name) {
			out.Drop(dropOverEntities, d.Name)
			continue
		}
		d.Origin = e.Origin
		ready, err := r.o.Facts.Entity(ctx, e.Scope.Namespace, d, by)
		if err != nil {
			out.Drop(dropInvalid, d.Name+": "+err.Error())
			continue
		}
		out.Entities = append(out.Entities, ready)
	}
	return out
}

func fact(d memory.RelationDraft) string { return d.Head + " " + d.Relation + " " + d.Tail }

// LeftOut describes the findings that the limits per turn dropped, so that the caller can raise them; nil for none.
func LeftOut(found memory.Findings) (reasons []string) {
	for _, over := range []struct{ reason, setting, what string }{
		{dropOverEdges, "max_edges_per_message", "fact"}, {dropOverEntities, "max_entities_per_message",
			"fact or description"},
	} {
		switch n := found.Dropped[over.reason]; {
		case n == 1:
			reasons = append(reasons, fmt.Sprintf("extraction: 1 %s over %s left out", over.what, over.setting))
		case n > 1:
			reasons = append(reasons, fmt.Sprintf("extraction: %d %s over %s left out", n,
				strings.ReplaceAll(over.what+"s", "fact or", "facts or"), over.setting))
		}
	}
	return reasons
}

// surest returns the facts within the limits, in their original order, and adds their names to names. Facts of
// relations with a single value, such as a job or a home, have priority, then facts with a higher confidence.
func (r *Reader) surest(all []memory.RelationDraft, names map[string]bool,
	drop func(reason, what string)) []memory.RelationDraft {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(rank(all[a]), rank(all[b])), cmp.Compare(confidence(all[b]), confidence(all[a])))
	})
	kept := make([]int, 0, len(all))
	for _, i := range order {
		if r.o.MaxRelations > 0 && len(kept) == r.o.MaxRelations {
			drop(dropOverEdges, fact(all[i]))
			continue
		}
		if !r.fits(names, counted(all[i])...) {
			drop(dropOverEntities, fact(all[i]))
			continue
		}
		kept = append(kept, i)
	}
	slices.Sort(kept)
	out := make([]memory.RelationDraft, len(kept))
	for i, k := range kept {
		out[i] = all[k]
	}
	return out
}

// value is the type of dates, roles, states and other things that are no entity of their own. They do not count against
// the limit of entities, so that a list of people and their roles is not cut.
const value = "concept"

// counted returns the names of a fact that count against the limit of entities.
func counted(d memory.RelationDraft) (names []string) {
	if d.HeadType != value {
		names = append(names, d.Head)
	}
	if d.TailType != value {
		names = append(names, d.Tail)
	}
	return names
}

func confidence(d memory.RelationDraft) float64 {
	return memory.Capped(d.Confidence, d.Origin, d.Method)
}

// rank returns 0 for a fact of a relation with a single value, else 1.
func rank(d memory.RelationDraft) int {
	if graph.Lookup(graph.Snake(d.Relation)).OneTail(d.HeadType) {
		return 0
	}
	return 1
}

// fits adds names to the names of a turn, unless that exceeds the limit; it reports whether it added them. A name with
// the value false in the map does not count.
func (r *Reader) fits(names map[string]bool, more ...string) bool {
	fresh := map[string]bool{}
	for _, name := range more {
		if c := memory.Canonical(name); !names[c] {
			if _, free := names[c]; !free {
				fresh[c] = true
			}
		}
	}
	counted := len(fresh)
	for _, counts := range names {
		if counts {
			counted++
		}
	}
	if r.o.MaxEntities > 0 && counted > r.o.MaxEntities {
		return false
	}
	for c := range fresh {
		names[c] = true
	}
	return true
}

// beginning cuts a text to a maximum number of bytes. It cuts after a line if one ends in the last quarter of them,
// else after a sentence, else after a word, else after a character.
func beginning(s string, most int) string {
	if most <= 0 || len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	cut := s[:most]
	least := most - most/4
	for _, end := range []string{"\n", ". ", " "} {
		if i := strings.LastIndex(cut, end); i >= least {
			return cut[:i+1]
		}
	}
	return cut
}
