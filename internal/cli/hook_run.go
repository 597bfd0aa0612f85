package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"log/slog"
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
	"memory-graph/internal/safety/secrets"
)

// hookMemory is what a hook asks of the memory.
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
	home          string
	flags         hookFlags
	client, event string
	open          func(asks, stores bool) (hookMemory, error) // begins to open, and returns at once
	starting      func() bool                                 // whether SQLite is being made ready
	leave         func() error                                // starts a process that goes on when this one ends
}

// run goes the way of a hook: what is to be remembered is written down, the host gets its answer, and then it is
// stored. It returns when ctx ends, wherever it is: the process ends then, what is written down stays for the next one,
// and what was being written to the database did not happen.
func (h *hooking) run(ctx context.Context, stdin io.Reader, stdout io.Writer) {
	event, ok := wait(ctx, func() hooks.Event { return h.read(stdin) })
	if !ok {
		h.log.Warn("the host gave no payload in time: nothing is answered or stored")
		return
	}
	// which walks directories, where anything asks for it
	scope := sync.OnceValue(func() memory.Scope { return h.scope(event) })
	asks := event.TakesContext() && (event.Kind == hooks.Start || event.Kind == hooks.Prompt && event.Spoken()) &&
		h.cfg.BudgetTokens > 0
	kept, release := h.keep(event, scope, asks)
	defer release()
	// nothing is left to do here once the host is answered
	attended := h.cfg.ReadOnly || spool.Beside(h.cfg.DB).Attended(h.now())
	// where nothing is asked, the host need not wait for the memory
	text, answered := "", true
	if asks {
		text, answered = h.askServer(ctx, h.question(event, scope()))
	}
	if answered {
		h.answer(stdout, event, text)
		release()
		if attended || !kept && !h.waiting() {
			return
		}
	}
	m, err := h.open(!answered, !attended)
	if err != nil {
		h.log.Warn("the memory cannot be opened", "error", err)
		return
	}
	if !answered {
		block, ok := wait(ctx, func() string { return h.ask(ctx, m, h.question(event, scope())) })
		if !ok || block == "" && ctx.Err() != nil {
			h.answer(stdout, event, "")
			release()
			why, hint := h.late(m)
			h.log.Warn("the memory had no answer in time, so the host got none", "max", h.flags.max, "why", why, "hint", hint)
			h.leaveBehind()
			return
		}
		h.answer(stdout, event, block)
		release()
	}
	if attended {
		return
	}
	report, ok := wait(ctx, func() spool.Report { return h.store(ctx, m) })
	if !ok {
		h.log.Info("turns wait beside the database: there was no time left to store them")
		h.leaveBehind()
	}
	for _, err := range report.Errs {
		h.log.Warn("a turn is not stored", "error", err)
	}
}

// wait gives what do gives, unless ctx ends before.
func wait[T any](ctx context.Context, do func() T) (T, bool) {
	done := make(chan T, 1)
	go func() { done <- do() }()
	select {
	case v := <-done:
		return v, true
	case <-ctx.Done():
		select { // both may be
		case v := <-done:
			return v, true
		default:
			var none T
			return none, false
		}
	}
}

// read takes the payload.
func (h *hooking) read(stdin io.Reader) hooks.Event {
	data, err := io.ReadAll(io.LimitReader(stdin, hooks.MaxPayload))
	_, _ = io.Copy(io.Discard, stdin) // a host that cannot write all may take that for a failure
	if err != nil {
		h.log.Warn("the host's payload breaks off", "error", err)
	}
	event, err := hooks.Parse(h.client, h.event, data)
	switch {
	case err != nil && len(data) == hooks.MaxPayload:
		h.log.Info("the host's payload is longer than what is looked at: its beginning is taken", "looked_at", len(data))
	case err != nil:
		h.log.Warn("the host's payload is taken as far as it goes", "error", err, "bytes", len(data),
			"hint", "`memory-graph hook --help` lists the events; a host that is newer than this program may need a newer one")
	}
	if event.Kind == hooks.Answer && event.Text == "" && event.Transcript != "" {
		if event.Text, err = hooks.LastAnswer(event.Transcript, h.home); err != nil {
			h.log.Warn("the assistant's answer is not in the payload, and its transcript cannot be read", "error", err)
		}
	}
	return event
}

