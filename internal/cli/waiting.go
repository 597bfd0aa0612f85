package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"memory-graph/internal/config"
	"memory-graph/internal/hooks/socket"
	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
	"memory-graph/internal/safety/private"
)

// spoolReport counts the turns that wait in the spool.
type spoolReport struct {
	Turns   int    `json:"turns"` // -1 if unknown; the other counts are then unknown too
	Bytes   int64  `json:"bytes"`
	Oldest  string `json:"oldest,omitempty"`  // when the oldest turn was written
	Broken  int    `json:"broken"`            // files without a valid turn
	Unknown string `json:"unknown,omitempty"` // why the counts are unknown
	oldest  time.Time
}

// readSpool counts the turns in the spool of a database. If the spool cannot be read, such as another user's, it sets
// Unknown instead of failing.
func readSpool(db string) spoolReport {
	w, err := spool.Beside(db).Waiting()
	if err != nil {
		return spoolReport{Turns: -1, Bytes: -1, Broken: -1, Unknown: memory.Reason(err).Error()}
	}
	return spoolReport{Turns: w.Turns, Bytes: w.Bytes, Oldest: memory.RFC3339(w.Oldest), Broken: w.Broken,
		oldest: w.Oldest}
}

// checkSocket returns what is wrong with the socket in a spool. A missing socket or spool is not an error.
func checkSocket(d spool.Dir) error {
	root, err := private.LookInto(string(d))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	err = private.CheckSocket(root, filepath.Base(socket.Beside(string(d))))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, root.Close())
}

// line returns the counts as text.
func (s spoolReport) line() string {
	switch {
	case s.Unknown != "":
		return "unknown: the spool cannot be read (" + s.Unknown + ")"
	case s.Turns == 0:
		return "no turns"
	}
	return fmt.Sprintf("%s to be stored, %s, since %s", many(int64(s.Turns), "turn waits", "turns wait"), size(s.Bytes),
		localTime(s.oldest))
}

// waitsLong is the age at which doctor warns of a turn that waits: normally the next hook or a server stores it sooner.
const waitsLong = 10 * time.Minute

// examineHooks reports problems with the spool, and warns of turns that wait there too long. A spool that hooks cannot
// use is a problem: their turns are lost. One that only has too many permissions is not, since the next hook mends it.
func (r *report) examineHooks(cfg *config.Config, now time.Time) {
	waits := readSpool(cfg.DB)
	r.Hooks = waits
	dir := spool.Beside(cfg.DB)
	var wrong *memory.Error
	root, err := private.LookInto(string(dir))
	if err == nil {
		err = root.Close()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.As(err, &wrong):
		r.problem(wrong.Message, "Hooks and servers do not use this directory, so the turns of hooks are lost. "+wrong.Hint)
	case waits.Unknown != "":
		r.problem(fmt.Sprintf("Cannot read the spool of hooks, %s: %s.", dir, waits.Unknown),
			"Make it readable for this user, or run doctor as the user whose hooks wrote it.")
	default:
		if errors.As(private.CheckDir(string(dir)), &wrong) {
			r.warning(wrong.Message, wrong.Hint)
		}
		if errors.As(checkSocket(dir), &wrong) {
			r.problem("In "+string(dir)+": "+wrong.Message, "Hooks cannot ask a server through it. "+wrong.Hint)
		}
	}
	log := r.Places.HookLog
	if log == "" {
		log = "hook.log"
	}
	if waits.Turns > 0 && now.Sub(waits.oldest) > waitsLong && !spool.Beside(cfg.DB).Attended(now) {
		r.warning(fmt.Sprintf("%s in the spool, since %s.",
			many(int64(waits.Turns), "turn of a hook waits", "turns of hooks wait"), localTime(waits.oldest)),
			"The next hook stores them, and so does a host that starts memory-graph (`memory-graph serve`). "+log+
				" says why earlier hooks did not.")
	}
	if waits.Broken > 0 {
		r.warning(fmt.Sprintf("%s in %s cannot be stored.",
			many(int64(waits.Broken), "file of a hook", "files of hooks"), spool.Beside(cfg.DB)),
			"Their names end in .broken. Check and delete them; "+log+" says what was wrong.")
	}
}
