package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"

	"memory-graph/episodes"
	"memory-graph/internal/config"
	"memory-graph/internal/hooks"
	"memory-graph/internal/hooks/socket"
	"memory-graph/internal/hooks/spool"
	"memory-graph/internal/memory"
)

// hookMemory is the part of the engine that a hook uses.
type hookMemory interface {
	Answer(ctx context.Context, q socket.ContextRequest) (string, error)
	Drain(ctx context.Context) (spool.Report, error)
	Opened() bool
}

// hooking is one run of a hook.
type hooking struct {
	cfg           *config.Config
	log           *slog.Logger
	now           func() time.Time
	home, dir     string // the user's home and this process's directory
	flags         hookFlags
	client, event string
	sources       config.Sources
	tellsSession  bool          // the host gives servers a session that may be another one: see hostSession
	about         memory.Scope  // of the event, once scope has run
	max           time.Duration // how long the host waits for an answer
	until         time.Time     // when run returns at the latest, once the payload is there
	storeUntil    time.Time     // when storing ends, so that the host waits no longer

	// open starts opening and returns at once; message is the text to search for, "" for none
	open     func(message string, stores bool) (hookMemory, error)
	starting func() bool  // whether SQLite is being compiled or loaded
	leave    func() error // starts the background drainer
}

// run handles one hook: it writes the turn to the spool, answers the host, and then stores the turns that wait. A
// message stays in the spool until the hook of its answer, because storing loads more than answering and the host
// waits. run waits for the payload until ctx ends, and returns at h.until, at any point: the turn stays in the spool,
// and an unfinished database transaction is rolled back.
func (h *hooking) run(ctx context.Context, stdin io.Reader, stdout io.Writer) {
	event, ok := wait(ctx, func() hooks.Event { return h.read(stdin) })
	if !ok {
		h.log.Warn("the host sent no payload in time: nothing is answered or stored")
		return
	}
	ctx, cancel := context.WithDeadline(ctx, h.until)
	defer cancel()
	// evaluated once and only if needed, since it reads directories
	scope := sync.OnceValue(func() memory.Scope { return h.scope(event) })
	asks := event.TakesContext() && (event.Kind == hooks.Start || event.Kind == hooks.Prompt && event.Spoken()) &&
		h.cfg.BudgetTokens > 0
	kept, release := h.keep(event, scope, asks)
	defer release()
	h.announce(event)
	// without a question, the host does not wait for the memory
	text, answered := "", true
	if asks {
		text, answered = h.askServer(ctx, h.question(event, scope()))
	}
	if answered {
		h.answer(stdout, event, scope, text)
		release()
		if kept {
			h.tellServer(ctx)
		}
		if event.Kind == hooks.Prompt || h.attended() || !kept && !h.waiting() {
			return
		}
	}
	stores := answered || !h.cfg.ReadOnly && h.waiting() // the turn of a question is held
	// The gist of the last session needs no search, so it needs neither the embedder nor the classifier.
	message := ""
	if !answered && event.Kind == hooks.Prompt {
		message = event.Text
	}
	m, err := h.open(message, stores)
	if err != nil {
		h.log.Warn("cannot open the memory", "error", err)
		return
	}
	if !answered {
		block, ok := wait(ctx, func() string { return h.ask(ctx, m, h.question(event, scope())) })
		if !ok || block == "" && ctx.Err() != nil {
			h.answer(stdout, event, scope, "")
			release()
			why, hint := h.late(m)
			h.log.Warn("no answer in time: the host got no context", "max", h.max, "why", why, "hint", hint)
			h.leaveBehind()
			return
		}
		h.answer(stdout, event, scope, block)
		stores = stores && h.waiting() // not all turns could be stored before the answer
		release()
	}
	if !stores || h.attended() {
		return
	}
	ctx, stop := context.WithDeadline(ctx, h.storeUntil)
	defer stop()
	report, ok := wait(ctx, func() spool.Report { return h.store(ctx, m) })
	if !ok {
		h.log.Info("turns wait in the spool: there was no time left to store them")
		h.leaveBehind()
	}
	for _, err := range report.Errs {
		h.log.Warn("a turn could not be stored", "error", err)
	}
}

