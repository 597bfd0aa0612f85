package tools_test

import (
	"context"

	"memory-graph/episodes"
	"memory-graph/retrieval"
	"memory-graph/tools"
)

// fakeMemory notes what it was asked and answers as told.
type fakeMemory struct {
	tools.Memory

	input   episodes.Input
	request retrieval.Request

	result episodes.Result
	answer func(retrieval.Request) retrieval.Answer
	err    error
	calls  int
}

func (m *fakeMemory) StoreEpisode(_ context.Context, in episodes.Input) (episodes.Result, error) {
	m.input, m.calls = in, m.calls+1
	return m.result, m.err
}

func (m *fakeMemory) Retrieve(_ context.Context, req retrieval.Request) (retrieval.Answer, error) {
	m.request, m.calls = req, m.calls+1
	if m.answer == nil {
		return retrieval.Answer{Strategy: retrieval.Text, Match: retrieval.None}, m.err
	}
	return m.answer(req), m.err
}
