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

// spoolReport is what hooks have written down and nobody has stored yet.
type spoolReport struct {
	Turns   int    `json:"turns"` // -1 where it is unknown, as are the other counts then
	Bytes   int64  `json:"bytes"`
	Oldest  string `json:"oldest,omitempty"`  // when it was written down
	Broken  int    `json:"broken"`            // files that hold no turn that can be stored
	Unknown string `json:"unknown,omitempty"` // why nothing is known
	oldest  time.Time
}

// readSpool counts what waits beside a database. A spool that cannot be read, such as another user's, keeps nobody from
// the rest: it is unknown.
func readSpool(db string) spoolReport {
	w, err := spool.Beside(db).Waiting()
	if err != nil {
		return spoolReport{Turns: -1, Bytes: -1, Broken: -1, Unknown: memory.Reason(err).Error()}
	}
	return spoolReport{Turns: w.Turns, Bytes: w.Bytes, Oldest: memory.RFC3339(w.Oldest), Broken: w.Broken,
		oldest: w.Oldest}
}

// checkSocket says what is wrong with the socket in a spool. That there is none, or no spool, is fine.
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

// line says for a person how much waits.
func (s spoolReport) line() string {
	switch {
	case s.Unknown != "":
		return "unknown: what hooks wrote down cannot be read (" + s.Unknown + ")"
	case s.Turns == 0:
		return "no turn waits to be stored"
	}
	return fmt.Sprintf("%s to be stored, %s, since %s", many(int64(s.Turns), "turn waits", "turns wait"), size(s.Bytes),
		localTime(s.oldest))
}

// waitsLong is the age at which a turn that waits is worth a word: the next hook or a server would have stored it.
const waitsLong = 10 * time.Minute

// examineHooks looks for turns that wait beside the database, and says who is going to store them.
func (r *report) examineHooks(cfg *config.Config, now time.Time) {
	waits := readSpool(cfg.DB)
	r.Hooks = waits
	if err := private.CheckDir(string(spool.Beside(cfg.DB))); err != nil {
		e := memory.AsError(err)
		r.warning(e.Message, "Hooks and servers use it only where it is this user's own. "+e.Hint)
	} else if err := checkSocket(spool.Beside(cfg.DB)); err != nil {
		e := memory.AsError(err)
		r.warning("In "+string(spool.Beside(cfg.DB))+": "+e.Message, "No hook asks there. "+e.Hint)
	}
	if waits.Unknown != "" {
		r.warning(fmt.Sprintf("What hooks wrote down in %s cannot be read: %s.", spool.Beside(cfg.DB), waits.Unknown),
			"Give this user the right to read it, or look as the user whose hooks wrote it.")
	}
	log := r.Places.HookLog
	if log == "" {
		log = "hook.log"
	}
	if waits.Turns > 0 && now.Sub(waits.oldest) > waitsLong && !spool.Beside(cfg.DB).Attended(now) {
		r.warning(fmt.Sprintf("%s beside the database, since %s.",
			many(int64(waits.Turns), "turn of a hook waits", "turns of hooks wait"), localTime(waits.oldest)),
			"The next hook stores them, and so does any host that starts memory-graph (`memory-graph serve`); "+log+
				" says what kept the hooks before from it.")
	}
	if waits.Broken > 0 {
		r.warning(fmt.Sprintf("%s in %s and cannot be stored.",
			many(int64(waits.Broken), "file of a hook lies", "files of hooks lie"), spool.Beside(cfg.DB)),
			"They end in .broken: look at them, and delete them; "+log+" says what was wrong.")
	}
}
