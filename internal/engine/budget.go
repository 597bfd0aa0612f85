package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"memory-graph/extraction/llm"
	"memory-graph/store"
)

// budget is the daily budget of the language model. The database counts, so it holds over restarts and for all
// processes on the file.
type budget struct {
	store    atomic.Pointer[store.Store] // set once the database is open, before the first question
	endpoint string
	most     store.ModelBudget
}

// Book implements llm.Budget.
func (b *budget) Book(ctx context.Context, r llm.Request, prompt int64) (time.Duration, string, error) {
	st := b.store.Load()
	if st == nil {
		return 0, "", errors.New("the database is not open")
	}
	left, err := st.BookModelUsage(ctx, store.ModelUsage{Endpoint: b.endpoint, Model: r.Model, Purpose: r.Purpose,
		Calls: 1, PromptTokens: prompt}, b.most)
	if err != nil || left == 0 {
		return 0, "", err
	}
	return left, "the daily budget is spent (" + b.text() + ")", nil
}

// text describes the budget.
func (b *budget) text() string {
	switch calls, tokens := b.most.Calls, b.most.Tokens; {
	case tokens == 0:
		return fmt.Sprintf("%d requests", calls)
	case calls == 0:
		return fmt.Sprintf("%d tokens", tokens)
	default:
		return fmt.Sprintf("%d requests, %d tokens", calls, tokens)
	}
}
