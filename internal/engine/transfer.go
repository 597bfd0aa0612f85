package engine

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"

	"memory-graph/episodes"
	"memory-graph/internal/config"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer"
)

// ImportRequest selects what to import, and how.
type ImportRequest struct {
	Scope  memory.Scope // target; the file sets the session, and may set the user
	Moved  bool         // an export of memory-graph also goes to Scope.Namespace, not to its original namespace
	Format transfer.Format
	Name   string // of the file, for the history; "" if it has none
	From   io.Reader
	// Read reads the file instead of From, if it is no stream: a database or a folder. nil: From is read.
	Read func(context.Context, transfer.Sink) error
	// Trusted vouches for the file: its contents count as if they had been said or given here. Otherwise they have the
	// trust of tools and files.
	Trusted bool
	DryRun  bool // import into a copy of the database, which is then removed
	// Complete is set if the file has everything that its program has. The import then ends what an earlier import of
	// the same format, user and project stored and the file lacks.
	Complete bool

	Problem  func(line int, reason string) // called for each line that is refused, or imported with a change
	Progress func(line int)                // called after each transaction
}

// ImportReport counts the results of an import.
type ImportReport struct {
	CallID  string         // logs the changes, for undo; "" if there are none or the file is an export of memory-graph
	Lines   int            // the last line read
	New     map[string]int // by kind: entity, relation, turn, or for exports of memory-graph each kind of line
	Known   int            // already known
	Raised  int            // known, and trusted by this import
	Merged  int            // entities known under another spelling, which got the observations
	Grown   int            // known entities that got more observations
	Kept    int            // differs here, and was left unchanged
	Changed int            // turns whose text has changed since an earlier import, and is replaced
	Ended   int            // facts of earlier imports that ended
	Gone    int            // turns of earlier imports that were withdrawn, because the program has deleted them
	Absent  int            // turns of earlier imports that the file does not have; they stay
	Noted   int            // remarks on imported lines
	Lost    int            // remarks about something that was left out or changed
	Failed  int            // refused

	Passed map[transfer.Passed]int // left out on purpose, by reason
}

// Limits of one transaction, so that others can write in between.
const (
	importItems = 500 // entities, and relations
	importLines = 1000
	importBytes = 8 << 20
)

// Import imports a file. Known contents stay unchanged, so a second import changes nothing.
func (e *Engine) Import(ctx context.Context, req ImportRequest) (ImportReport, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return ImportReport{}, err
	}
	if req.DryRun {
		return e.rehearse(ctx, s, req)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return ImportReport{}, memory.AsError(fmt.Errorf("make a call id: %w", err))
	}
	m := &importing{s: s, req: req, seen: newSeenItems(), limits: e.cfg.Limits, suspects: e.parts.suspects,
		out: ImportReport{CallID: id.String(), New: map[string]int{}, Passed: map[transfer.Passed]int{}}}
	m.by = memory.Caller{Actor: "import", CallID: id.String(), Reason: req.Name}
	if req.Format == transfer.Own {
		err = m.own(ctx)
	} else {
		err = m.foreign(ctx)
	}
	if len(m.out.New)+m.out.Raised+m.out.Changed+m.out.Ended+m.out.Gone == 0 || req.Format == transfer.Own {
		m.out.CallID = ""
	}
	return m.out, err
}

// importing is the state of one import.
type importing struct {
	s      *services
	req    ImportRequest
	limits config.Limits

	suspects episodes.Quarantine

	by  memory.Caller
	out ImportReport

	seen    seenItems
	unread  int     // places of the file that could not be read
	waiting waiting // contents of the next transaction
	stopped bool    // writing failed, so nothing more is written
}

func (m *importing) problem(line int, reason string) {
	if m.req.Problem != nil {
		m.req.Problem(line, reason)
	}
}

// remark reports a remark about an imported line.
func (m *importing) remark(line int, reason string) {
	m.out.Noted++
	m.problem(line, reason)
}

// note reports that a line is imported with a change.
func (m *importing) note(line int, reason string) {
	m.out.Lost++
	m.remark(line, reason)
}

// fail reports a line that is refused.
func (m *importing) fail(line int, reason string) {
	m.out.Failed++
	m.problem(line, reason)
}

// write records whether writing a part of the file failed.
func (m *importing) write(err error) error {
	m.stopped = m.stopped || err != nil
	return err
}

// finish runs the remaining steps after reading has ended. It also runs them if reading failed, so the contents read
// until then are imported. It stops if writing failed or ctx ended.
func (m *importing) finish(ctx context.Context, read error, left ...func(context.Context) error) error {
	for _, do := range left {
		if m.stopped || ctx.Err() != nil {
			break
		}
		if err := m.write(do(ctx)); err != nil {
			return errors.Join(read, err)
		}
	}
	return read
}

func (m *importing) at(line int) {
	m.out.Lines = max(m.out.Lines, line)
	if m.req.Progress != nil {
		m.req.Progress(m.out.Lines)
	}
}