// likelyOpens reports whether this hook will probably open the database: its event needs an answer, and there is no
// socket of a server.
func (h *hooking) likelyOpens() bool {
	kind := hooks.KindOf(h.client, h.event)
	if h.cfg.BudgetTokens == 0 || kind != hooks.Start && kind != hooks.Prompt {
		return false
	}
	_, err := os.Lstat(socket.Beside(string(spool.Beside(h.cfg.DB))))
	return errors.Is(err, fs.ErrNotExist)
}

// attended reports whether a server or drainer stores the turns, or nothing may be stored.
func (h *hooking) attended() bool { return h.cfg.ReadOnly || spool.Beside(h.cfg.DB).Attended(h.now()) }

// wait returns the result of do, and false if ctx ends first.
func wait[T any](ctx context.Context, do func() T) (T, bool) {
	done := make(chan T, 1)
	go func() { done <- do() }()
	select {
	case v := <-done:
		return v, true
	case <-ctx.Done():
		select { // both may be ready: prefer the result
		case v := <-done:
			return v, true
		default:
			var none T
			return none, false
		}
	}
}

// read reads and parses the payload.
func (h *hooking) read(stdin io.Reader) hooks.Event {
	data, err := io.ReadAll(io.LimitReader(stdin, hooks.MaxPayload))
	_, _ = io.Copy(io.Discard, stdin) // a host may treat a failed write as a failure of the hook
	if err != nil {
		h.log.Warn("the host's payload is incomplete", "error", err)
	}
	event, err := hooks.Parse(h.client, h.event, data)
	switch {
	case err != nil && len(data) == hooks.MaxPayload:
		h.log.Info("the host's payload is too long: only its beginning is used", "looked_at", len(data))
	case err != nil:
		h.log.Warn("the host's payload is invalid: only a part of it is used", "error", err, "bytes", len(data),
			"hint", "`memory-graph hook --help` lists the events; a newer host may need a newer memory-graph")
	}
	if event.Inside && event.Dir == "" {
		event.Dir = h.dir
	}
	if event.Kind == hooks.Answer && event.Text == "" && event.Transcript != "" {
		if event.Text, err = hooks.LastAnswer(event.Transcript, h.home); err != nil {
			h.log.Warn("the payload lacks the assistant's answer, and the transcript cannot be read", "error", err)
		}
	}
	return event
}

// keep writes the event's turn to the spool, and reports whether it has one. If the event needs an answer (asks), the
// turn must not be stored before the host has it, since the answer must not contain the turn. release ends this hold.
func (h *hooking) keep(event hooks.Event, of func() memory.Scope, asks bool) (kept bool, release func()) {
	turn, ok := event.Turn(h.now(), hooks.Keeping{MaxBytes: h.cfg.Limits.ContentBytes, AllTools: h.flags.allTools,
		Server: h.flags.server})
	if !ok || h.cfg.ReadOnly {
		return false, func() {}
	}
	// The recorder does not store such turns, so do not write them to a file either.
	content := episodes.Text(turn.Text)
	if content == "" {
		return false, func() {}
	}
	scope := of()
	hold := time.Duration(0)
	if asks {
		hold = h.max + time.Second // a limit in case this process is killed
	}
	dir := spool.Beside(h.cfg.DB)
	name, err := dir.Hold(spool.Entry{
		Namespace: scope.Namespace, Project: scope.Project, User: scope.User, Session: scope.SessionID,
		Role: turn.Role, Speaker: turn.Speaker, Source: memory.HookSource + event.Client, Content: content, At: turn.At,
		Key: turn.Key, Client: event.Client,
	}, h.now(), hold)
	if err != nil {
		h.log.Error("a turn is lost", "error", err, "hint",
			"make sure that the spool is writable; `memory-graph doctor` checks it")
		return false, func() {}
	}
	return true, sync.OnceFunc(func() {
		if asks {
			dir.Release(name, h.now())
		}
	})
}

// waiting reports whether turns of earlier hooks wait in the spool.
func (h *hooking) waiting() bool {
	names, err := spool.Beside(h.cfg.DB).Names(h.now())
	if err != nil {
		h.log.Warn("cannot check whether turns wait in the spool", "error", err)
	}
	return len(names) > 0
}

