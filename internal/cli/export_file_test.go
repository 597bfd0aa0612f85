package cli

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"memory-graph/internal/memory"
)

func TestWriteOut_LeavesAFileThatCameMeanwhile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "out.jsonl")
	err := writeOut(path, false, func(w io.Writer) error {
		if err := os.WriteFile(path, []byte("theirs"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := io.WriteString(w, "ours")
		return err
	})
	if memory.AsError(err).Code != memory.Conflict {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "theirs" {
		t.Errorf("%q, %v", text, err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
