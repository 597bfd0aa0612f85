package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// startOnSmallDisk runs the server in a mount namespace of its own, with a disk of some KiB on dir of which it leaves
// some free; removing ballast makes room. On a path of this process the disk is what seen gives. It needs no rights but
// those that a user has in his own namespace.
func startOnSmallDisk(t *testing.T, dir string, kib, free int, settings ...string) (h *host, seen string) {
	t.Helper()
	const script = `mount -t tmpfs -o size="$1"k tmpfs "$3" && head -c $(($1 - $2))k /dev/zero > "$3"/ballast && shift 3 && exec "$@"`
	unshare := func(args ...string) *exec.Cmd {
		return exec.Command("unshare",
			append([]string{"--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", strconv.Itoa(kib),
				strconv.Itoa(free), dir}, args...)...)
	}
	if out, err := unshare("true").CombinedOutput(); err != nil {
		t.Skipf("no small disk can be mounted here: %v, %s", err, out)
	}
	cmd := unshare(program)
	cmd.Env = environment(dir,
		append([]string{"PATH=" + os.Getenv("PATH"), "MEMORY_GRAPH_DB=" + filepath.Join(dir, "memory.db")}, settings...)...)
	h = run(t, cmd)
	return h, filepath.Join("/proc", strconv.Itoa(h.cmd.Process.Pid), "root", dir)
}

// The disk is full while turns are stored: each call that does not fit says so and leaves nothing, what was stored is
// found, and when there is room again the same process goes on.
func TestDisk_IsFull(t *testing.T) {
	t.Parallel()
	h, dir := startOnSmallDisk(t, t.TempDir(), 4<<10, 3<<10)
	h.initialize()
	h.store(arguments{"content": "the first turn makes the files"})

	l := newLedger(t, "full")
	refused := 0
	for refused < 10 {
		turn := l.next()
		turn.content += strings.Repeat(fmt.Sprintf(" padding %s", l.word(turn)), 3000)
		to := make(chan reply, 1)
		h.begin(to, "store_episode", turn.arguments(l))
		if _, err := l.note(turn, <-to); err != nil {
			refused++
		}
		if len(l.turns) > 200 {
			t.Fatal("200 turns fit on the small disk")
		}
	}
	t.Logf("%d turns fitted", len(l.turns)-refused)
	if e := h.refuses("store_episode", l.open()[0].arguments(l), "unavailable"); !strings.Contains(e.Message, "full") {
		t.Errorf("%q does not say that the disk is full", e.Message)
	}
	for _, turn := range l.turns {
		found := h.retrieve(arguments{"query": l.word(turn), "strategy": "text", "detail": "ids",
			"budget_tokens": 0}).Episodes
		if turn.id == "" && len(found) != 0 || turn.id != "" && (len(found) != 1 || found[0].ID != turn.id) {
			t.Errorf("%s (%q): found %+v while the disk is full", turn.key, turn.id, found)
		}
	}
	if err := os.Remove(filepath.Join(dir, "ballast")); err != nil {
		t.Fatal(err)
	}
	last := l.turns[len(l.turns)-1]
	h.eventually("store_episode", last.arguments(l))
	if d := doctor(t, filepath.Join(dir, "memory.db")); d.Database.Integrity != "sound" {
		t.Errorf("doctor: %+v", d)
	}
	to := make(chan reply, 1)
	h.begin(to, "store_episode", last.arguments(l))
	if duplicate, err := l.note(last, <-to); err != nil || !duplicate {
		t.Errorf("stored again with the same key: duplicate %v, %v", duplicate, err)
	}
	want := 1
	for _, turn := range l.turns {
		if turn.id != "" {
			want++
		}
	}
	if stored := h.all(); len(stored) != want {
		t.Errorf("%d turns are stored; want the %d that were acknowledged", len(stored), want)
	}
	h.stop()
}

// There is no room for the database at all, nor for the compiled SQLite.
func TestDisk_IsFullFromTheStart(t *testing.T) {
	t.Parallel()
	mount := t.TempDir()
	h, dir := startOnSmallDisk(t, mount, 6<<10, 64, "XDG_CACHE_HOME="+mount, "MEMORY_GRAPH_EMBEDDER=none")
	h.initialize()
	for tool, args := range map[string]arguments{"store_episode": {"content": "no room"},
		"retrieve": {"query": "no room"}} {
		if e := h.refuses(tool, args, "unavailable"); !strings.Contains(e.Message, "full") {
			t.Errorf("%q does not say that the disk is full", e.Message)
		}
	}
	if log := h.stderr.String(); !strings.Contains(log, "the cache of compiled modules cannot be used") {
		t.Errorf("no warning of the cache: %q", log)
	}
	if err := os.Remove(filepath.Join(dir, "ballast")); err != nil {
		t.Fatal(err)
	}
	h.eventually("store_episode", arguments{"content": "room"})
	if d := doctor(t, filepath.Join(dir, "memory.db")); d.Database.Integrity != "sound" || d.Database.Episodes != 1 {
		t.Errorf("doctor: %+v", d)
	}
	h.stop()
}
