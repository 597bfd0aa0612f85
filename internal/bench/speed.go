package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// SpeedResult is the output of `bench speed`. Times are of single calls to the engine.
type SpeedResult struct {
	Episodes  int     `json:"episodes"`
	Clients   int     `json:"clients"`
	StorePerS float64 `json:"store_per_s"` // acknowledged turns, without waiting for vectors
	// EmbeddedPerS counts turns with vectors, over the whole run until the last one; nil without an embedder.
	EmbeddedPerS *float64  `json:"embedded_per_s,omitempty"`
	StoreMS      Quantiles `json:"store_ms"`         // while vectors are computed
	RetrieveMS   Quantiles `json:"retrieve_ms"`      // after all vectors are computed, strategy auto
	RetrieveBusy Quantiles `json:"retrieve_busy_ms"` // while vectors are computed
	// Two hops in a graph of as many relationships; null if the engine has no graph.
	TraverseMS *Quantiles `json:"traverse_ms"`
	RSSMB      float64    `json:"rss_mb"` // peak of this process, 0 if unknown
	OpenMS     float64    `json:"open_ms"`
}

// speedQueries is the number of timed questions.
const speedQueries = 200

// Speed stores n turns of about 30 tokens with the given number of concurrent clients, then asks questions made of
// their words. The caller sets OpenMS, and clears EmbeddedPerS if there is no embedder.
func Speed(ctx context.Context, mem Memory, n, clients int, progress func(done, total int)) (SpeedResult, error) {
	const namespace = "bench-speed"
	var (
		mu     sync.Mutex
		stored []float64
		busy   []float64
		failed error
		work   sync.WaitGroup
	)
	begin := time.Now()
	for client := range clients {
		work.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(client), 7))
			for i := client; i < n; i += clients {
				start := time.Now()
				scope := memory.Scope{Namespace: namespace, SessionID: fmt.Sprintf("session-%d-%d", client, i/clients/40)}
				_, err := mem.StoreEpisode(ctx, store.NewEpisode{
					Episode: memory.Episode{Scope: scope, Content: turn(rnd)}, Caller: memory.Caller{Actor: "bench"}})
				took := milliseconds(start)
				mu.Lock()
				stored = append(stored, took)
				if err != nil && failed == nil {
					failed = err
				}
				stop := failed != nil
				if progress != nil {
					progress(len(stored), n)
				}
				mu.Unlock()
				if stop {
					return
				}
				if i%97 == 0 {
					if ms, err := ask(ctx, mem, namespace, rnd); err == nil {
						mu.Lock()
						busy = append(busy, ms)
						mu.Unlock()
					}
				}
			}
		})
	}
	work.Wait()
	if failed != nil {
		return SpeedResult{}, failed
	}
	out := SpeedResult{Episodes: n, Clients: clients, StorePerS: float64(n) / time.Since(begin).Seconds()}
	if err := settle(ctx, mem, namespace); err != nil {
		return SpeedResult{}, err
	}
	embedded := float64(n) / time.Since(begin).Seconds()
	out.EmbeddedPerS = &embedded
	rnd := rand.New(rand.NewPCG(1, 2))
	var asked []float64
	for range speedQueries {
		ms, err := ask(ctx, mem, namespace, rnd)
		if err != nil {
			return SpeedResult{}, err
		}
		asked = append(asked, ms)
	}
	out.StoreMS, out.RetrieveMS, out.RetrieveBusy = quantiles(stored), quantiles(asked), quantiles(busy)
	if graph, ok := mem.(Traverser); ok {
		took, err := Traversals(ctx, graph, n, progress)
		if err != nil {
			return SpeedResult{}, err
		}
		out.TraverseMS = &took
	}
	out.RSSMB = peakRSS()
	return out, nil
}

func ask(ctx context.Context, mem Memory, namespace string, rnd *rand.Rand) (ms float64, err error) {
	words := make([]string, 4)
	for i := range words {
		words[i] = word(rnd)
	}
	start := time.Now()
	_, err = mem.Retrieve(ctx, retrieval.Request{Scope: memory.Scope{Namespace: namespace}, Limit: 10, BudgetTokens: 500,
		Query: "What did we say about the " + strings.Join(words[:2], " ") + " and the " + strings.Join(words[2:], " ") +
			"?"})
	return milliseconds(start), err
}

// turn returns about 30 tokens of random words. Their frequencies are as skewed as in language, so postings lists have
// realistic lengths.
func turn(rnd *rand.Rand) string {
	var b strings.Builder
	for i := range 22 + rnd.IntN(6) {
		if i > 0 {
			b.WriteByte(' ')
		}
		if i%3 == 0 {
			b.WriteString([]string{"the", "and", "we", "to", "of", "it", "I", "is"}[rnd.IntN(8)])
			continue
		}
		b.WriteString(word(rnd))
	}
	return b.String() + "."
}

// word draws from a vocabulary of 4,096 made-up words with Zipf-like frequencies.
func word(rnd *rand.Rand) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	rank := int(float64(vocabulary) * rnd.Float64() * rnd.Float64() * rnd.Float64())
	var b strings.Builder
	for n := rank*7919 + 104729; b.Len() < 6; n /= 5 {
		b.WriteByte(consonants[n%len(consonants)])
		n /= len(consonants)
		b.WriteByte(vowels[n%len(vowels)])
		n += rank
	}
	return b.String()
}

const vocabulary = 4096
