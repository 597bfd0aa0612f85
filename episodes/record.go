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

// Store is the part of the store that recording needs.
type Store interface {
	// RecordEpisode writes a turn with its facts and jobs in one transaction, or returns the turn that it duplicates.
	RecordEpisode(ctx context.Context, in store.NewEpisode) (store.Recorded, error)
	// RecordEpisodes is RecordEpisode for several turns of an import in one transaction.
	RecordEpisodes(ctx context.Context, in []store.NewEpisode, by memory.Caller) ([]store.RecordedTurn, error)
	// State returns what is pending, failed or degraded in a namespace.
	State(ctx context.Context, namespace string) (memory.State, error)
}

// Options are the settings of a Recorder.
type Options struct {
	MaxContentBytes int           // maximum size of a turn as given, in bytes
	Facts           *facts.Writer // prepares what is supplied with a turn; nil: one without a minimum confidence
	Reader          *Reader       // reads turns; nil: nothing is extracted
	// TrustRoles accepts the role that a tool call gives a turn. Otherwise such a turn has at most the trust of an agent.
	TrustRoles bool
	Quarantine Quarantine
	Now        func() time.Time // time of turns without one; nil: time.Now
	Log        *slog.Logger
}

// Recorder records turns. It is safe for concurrent use.
type Recorder struct {
	store Store
	opts  Options
}

// New returns a Recorder for a store.
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

// Record stores one turn. It removes memory-graph's own context blocks from the text, masks secrets, and writes the
// rest. When it returns, the turn is durable and text search finds it. Everything but the namespace is masked.
// Identifiers that hold a secret are stored as a hash, so different ones stay different. The error is InvalidArgument
// for content that is empty, invisible, or only a context block of memory-graph; for text that is not UTF-8 or has a
// NUL byte, which binary data has; and for a time more than memory.MaxAhead in the future. It is TooLarge for content
// above the limit. Other errors come from the store.
func (r *Recorder) Record(ctx context.Context, turn store.NewEpisode) (Result, error) {
	read, err := r.ready(ctx, &turn)
	if err != nil {
		return Result{}, err
	}
	rec, err := r.store.RecordEpisode(ctx, turn)
	if err != nil {
		return Result{}, err
	}
	res := r.result(turn, read, rec)
	res.State = r.state(ctx, turn.Scope.Namespace)
	return res, nil
}

// RecordAll stores turns of one import in one transaction. Each result has the turn's own error, if it is refused; the
// results have no State.
func (r *Recorder) RecordAll(ctx context.Context, turns []store.NewEpisode, by memory.Caller) ([]Result, error) {
	results := make([]Result, len(turns))
	reads := make([]readTurn, 0, len(turns))
	var ready []store.NewEpisode
	var places []int // in results
	for i, turn := range turns {
		turn.Caller = by
		read, err := r.ready(ctx, &turn)
		if err != nil {
			results[i].Refused = memory.AsError(err)
			continue
		}
		ready, reads, places = append(ready, turn), append(reads, read), append(places, i)
	}
	recorded, err := r.store.RecordEpisodes(ctx, ready, by)
	if err != nil {
		return nil, err
	}
	for i, rec := range recorded {
		if rec.Refused != nil {
			results[places[i]].Refused = rec.Refused
			continue
		}
		results[places[i]] = r.result(ready[i], reads[i], rec.Recorded)
	}
	return results, nil
}

// Text returns what is stored of a text: without our context blocks, and with secrets masked. "" if nothing is left.
func Text(content string) string {
	content, _ = StripContext(content)
	if !visible(content) {
		return ""
	}
	content, _ = secrets.Mask(content)
	return content
}

// readTurn is what was found in a turn before it is stored.
type readTurn struct {
	extraction string             // Result.Extraction
	mistakes   []memory.ItemError // in what was supplied
}

// ready checks a turn, masks it and reads it.
func (r *Recorder) ready(ctx context.Context, turn *store.NewEpisode) (readTurn, error) {
	if err := r.check(*turn); err != nil {
		return readTurn{}, err
	}
	at, err := r.occurredAt(*turn)
	if err != nil {
		return readTurn{}, err
	}
	turn.Scope, turn.OccurredAt = secrets.Scope(turn.Scope), at
	turn.IdempotencyKey = secrets.Identifier(turn.IdempotencyKey)
	turn.Reasons, turn.Reading = []string{}, store.Reading{}
	content, stripped := StripContext(turn.Content)
	if stripped {
		turn.Reasons = append(turn.Reasons, "removed: context block")
	}
	if !visible(content) {
		return readTurn{}, memory.Errorf(memory.InvalidArgument,
			"content has only a context block of memory-graph, so there is nothing to store.").
			WithHint("Send what was said, without the context block.")
	}
	turn.Content = content
	maskTurn(turn)
	turn.Role = cmp.Or(turn.Role, memory.RoleUser)
	turn.Origin = r.origin(turn.Caller.Actor, turn.Role)
	mistakes := r.supplied(ctx, turn)
	return readTurn{r.extract(ctx, turn), mistakes}, nil
}

