package engine

import (
	"context"
	"crypto/sha256"
	"time"

	"memory-graph/episodes"
	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
	"memory-graph/store"
)

// sameTurn is the maximum difference between the time of a turn in the host's file and its time from a hook or a call.
const sameTurn = 10 * time.Minute

// state is what is stored of a turn.
type state int

const (
	isNew    state = iota // nothing
	isStored              // the turn
	isRaised              // the turn, which the import now vouches for
)

// known tells which turns of a file are stored already.
type known struct {
	i        *Sessions
	sessions map[memory.Scope]*knownSession
	claimed  map[int64]bool // stored turns that are matched to a turn of the file
}

// knownSession has the stored turns of a session.
type knownSession struct {
	byKey  map[string]store.StoredTurn
	others knownTurns // from hooks and calls, and imported ones without a key
}

// knownTurns are stored turns by the hash of their content.
type knownTurns map[[sha256.Size]byte][]store.StoredTurn

func (k knownTurns) add(t store.StoredTurn) { k[t.Hash] = append(k[t.Hash], t) }

func (i *Sessions) newKnown() *known {
	return &known{i: i, sessions: map[memory.Scope]*knownSession{}, claimed: map[int64]bool{}}
}

// of reports whether a turn is stored already. It is if a stored turn has the same key. It also is if a stored turn has
// the same words, role and (about) time, and came from a hook or an import without keys in the same session, or from a
// call. Each stored turn matches only one turn. dated says that the time of the turn is known.
func (k *known) of(ctx context.Context, in store.NewEpisode, dated bool) (state, error) {
	s, err := k.session(ctx, in.Scope)
	if err != nil {
		return isNew, err
	}
	if t, ok := s.byKey[in.IdempotencyKey]; ok && in.IdempotencyKey != "" {
		k.claimed[t.ID] = true
		if in.Raise && in.Role != memory.RoleTool && t.Origin == memory.OriginTool {
			return isRaised, nil
		}
		return isStored, nil
	}
	called, err := k.called(ctx, in.Scope.Namespace)
	if err != nil || len(s.others)+len(called) == 0 {
		return isNew, err
	}
	hash := sha256.Sum256([]byte(episodes.Text(in.Content)))
	for _, turns := range []knownTurns{s.others, called} {
		for _, t := range turns[hash] {
			near := t.At.Sub(in.OccurredAt).Abs() <= sameTurn || !dated && !t.Called
			if t.Role == in.Role && near && !k.claimed[t.ID] {
				k.claimed[t.ID] = true
				return isStored, nil
			}
		}
	}
	return isNew, nil
}

// session reads the stored turns of a session.
func (k *known) session(ctx context.Context, scope memory.Scope) (*knownSession, error) {
	scope = secrets.Scope(memory.Scope{Namespace: scope.Namespace, SessionID: scope.SessionID})
	if s := k.sessions[scope]; s != nil {
		return s, nil
	}
	s := &knownSession{byKey: map[string]store.StoredTurn{}, others: knownTurns{}}
	err := k.i.s.store.SessionTurns(ctx, scope.Namespace, scope.SessionID, func(t store.StoredTurn) {
		if t.Key != "" {
			s.byKey[t.Key] = t
		}
		if t.Hooked || t.Called || t.Key == "" {
			s.others.add(t)
		}
	})
	k.sessions[scope] = s
	return s, err
}

// called reads the turns that agents stored themselves, which need not name the session.
func (k *known) called(ctx context.Context, namespace string) (knownTurns, error) {
	if turns, ok := k.i.called[namespace]; ok {
		return turns, nil
	}
	turns := knownTurns{}
	err := k.i.s.store.CalledTurns(ctx, namespace, turns.add)
	k.i.called[namespace] = turns
	return turns, err
}
