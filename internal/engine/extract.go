package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"memory-graph/episodes"
	"memory-graph/extraction"
	"memory-graph/extraction/llm"
	"memory-graph/heartbeat/jobs"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Limits of background extraction.
const (
	extractBatch = llm.MaxBatchTurns // jobs claimed at once
	extractLease = 15 * time.Second  // how long a dead process keeps its jobs; a live one renews them

	linesBefore = 4   // earlier turns given to the model as context
	lineLength  = 300 // characters of each
)

// extractor reads stored turns in the background: with the rules if they have not read a turn yet, then with the model.
type extractor struct {
	store   *store.Store
	reader  *episodes.Reader
	model   *model // nil: only the rules
	log     *slog.Logger
	now     func() time.Time
	similar similarities                               // tells which facts a turn may be about; may be nil
	saved   func(store.Written)                        // called with what was written; may be nil
	lost    func(memory.Episode, []memory.DroppedItem) // called with what was found and not stored; may be nil
}

// kind returns the queue's description of extraction jobs.
func (x *extractor) kind() jobs.Kind {
	return jobs.Kind{Name: store.KindExtract, Batch: extractBatch, Lease: extractLease, Parallel: x.model.parallel,
		Wait: x.wait, Handle: x.handle}
}

// wait returns how long to take no jobs: while the model is paused, and while a command waits for more turns, since
// each run also costs the command's own prompt.
func (x *extractor) wait() time.Duration {
	if pause := x.model.pause(); pause > 0 || x.model.gather == 0 {
		return pause
	}
	n, oldest, err := x.store.DueJobs(context.Background(), store.KindExtract, extractBatch)
	switch {
	case err != nil || n == extractBatch: // claiming reports the error
		return 0
	case n == 0: // claiming now could take a single turn that is stored meanwhile
		return x.model.gather
	}
	return max(0, x.model.gather-oldest)
}

// task is one turn to read, under a job.
type task struct {
	turn store.WaitingTurn
	job  store.Held
	id   int64 // id of the job
	text extraction.Input
	err  error

	stays bool // this process has no model: the rules read the turn, and it still waits for a model
}

// handle reads the turns of a batch. The job of a turn that is deleted or no longer waits is done.
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

