package store

import (
	"context"
	"testing"

	"github.com/ncruces/go-sqlite3"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// sqliteModule is SQLite as it comes with its package: opening a database replaces it with the outline.
var sqliteModule = sqlite3.Binary

func runtimeConfig(t testing.TB, dir string) wazero.RuntimeConfig {
	t.Helper()
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cache.Close(context.Background()) })
	return wazero.NewRuntimeConfig().WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesThreads).
		WithCompilationCache(cache)
}

// The outline's own code only traps: it is never made instead of reading SQLite's, and never stored.
func TestOutline_IsNotCompiledWithoutItsCode(t *testing.T) {
	t.Parallel()
	short, err := outline(sqliteModule)
	if err != nil {
		t.Fatal(err)
	}
	if len(short) > len(sqliteModule)/8 {
		t.Errorf("the outline has %d of %d bytes", len(short), len(sqliteModule))
	}
	dir := t.TempDir()
	if err := compile(cached, runtimeConfig(t, dir), short); err == nil {
		t.Error("the outline was compiled")
	}
	if file, err := onlyFile(dir); err == nil {
		t.Errorf("%s was stored", file)
	}
	// the same module, with its cache
	if err := compile(anew, runtimeConfig(t, dir), short); err != nil {
		t.Fatal(err)
	}
	if err := compile(cached, runtimeConfig(t, dir), short); err != nil {
		t.Errorf("what is in the cache is not read: %v", err)
	}
}

// Each module has an outline of its own, also if it differs in the body of one function only.
func TestOutline_NamesTheCodeItStandsFor(t *testing.T) {
	t.Parallel()
	module := func(body string) []byte {
		return []byte("\x00asm\x01\x00\x00\x00" + "\x01\x05\x01\x60\x00\x01\x7f" + "\x03\x02\x01\x00" +
			"\x0a\x06\x01\x04\x00" + body + "\x0b")
	}
	one, err := outline(module("\x41\x01"))
	if err != nil {
		t.Fatal(err)
	}
	two, err := outline(module("\x41\x02"))
	if err != nil {
		t.Fatal(err)
	}
	if string(one) == string(two) {
		t.Errorf("%q stands for both", one)
	}
	if err := compile(anew, wazero.NewRuntimeConfig(), one); err != nil {
		t.Errorf("%q is not valid: %v", one, err)
	}
}

func FuzzOutline(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x01\x05\x01\x60\x00\x01\x7f\x03\x02\x01\x00\x0a\x06\x01\x04\x00\x41\x01\x0b"))
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0a"))
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0a\x05\xff\xff\xff\xff\x0f"))
	f.Fuzz(func(t *testing.T, module []byte) {
		if short, err := outline(module); err == nil && len(short) > 4*len(module)+64 {
			t.Errorf("%d bytes became %d", len(module), len(short))
		}
	})
}
