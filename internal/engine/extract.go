package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"memory-graph/episodes"
	"memory-graph/extraction"
	"memory-graph/extraction/llm"
	"memory-graph/heartbeat/jobs"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// How turns are read in the background.
const (
	extractBatch = llm.MaxBatchTurns // jobs that are taken at once
	extractLease = 15 * time.Second  // how long a dead process keeps them; a live one renews them while the model works

	linesBefore = 4   // earlier turns that explain what a turn refers to
	lineLength  = 300 // characters of each
)

// extractor reads stored turns in the background: with the rules if they have not read a turn yet, and with the model.
type extractor struct {
	store  *store.Store
	reader *episodes.Reader
	model  *model // nil: the rules alone
	log    *slog.Logger
	now    func() time.Time
	saved  func(store.Written) // called with what was written; may be nil
}

// kind is the extractor as the queue knows it.
func (x *extractor) kind() jobs.Kind {
	return jobs.Kind{Name: store.KindExtract, Batch: extractBatch, Lease: extractLease, Parallel: x.model.parallel,
		Wait: x.model.pause, Handle: x.handle}
}

// task is one turn to read, under a job.
type task struct {
	turn store.WaitingTurn
	job  store.Held
	id   int64 // of the job
	text extraction.Input
	err  error

	stays bool // this process has no model: the rules read the turn, and it goes on waiting for one
}

// handle reads the turns of a batch. A turn that is gone, or waits no more, is done.
func (x *extractor) handle(ctx context.Context, b jobs.Batch) error {
	tasks, err := x.tasks(ctx, b)
	if err != nil {
		return err
	}
	x.read(ctx, tasks)
	failed := jobs.Each{}
	for _, t := range tasks {
		if t.err != nil {
			failed[t.id] = t.err
		}
	}
	if len(failed) > 0 {
		return failed
	}
	return nil
}

// tasks gives the turns that jobs are about.
func (x *extractor) tasks(ctx context.Context, b jobs.Batch) ([]*task, error) {
	ids := map[string][]int64{}
	jobOf := map[int64]int64{}
	for _, j := range b.Jobs {
		id, err := memory.ParseID(j.Subject)
		if err != nil || id.Kind != memory.KindEpisode {
			return nil, fmt.Errorf("extract: job %d is about %q, which is no turn", j.ID, j.Subject)
		}
		ids[j.Namespace] = append(ids[j.Namespace], id.Num)
		jobOf[id.Num] = j.ID
	}
	var tasks []*task
	for namespace, of := range ids {
		turns, err := x.store.TurnsToRead(ctx, namespace, of)
		if err != nil {
			return nil, err
		}
		for _, t := range turns {
			tasks = append(tasks, &task{turn: t, id: jobOf[t.ID], job: store.Held{Holder: b.Holder, IDs: []int64{jobOf[t.ID]}}})
		}
	}
	return tasks, nil
}

// read reads turns, those of one session together. It sets err of each task.
func (x *extractor) read(ctx context.Context, tasks []*task) {
	type session struct{ namespace, id string }
	groups := map[session][]*task{}
	var order []session
	for _, t := range tasks {
		var asks bool
		if asks, t.err = x.begin(ctx, t); t.err != nil || !asks {
			continue
		}
		s := session{t.turn.Scope.Namespace, t.turn.Scope.SessionID}
		if s.id == "" { // turns without a session explain nothing of each other
			s.id = "\x00" + memory.EpisodeID(t.turn.ID).String()
		}
		if groups[s] == nil {
			order = append(order, s)
		}
		groups[s] = append(groups[s], t)
	}
	for i, s := range order {
		stop := x.ask(ctx, groups[s])
		if stop == nil {
			continue
		}
		for _, rest := range order[i+1:] { // asking on would be in vain
			for _, t := range groups[rest] {
				t.err = x.later(stop)
			}
		}
		return
	}
}

