package engine

import (
	"context"
	"encoding/json"

	"memory-graph/internal/memory"
	"memory-graph/internal/safety/secrets"
	"memory-graph/internal/transfer"
	"memory-graph/store"
)

// own imports an export of memory-graph.
func (m *importing) own(ctx context.Context) error {
	o := store.ImportOptions{Trusted: m.req.Trusted, MaxText: m.limits.ContentBytes, Problem: m.fail,
		Note: m.note,
		Mask: func(s string) string { masked, _ := secrets.Mask(s); return masked }, MaskIdentifier: secrets.Identifier,
		Suspect: func(s string) []string { return m.suspects.Suspects(s, memory.RoleTool, memory.OriginTool) }}
	if m.req.Moved {
		o.Namespace = m.req.Scope.Namespace
	}
	in := m.s.store.NewImporter(o)
	var batch []store.TransferLine
	size := 0
	flush := func(ctx context.Context) error {
		if len(batch) == 0 {
			return nil
		}
		err := m.write(in.Lines(ctx, batch))
		m.at(batch[len(batch)-1].Number)
		batch, size = batch[:0], 0
		return err
	}
	err := transfer.Lines(ctx, m.req.From, m.fail, func(number int, line []byte) error {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(line, &fields); err != nil {
			m.fail(number, transfer.WhyBroken(err))
			return nil
		}
		batch, size = append(batch, store.TransferLine{Number: number, Fields: fields}), size+len(line)
		if len(batch) < importLines && size < importBytes {
			return nil
		}
		return flush(ctx)
	})
	err = m.finish(ctx, err, flush, in.Finish)
	done := in.Imported()
	m.out.New, m.out.Known, m.out.Kept, m.out.Raised = done.New, done.Known, done.Kept, done.Raised
	return err
}
