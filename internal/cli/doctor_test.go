package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"memory-graph/internal/cli"
	"memory-graph/internal/memory"
	"memory-graph/migrations"
	"memory-graph/store"
)

// run runs one command line in an empty home. All tests share one cache, like all programs of a user.
func run(t *testing.T, home string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	env := []string{"HOME=" + home, "USERPROFILE=" + home, "LOCALAPPDATA=" + filepath.Join(home, "AppData"),
		"XDG_DATA_HOME=" + filepath.Join(home, "data"), "XDG_CONFIG_HOME=" +
			filepath.Join(home, "config"), "XDG_CACHE_HOME=" + cacheHome()}
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), args, env, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func cacheHome() string { return filepath.Join(os.TempDir(), "memory-graph-test-cache") }

// filled creates a database with two turns of one namespace in a home, and returns its path.
func filled(t *testing.T, home string) string {
	t.Helper()
	path := filepath.Join(home, "data", "memory-graph", "memory.db")
	s, err := store.Open(t.Context(), path, store.Options{CacheDir: filepath.Join(cacheHome(), "memory-graph")})
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"The meeting is on Monday.", "It moved to Tuesday."} {
		if _, err := s.RecordEpisode(t.Context(), newEpisode(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// doctor runs the command and reads its JSON.
func doctor(t *testing.T, home string, wantCode int, args ...string) map[string]any {
	t.Helper()
	code, stdout, stderr := run(t, home, append([]string{"doctor", "--json"}, args...)...)
	if code != wantCode || stderr != "" {
		t.Errorf("exit code %d, want %d; stderr %q", code, wantCode, stderr)
	}
	var r map[string]any
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if r["ok"] != (wantCode == 0) {
		t.Errorf("ok = %v with exit code %d: %s", r["ok"], wantCode, stdout)
	}
	return r
}

// findings returns the findings of one severity as text.
func findings(r map[string]any, severity string) string {
	var all []string
	list, _ := r["findings"].([]any)
	for _, f := range list {
		if m, ok := f.(map[string]any); ok && m["severity"] == severity {
			hint, _ := m["hint"].(string)
			all = append(all, m["message"].(string)+" "+hint)
		}
	}
	return strings.Join(all, "\n")
}

func database(r map[string]any) map[string]any {
	m, _ := r["database"].(map[string]any)
	return m
}

func TestDoctor_SaysThatTheDatabaseWillBeMade(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := doctor(t, home, 0)
	if database(r)["state"] != "missing" {
		t.Errorf("state = %v, want missing", database(r)["state"])
	}
	if left, _ := os.ReadDir(home); len(left) > 0 {
		t.Errorf("doctor left %v behind", left)
	}
	if _, text, _ := run(t, home, "doctor"); !strings.Contains(text, "the first start creates it") {
		t.Errorf("the text does not say so:\n%s", text)
	}
	if p := findings(doctor(t, home, 1, "--read-only"), "problem"); !strings.Contains(p,
		"read-only start cannot create it") {
		t.Errorf("read-only without a database: %q", p)
	}
}

func TestDoctor_CountsWhatASoundDatabaseHolds(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	filled(t, home)
	r := doctor(t, home, 0)
	d := database(r)
	if d["state"] != "ok" || d["integrity"] != "sound" || d["episodes"] != 2.0 || d["namespaces"] != 1.0 ||
		d["schema"] != float64(migrations.Latest()) {
		t.Errorf("database = %v", d)
	}
	if v, ok := r["versions"].(map[string]any); !ok || v["sqlite"] == nil || v["sqlite_vec"] == nil {
		t.Errorf("versions = %v", r["versions"])
	}
	if d := database(doctor(t, home, 0, "--quick")); d["integrity"] != "not checked" {
		t.Errorf("quick: integrity = %v", d["integrity"])
	}
}

func TestDoctor_FindsWhatIsBroken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		breaks func(t *testing.T, path string)
		want   string
	}{
		{"text", func(t *testing.T, path string) { write(t, path, strings.Repeat("no database at all\n", 99)) },
			"is not a SQLite database"},
		{"directory", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "is a directory"},
		{"damaged pages", func(t *testing.T, path string) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i := 4096; i < len(b); i++ {
				b[i] ^= 0xa5
			}
			write(t, path, string(b))
		}, "damaged"},
		{"newer", func(t *testing.T, path string) {
			exec(t, path, "INSERT INTO "+migrations.Table+" (version_id, is_applied) VALUES (9999, 1)")
		}, "newer than"},
		{"of another program", func(t *testing.T, path string) { exec(t, path, "PRAGMA application_id = 7") },
			"of another program"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			tt.breaks(t, filled(t, home))
			if p := findings(doctor(t, home, 1), "problem"); !strings.Contains(p, tt.want) {
				t.Errorf("problems = %q, want %q", p, tt.want)
			}
		})
	}
}

