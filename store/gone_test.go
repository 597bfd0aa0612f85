package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"memory-graph/internal/memory"
	"memory-graph/store"
)

func TestStore_AcknowledgesNothingIntoAFileThatIsGone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a file in use cannot be removed there")
	}
	for name, vanish := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, nil, 0o600))
		},
	} {
		path := filepath.Join(t.TempDir(), "memory.db")
		s := open(t, path, store.Options{})
		record(t, s, turn("s", "kept"))
		if err := vanish(path); err != nil {
			t.Fatal(err)
		}
		_, writeErr := s.RecordEpisode(t.Context(), turn("s", "lost"))
		_, readErr := s.Episodes(t.Context(), "default", []int64{1})
		for _, err := range []error{writeErr, readErr} {
			var e *memory.Error
			if !errors.As(err, &e) || e.Code != memory.Unavailable || e.Hint == "" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
