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

// ImportRequest says what is brought in, and how.
type ImportRequest struct {
	Scope  memory.Scope // where to; the session and, where the file says none, nothing else is the file's
	Moved  bool         // an export of ours goes to Scope.Namespace, too, and not to where it was
	Format transfer.Format
	From   io.Reader
	// Trusted vouches for the file: what it says is as good as if it had been said and called here. Else it has the
	// trust of tools and files.
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

// How much one transaction takes: others can write in between.
const (
	importItems = 500 // entities, and relations
	importLines = 1000
	importBytes = 8 << 20
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
	m := &importing{s: s, req: req, limits: e.cfg.Limits, suspects: e.parts.suspects,
		out: ImportReport{CallID: id.String(), New: map[string]int{}, Passed: map[transfer.Passed]int{}}}
	m.by = memory.Caller{Actor: "import", CallID: id.String()}
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
	s      *services
	req    ImportRequest
	limits config.Limits

	suspects episodes.Quarantine

	by  memory.Caller
	out ImportReport

	waiting waiting   // what the next transaction takes
	before  rehearsal // with DryRun: what stood in the file before
	stopped bool      // writing failed: nothing more is written
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

// write takes a part of the file, and notes where that failed.
func (m *importing) write(err error) error {
	m.stopped = m.stopped || err != nil
	return err
}

// finish does what is left to do once reading has ended: also where it ended in an error, since what was read by then
// is taken, and not where writing failed or nobody waits any more.
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
