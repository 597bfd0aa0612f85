package server

import (
	"slices"
	"testing"
	"time"
)

// book returns sessions with a clock that the test controls, and the ids of ended sessions.
func book(most int) (s *sessions, now *time.Time, ended *[]string) {
	now, ended = new(time.Time), new([]string)
	s = newSessions(func(id string) {
		*ended = append(*ended, id)
		_, _ = s.Terminate(id)
	})
	s.most, s.idle, s.now = most, time.Hour, func() time.Time { return *now }
	return s, now, ended
}

func open(s *sessions, id string) bool {
	_, err := s.Validate(id)
	return err == nil
}

func TestSessions_EndAfterTheirIdleTime(t *testing.T) {
	t.Parallel()
	s, now, ended := book(10)
	idle, used, busy := s.Generate(), s.Generate(), s.Generate()
	s.enter(busy)
	*now = now.Add(40 * time.Minute)
	s.enter(used)
	s.leave(used)
	*now = now.Add(40 * time.Minute)
	s.trim(0)
	if !slices.Equal(*ended, []string{idle}) || open(s, idle) || !open(s, used) || !open(s, busy) {
		t.Fatalf("ended %v of idle %s, used %s, busy %s", *ended, idle, used, busy)
	}
	s.leave(busy) // the idle time begins here
	*now = now.Add(59 * time.Minute)
	s.trim(0)
	if !slices.Equal(*ended, []string{idle, used}) || s.enter(used) || !s.enter(busy) {
		t.Errorf("ended %v", *ended)
	}
}

func TestSessions_MakeRoomByEndingTheOneUsedLongestAgo(t *testing.T) {
	t.Parallel()
	s, _, ended := book(3)
	a, b, c := s.Generate(), s.Generate(), s.Generate()
	s.enter(b)
	s.enter(a)
	s.leave(a)
	s.trim(0)
	if len(*ended) != 0 {
		t.Fatalf("ended %v although there is room for all", *ended)
	}
	s.trim(1)
	d := s.Generate()
	s.trim(1) // b is busy
	if !slices.Equal(*ended, []string{c, a}) || !open(s, b) || !open(s, d) {
		t.Errorf("ended %v of a %s, b %s, c %s", *ended, a, b, c)
	}
	s.enter(d)
	s.trim(3)
	if len(*ended) != 2 {
		t.Errorf("busy sessions were ended: %v", (*ended)[2:])
	}
}
