package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"memory-graph/extraction/links"
	"memory-graph/heartbeat/jobs"
	"memory-graph/internal/config"
	"memory-graph/internal/facts"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// Codes that count failures to update links. Stored episodes and facts do not depend on links.
const (
	// some of a node's links could not be written; the others were
	CodeLinksPartial = "GRAPH_RELATIONSHIP_PARTIAL_DEGRADE"
	// comparing a node with its neighbours failed; it is retried with the stored vector
	CodeLinksFailed   = "GRAPH_RELATIONSHIP_SYNC_FAILED"
	CodeCompareFailed = "GRAPH_LLM_CLASSIFICATION_FAILED"      // the model could not compare memories; it is asked again
	CodeRelateFailed  = "GRAPH_LLM_SEMANTIC_EXTRACTION_FAILED" // the model could not relate memories; it is asked again
)

// Limits of background linking.
const (
	linkBatch     = 16               // jobs claimed at once
	modelBatch    = 1                // the same, for jobs that ask a model
	linkLease     = 20 * time.Second // renewed during the work
	notReadyPause = 5 * time.Second  // delay while the vectors cannot be ranked
	firstRanked   = 64               // nearest nodes read first; they include nodes of other kinds
	mostRanked    = 4096             // nearest nodes read at most
)

// linker updates derived links when nodes change (docs/extraction.md, "Links").
type linker struct {
	store *store.Store
	space *space
	cfg   config.NoteLinking
	model *model // nil: no model reads memories
	pool  *jobs.Pool
	log   *slog.Logger
	now   func() time.Time
}

// newLinker returns nil if nothing can be linked: without an embedder, or if the file is read-only.
func (e *Engine) newLinker(st *store.Store, sp *space, m *model) *linker {
	if e.cfg.ReadOnly || !sp.enabled() {
		return nil
	}
	l := &linker{store: st, space: sp, cfg: e.cfg.NoteLinking, log: e.log, now: e.o.now}
	kinds := []jobs.Kind{{Name: store.KindLink, Batch: linkBatch, Lease: linkLease, Wait: l.wait,
		Handle: l.each(l.look, CodeLinksFailed)}}
	if m != nil && l.cfg.LLMEnabled {
		l.model = m
		wait := func() time.Duration { return max(l.wait(), m.pause()) }
		if e.o.serves {
			kinds = append(kinds,
				jobs.Kind{Name: store.KindContradict, Batch: modelBatch, Lease: linkLease, Wait: wait,
					Handle: l.each(l.contradict, CodeCompareFailed)},
				jobs.Kind{Name: store.KindRelate, Batch: modelBatch, Lease: linkLease, Wait: wait,
					Handle: l.each(l.relate, CodeRelateFailed)})
		}
	}
	l.pool = jobs.New(st, kinds, jobs.Options{Poll: e.o.poll, Log: e.log})
	sp.links = l
	return l
}

// run processes link jobs until ctx ends.
func (l *linker) run(ctx context.Context) {
	if l != nil {
		l.pool.Run(ctx)
	}
}

// poke tells the workers that vectors were written.
func (l *linker) poke() {
	if l != nil {
		l.pool.Poke()
	}
}

// links reports whether nodes of a kind are linked: memories always, entities if the setting enables it.
func (l *linker) links(kind memory.NodeKind) bool {
	return l != nil && (kind == memory.NodeMemory || kind == memory.NodeEntity && l.cfg.Enabled)
}

// catchUp queues jobs for the nodes that were never linked with the active vectors.
func (l *linker) catchUp(ctx context.Context) error {
	if l == nil {
		return nil
	}
	of := []store.LinkedBy{store.MemoriesByLikeness}
	if l.cfg.Enabled {
		of = append(of, store.EntitiesByLikeness, store.TurnsByLikeness)
	}
	if l.model != nil {
		of = append(of, store.MemoriesByModel)
	}
	queued, err := l.store.CatchUpLinks(ctx, of)
	if queued {
		l.poke()
	}
	return err
}