// result returns the result of a turn that the store has recorded, without its State.
func (r *Recorder) result(turn store.NewEpisode, read readTurn, rec store.Recorded) Result {
	for _, refused := range rec.Found.Refused {
		r.opts.Log.Debug("an extracted item is refused", "item", refused.Item, "why", refused.Message)
		if refused.Code == memory.Ambiguous && !rec.Duplicate { // the caller can say who is meant
			turn.Reasons = append(turn.Reasons, fmt.Sprintf("extraction: %q is not stored: %s", refused.Item, refused.Message))
		}
	}
	res := Result{EpisodeID: memory.EpisodeID(rec.Episode.ID), Status: Stored, Extraction: read.extraction,
		Reasons:   turn.Reasons,
		Entities:  together(rec.Entities, rec.Found.Entities),
		Relations: alsoFound(rec.Relations, rec.Found.Relations), Conflicts: rec.Found.Conflicts,
		Errors: append(read.mistakes, rec.Errors...)}
	if turn.Status == memory.StatusQuarantined {
		res.Status = Quarantined
	}
	if !rec.Duplicate {
		res.Reasons = append(slices.Clip(res.Reasons), LeftOut(turn.Found)...)
	}
	if rec.Duplicate {
		res.Raised, res.Differs, res.StoredAt = rec.Raised, rec.Differs, rec.Episode.OccurredAt
		res.Status, res.Extraction = Duplicate, r.already(rec.Episode.Status)
		if rec.Differs {
			res.Reasons = append(res.Reasons,
				"idempotency_key was used before for another text: the first text is kept, and this one is not stored")
		}
	}
	return res
}

// maskTurn masks the secrets in a turn, and adds their kinds to its reasons.
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
	for i, l := range turn.Labels {
		masked, kinds := secrets.Mask(l.Name()) // the key may say that the value is a secret
		masked = strings.TrimPrefix(masked, string(l.Kind)+": ")
		turn.Labels[i].Value = masked
		for _, kind := range kinds {
			turn.Reasons = append(turn.Reasons, "masked: "+kind+" (metadata)")
		}
	}
	turn.Caller.Reason, _ = secrets.Mask(turn.Caller.Reason)
}

// supplied prepares the entities and facts supplied with a turn, and returns an error for each unusable one.
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
		relations = append(relations, r.opts.Facts.Ends(ctx, turn.Scope.Namespace, ready))
	}
	turn.Entities, turn.Relations = entities, relations // new slices leave the caller's unchanged
	return mistakes
}

// suppliedOrigin returns the origin of what is supplied with a turn. With a tool's turn it is tool, whoever the caller
// is.
func suppliedOrigin(given memory.Origin, turn *store.NewEpisode) memory.Origin {
	if turn.Role == memory.RoleTool {
		return memory.OriginTool
	}
	return given
}

// occurredAt returns when a turn was said. A hook's turn with a time too far in the future gets the current time,
// because the hook cannot send it again.
func (r *Recorder) occurredAt(in store.NewEpisode) (time.Time, error) {
	now := r.opts.Now()
	if !in.OccurredAt.After(now.Add(memory.MaxAhead)) {
		return in.OccurredAt, nil
	}
	if in.Caller.Actor == "hook" {
		r.opts.Log.Warn("a hook's turn is dated in the future; storing it with the current time",
			"occurred_at", memory.RFC3339(in.OccurredAt), "source", in.Source)
		return now, nil
	}
	return time.Time{}, memory.Errorf(memory.InvalidArgument, "occurred_at %s is in the future: the time here is %s.",
		memory.RFC3339(in.OccurredAt), memory.RFC3339(now)).
		WithHint("Give the time when it was said, or omit it to use the current time.")
}

// check refuses content that is too long or not text.
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

// visible reports whether a text has a visible character. White space, control and formatting characters, characters
// that Unicode calls default ignorable (UAX #44), and the empty Braille pattern are invisible. Formatting characters
// that are drawn, such as the Arabic number sign, are visible.
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

// importActor is the actor of an import without --trusted.
const importActor = "import"

// origin derives a turn's origin from the way it came, never from its text.
func (r *Recorder) origin(actor string, role memory.Role) memory.Origin {
	switch role {
	case memory.RoleSystem:
		return memory.OriginSystem
	case memory.RoleTool:
		return memory.OriginTool
	}
	if actor == importActor { // the author of the file may have written anything
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

// state returns the namespace's state. The turn is already stored, so a failure here is not an error of Record. It is
// reported in Degraded.
func (r *Recorder) state(ctx context.Context, namespace string) memory.State {
	s, err := r.store.State(ctx, namespace)
	if err != nil {
		r.opts.Log.Warn("reading the memory state failed", "error", err)
		return memory.State{Degraded: []string{"state_unknown"}}
	}
	return s
}
