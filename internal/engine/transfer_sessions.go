package engine

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"time"

	"github.com/google/uuid"

	"memory-graph/episodes"
	"memory-graph/internal/hooks"
	"memory-graph/internal/memory"
	"memory-graph/internal/transfer/sessions"
	"memory-graph/store"
)

// Limits of one transaction of an import of sessions. A transaction has turns of one file only, and begins at the same
// turn in every run. So an interrupted import that is repeated writes the same rows.
const (
	sessionTurns = 200
	sessionBytes = 1 << 20
)

// SessionsRequest selects which sessions of a host to import, and how.
type SessionsRequest struct {
	Files   []sessions.File
	Scope   func(hooks.Event) memory.Scope // where an event belongs
	Keeping hooks.Keeping
	Trusted bool // vouches for the files: their words count as if hooks had brought them

	Progress func(bytes int)               // called while files are read
	Problem  func(path string, err string) // called for a file, or a turn, that cannot be imported
}

// SessionFile describes the turns of a file.
type SessionFile struct {
	sessions.File
	Scope       memory.Scope // of the first turn
	Turns, New  int
	Raised      int       // stored turns that the import would make trusted
	First, Last time.Time // of the turns; zero without turns
}

// SessionsReport counts the results of an import of sessions.
type SessionsReport struct {
	CallID  string // for undo; "" if nothing was written
	New     int    // stored
	Held    int    // of these, put into quarantine
	Raised  int    // known, and now vouched for
	Known   int
	Refused int
}

// Sessions imports sessions of a host. Scan comes before Run.
type Sessions struct {
	s   *services
	req SessionsRequest
	by  memory.Caller
	out SessionsReport

	skipped sessions.Skipped

	seed   maphash.Seed
	owners map[uint64]int // the file in which an entry comes first, by the hash of its id
	files  []SessionFile
	called map[string]knownTurns // by namespace: turns that agents stored themselves
}

// Sessions prepares an import of sessions.
func (e *Engine) Sessions(ctx context.Context, req SessionsRequest) (*Sessions, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, memory.AsError(fmt.Errorf("make a call id: %w", err))
	}
	i := &Sessions{s: s, req: req, by: memory.Caller{Actor: "import", CallID: id.String()}, seed: maphash.MakeSeed(),
		owners: map[uint64]int{}, called: map[string]knownTurns{}}
	if req.Trusted {
		i.by.Actor = "cli"
	}
	return i, nil
}

// Scan reads all files and returns what they contain, and how much of it is new. It writes nothing.
func (i *Sessions) Scan(ctx context.Context) ([]SessionFile, error) {
	i.files = make([]SessionFile, len(i.req.Files))
	for n, f := range i.req.Files {
		i.files[n].File = f
		out := &i.files[n]
		k := i.newKnown()
		skipped, err := f.Read(ctx, func(t sessions.Turn) error {
			if t.ID != "" {
				hash := maphash.String(i.seed, t.ID)
				if _, ok := i.owners[hash]; ok {
					return nil
				}
				i.owners[hash] = n
			}
			in, ok := i.turn(t)
			if !ok {
				return nil
			}
			if out.Turns == 0 {
				out.Scope, out.First = in.Scope, t.At
			}
			if out.Turns++; t.At.Before(out.First) {
				out.First = t.At
			}
			if t.At.After(out.Last) {
				out.Last = t.At
			}
			is, err := k.of(ctx, in, t.Dated)
			switch {
			case err != nil:
				return err
			case is == isNew:
				out.New++
			case is == isRaised:
				out.Raised++
			}
			return nil
		}, i.req.Progress)
		i.skipped.Add(skipped)
		if err := i.failed(ctx, f, err); err != nil {
			return i.files, err
		}
	}
	return i.files, nil
}

// Run stores what Scan found new. Files without anything new are not read again. It stops when ctx ends; what was
// stored until then stays.
func (i *Sessions) Run(ctx context.Context) (SessionsReport, error) {
	for n, f := range i.files {
		if f.New+f.Raised == 0 {
			i.out.Known += f.Turns
			i.req.Progress(int(f.Size))
			continue
		}
		if err := i.failed(ctx, f.File, i.store(ctx, n)); err != nil {
			return i.report(), err
		}
	}
	return i.report(), nil
}

// Skipped returns what Scan could not read.
func (i *Sessions) Skipped() sessions.Skipped { return i.skipped }

func (i *Sessions) report() SessionsReport {
	out := i.out
	if out.New+out.Raised > 0 {
		out.CallID = i.by.CallID
	}
	return out
}

// failed reports an error of a file, and returns an error of the database or of ctx.
func (i *Sessions) failed(ctx context.Context, f sessions.File, err error) error {
	var own *memory.Error
	if err == nil || ctx.Err() != nil || errors.As(err, &own) {
		return errors.Join(ctx.Err(), err)
	}
	i.req.Problem(f.Path, err.Error())
	return nil
}

// store stores the new turns of a file.
func (i *Sessions) store(ctx context.Context, n int) error {
	k := i.newKnown()
	var batch []store.NewEpisode
	turns, size := 0, 0
	flush := func() error {
		turns, size = 0, 0
		if len(batch) == 0 {
			return nil
		}
		results, err := i.s.recorder.RecordAll(ctx, batch, i.by)
		if err == nil {
			i.count(i.files[n].Path, results)
		}
		batch = batch[:0]
		return err
	}
	_, err := i.files[n].Read(ctx, func(t sessions.Turn) error {
		if owner, ok := i.owners[maphash.String(i.seed, t.ID)]; t.ID != "" && ok && owner != n {
			return nil
		}
		in, ok := i.turn(t)
		if !ok {
			return nil
		}
		turns, size = turns+1, size+len(in.Content)
		switch is, err := k.of(ctx, in, t.Dated); {
		case err != nil:
			return err
		case is == isStored:
			i.out.Known++
		default:
			batch = append(batch, in)
		}
		if turns < sessionTurns && size < sessionBytes {
			return nil
		}
		return flush()
	}, i.req.Progress)
	if err != nil && ctx.Err() == nil {
		var own *memory.Error
		if !errors.As(err, &own) { // keep what was read before the damage
			err = errors.Join(flush(), err)
		}
		return err
	}
	if err != nil {
		return err
	}
	return flush()
}

// turn makes the turn to store of an entry; false if there is none.
func (i *Sessions) turn(t sessions.Turn) (store.NewEpisode, bool) {
	c, ok := t.Turn(t.At, i.req.Keeping)
	if !ok || episodes.Text(c.Text) == "" {
		return store.NewEpisode{}, false
	}
	return store.NewEpisode{Episode: memory.Episode{Scope: i.req.Scope(t.Event), Content: c.Text, Role: c.Role,
		Speaker: c.Speaker, Source: "import:" + t.Client, OccurredAt: c.At}, IdempotencyKey: c.Key, Imported: true,
		Raise: i.req.Trusted}, true
}

func (i *Sessions) count(path string, results []episodes.Result) {
	for _, r := range results {
		switch {
		case r.Refused != nil:
			i.out.Refused++
			i.req.Problem(path, "a turn is refused: "+r.Refused.Message)
		case r.Raised:
			i.out.Raised++
		case r.Status == episodes.Duplicate:
			i.out.Known++
		default:
			i.out.New++
			if r.Status == episodes.Quarantined {
				i.out.Held++
			}
		}
	}
}
