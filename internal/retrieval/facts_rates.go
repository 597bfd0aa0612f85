package retrieval

import (
	"context"
	"sync"
	"time"
)

// RateSource returns the decay rates set in a namespace, per day, by relation.
type RateSource func(ctx context.Context, namespace string) (map[string]float64, error)

// CachedRates caches the rates of a source by namespace for at most maxAge. Call forget after this process has changed
// the rates of a namespace. Changes by other processes are seen after maxAge.
func CachedRates(source RateSource, maxAge time.Duration, now func() time.Time) (cached RateSource,
	forget func(namespace string)) {
	type entry struct {
		rates map[string]float64
		read  time.Time
	}
	var mu sync.Mutex
	known := map[string]entry{}
	cached = func(ctx context.Context, namespace string) (map[string]float64, error) {
		mu.Lock()
		e, ok := known[namespace]
		mu.Unlock()
		if age := now().Sub(e.read); ok && age >= 0 && age < maxAge {
			return e.rates, nil
		}
		rates, err := source(ctx, namespace)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		if len(known) >= mostCachedNamespaces {
			clear(known)
		}
		known[namespace] = entry{rates, now()}
		return rates, nil
	}
	forget = func(namespace string) {
		mu.Lock()
		defer mu.Unlock()
		delete(known, namespace)
	}
	return cached, forget
}

const mostCachedNamespaces = 1000