// scope returns the scope of the event. A configured project overrides the one found from the payload. The namespace is
// that of the project's route.
func (h *hooking) scope(event hooks.Event) memory.Scope {
	r := newRouting(h.cfg, h.sources).of(h.cfg.Project, event.Dir, h.home)
	h.about = eventScope(h.cfg, r, event)
	return h.about
}

// scopeName makes s a valid name in a scope. It removes control characters. It shortens a name longer than most bytes
// to its beginning and a hash, so different names stay different.
func scopeName(s string, most int) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "")))
	if len(s) <= most {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	tail := "~" + hex.EncodeToString(sum[:8])
	if most <= len(tail) {
		return tail[1:][:min(most, len(tail)-1)]
	}
	return strings.ToValidUTF8(s[:most-len(tail)], "") + tail
}

// ask returns the context block for q, or "" if there is none. The turns that earlier hooks left behind are stored
// first, in at most half of the time, so that the answer knows them.
func (h *hooking) ask(ctx context.Context, m hookMemory, q socket.ContextRequest) string {
	if !h.cfg.ReadOnly && h.waiting() {
		until, _ := ctx.Deadline()
		first, cancel := context.WithTimeout(ctx, until.Sub(h.now())/2)
		_, _ = m.Drain(first) // what is not stored now is stored or reported after the answer
		cancel()
	}
	text, err := m.Answer(ctx, q)
	h.failed(ctx, err)
	return text
}

// askServer asks a running server that has the memory open. It may take half the time; the rest is for opening the
// memory in this process if no server answers.
func (h *hooking) askServer(ctx context.Context, q socket.ContextRequest) (text string, ok bool) {
	until, _ := ctx.Deadline()
	ctx, cancel := context.WithTimeout(ctx, time.Until(until)/2)
	defer cancel()
	path := socket.Beside(string(spool.Beside(h.cfg.DB)))
	text, err := socket.Ask(ctx, path, q)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.log.Debug("no server answered", "path", path, "error", err)
	}
	return text, err == nil
}

// tellServer lets a running server store the turn now. Otherwise the server would store it within a second, or while it
// ends, and the host waits for that.
func (h *hooking) tellServer(ctx context.Context) {
	_ = socket.Tell(ctx, socket.Beside(string(spool.Beside(h.cfg.DB)))) // the server looks by itself, too
}

// question returns the context request of an event.
func (h *hooking) question(event hooks.Event, scope memory.Scope) socket.ContextRequest {
	q := socket.ContextRequest{Scope: scope, Budget: h.cfg.BudgetTokens}
	if event.Kind == hooks.Start {
		q.Begins, q.Source = true, event.Source
	} else {
		q.Message = event.Text
	}
	return q
}

// failed logs why there is no context. It does not log a timeout, which run does.
func (h *hooking) failed(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		h.log.Warn("the memory cannot answer: the host got no context", "error", err)
	}
}

// store moves the turns of the spool, of this hook and earlier ones, into the database.
func (h *hooking) store(ctx context.Context, m hookMemory) spool.Report {
	report, err := m.Drain(ctx)
	if err != nil && ctx.Err() == nil {
		h.log.Warn("turns wait in the spool: the database cannot be opened", "error", err)
	}
	return report
}

// answer writes the answer to the host, without items that the session was shown before. If the host does not read it,
// this is only logged.
func (h *hooking) answer(stdout io.Writer, event hooks.Event, of func() memory.Scope, context string) {
	seen := spool.Beside(h.cfg.DB)
	session, begins := "", event.Kind == hooks.Start
	if event.TakesContext() && event.Session != "" && !h.cfg.ReadOnly {
		session = event.Client + "/" + of().Namespace + "/" + event.Session
	}
	if !begins {
		context = seen.Unseen(session, context, h.now())
	}
	if out := event.Answer(context); out != nil {
		if _, err := stdout.Write(out); err != nil {
			h.log.Warn("the host did not read the answer", "error", err)
			return
		}
	}
	seen.Saw(session, context, begins, h.now())
}
