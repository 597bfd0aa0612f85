package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
	"memory-graph/internal/transfer/notes"
	"memory-graph/internal/transfer/vault"
	"memory-graph/store"
)

// NotesRequest selects notes to import, and how.
type NotesRequest struct {
	Path    string // a folder of Markdown files, or one file
	Scope   memory.Scope
	Trusted bool // vouches for the files: their words count as if the user had said them
	DryRun  bool // writes nothing
	// Complete is set if the folder has all its notes. The import then withdraws what an earlier import of the same
	// folder stored of missing notes. The folder must be readable without a problem.
	Complete bool

	Problem func(vault.Problem) // called for each place that cannot be read or stored
}

// NotesReport counts the results of an import of notes.
type NotesReport struct {
	CallID    string `json:"call_id,omitempty"` // for undo; "" if nothing was written
	Notes     int    `json:"notes"`
	Sections  int    `json:"sections"` // turns
	New       int    `json:"new"`      // of the sections
	Known     int    `json:"known"`
	Raised    int    `json:"raised"`      // known, and now vouched for
	Withdrawn int    `json:"withdrawn"`   // sections of earlier imports that the notes no longer have
	Kept      int    `json:"kept"`        // of these, kept because others depend on them
	Absent    int    `json:"absent"`      // sections of missing notes; they stay
	Links     int    `json:"links"`       // between notes, of the new sections
	Held      int    `json:"quarantined"` // of the new sections
	Failed    int    `json:"failed"`      // refused
	Problems  int    `json:"reported"`    // places that could not be read
}

// notesSource is the source of the turns of notes.
const notesSource = "import:markdown"

// Notes imports notes: each section of a note is a turn, each note a session, and a link to another note a fact. A
// second import stores nothing twice, and replaces sections that have changed.
func (e *Engine) Notes(ctx context.Context, req NotesRequest) (NotesReport, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return NotesReport{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return NotesReport{}, memory.AsError(fmt.Errorf("make a call id: %w", err))
	}
	m := &noting{s: s, req: req, by: memory.Caller{Actor: "import", CallID: id.String(),
		Reason: filepath.Base(req.Path)}, index: notes.NewIndex(),
		there: map[string]bool{}, nameBytes: e.cfg.Limits.NameBytes, scopeBytes: e.cfg.Limits.ScopeBytes}
	if req.Trusted {
		m.by.Actor = "cli"
	}
	var unread []string
	if m.root, err = vault.Walk(ctx, req.Path, func(f vault.MarkdownFile) error {
		before := m.out.Problems
		n, ok := m.parse(f, true)
		if ok {
			m.index.Add(n)
		}
		if !ok && m.out.Problems > before { // not read, and not gone
			unread = append(unread, f.Path)
		}
		return nil
	}); err != nil {
		return m.out, err
	}
	for _, file := range unread {
		m.there[m.prefix(file)] = true
	}
	if req.Complete && m.out.Problems > 0 {
		return m.out, memory.Errorf(memory.InvalidArgument,
			"Part of %s could not be read, so --complete withdraws nothing.", req.Path).
			WithHint("Nothing was imported. Mend what is named above, or leave --complete out.")
	}
	_, err = vault.Walk(ctx, req.Path, func(f vault.MarkdownFile) error {
		if n, ok := m.parse(f, false); ok {
			return m.note(ctx, n)
		}
		return nil
	})
	if err == nil && m.out.Notes > 0 {
		err = m.absent(ctx)
	}
	if m.out.New+m.out.Raised+m.out.Withdrawn > 0 && !req.DryRun {
		m.out.CallID = m.by.CallID
	}
	return m.out, err
}

// noting is the state of an import of notes.
type noting struct {
	s     *services
	req   NotesRequest
	by    memory.Caller
	root  string
	index *notes.Index
	there map[string]bool // key prefixes of the existing notes
	out   NotesReport

	nameBytes, scopeBytes int
}

func (m *noting) problem(p vault.Problem) {
	m.out.Problems++
	if m.req.Problem != nil {
		m.req.Problem(p)
	}
}

// parse reads a file; ok is false if there is nothing in it. Problems are reported in the first reading.
func (m *noting) parse(f vault.MarkdownFile, first bool) (n notes.Note, ok bool) {
	if f.TooLarge {
		if first {
			m.problem(vault.Problem{File: f.Path, Text: "the file is larger than 4 MiB, so it is not read"})
		}
		return n, false
	}
	n, problems := notes.Parse(f.Path, f.Data, f.Modified)
	for _, p := range problems {
		if first {
			m.problem(p)
		}
	}
	if len(n.Title) > m.nameBytes {
		n.Title = parts(n.Title, m.nameBytes)[0]
	}
	return n, len(n.Sections) > 0
}

// note stores a note's new sections, and withdraws those that it no longer has.
func (m *noting) note(ctx context.Context, n notes.Note) error {
	m.out.Notes++
	scope := secrets.Scope(m.session(n))
	prefix := m.prefix(n.Path)
	m.there[prefix] = true
	stored := map[string]store.StoredTurn{}
	if err := m.s.store.SessionTurns(ctx, scope.Namespace, scope.SessionID, func(t store.StoredTurn) {
		stored[t.Key] = t
	}); err != nil {
		return err
	}
	times := map[string]int{}
	for _, section := range n.Sections {
		m.out.Sections++
		for i, content := range parts(n.Content(section), m.s.maxContent) {
			key := prefix + digest(content)[:24]
			if times[key]++; times[key] > 1 || i > 0 {
				key = fmt.Sprintf("%s#%d.%d", key, times[key], i)
			}
			key = secrets.Identifier(key)
			turn, known := stored[key]
			delete(stored, key)
			if err := m.section(ctx, n, section, content, key, turn, known); err != nil {
				return err
			}
		}
	}
	var gone []int64
	for key, t := range stored {
		if strings.HasPrefix(key, prefix) {
			gone = append(gone, t.ID)
		}
	}
	return m.withdraw(ctx, scope.Namespace, gone)
}

