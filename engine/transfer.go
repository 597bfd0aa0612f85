package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/google/uuid"

	"memory-graph/episodes"
	"memory-graph/memory"
	"memory-graph/secrets"
	"memory-graph/store"
	"memory-graph/transfer"
)

// ImportRequest says what is brought in, and how.
type ImportRequest struct {
	Scope  memory.Scope // where to; the session and, where the file says none, nothing else is the file's
	Moved  bool         // an export of ours goes to Scope.Namespace, too, and not to where it was
	Format transfer.Format
	From   io.Reader
	// Trusted vouches for the file: what it says is as good as if it had been said and called here. Else it has the
	// trust of tools and files (decision 29).
	Trusted bool
	DryRun  bool

	Problem  func(line int, reason string) // told of what could not be taken, or not as it stands
	Progress func(line int)                // called behind each transaction
}

// ImportReport counts what became of a file.
type ImportReport struct {
	CallID string         // under which what is new is logged, for undo; "" where nothing is
	Lines  int            // the last line that was read
	New    map[string]int // by kind: entity, relation, turn, and of our own exports each kind of line
	Known  int            // what was there already
	Raised int            // what was there, and is vouched for now
	Merged int            // entities that were there under a name in other letters, and have these observations too
	Grown  int            // entities that were there, and have more observations now
	Kept   int            // what is another one here, and was left as it is
	Noted  int            // remarks on what was taken
	Lost   int            // those of them that say what of it was left out or changed
	Failed int            // what could not be taken

	Passed map[transfer.Passed]int // what was to be left out, by the reason
}

// How many items one transaction takes: others can write in between.
const (
	importEntities  = 500
	importRelations = 500
	importLines     = 1000
	importBytes     = 8 << 20
)

// Import brings a file in. What is there already stays as it is, so that a second import changes nothing.
func (e *Engine) Import(ctx context.Context, req ImportRequest) (ImportReport, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return ImportReport{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return ImportReport{}, memory.AsError(fmt.Errorf("make a call id: %w", err))
	}
	m := &importing{s: s, req: req, out: ImportReport{CallID: id.String(), New: map[string]int{}, Passed: map[transfer.Passed]int{}}}
	m.by = memory.Caller{Actor: "import", CallID: id.String()}
	defer s.space.poke()
	if req.Format == transfer.Own {
		err = m.own(ctx)
	} else {
		err = m.foreign(ctx)
	}
	if len(m.out.New)+m.out.Raised == 0 || req.DryRun || req.Format == transfer.Own {
		m.out.CallID = ""
	}
	return m.out, err
}

// importing is one import.
type importing struct {
	s   *services
	req ImportRequest
	by  memory.Caller
	out ImportReport

	waiting       int               // bytes of observations that wait
	entities      []memory.Observed // that wait, with their lines
	entityLines   []int
	relations     []memory.ObservedRelation
	relationLines []int

	before rehearsal // with DryRun: what stood in the file before
}

func (m *importing) problem(line int, reason string) {
	if m.req.Problem != nil {
		m.req.Problem(line, reason)
	}
}

// remark reports what is to be known of what is taken.
func (m *importing) remark(line int, reason string) {
	m.out.Noted++
	m.problem(line, reason)
}

// note reports what is taken, but not as it stands.
func (m *importing) note(line int, reason string) {
	m.out.Lost++
	m.remark(line, reason)
}

// fail reports what could not be taken.
func (m *importing) fail(line int, reason string) {
	m.out.Failed++
	m.problem(line, reason)
}

func (m *importing) at(line int) {
	m.out.Lines = max(m.out.Lines, line)
	if m.req.Progress != nil {
		m.req.Progress(m.out.Lines)
	}
}

