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

// examineHooks warns of problems with the spool, and of turns that wait there too long.
func (r *report) examineHooks(cfg *config.Config, now time.Time) {
	waits := readSpool(cfg.DB)
	r.Hooks = waits
	if err := private.CheckDir(string(spool.Beside(cfg.DB))); err != nil {
		e := memory.AsError(err)
		r.warning(e.Message, "Hooks and servers use the spool only if it belongs to this user. "+e.Hint)
	} else if err := checkSocket(spool.Beside(cfg.DB)); err != nil {
		e := memory.AsError(err)
		r.warning("In "+string(spool.Beside(cfg.DB))+": "+e.Message, "Hooks do not use this socket. "+e.Hint)
	}
	if waits.Unknown != "" {
		r.warning(fmt.Sprintf("Cannot read the spool of hooks, %s: %s.", spool.Beside(cfg.DB), waits.Unknown),
			"Make it readable for this user, or run doctor as the user whose hooks wrote it.")
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