// prefix begins the keys of a note's sections.
func (m *noting) prefix(file string) string { return "markdown:" + digest(m.root, file)[:24] + ":" }

// absent withdraws what earlier imports of the folder stored of missing notes, or only counts it if the folder need not
// be complete. A note whose path is too long for a session name cannot be found again, and stays.
func (m *noting) absent(ctx context.Context) error {
	if info, err := os.Stat(m.req.Path); err != nil || !info.IsDir() {
		return nil // a single file says nothing about other notes
	}
	var gone []int64
	if err := m.s.store.ImportedItems(ctx, m.req.Scope.Namespace, strings.TrimPrefix(notesSource, store.ImportSource),
		func(i store.ImportedItem) error {
			if prefix := m.prefix(i.Session); strings.HasPrefix(i.Key, prefix) && !m.there[prefix] {
				gone = append(gone, i.ID)
			}
			return nil
		}); err != nil {
		return err
	}
	if !m.req.Complete {
		m.out.Absent = len(gone)
		return nil
	}
	return m.withdraw(ctx, m.req.Scope.Namespace, gone)
}

// withdraw withdraws sections that no longer exist.
func (m *noting) withdraw(ctx context.Context, namespace string, gone []int64) error {
	m.out.Withdrawn += len(gone)
	if m.req.DryRun {
		return nil
	}
	stayed, err := m.s.store.WithdrawTurns(ctx, namespace, gone, m.by)
	m.out.Withdrawn, m.out.Kept = m.out.Withdrawn-len(stayed), m.out.Kept+len(stayed)
	return err
}

// session returns the scope of a note's turns.
func (m *noting) session(n notes.Note) memory.Scope {
	scope := m.req.Scope
	scope.SessionID = n.Path
	if most := m.scopeBytes; len(n.Path) > most {
		name := digest(n.Path)[:min(most, 12)]
		if room := most - len(name) - 1; room > 0 {
			name = parts(n.Path, room)[0] + "~" + name
		}
		scope.SessionID = name
	}
	return scope
}

// section stores a section, unless it is stored.
func (m *noting) section(ctx context.Context, n notes.Note, section notes.Section, content, key string,
	turn store.StoredTurn, known bool) error {
	raises := m.req.Trusted && turn.Origin == memory.OriginTool
	if known && !raises {
		m.out.Known++
		return nil
	}
	if m.req.DryRun {
		if known {
			m.out.Raised++
		} else {
			m.out.New++
		}
		return nil
	}
	in := store.NewEpisode{Episode: memory.Episode{Scope: m.session(n), Content: content, Role: memory.RoleUser,
		Source: notesSource, OccurredAt: n.At}, IdempotencyKey: key, Caller: m.by, Imported: true, Raise: m.req.Trusted,
		Labels: labels(n)}
	if section.Front && len(n.Aliases) > 0 {
		in.Entities = []memory.EntityDraft{{Name: n.Title, Type: "note", Aliases: n.Aliases}}
	}
	for _, link := range section.Links {
		to := m.index.Find(n, link)
		if to == "" || memory.Canonical(to) == memory.Canonical(n.Title) {
			continue
		}
		in.Relations = append(in.Relations, memory.RelationDraft{Head: n.Title, HeadType: "note", Relation: "links_to",
			Tail: to, TailType: "note", CreateMissing: true})
	}
	result, err := m.s.recorder.Record(ctx, in)
	if err != nil {
		mistake := memory.AsError(err)
		switch {
		case ctx.Err() != nil:
			return errors.Join(ctx.Err(), err)
		case mistake.Code == memory.Internal, mistake.Code == memory.Unavailable, mistake.Code == memory.ReadOnly:
			return err
		}
		m.out.Failed++
		m.problem(vault.Problem{File: n.Path, Line: section.Line, Text: "refused: " + mistake.Message})
		return nil
	}
	switch {
	case result.Raised:
		m.out.Raised++
	case result.Status == episodes.Duplicate:
		m.out.Known++
	default:
		m.out.New++
		m.out.Links += len(result.Relations)
		if result.Status == episodes.Quarantined {
			m.out.Held++
		}
	}
	for _, x := range result.Errors {
		m.problem(vault.Problem{File: n.Path, Line: section.Line, Text: fmt.Sprintf("%s is left out: %s", x.Item, x.Message)})
	}
	return nil
}

// labels returns the metadata of a note.
func labels(n notes.Note) []memory.Label {
	var out []memory.Label
	for _, t := range n.Tags {
		out = append(out, memory.Label{Kind: memory.LabelTopic, Value: t})
	}
	if n.Category != "" {
		out = append(out, memory.Label{Kind: memory.LabelCategory, Value: n.Category})
	}
	return out
}

// digest returns a hash of texts, in hexadecimal.
func digest(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}
