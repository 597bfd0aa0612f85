package engine

import (
	"context"
	"os"
	"path/filepath"

	"memory-graph/internal/memory"
)

// rehearse imports a file into a copy of the database, which is then removed. So a dry run reports what an import
// would.
func (e *Engine) rehearse(ctx context.Context, s *services, req ImportRequest) (ImportReport, error) {
	dir, err := os.MkdirTemp("", "memory-graph-import-")
	if err != nil {
		return ImportReport{}, memory.Errorf(memory.Unavailable, "Cannot create a temporary directory: %w.", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system cleans its temporary directory
	cfg := *e.cfg
	cfg.DB, cfg.ReadOnly = filepath.Join(dir, "memory.db"), false
	if err := s.store.CopyTo(ctx, cfg.DB); err != nil {
		return ImportReport{}, err
	}
	o := e.o
	o.duties = modes[Writer]
	there, err := Start(&cfg, e.log, func(to *options) { *to = o })
	if err != nil {
		return ImportReport{}, err
	}
	defer there.Close()
	req.DryRun = false
	report, err := there.Import(ctx, req)
	report.CallID = ""
	return report, err
}
