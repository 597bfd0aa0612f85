package engine

import (
	"context"
	"time"

	"memory-graph/extraction"
	"memory-graph/heartbeat"
	"memory-graph/internal/communities"
	"memory-graph/internal/config"
	"memory-graph/store"
)

// eviction returns what the settings archive.
func eviction(cfg *config.Config) store.Eviction {
	return store.Eviction{Retention: time.Duration(cfg.RetentionDays) * 24 * time.Hour, MaxEntities: cfg.MaxEntities}
}

// upkeep returns the periodic tasks of a file. The leases in the file use a task's name, so it must be the same in
// every process and must not change.
func upkeep(cfg *config.Config, st *store.Store, sp *space, r *communities.Refresher) []heartbeat.Task {
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
		communityTask(st, r, cfg.CommunityRefresh),
		// HealRelations first gets a day for the facts of an older version: the first run after an upgrade only reports.
		{Name: "archive", Every: every.Archive, AtOnce: true, Do: func(ctx context.Context, _ *store.Run) error {
			_, err := st.Evict(ctx, eviction(cfg))
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
