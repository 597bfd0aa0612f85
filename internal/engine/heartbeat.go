package engine

import (
	"context"
	"time"

	"memory-graph/heartbeat"
	"memory-graph/internal/config"
	"memory-graph/store"
)

// upkeep are the periodic tasks of a file. A task is a line here; its name is the same in every process, now and
// later.
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
		{Name: "reembedding", Every: every.Reembed, Able: sp.embeds,
			Do: func(ctx context.Context, _ *store.Run) error { return sp.catchUp(ctx) }},
	}
	if cfg.Enabled && cfg.LLMBaseURL != "" {
		// Jobs that failed come again by themselves (store.Options.RetryFailed): this is for turns without any.
		tasks = append(tasks, heartbeat.Task{Name: "extraction_retry", Every: every.Retry, AtOnce: true,
			Do: func(ctx context.Context, _ *store.Run) error {
				_, err := st.RequeueTurns(ctx)
				return err
			}})
	}
	return tasks
}
