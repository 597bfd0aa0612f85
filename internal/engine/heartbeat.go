package engine

import (
	"context"
	"time"

	"memory-graph/extraction"
	"memory-graph/heartbeat"
	"memory-graph/internal/config"
	"memory-graph/store"
)

// upkeep returns the periodic tasks of a file. The leases in the file use a task's name, so it must be the same in
// every process and must not change.
func upkeep(cfg *config.Config, st *store.Store, sp *space) []heartbeat.Task {
	every := cfg.Heartbeat
	tasks := []heartbeat.Task{
		{Name: "expiry", Every: every.Expiry, AtOnce: true, Do: func(ctx context.Context, run *store.Run) error {
			_, err := st.ExpireDue(ctx, run.At)
			return err
		}},
		{Name: "entity_fade", Every: every.EntityFade, Do: func(ctx context.Context, run *store.Run) error {
			_, err := st.FadeEntities(ctx, run, cfg.EntityConfidenceFloor)
			return err
		}},
		{Name: "link_fade", Every: time.Duration(cfg.NoteLinking.DecayIntervalSecs) * time.Second,
			Do: func(ctx context.Context, run *store.Run) error {
				_, err := st.FadeRetrievals(ctx, run, cfg.NoteLinking.DecayLambda)
				return err
			}},
		{Name: "identity", Every: 24 * time.Hour, AtOnce: true, Do: func(ctx context.Context, run *store.Run) error {
			_, err := st.HealIdentities(ctx, run, cfg.User, extraction.DefaultSelf)
			return err
		}},
		{Name: "relation_names", Every: 24 * time.Hour, AtOnce: true, Do: func(ctx context.Context, run *store.Run) error {
			_, err := st.HealRelations(ctx, run)
			return err
		}},
		{Name: "trace_expiry", Every: time.Hour, AtOnce: true, Do: func(ctx context.Context, run *store.Run) error {
			_, err := st.ExpireTraces(ctx, run.At.AddDate(0, 0, -cfg.Traces.RetentionDays))
			return err
		}},
		{Name: "reembedding", Every: every.Reembed, Able: sp.embeds,
			Do: func(ctx context.Context, _ *store.Run) error { return sp.catchUp(ctx) }},
	}
	if cfg.Enabled && cfg.UsesModel() {
		// Failed jobs are retried by the queue (store.Options.RetryFailed). This task is for waiting turns without a job.
		tasks = append(tasks, heartbeat.Task{Name: "extraction_retry", Every: every.Retry, AtOnce: true,
			Do: func(ctx context.Context, _ *store.Run) error {
				_, err := st.RequeueTurns(ctx)
				return err
			}})
	}
	return tasks
}
