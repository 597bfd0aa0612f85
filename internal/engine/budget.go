package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

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
func (b *budget) Book(ctx context.Context, r llm.Request, prompt int64) (llm.NoRoom, error) {
	st := b.store.Load()
	if st == nil {
		return llm.NoRoom{}, errors.New("the database is not open")
	}
	not, err := st.BookModelUsage(ctx, store.ModelUsage{Endpoint: b.endpoint, Model: r.Model, Purpose: r.Purpose,
		Calls: 1, PromptTokens: prompt}, b.most)
	if err != nil || not.Limit == "" {
		return llm.NoRoom{}, err
	}
	return llm.NoRoom{Why: b.why(not, prompt), Spent: not.Spent, Wait: not.Wait}, nil
}

// why returns the limit that leaves no room for a prompt, in tokens.
func (b *budget) why(not store.Unbooked, prompt int64) string {
	switch {
	case not.Limit == store.LimitCalls:
		return fmt.Sprintf("the daily budget is spent (%d requests, llm_daily_calls)", b.most.Calls)
	case not.Spent:
		return fmt.Sprintf("the daily budget is spent (%d tokens, llm_daily_tokens)", b.most.Tokens)
	case prompt > b.most.Tokens:
		return fmt.Sprintf("its prompt of %d tokens is larger than llm_daily_tokens (%d)", prompt, b.most.Tokens)
	}
	return fmt.Sprintf("its prompt of %d tokens is larger than the %d that are left today of llm_daily_tokens (%d)",
		prompt, not.Rest, b.most.Tokens)
}