// wait returns how long the jobs wait while the vectors cannot be ranked. Another process may take them meanwhile.
func (l *linker) wait() time.Duration {
	r := l.space.ready.Load()
	if r == nil {
		return notReadyPause
	}
	if r.entities.Elsewhere() { // at the last check
		ctx, done := context.WithTimeout(context.Background(), notReadyPause)
		defer done()
		if r.entities.Ready(ctx) != nil {
			return notReadyPause
		}
	}
	return 0
}

// linkTask is the job of one node.
type linkTask struct {
	namespace string
	id        memory.ID
	held      store.Held
}

// each returns a handler that runs do for each job of a batch. It counts each failure under the code and continues with
// the other jobs.
func (l *linker) each(do func(context.Context, linkTask) error, code string) func(context.Context, jobs.Batch) error {
	return func(ctx context.Context, b jobs.Batch) error {
		failed := jobs.Each{}
		for _, j := range b.Jobs {
			id, err := memory.ParseID(j.Subject)
			if err != nil || id.Kind != memory.KindMemory && id.Kind != memory.KindEntity && id.Kind != memory.KindEpisode {
				failed[j.ID] = fmt.Errorf("%s: job %d is about %q, which is neither a node nor a turn", j.Kind, j.ID, j.Subject)
				continue
			}
			err = do(ctx, linkTask{namespace: j.Namespace, id: id, held: store.Held{Holder: b.Holder, IDs: []int64{j.ID}}})
			if err != nil && ctx.Err() != nil {
				return err // stopped, not failed
			}
			if away := (*vectorsAway)(nil); errors.As(err, &away) {
				failed[j.ID] = &jobs.Later{Until: l.now().Add(notReadyPause), Err: away.err}
			} else if err != nil {
				l.count(ctx, j.Namespace, code, err)
				failed[j.ID] = err
			}
		}
		if len(failed) > 0 {
			return failed
		}
		return nil
	}
}

// vectorsAway means that vectors cannot be compared for now. It is not an error of the node.
type vectorsAway struct{ err error }

func (e *vectorsAway) Error() string { return "vectors cannot be compared: " + e.err.Error() }

// count records a failure of background work.
func (l *linker) count(ctx context.Context, namespace, code string, cause error) {
	if err := l.store.Count(context.WithoutCancel(ctx), namespace, code, cause); err != nil {
		l.log.Warn("counting a failure failed", "code", code, "cause", cause, "error", err)
	}
}

// node reads the node of a task; ok is false if answers no longer show it.
func (l *linker) node(ctx context.Context, t linkTask) (e memory.Entity, ok bool, err error) {
	list, err := l.store.EntitiesByID(ctx, t.namespace, []int64{t.id.Num}, memory.AsOf{})
	if err != nil || len(list) == 0 || list[0].ID != t.id.Num {
		return memory.Entity{}, false, err
	}
	return list[0], true, nil
}

// leastScan is the least number of nearest entities that an entity is compared with.
const leastScan = 20