// keep writes the event's turn down and says whether there is one. Where it asks something, it is not to be stored
// before the host has its answer, which is of what was known until then: release says that it has.
func (h *hooking) keep(event hooks.Event, of func() memory.Scope, asks bool) (kept bool, release func()) {
	turn, ok := event.Turn(h.now(), hooks.Keeping{MaxBytes: h.cfg.Limits.ContentBytes, AllTools: h.flags.allTools,
		Server: h.flags.server})
	if !ok || h.cfg.ReadOnly {
		return false, func() {}
	}
	// As the recorder does: what is never stored is not left in a file either.
	content, _ := episodes.StripContext(turn.Text)
	content, _ = secrets.Mask(content)
	if strings.TrimSpace(content) == "" {
		return false, func() {}
	}
	scope := of()
	hold := time.Duration(0)
	if asks {
		hold = h.flags.max + time.Second // should this process be killed
	}
	dir := spool.Beside(h.cfg.DB)
	name, err := dir.Hold(spool.Entry{
		Namespace: scope.Namespace, Project: scope.Project, User: scope.User, Session: scope.SessionID,
		Role: turn.Role, Speaker: turn.Speaker, Source: memory.HookSource + event.Client, Content: content, At: turn.At,
		Key: turn.Key, Client: event.Client,
	}, h.now(), hold)
	if err != nil {
		h.log.Error("a turn is lost", "error", err, "hint",
			"`memory-graph doctor` looks at the directory; make sure that it can be written")
		return false, func() {}
	}
	return true, sync.OnceFunc(func() {
		if asks {
			dir.Release(name, h.now())
		}
	})
}

// waiting says whether turns of earlier hooks wait.
func (h *hooking) waiting() bool {
	names, err := spool.Beside(h.cfg.DB).Names(h.now())
	if err != nil {
		h.log.Warn("whether turns wait is unknown", "error", err)
	}
	return len(names) > 0
}

// scope says whose memory the event is about. A project that is set counts before the one that the payload leads to.
func (h *hooking) scope(event hooks.Event) memory.Scope {
	project := h.cfg.Project
	if project == "" {
		project = scopeName(hooks.Project(event.Dir, h.home), h.cfg.Limits.ScopeBytes)
	}
	return memory.Scope{Namespace: h.cfg.Namespace, Project: project,
		User: h.cfg.User, SessionID: scopeName(event.Session, h.cfg.Limits.ScopeBytes)}
}

// scopeName makes a name that a scope can have: without control characters, and of one that is too long its beginning
// and its hash, so that two stay two.
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

// ask gives the context that is asked for; "" where there is none.
func (h *hooking) ask(ctx context.Context, m hookMemory, q socket.ContextRequest) string {
	text, err := m.Answer(ctx, q)
	h.failed(ctx, err)
	return text
}

// askServer asks a server that has the memory open, where one runs. It has half the time: what is left is for opening
// the memory here.
func (h *hooking) askServer(ctx context.Context, q socket.ContextRequest) (text string, ok bool) {
	until, _ := ctx.Deadline()
	ctx, cancel := context.WithTimeout(ctx, time.Until(until)/2)
	defer cancel()
	path := socket.Beside(string(spool.Beside(h.cfg.DB)))
	text, err := socket.Ask(ctx, path, q)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.log.Debug("no server was asked, or none answered", "path", path, "error", err)
	}
	return text, err == nil
}

// question is what an event asks.
func (h *hooking) question(event hooks.Event, scope memory.Scope) socket.ContextRequest {
	q := socket.ContextRequest{Scope: scope, Budget: h.cfg.BudgetTokens}
	if event.Kind == hooks.Start {
		q.Begins, q.Source = true, event.Source
	} else {
		q.Message = event.Text
	}
	return q
}

// failed logs why there is no context, unless the time is over, which is told elsewhere.
func (h *hooking) failed(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		h.log.Warn("the memory cannot answer, so the host got no context", "error", err)
	}
}

// store brings what was written down, now or earlier, into the database.
func (h *hooking) store(ctx context.Context, m hookMemory) spool.Report {
	report, err := m.Drain(ctx)
	if err != nil && ctx.Err() == nil {
		h.log.Warn("turns wait beside the database, which cannot be opened", "error", err)
	}
	return report
}

// answer writes to the host. One that does not listen is no failure.
func (h *hooking) answer(stdout io.Writer, event hooks.Event, context string) {
	if out := event.Answer(context); out != nil {
		if _, err := stdout.Write(out); err != nil {
			h.log.Warn("the host did not take the answer", "error", err)
		}
	}
}