// begin lets the rules read a turn that they have not read, and says whether the model is to be asked about it. If not,
// the turn is done.
func (x *extractor) begin(ctx context.Context, t *task) (asks bool, err error) {
	e := t.turn.Episode
	t.text = x.reader.Input(ctx, e)
	out := store.Extraction{Namespace: e.Scope.Namespace, Episode: e.ID, Rules: x.reader.Rules()}
	out.Found = x.reader.Read(ctx, e, t.text)
	if t.turn.RulesRead { // its facts are stored; the names may have become known since
		out.Rules, out.Found = false, memory.Findings{Mentions: out.Found.Mentions}
	}
	asks = x.model != nil && x.reader.Asks(t.text, len(out.Found.Mentions))
	switch {
	case !x.reader.States(e.Role):
		out.Status = memory.StatusSkipped
	case t.stays: // with its status
	case !asks:
		out.Status, out.Model = memory.StatusDone, x.model != nil
	case t.turn.RulesRead: // nothing to write yet
		return true, nil
	}
	return asks, x.save(ctx, t, out)
}

// ask asks the model about turns of one session, and writes what it found. It returns an error where asking about other
// turns would fail the same way.
func (x *extractor) ask(ctx context.Context, tasks []*task) (stop error) {
	texts := make([]extraction.Input, len(tasks))
	for i, t := range tasks {
		texts[i] = t.text
		before, err := x.store.TurnsBefore(ctx, t.turn.Episode, linesBefore)
		if err != nil {
			x.log.Warn("the turns before cannot be read; the model reads a turn without them", "turn",
				memory.EpisodeID(t.turn.ID), "error", err)
		}
		for _, e := range before {
			texts[i].Before = append(texts[i].Before,
				extraction.Line{Role: e.Role, Speaker: e.Speaker, Text: firstRunes(e.Content, lineLength)})
		}
	}
	name := x.model.reader.Model()
	for i, r := range x.model.reader.Extract(ctx, texts) {
		t := tasks[i]
		usage := x.model.usage(name, store.PurposeExtract, r.Usage, r.Err != nil && !cancelled(r.Err))
		if r.Err != nil {
			t.err = x.failure(r.Err)
			if ofEndpoint(r.Err) {
				stop = r.Err
			}
			if err := x.store.AddModelUsage(context.WithoutCancel(ctx), usage); err != nil {
				x.log.Warn("what the model cost is not counted", "error", err)
			}
			continue
		}
		e := t.turn.Episode
		t.err = x.save(ctx, t, store.Extraction{Namespace: e.Scope.Namespace, Episode: e.ID, Reader: name, Model: true,
			Status: memory.StatusDone, Found: x.reader.Ready(ctx, e, r.Found), Usage: usage})
	}
	return stop
}

// save writes an outcome. It does so even while the process stops, since the model's answer may have cost money.
func (x *extractor) save(ctx context.Context, t *task, out store.Extraction) error {
	done, err := x.store.SaveExtraction(context.WithoutCancel(ctx), out, t.job)
	if err != nil {
		return err
	}
	if done.Lost {
		x.log.Debug("what was extracted is not written: the turn is gone or another process has it", "turn",
			memory.EpisodeID(out.Episode))
		return nil
	}
	for _, refused := range done.Refused {
		x.log.Debug("what was extracted is not stored", "turn", memory.EpisodeID(out.Episode), "item", refused.Item, "why",
			refused.Message)
	}
	if x.saved != nil {
		x.saved(done.Written)
	}
	return nil
}

// failure makes the error of a question one for the queue. An endpoint that refused the question says nothing about the
// turn, so no attempt is counted. A time-out or a failing server may be due to the turn, so one is.
func (x *extractor) failure(err error) error {
	var e *llm.Error
	if !errors.As(err, &e) || !e.OfEndpoint() || e.Kind == llm.TimedOut || e.Kind == llm.Failing {
		return err
	}
	return x.later(err)
}

// leastWait is how long jobs wait for an endpoint that did not say how long.
const leastWait = 5 * time.Second

func (x *extractor) later(err error) error {
	wait := max(leastWait, x.model.pause())
	var e *llm.Error
	if errors.As(err, &e) {
		wait = max(wait, e.RetryAfter)
	}
	return &jobs.Later{Until: x.now().Add(wait), Err: err}
}

func ofEndpoint(err error) bool {
	var e *llm.Error
	return errors.As(err, &e) && e.OfEndpoint()
}

// cancelled says that a question was broken off from here, which is no failure of the model's.
func cancelled(err error) bool {
	var e *llm.Error
	return errors.As(err, &e) && e.Kind == llm.Cancelled
}

// firstRunes gives at most n characters of a text.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}
