package engine

import (
	"context"
	"sync"

	"memory-graph/classifier"
	"memory-graph/internal/embedding"
	"memory-graph/internal/retrieval/contextblock"
	"memory-graph/internal/safety/secrets"
)

// ContextBlock decides what the memory adds before a turn.
func (e *Engine) ContextBlock(ctx context.Context, req contextblock.Request) (contextblock.Decision, error) {
	s, err := e.wait(ctx)
	if err != nil {
		return contextblock.Decision{}, err
	}
	req.Scope = secrets.Scope(req.Scope)
	out, err := s.injector.Build(ctx, req)
	if err != nil {
		return contextblock.Decision{}, err
	}
	if out.Answer.State, err = s.store.State(ctx, req.Scope.Namespace); err != nil {
		return contextblock.Decision{}, err
	}
	out.Answer.State.Degraded = s.degraded(ctx, req.Scope.Namespace, out.Answer.State.Degraded)
	return out, nil
}

// newInjector returns the builder of context blocks.
func (e *Engine) newInjector(s *services) *contextblock.Builder {
	return &contextblock.Builder{Retriever: s.retriever, Standing: s.retriever, Episodes: s.store,
		Settings:   s.retriever.Settings,
		Classifier: e.parts.classifier, Now: e.o.now, Log: e.log}
}

// lateClassifier creates the classifier when the first message needs it, so starting does not wait for it.
type lateClassifier struct {
	emb   embedding.Embedder
	cache string
	hurry bool // use only a classifier that is ready, and fail if none is

	mu sync.Mutex
	c  *classifier.Classifier
}

// Classify returns the class of a message.
func (l *lateClassifier) Classify(ctx context.Context, m classifier.Message) (classifier.Result, error) {
	c, err := l.get(ctx)
	if err != nil {
		return classifier.Result{}, err
	}
	return c.Classify(ctx, m)
}

func (l *lateClassifier) get(ctx context.Context) (*classifier.Classifier, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.c != nil {
		return l.c, nil
	}
	var c *classifier.Classifier
	var err error
	if l.hurry {
		c, err = classifier.Open(l.emb, l.cache)
	} else {
		c, err = classifier.New(ctx, l.emb, l.cache)
	}
	if err != nil {
		return nil, err
	}
	l.c = c
	return c, nil
}
