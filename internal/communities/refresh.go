package communities

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"memory-graph/extraction/llm"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Store is where communities are read and saved.
type Store interface {
	CommunityGraphs(ctx context.Context, namespace string, chunk int) (map[string]*store.CommunityGraph, error)
	CommunityTexts(ctx context.Context, namespace string, members, facts []int64) (map[int64]store.CommunityMember,
		map[int64]store.CommunityFact, error)
	SaveCommunities(ctx context.Context, r *store.Run, list []store.CommunityWrite) ([]int64, error)
	LeaveCommunities(ctx context.Context, r *store.Run, namespace string, entities []int64) error
	DropCommunities(ctx context.Context, r *store.Run, namespace string, ids []int64) error
}

// Asker sends a question to a language model. llm.Client implements it.
type Asker interface {
	Complete(ctx context.Context, r llm.Request, into any) (llm.Usage, error)
	Model() string
}

// Refresher finds and saves communities. Its fields are set once.
type Refresher struct {
	Store    Store
	Model    Asker                               // nil: the program's own words
	Spent    func(u llm.Usage, failed bool)      // gets the usage of each question; may be nil
	Suspects func(text string) (suspicious bool) // looks for attacks in a model's words; may be nil
	Chunk    int                                 // facts read at a time, 0 for all
	Parallel int                                 // maximum number of questions at the same time, at least 1
	Log      *slog.Logger
}

// Outcome counts what a refresh did.
type Outcome struct {
	Communities int // all of them
	Unchanged   int
	Changed     int // new ones included
	Dropped     int
	Calls       int // questions to the model
	Failed      int // questions without a usable answer: these communities have the program's own words
}

// Changes reports whether a refresh of a namespace, "" for all, would write anything. It only reads.
func (r *Refresher) Changes(ctx context.Context, namespace string) (bool, Outcome, error) {
	plans, err := r.plans(ctx, namespace)
	var out Outcome
	changes := false
	for _, p := range plans {
		out.add(p)
		changes = changes || !p.empty()
	}
	return changes, out, err
}

func (o *Outcome) add(p plan) {
	o.Communities += p.unchanged + len(p.changed)
	o.Unchanged += p.unchanged
	o.Changed += len(p.changed)
	o.Dropped += len(p.drop)
}

func (r *Refresher) plans(ctx context.Context, namespace string) ([]plan, error) {
	graphs, err := r.Store.CommunityGraphs(ctx, namespace, r.Chunk)
	if err != nil {
		return nil, err
	}
	var plans []plan
	for _, name := range slices.Sorted(maps.Keys(graphs)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		plans = append(plans, newPlan(name, graphs[name], r.improves))
	}
	return plans, nil
}

// improves reports whether a community has the program's own words though there is a model.
func (r *Refresher) improves(c memory.Community) bool { return r.Model != nil && c.Writer == "" }

// Refresh finds the communities of a namespace, "" for all, and saves those that have changed, under a run that the
// caller holds. An unchanged community costs neither a question nor a write. If a refresh is interrupted, the next one
// continues from what was saved.
func (r *Refresher) Refresh(ctx context.Context, run *store.Run, namespace string) (Outcome, error) {
	plans, err := r.plans(ctx, namespace)
	if err != nil {
		return Outcome{}, err
	}
	var out Outcome
	for _, p := range plans {
		out.add(p)
		if err := r.save(ctx, run, p, &out); err != nil {
			return out, err
		}
	}
	return out, nil
}

const (
	rowsPerSave = 100 // rows that one transaction changes: writers of turns wait for it
	summarised  = 50  // communities whose texts are read together
	longestRest = 50 * time.Millisecond
)

