package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func saying(text string) func(*os.File) error {
	return func(f *os.File) error { _, err := f.WriteString(text); return err }
}

// files returns the contents of a directory's files by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range list {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(text)
	}
	return out
}

func TestReplace_PutsAFileInTheOthersPlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	for _, text := range []string{"one", "two"} {
		if err := Replace(path, saying(text)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"a": text}, files(t, dir)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestCreateNew_LeavesWhatIsThere(t *testing.T) {
	t.Parallel()
	for name, create := range map[string]func(string, func(*os.File) error) error{
		"with links": CreateNew,
		"without links": func(path string, write func(*os.File) error) error {
			return beside(path, write, func(part string) error { return renameNew(part, path) })
		},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a")
		if err := create(path, saying("one")); err != nil {
			t.Fatal(name, err)
		}
		if err := create(path, saying("two")); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(map[string]string{"a": "one"}, files(t, dir)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestCreateNew_LetsOneOfManyWin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var won atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := CreateNew(filepath.Join(dir, "a"), saying("x")); err == nil {
				won.Add(1)
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if diff := cmp.Diff(map[string]string{"a": "x"}, files(t, dir)); diff != "" || won.Load() != 1 {
		t.Errorf("%d won: %s", won.Load(), diff)
	}
}

func TestReplace_LeavesNothingOfWhatIsCutOff(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, full := filepath.Join(dir, "a"), errors.New("full")
	if err := Replace(path, saying("one")); err != nil {
		t.Fatal(err)
	}
	err := Replace(path, func(f *os.File) error {
		_, _ = f.WriteString(strings.Repeat("two", 1000))
		return full
	})
	if !errors.Is(err, full) {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one"}, files(t, dir)); diff != "" {
		t.Error(diff)
	}
	if err := Replace(filepath.Join(dir, "nowhere", "a"), saying("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
