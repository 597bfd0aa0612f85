package server_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
	"memory-graph/tools"
)

// fakeMemory keeps episodes in a slice and finds them by substring. If locked is not nil, every call blocks until it is
// closed, as if another process had locked the database.
type fakeMemory struct {
	tools.Memory // the methods not defined below are never called

	mu     sync.Mutex
	turns  []store.NewEpisode
	locked chan struct{}

	waiting chan struct{} // receives a value for every call; may be nil
}

func (m *fakeMemory) wait(ctx context.Context) error {
	if m.waiting != nil {
		m.waiting <- struct{}{}
	}
	if m.locked == nil {
		return nil
	}
	select {
	case <-m.locked:
		return nil
	case <-ctx.Done():
		return memory.Errorf(memory.Unavailable, "the database is locked.").WithHint("Try again.")
	}
}

func (m *fakeMemory) StoreEpisode(ctx context.Context, in store.NewEpisode) (episodes.Result, error) {
	if err := m.wait(ctx); err != nil {
		return episodes.Result{}, err
	}
	if strings.Contains(in.Content, "PANIC") {
		panic("the fake was told to")
	}
	if strings.Contains(in.Content, "FAIL") {
		return episodes.Result{}, fmt.Errorf("secret cause")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turns = append(m.turns, in)
	return episodes.Result{EpisodeID: memory.EpisodeID(int64(len(m.turns))), Status: "stored", Extraction: "disabled"}, nil
}

func (m *fakeMemory) Retrieve(ctx context.Context, req retrieval.Request) (retrieval.Answer, error) {
	if err := m.wait(ctx); err != nil {
		return retrieval.Answer{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	a := retrieval.Answer{Strategy: retrieval.Text, Match: retrieval.None}
	for i := len(m.turns) - 1; i >= 0; i-- {
		t := m.turns[i]
		if t.Scope.Namespace != req.Scope.Namespace || !strings.Contains(t.Content, req.Query) {
			continue
		}
		a.Episodes = append(a.Episodes, retrieval.FoundEpisode{Score: 1, Episode: memory.Episode{
			ID: int64(i + 1), Scope: t.Scope, Role: memory.RoleUser, Content: t.Content, Status: memory.StatusSkipped,
			OccurredAt: time.Date(2026, 3, 18, 9, 30, 0, 0, time.UTC),
		}})
		a.Match = retrieval.Strong
	}
	if len(a.Episodes) > req.Limit {
		a.Episodes, a.More = a.Episodes[:req.Limit], true
	}
	return a, nil
}

func (m *fakeMemory) stored() []store.NewEpisode {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]store.NewEpisode(nil), m.turns...)
}
