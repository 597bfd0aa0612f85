package episodes

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
	"memory-graph/store"
)

// Store is what recording needs of the store.
type Store interface {
	// RecordEpisode writes a turn with everything that hangs on it in one transaction, or finds the turn it repeats.
	RecordEpisode(ctx context.Context, in store.NewEpisode) (store.Recorded, error)
	// State counts what is not finished yet in a namespace.
	State(ctx context.Context, namespace string) (memory.State, error)
}

// Options are the settings of a Recorder.
type Options struct {
	MaxContentBytes int           // of a turn as it is given
	Facts           *facts.Writer // makes what is supplied with a turn ready; nil: with no minimum
	Reader          *Reader       // reads turns; nil: nothing is extracted
	// believe the role that a tool call gives a turn; false: such a turn counts as an agent's at most
	TrustRoles bool
	Quarantine Quarantine
	Now        func() time.Time // when a turn was said that does not say it; nil: time.Now
	Log        *slog.Logger
}

// Recorder records turns. It is safe for concurrent use.
type Recorder struct {
	store Store
	opts  Options
}

// New makes a Recorder over a store.
func New(s Store, o Options) *Recorder {
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if o.Facts == nil {
		o.Facts = facts.New(nil, facts.Options{Log: o.Log})
	}
	if o.Reader == nil {
		o.Reader = NewReader(ReaderOptions{Off: true})
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Recorder{store: s, opts: o}
}

// Statuses of a Result.
const (
	Stored      = "stored"
	Duplicate   = "duplicate"
	Quarantined = "quarantined"
)

// Record stores one turn: it takes our own context block out of the text, masks secrets, and writes the rest. When it
// returns, the turn is durable and found by text. Everything but the namespace is masked; identifiers that hold a
// secret are stored as a hash, so that two stay two. Errors: InvalidArgument for text that is empty (characters that
// nobody sees are nothing), is not UTF-8, holds a NUL byte (binary data does, text does not) or was nothing but our own
// block, and for a time more than maxAhead in the future; TooLarge; and what the store says.
func (r *Recorder) Record(ctx context.Context, turn store.NewEpisode) (Result, error) {
	if err := r.check(turn); err != nil {
		return Result{}, err
	}
	at, err := r.occurredAt(turn)
	if err != nil {
		return Result{}, err
	}
	turn.Scope, turn.OccurredAt = secrets.Scope(turn.Scope), at
	turn.IdempotencyKey = secrets.Identifier(turn.IdempotencyKey)
	turn.Reasons, turn.Reading = []string{}, store.Reading{}
	content, stripped := StripContext(turn.Content)
	if stripped {
		turn.Reasons = append(turn.Reasons, "removed: context block")
	}
	if !visible(content) {
		return Result{}, memory.Errorf(memory.InvalidArgument,
			"nothing is left to store: content was only a block of memory that came from here.").
			WithHint("Send what was said, without the context block.")
	}
	turn.Content = content
	maskTurn(&turn)
	turn.Role = cmp.Or(turn.Role, memory.RoleUser)
	turn.Origin = r.origin(turn.Caller.Actor, turn.Role)
	mistakes := r.supplied(ctx, &turn)
	extraction := r.extract(ctx, &turn)
	rec, err := r.store.RecordEpisode(ctx, turn)
	if err != nil {
		return Result{}, err
	}
	for _, refused := range rec.Found.Refused {
		r.opts.Log.Debug("what the rules found is not stored", "item", refused.Item, "why", refused.Message)
	}
	res := Result{EpisodeID: memory.EpisodeID(rec.Episode.ID), Status: Stored, Extraction: extraction,
		Reasons:   turn.Reasons,
		Entities:  together(rec.Entities, rec.Found.Entities),
		Relations: alsoFound(rec.Relations, rec.Found.Relations), Errors: append(mistakes, rec.Errors...)}
	if turn.Status == memory.StatusQuarantined {
		res.Status = Quarantined
	}
	if !rec.Duplicate {
		res.Reasons = append(slices.Clip(res.Reasons), LeftOut(turn.Found)...)
	}
	if rec.Duplicate {
		res.Raised = rec.Raised
		res.Status, res.Extraction = Duplicate, r.already(rec.Episode.Status)
		if rec.Differs {
			res.Reasons = append(res.Reasons,
				"idempotency_key was used before for another text: the first one is kept and this one is not stored")
		}
	}
	res.State = r.state(ctx, turn.Scope.Namespace)
	return res, nil
}

// maskTurn takes the secrets out of a turn, and notes their kinds among its reasons.
func maskTurn(turn *store.NewEpisode) {
	for _, part := range []struct {
		text  *string
		where string
	}{{&turn.Content, ""}, {&turn.Speaker, " (speaker)"}, {&turn.Source, " (source)"}} { // a URL may hold a password
		masked, kinds := secrets.Mask(*part.text)
		*part.text = masked
		for _, kind := range kinds {
			turn.Reasons = append(turn.Reasons, "masked: "+kind+part.where)
		}
	}
	turn.Caller.Reason, _ = secrets.Mask(turn.Caller.Reason)
}

// supplied makes what came with a turn ready for the store, and names what cannot be used.
func (r *Recorder) supplied(ctx context.Context, turn *store.NewEpisode) []memory.ItemError {
	var mistakes []memory.ItemError
	var entities []memory.EntityDraft
	for i, d := range turn.Entities {
		d.Origin = suppliedOrigin(d.Origin, turn)
		d.Item = cmp.Or(d.Item, fmt.Sprintf("entities[%d]", i))
		ready, err := r.opts.Facts.Entity(ctx, turn.Scope.Namespace, d, turn.Caller)
		if err != nil {
			mistakes = append(mistakes, memory.ItemError{Item: d.Item, Message: memory.AsError(err).Error()})
			continue
		}
		entities = append(entities, ready)
	}
	var relations []memory.RelationDraft
	for i, d := range turn.Relations {
		d.Origin = suppliedOrigin(d.Origin, turn)
		d.Item = cmp.Or(d.Item, fmt.Sprintf("relations[%d]", i))
		ready, err := r.opts.Facts.Relation(d, turn.Caller)
		if err != nil {
			mistakes = append(mistakes, memory.ItemError{Item: d.Item, Message: memory.AsError(err).Error()})
			continue
		}
		ready.CreateMissing = true
		relations = append(relations, ready)
	}
	turn.Entities, turn.Relations = entities, relations // new lists: the caller's stay as they were
	return mistakes
}

// suppliedOrigin gives the origin of what comes with a turn: with a tool's it is the tool's word, whoever made the
// call.
func suppliedOrigin(given memory.Origin, turn *store.NewEpisode) memory.Origin {
	if turn.Role == memory.RoleTool {
		return memory.OriginTool
	}
	return given
}

// maxAhead is how far in the future the time of a turn may lie: clocks and time zones differ by less.
const maxAhead = 24 * time.Hour

// occurredAt gives when a turn was said. A hook's turn is said now where its time cannot be: nobody could send it
// again.
func (r *Recorder) occurredAt(in store.NewEpisode) (time.Time, error) {
	now := r.opts.Now()
	if !in.OccurredAt.After(now.Add(maxAhead)) {
		return in.OccurredAt, nil
	}
	if in.Caller.Actor == "hook" {
		r.opts.Log.Warn("a turn of the future is stored as said now", "occurred_at", memory.RFC3339(in.OccurredAt),
			"source", in.Source)
		return now, nil
	}
	return time.Time{}, memory.Errorf(memory.InvalidArgument, "occurred_at %s lies in the future: it is %s here.",
		memory.RFC3339(in.OccurredAt), memory.RFC3339(now)).
		WithHint("Give the time when it was said, or leave it out for now.")
}

// check refuses what is not text or too much of it.
func (r *Recorder) check(in store.NewEpisode) error {
	if len(in.Content) > r.opts.MaxContentBytes {
		return memory.Errorf(memory.TooLarge, "content is %d bytes long, more than the %d allowed.", len(in.Content),
			r.opts.MaxContentBytes).
			WithHint("Store it in parts, one turn each.")
	}
	for _, part := range []struct{ name, text string }{{"content", in.Content}, {"speaker", in.Speaker},
		{"source", in.Source}} {
		if !utf8.ValidString(part.text) {
			return memory.Errorf(memory.InvalidArgument, "%s is not valid UTF-8.",
				part.name).WithHint("Send text as UTF-8; leave binary data out.")
		}
		if i := strings.IndexByte(part.text, 0); i >= 0 {
			return memory.Errorf(memory.InvalidArgument, "%s has a NUL byte at %d: it looks like binary data.", part.name, i).
				WithHint("Send text only.")
		}
	}
	if !visible(in.Content) {
		return memory.Errorf(memory.InvalidArgument, "content is empty.").WithHint("Send the words of the turn.")
	}
	return nil
}

// visible says whether anything in a text can be seen: white space, control and formatting characters cannot, nor what
// Unicode calls default ignorable (UAX #44), nor the Braille pattern without dots. Signs that Unicode counts as
// formatting but are drawn, like the Arabic number sign, can.
func visible(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		switch {
		case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
			return true
		case unicode.IsSpace(r), unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Variation_Selector):
			return false
		}
		return r != '\u2800'
	}) >= 0
}

// importActor is who brings in a file that nobody vouches for.
const importActor = "import"

// origin ranks a turn's trust by how it came, never by what it says.
func (r *Recorder) origin(actor string, role memory.Role) memory.Origin {
	switch role {
	case memory.RoleSystem:
		return memory.OriginSystem
	case memory.RoleTool:
		return memory.OriginTool
	}
	if actor == importActor { // whoever wrote the file may have written anything
		return memory.OriginTool
	}
	switch role {
	case memory.RoleAssistant:
		return memory.OriginAssistant
	}
	if actor == "tool" && !r.opts.TrustRoles {
		return memory.OriginAgent
	}
	return memory.OriginUser
}

// state counts what is open. The turn is stored by then, so failing to count is not failing to record: it is said in
// `degraded`.
func (r *Recorder) state(ctx context.Context, namespace string) memory.State {
	s, err := r.store.State(ctx, namespace)
	if err != nil {
		r.opts.Log.Warn("memory state is unknown", "error", err)
		return memory.State{Degraded: []string{"state_unknown"}}
	}
	return s
}
