package builtin

import "memory-graph/internal/embedding/builtin/internal/weights"

const (
	windowTokens = weights.MaxTokens - 2 // [CLS] and [SEP] take two
	maxWindows   = 4
)

// window is a range of a text's tokens.
type window struct{ from, to int }

// windows splits n tokens as described in the package comment. There is always at least one window; it may be empty.
func windows(n int) []window {
	count := max(1, (n+windowTokens-1)/windowTokens)
	all := make([]window, min(count, maxWindows))
	for i := range all {
		if count <= maxWindows {
			all[i] = window{i * n / count, (i + 1) * n / count}
		} else {
			from := i * (n - windowTokens) / (maxWindows - 1)
			all[i] = window{from, from + windowTokens}
		}
	}
	return all
}