// look links a node with its neighbours. It compares stored vectors, so a retry embeds nothing.
func (l *linker) look(ctx context.Context, t linkTask) error {
	ctx, done := context.WithTimeout(ctx, time.Duration(l.cfg.TimeoutSecs)*time.Second)
	defer done()
	if t.id.Kind == memory.KindEpisode {
		return l.lookTurn(ctx, t)
	}
	e, shown, err := l.node(ctx, t)
	if err != nil {
		return err
	}
	q := store.Relinking{Namespace: t.namespace, Subject: t.id.Num, Relations: []string{links.SimilarTo},
		Method: memory.MethodSimilarity, Jobs: t.held}
	limits := links.Limits{Threshold: l.cfg.SimilarityThreshold, Scan: l.cfg.MemoryCandidates,
		PerNode: l.cfg.MemoryLinks}
	if e.Kind == memory.NodeEntity {
		limits.Scan, limits.PerNode = max(leastScan, 2*l.cfg.TopK), l.cfg.TopK
	}
	var near []links.Neighbour
	if shown && l.links(e.Kind) {
		vec, err := l.store.NodeVector(ctx, t.namespace, e.ID)
		if err != nil || vec == nil { // a node without a vector gets a job once it is embedded
			return err
		}
		found, err := l.near(ctx, e, vec, limits.Threshold, 1, limits.Scan)
		if err != nil {
			return err
		}
		for _, n := range found {
			near = append(near, n.Neighbour)
			q.Near = append(q.Near, n.Entity.ID)
		}
		if e.Kind == memory.NodeMemory {
			q.Digest, q.Stale = store.DigestText(facts.Text(e.Name, e.Description)), l.model == nil
		}
		if e.Kind == memory.NodeMemory && l.model != nil {
			q.Ask = []string{store.KindContradict, store.KindRelate}
		}
	}
	return l.relink(ctx, q, func(there store.Linkable) memory.LinkChange {
		return links.Similar(t.id.Num, shownNear(near, there), there.Links, limits)
	})
}

// shownNear returns the neighbours that may still be linked.
func shownNear(near []links.Neighbour, there store.Linkable) []links.Neighbour {
	return slices.DeleteFunc(slices.Clone(near),
		func(n links.Neighbour) bool { _, ok := there.Nodes[n.ID]; return !ok })
}

// relink writes a change, counts the links that were refused, and wakes the workers if it queued jobs.
func (l *linker) relink(ctx context.Context, q store.Relinking, plan func(store.Linkable) memory.LinkChange) error {
	out, err := l.store.Relink(ctx, q, plan)
	if err != nil {
		return err
	}
	for _, refused := range out.Refused {
		l.count(ctx, q.Namespace, CodeLinksPartial, refused)
	}
	if out.Queued {
		l.poke()
	}
	return nil
}

// neighbour is a nearby node with all its properties.
type neighbour struct {
	links.Neighbour
	memory.Entity
}

// near returns at most n nodes of the same kind (for an entity, of the same family of types) whose cosines with the
// node are between least and most, nearest first.
func (l *linker) near(ctx context.Context, e memory.Entity, vec []int8, least, most float64, n int) ([]neighbour,
	error) {
	family := memory.TypeFamily(e.Type)
	for k := firstRanked; ; k *= 4 {
		hits, err := l.space.RankEntities(ctx, vec, e.Namespace, min(k, mostRanked))
		var why *memory.Error
		if errors.As(err, &why) && why.Code == memory.Unavailable && ctx.Err() == nil {
			return nil, &vectorsAway{err}
		}
		if err != nil {
			return nil, err
		}
		whole := len(hits) < k || k >= mostRanked || hits[len(hits)-1].Score < least
		hits = slices.DeleteFunc(hits, func(h memory.Hit) bool {
			return h.ID == e.ID || h.Score < least || most < 1 && h.Score > most
		})
		list, err := l.store.EntitiesByID(ctx, e.Namespace, hitIDs(hits), memory.AsOf{})
		if err != nil {
			return nil, err
		}
		known := make(map[int64]memory.Entity, len(list))
		for _, other := range list {
			if other.Kind == e.Kind && (e.Kind == memory.NodeMemory || slices.Contains(family, other.Type)) {
				known[other.ID] = other
			}
		}
		var out []neighbour
		for _, h := range hits {
			if other, ok := known[h.ID]; ok {
				out = append(out, neighbour{links.Neighbour{ID: h.ID, Cosine: h.Score}, other})
			}
		}
		if whole || len(out) >= n {
			return out[:min(len(out), n)], nil
		}
	}
}

func hitIDs(hits []memory.Hit) []int64 {
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	return ids
}