func TestDoctor_TellsHowFarDamageReaches(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, object, want string }{
		{"index", "mg_episodes_newest", "Only indexes are damaged"},
		{"another index", "mg_episodes_loose", "Only indexes are damaged"},
		{"table", "mg_jobs", "Tables are damaged"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			path := filled(t, home)
			spoil(t, path, tt.object)
			r := doctor(t, home, 1)
			p := findings(r, "problem")
			if !strings.Contains(p, tt.want) || !strings.Contains(p, "copy the file") ||
				strings.Contains(p, "memory-graph doctor") {
				t.Errorf("problems = %q, want %q and advice other than doctor", p, tt.want)
			}
			d := database(r)
			if lines, _ := d["damage"].([]any); len(lines) == 0 || d["integrity"] != "damaged" || d["episodes"] != 2.0 {
				t.Errorf("database = %v", d)
			}
			if _, text, _ := run(t, home, "doctor"); !strings.Contains(text, "Tree ") || !strings.Contains(text, "2 episodes") {
				t.Errorf("neither the lines nor the counts are in\n%s", text)
			}
			if _, text, _ := run(t, home, "doctor", "--quick"); strings.Contains(text, "No problem found") {
				t.Errorf("quick claims what it did not look at:\n%s", text)
			}
		})
	}
}

// spoil overwrites the root page of a table or an index.
func spoil(t *testing.T, path, object string) {
	t.Helper()
	c := open(t, path)
	s, _, err := c.Prepare("SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_schema WHERE name = '" +
		object + "'")
	if err != nil {
		t.Fatal(err)
	}
	if !s.Step() {
		t.Fatalf("there is no %s", object)
	}
	root, size := s.ColumnInt(0), s.ColumnInt(1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Exec("PRAGMA wal_checkpoint(truncate)"); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := (root - 1) * size; i < (root-1)*size+100; i++ {
		b[i] ^= 0xa5
	}
	write(t, path, string(b))
}

func TestDoctor_SaysThatAnotherProcessHoldsTheDatabase(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	db := open(t, filled(t, home))
	if err := db.Exec("PRAGMA locking_mode = exclusive; BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	r := doctor(t, home, 1, "--busy-timeout=100ms")
	if p := findings(r, "problem"); !strings.Contains(p, "locked by another process") {
		t.Errorf("problems = %q", p)
	}
}

func TestDoctor_WarnsOfFilesThatOthersCanRead(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing there")
	}
	home := t.TempDir()
	path := filled(t, home)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if w := findings(doctor(t, home, 0), "warning"); !strings.Contains(w, "can be read by other users (mode 0644)") {
		t.Errorf("warnings = %q", w)
	}
}

func TestDoctor_ReportsSettingsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	r := doctor(t, t.TempDir(), 1, "--max-hops=99")
	if p := findings(r, "problem"); !strings.Contains(p, "max_hops = 99") {
		t.Errorf("problems = %q", p)
	}
}

func newEpisode(content string) store.NewEpisode {
	return store.NewEpisode{Episode: memory.Episode{Scope: memory.Scope{Namespace: "default", SessionID: "s"},
		Role: memory.RoleUser, Content: content, OccurredAt: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC),
		Origin: memory.OriginUser, Status: memory.StatusPending}}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// open opens the file without the store, as another program would.
func open(t *testing.T, path string) *sqlite3.Conn {
	t.Helper()
	c, err := sqlite3.OpenContext(context.WithoutCancel(t.Context()), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() }) // the test has already checked the error
	return c
}

func exec(t *testing.T, path, sql string) {
	t.Helper()
	c := open(t, path)
	if err := c.Exec(sql); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}
