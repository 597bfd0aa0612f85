package engine_test

import (
	"fmt"
	"log/slog"
	"testing"

	"memory-graph/internal/engine"
	"memory-graph/internal/retrieval"
	"memory-graph/internal/waitfor"
)

// Every mode finds what every other mode has stored, even if that process made no vectors.
func TestModes_StoreAndAnswer(t *testing.T) {
	t.Parallel()
	cfg := settings(t)
	for i, mode := range []engine.Mode{engine.Server, engine.Command, engine.Writer, engine.Storer,
		engine.Reader, engine.Asker, engine.AskerAndWriter} {
		e, err := engine.Start(cfg, slog.New(slog.DiscardHandler), engine.As(mode))
		if err != nil {
			t.Fatal(err)
		}
		put(t, e, fmt.Sprintf("Violin %d is old.", i))
		if a := ask(t, e, "violin", retrieval.Text); len(a.Episodes) != min(i+1, 3) {
			t.Errorf("mode %d finds %d turns", mode, len(a.Episodes))
		}
		if st, err := e.State(t.Context(), "n"); err != nil || i >= 2 && st.Pending == 0 {
			t.Errorf("mode %d made vectors, or %v", mode, err)
		}
		if i < 2 {
			waitfor.Until(t, "vectors", func() bool { return settled(t, e) })
		}
		e.Close()
	}
}