// tasks returns the turns of the jobs.
func (x *extractor) tasks(ctx context.Context, b jobs.Batch) ([]*task, error) {
	ids := map[string][]int64{}
	jobOf := map[int64]int64{}
	for _, j := range b.Jobs {
		id, err := memory.ParseID(j.Subject)
		if err != nil || id.Kind != memory.KindEpisode {
			return nil, fmt.Errorf("extract: job %d is about %q, which is not a turn", j.ID, j.Subject)
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

// read reads the turns, grouped by session, and sets err of each task.
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
		if s.id == "" { // turns without a session are no context for each other
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
		for _, rest := range order[i+1:] { // asking the model again would fail the same way
			for _, t := range groups[rest] {
				t.err = x.later(stop)
			}
		}
		return
	}
}

// begin runs the rules on a turn that they have not read, and reports whether the model should read it. If not, the
// turn is done.
func (x *extractor) begin(ctx context.Context, t *task) (asks bool, err error) {
	e := t.turn.Episode
	t.text = x.reader.Input(ctx, e)
	out := store.Extraction{Namespace: e.Scope.Namespace, Episode: e.ID, Rules: x.reader.Rules()}
	out.Found = x.reader.Read(ctx, e, t.text)
	if t.turn.RulesRead { // its facts are already stored, but more of its names may be known now
		out.Rules, out.Found = false, memory.Findings{Mentions: out.Found.Mentions}
	}
	asks = x.model != nil && x.reader.Asks(t.text, len(out.Found.Mentions))
	switch {
	case !x.reader.States(e.Role):
		out.Status = memory.StatusSkipped
	case t.stays: // keeps its status
	case !asks:
		out.Status, out.Model = memory.StatusDone, x.model != nil
	case t.turn.RulesRead: // nothing to write yet
		return true, nil
	}
	return asks, x.save(ctx, t, out)
}

// ask asks the model about turns of one session, and saves the results. It returns an error if asking about other turns
// would fail the same way.
func (x *extractor) ask(ctx context.Context, tasks []*task) (stop error) {
	texts := make([]extraction.Input, len(tasks))
	before := make([][]memory.Episode, len(tasks))
	for i, t := range tasks {
		var err error
		if before[i], err = x.store.TurnsBefore(ctx, t.turn.Episode, linesBefore); err != nil {
			x.log.Warn("reading the turns before a turn failed; the model reads it without them", "turn",
				memory.EpisodeID(t.turn.ID), "error", err)
		}
	}
	likely, self := x.likely(ctx, tasks, before[0])
	names, held := namesOf(likely), x.likelyHeld(ctx, tasks, likely, self)
	for i, t := range tasks {
		texts[i] = t.text
		texts[i].Names, texts[i].Held = names, held
		for _, e := range before[i] {
			texts[i].Before = append(texts[i].Before,
				extraction.Line{Role: e.Role, Speaker: e.Speaker, Text: firstRunes(e.Content, lineLength)})
		}
	}
	name := x.model.reader.Model()
	for i, r := range x.model.reader.Extract(ctx, texts) {
		t := tasks[i]
		usage := x.model.usage(name, store.PurposeExtract, r.Usage, r.Err != nil && !cancelled(r.Err))
		if r.Err != nil {
			t.err = x.failure(r.Err, r.Usage.Calls > 0)
			if ofEndpoint(r.Err) {
				stop = r.Err
			}
			if err := x.store.AddModelUsage(context.WithoutCancel(ctx), usage); err != nil {
				x.log.Warn("counting the model's usage failed", "error", err)
			}
			continue
		}
		e := t.turn.Episode
		t.err = x.save(ctx, t, store.Extraction{Namespace: e.Scope.Namespace, Episode: e.ID, Reader: name, Model: true,
			Status: memory.StatusDone, Found: x.reader.Ready(ctx, e, r.Found), Usage: usage})
	}
	return stop
}

// save writes a result. It also does so during shutdown, because the model's answer may have cost money.
func (x *extractor) save(ctx context.Context, t *task, out store.Extraction) error {
	done, err := x.store.SaveExtraction(context.WithoutCancel(ctx), out, t.job)
	if err != nil {
		return err
	}
	if done.Lost {
		x.log.Debug("extracted findings are discarded: the turn is deleted, or another process holds it", "turn",
			memory.EpisodeID(out.Episode))
		return nil
	}
	lost := out.Found.DroppedItems
	for _, refused := range done.Refused {
		lost = append(slices.Clip(lost), memory.DroppedItem{What: refused.Item, Reason: refused.Message})
	}
	for _, item := range lost {
		x.log.Debug("an extracted item is not stored", "turn", memory.EpisodeID(out.Episode), "item", item.What, "why",
			item.Reason)
	}
	if x.lost != nil && len(lost) > 0 {
		x.lost(t.turn.Episode, lost)
	}
	if x.saved != nil {
		x.saved(done.Written)
	}
	return nil
}

// failure converts an error of the model to one for the queue. If the turn is not the cause, no attempt is counted.
// asked means that the failed question was about this turn. Then it waits longer than the other turns, so a turn that a
// command cannot answer does not delay them.
func (x *extractor) failure(err error, asked bool) error {
	var e *llm.Error
	if !errors.As(err, &e) || e.Blames() {
		return err
	}
	later := x.later(err)
	if asked && e.Kind == llm.NoAnswer {
		later.Until = later.Until.Add(later.Until.Sub(x.now()))
	}
	return later
}

// leastWait is the minimum time that jobs wait for an endpoint.
const leastWait = 5 * time.Second

func (x *extractor) later(err error) *jobs.Later {
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

// cancelled reports whether the caller cancelled the request, which is not a failure of the model.
func cancelled(err error) bool {
	var e *llm.Error
	return errors.As(err, &e) && e.Kind == llm.Cancelled
}

// firstRunes returns at most the first n characters of a text, with "…" if it is cut.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i] + "…"
		}
		n--
	}
	return s
}