// own reads an export of ours.
func (m *importing) own(ctx context.Context) error {
	o := store.ImportOptions{DryRun: m.req.DryRun, Problem: m.fail, Note: m.note, Mask: func(s string) string { masked, _ := secrets.Mask(s); return masked }}
	if m.req.Moved {
		o.Namespace = m.req.Scope.Namespace
	}
	in := m.s.store.NewImporter(o)
	var batch []store.TransferLine
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := in.Lines(ctx, batch)
		m.at(batch[len(batch)-1].Number)
		batch, size = batch[:0], 0
		return err
	}
	err := transfer.Lines(ctx, m.req.From, m.fail, func(number int, line []byte) error {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(line, &fields); err != nil {
			m.fail(number, transfer.WhyBroken(err))
			return nil
		}
		batch, size = append(batch, store.TransferLine{Number: number, Fields: fields}), size+len(line)
		if len(batch) < importLines && size < importBytes {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err == nil {
		err = in.Finish(ctx)
	}
	done := in.Imported()
	m.out.New, m.out.Known, m.out.Kept = done.New, done.Known, done.Kept
	return err
}

// foreign reads what another program has kept.
func (m *importing) foreign(ctx context.Context) error {
	to := transfer.Sink{
		Entity: func(line int, e memory.Observed) error {
			m.entities, m.entityLines = append(m.entities, e), append(m.entityLines, line)
			for _, o := range e.Observations {
				m.waiting += len(o)
			}
			if len(m.entities) < importEntities && m.waiting < importBytes {
				return nil
			}
			return m.flush(ctx)
		},
		Relation: func(line int, r memory.ObservedRelation) error {
			m.relations, m.relationLines = append(m.relations, r), append(m.relationLines, line)
			if len(m.relations) < importRelations {
				return nil
			}
			return m.flush(ctx)
		},
		Turn:    func(t transfer.Turn) error { return m.turn(ctx, t) },
		Problem: m.fail,
		Note:    m.note,
		Passed:  func(_ int, why transfer.Passed) { m.out.Passed[why]++ },
	}
	if m.req.DryRun {
		ctx, m.before = store.Rehearse(ctx), newRehearsal()
	}
	err := transfer.Read(ctx, m.req.Format, m.req.From, to)
	if err == nil {
		err = m.flush(ctx)
	}
	return err
}

// flush writes what waits: entities first, so that relations find them whatever the order in the file is.
func (m *importing) flush(ctx context.Context) error {
	o := store.Observing{Action: "import", Source: "import:" + string(m.req.Format), Merge: true, Each: true}
	if m.req.Trusted {
		o.Origin, o.Raise = memory.OriginAgent, true // whoever kept it was an agent
	}
	if err := m.observe(ctx, o); err != nil {
		return err
	}
	if err := m.relate(ctx, o); err != nil {
		return err
	}
	for _, line := range slices.Concat(m.entityLines, m.relationLines) {
		m.out.Lines = max(m.out.Lines, line)
	}
	m.waiting, m.entities, m.entityLines, m.relations, m.relationLines = 0, nil, nil, nil, nil
	m.at(m.out.Lines)
	return nil
}

// count adds to what is new; a kind of which there is nothing is left out.
func (m *importing) count(kind string, n int) {
	if n > 0 {
		m.out.New[kind] += n
	}
}

func (m *importing) observe(ctx context.Context, o store.Observing) error {
	if len(m.entities) == 0 {
		return nil
	}
	done, err := m.s.facts.Observe(ctx, m.req.Scope, m.entities, o, m.by)
	if err != nil {
		return err
	}
	m.before.entities(m.entities, done)
	for i, w := range done {
		switch {
		case w.Mistake != nil:
			m.fail(m.entityLines[i], w.Mistake.Error())
		case w.Created:
			m.count("entity", 1)
		default:
			m.known(m.entityLines[i], m.entities[i], w)
		}
	}
	return nil
}

// known says what became of an entity that was there.
func (m *importing) known(line int, e memory.Observed, w memory.ObservedWrite) {
	m.count("observation", len(w.Added))
	switch {
	case memory.Shown(e.Name) != w.Known:
		m.out.Merged++
		m.remark(line, fmt.Sprintf("%q is the same name as %q here: they are one entity, with the observations of both", e.Name, w.Known))
	case len(w.Added) > 0:
		m.out.Grown++
		m.remark(line, fmt.Sprintf("%q was there: it has these observations too now", e.Name))
	case w.Raised:
		m.out.Raised++
	default:
		m.out.Known++
	}
	if e.Type != w.Type {
		m.remark(line, fmt.Sprintf("%q is of type %q here, and stays it; that it was given as %q is an observation", w.Known, w.Type, e.Type))
	}
}

func (m *importing) relate(ctx context.Context, o store.Observing) error {
	if len(m.relations) == 0 {
		return nil
	}
	done, err := m.s.facts.Relate(ctx, m.req.Scope, m.relations, o, m.by)
	if err != nil {
		return err
	}
	for i, w := range done {
		m.before.relation(m.relations[i], &w)
		switch {
		case w.Mistake != nil:
			m.fail(m.relationLines[i], w.Mistake.Error())
		case w.Created:
			m.count("relation", 1)
		case w.Raised:
			m.out.Raised++
		default:
			m.out.Known++
		}
	}
	return nil
}

// turn stores a message. It has the key of its place in that program, so that it is stored once.
func (m *importing) turn(ctx context.Context, t transfer.Turn) error {
	defer m.at(t.Line)
	scope := m.req.Scope
	scope.SessionID, scope.User = t.Session, cmp.Or(t.User, scope.User)
	by := m.by
	if m.req.Trusted {
		by.Actor = "cli"
	}
	for i, part := range parts(t.Content, m.s.maxContent) {
		key := t.Key
		if i > 0 {
			key = fmt.Sprintf("%s#%d", t.Key, i+1)
		}
		if i == 1 {
			m.remark(t.Line, fmt.Sprintf("a message of %d bytes is stored in parts of at most %d", len(t.Content), m.s.maxContent))
		}
		result, err := m.s.recorder.Record(ctx, episodes.Input{Scope: scope, Content: part, Role: t.Role, Source: "import:" + string(m.req.Format),
			OccurredAt: t.At, IdempotencyKey: key, Caller: by, Imported: true, Raise: m.req.Trusted})
		if err != nil {
			mistake := memory.AsError(err)
			switch mistake.Code {
			case memory.Internal, memory.Unavailable, memory.ReadOnly:
				return err
			}
			m.fail(t.Line, "a message is not taken: "+mistake.Message)
			continue
		}
		switch {
		case m.before.turn(key), result.Status == episodes.Duplicate && !result.Raised:
			m.out.Known++
		case result.Raised:
			m.out.Raised++
		default:
			m.count("turn", 1)
		}
	}
	return nil
}

// parts cuts a text into pieces of at most so many bytes, between characters.
func parts(text string, most int) []string {
	var out []string
	for len(text) > most {
		end := most
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		out, text = append(out, text[:end]), text[end:]
	}
	return append(out, text)
}

// ForImport makes an engine that does nothing but bring files in: vectors, and what a model reads, are made by servers. A
// machine that made them beside would take several times as long.
func ForImport() Option { return ForHook(false, true) }