// gently runs a transaction and then pauses for as long as it took. Without the pause, a process that polls for the
// lock might always find it taken.
func gently(ctx context.Context, write func() error) error {
	began := time.Now()
	if err := write(); err != nil {
		return err
	}
	rest := time.NewTimer(min(time.Since(began), longestRest))
	defer rest.Stop()
	select {
	case <-rest.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// save writes a plan: first the changed communities, then the entities that are in none, then those without members.
func (r *Refresher) save(ctx context.Context, run *store.Run, p plan, out *Outcome) error {
	a := &answers{r: r}
	for part := range slices.Chunk(p.changed, summarised) {
		err := r.words(ctx, p.namespace, part, a, func(list []change) error {
			same, err := r.write(ctx, run, list)
			out.Changed, out.Unchanged = out.Changed-same, out.Unchanged+same
			return err
		})
		if err != nil {
			return err
		}
	}
	out.Calls += int(a.calls.Load())
	out.Failed += int(a.failed.Load())
	for part := range slices.Chunk(p.leave, rowsPerSave) {
		err := gently(ctx, func() error { return r.Store.LeaveCommunities(ctx, run, p.namespace, part) })
		if err != nil {
			return err
		}
	}
	for part := range slices.Chunk(p.drop, rowsPerSave) {
		err := gently(ctx, func() error { return r.Store.DropCommunities(ctx, run, p.namespace, part) })
		if err != nil {
			return err
		}
	}
	return nil
}

// write saves communities in transactions of at most rowsPerSave rows. same is the number of those that are stored as
// they are.
func (r *Refresher) write(ctx context.Context, run *store.Run, list []change) (same int, err error) {
	var batch []store.CommunityWrite
	rows := 0
	put := func(list ...store.CommunityWrite) (ids []int64, err error) {
		err = gently(ctx, func() error { ids, err = r.Store.SaveCommunities(ctx, run, list); return err })
		return ids, err
	}
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		_, err := put(batch...)
		batch, rows = nil, 0
		return err
	}
	for _, c := range list {
		if c.nothingNew() {
			same++
			continue
		}
		for len(c.join) > rowsPerSave {
			part := c.written(c.join[:rowsPerSave])
			part.Community.Fingerprint, part.Kept = nil, false
			ids, err := put(part)
			if err != nil {
				return same, err
			}
			c.ID, c.join = ids[0], c.join[rowsPerSave:]
		}
		if rows+len(c.join)+1 > rowsPerSave {
			if err := flush(); err != nil {
				return same, err
			}
		}
		batch = append(batch, c.written(c.join))
		rows += len(c.join) + 1
	}
	return same, flush()
}

// answers counts the questions of a refresh, and ends them when asking again would fail the same way.
type answers struct {
	r             *Refresher
	calls, failed atomic.Int64
	over          atomic.Bool
}

// words names and summarises communities and hands them to save, each as soon as its words are there.
func (r *Refresher) words(ctx context.Context, namespace string, list []change, a *answers,
	save func([]change) error) error {
	nodes, edges, err := r.Store.CommunityTexts(ctx, namespace, nodesOf(list), factsOf(list))
	if err != nil {
		return err
	}
	var ready []change // without a question to the model
	var asked []change
	for _, c := range list {
		c.ownWords(nodes, edges)
		if c.kept || r.Model == nil || a.over.Load() || len(c.told.facts) == 0 {
			ready = append(ready, c)
			continue
		}
		asked = append(asked, c)
	}
	if err := save(ready); err != nil {
		return err
	}
	var one sync.Mutex // the store has one writer
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, r.Parallel))
	for _, c := range asked {
		group.Go(func() error {
			if name, summary, ok := a.ask(ctx, c.told); ok {
				c.Name, c.Summary, c.Writer = name, summary, r.Model.Model()
			} else if err := ctx.Err(); err != nil {
				return err
			}
			one.Lock()
			defer one.Unlock()
			return save([]change{c})
		})
	}
	return group.Wait()
}

// ask asks the model about one community.
func (a *answers) ask(ctx context.Context, t told) (name, summary string, ok bool) {
	if a.over.Load() {
		return "", "", false
	}
	var usage llm.Usage
	name, summary, usage, err := describe(ctx, a.r.Model, t)
	a.calls.Add(int64(usage.Calls))
	if a.r.Spent != nil {
		a.r.Spent(usage, err != nil)
	}
	if err == nil && a.r.Suspects != nil && a.r.Suspects(name+"\n"+summary) {
		err = errors.New("the answer looks like an attack")
	}
	if err == nil {
		return name, summary, true
	}
	a.failed.Add(1)
	var e *llm.Error
	if errors.As(err, &e) && !e.Blames() { // the endpoint is away or the budget is spent
		a.over.Store(true)
	}
	if ctx.Err() == nil {
		a.r.Log.Warn("a community has no summary of the model; it is asked again at the next refresh", "err", err)
	}
	return "", "", false
}
