package engine

import (
	"context"
	"time"

	"memory-graph/extraction/llm"
	"memory-graph/heartbeat"
	"memory-graph/internal/communities"
	"memory-graph/internal/memory"
	"memory-graph/store"
)

// communityLook is the least time between two refreshes by the heartbeat.
const communityLook = time.Minute

func (e *Engine) newRefresher(st *store.Store, m *model) *communities.Refresher {
	r := &communities.Refresher{Store: st, Chunk: e.cfg.EdgeChunkSize, Parallel: e.cfg.CommunityConcurrency, Log: e.log}
	r.Suspects = func(text string) bool { return len(e.parts.suspicious(text, memory.OriginAssistant)) > 0 }
	if m == nil || !e.cfg.Enabled {
		return r
	}
	r.Model = m.client
	r.Spent = func(u llm.Usage, failed bool) {
		used := m.usage(m.client.Model(), store.PurposeSummary, u, failed)
		if err := st.AddModelUsage(context.Background(), used); err != nil {
			e.log.Warn("counting the model's usage failed", "error", err)
		}
	}
	return r
}

// communityTask refreshes the communities of all namespaces when enough turns have been stored since the last time.
func communityTask(st *store.Store, r *communities.Refresher, turns int) heartbeat.Task {
	return heartbeat.Task{Name: communityTaskName, Every: communityLook, AtOnce: true,
		Able: func() bool {
			n, err := st.TurnsSinceCommunities(context.Background())
			return err == nil && n >= int64(turns)
		},
		Do: func(ctx context.Context, run *store.Run) error {
			newest, err := st.NewestTurn(ctx)
			if err != nil {
				return err
			}
			if _, err := r.Refresh(ctx, run, ""); err != nil {
				return err
			}
			return st.CommunitiesDone(ctx, run, newest)
		}}
}

const communityTaskName = "communities"

// refreshPatience is how long a call waits for another process that refreshes the communities.
const refreshPatience = 30 * time.Second

// RefreshCommunities finds the communities of a namespace anew and returns what has changed. If nothing has, it writes
// nothing. The error is Unavailable if another process is refreshing them.
func (e *Engine) RefreshCommunities(ctx context.Context, namespace string) (communities.Outcome, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return communities.Outcome{}, err
	}
	if e.cfg.ReadOnly {
		return communities.Outcome{}, memory.Errorf(memory.ReadOnly, "The memory is open read-only.").
			WithHint("Start without MEMORY_GRAPH_READ_ONLY to refresh the communities.")
	}
	changes, out, err := s.communities.Changes(ctx, namespace)
	if err != nil || !changes {
		return out, err
	}
	t := heartbeat.Task{Name: communityTaskName, Do: func(ctx context.Context, run *store.Run) (err error) {
		out, err = s.communities.Refresh(ctx, run, namespace)
		return err
	}}
	return out, heartbeat.Now(ctx, s.store, t, heartbeat.Options{Wait: refreshPatience, Log: e.log})
}
