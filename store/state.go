package store

import (
	"context"

	"memory-graph/internal/memory"
	"memory-graph/migrations"
)

// State counts the open and failed jobs of the namespace. Degraded is empty, because the store does not know it.
func (s *Store) State(ctx context.Context, namespace string) (memory.State, error) {
	state := memory.State{Degraded: []string{}}
	err := s.readOne(ctx, "read state", func(c *conn) error {
		return c.query(ctx, `SELECT failed, n FROM mg_job_counts WHERE namespace = ?`, func(row cursor) error {
			if row.bool(0) {
				state.Failed += row.int(1)
			} else {
				state.Pending += row.int(1)
			}
			return nil
		}, namespace)
	})
	return state, err
}

// OpenJobs returns the counts of the namespace's open jobs by kind, each with the error of one of its jobs.
func (s *Store) OpenJobs(ctx context.Context, namespace string) ([]memory.KindState, error) {
	list := []memory.KindState{}
	err := s.read(ctx, "read open jobs", func(c *conn) error {
		list = list[:0]
		if err := c.query(ctx, `SELECT kind, sum(n * (failed = 0)), sum(n * (failed = 1)) FROM mg_job_counts WHERE namespace =
			?
			GROUP BY kind HAVING sum(n) > 0 ORDER BY kind`, func(row cursor) error {
			list = append(list, memory.KindState{Kind: row.text(0), Pending: row.int(1), Failed: row.int(2)})
			return nil
		}, namespace); err != nil {
			return err
		}
		for i := range list {
			err := c.query(ctx, `SELECT last_error FROM mg_jobs WHERE kind = ? AND namespace = ? AND status <> 'done' AND
				last_error IS NOT NULL
				ORDER BY attempts DESC, id LIMIT 1`, textInto(&list[i].LastError), list[i].Kind, namespace)
			if err != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

// Waits reports whether jobs of a kind are open in the namespace.
func (s *Store) Waits(ctx context.Context, namespace, kind string) (waits bool, err error) {
	err = s.readOne(ctx, "look for open jobs", func(c *conn) (err error) {
		_, waits, err = c.int64(ctx, `SELECT 1 FROM mg_job_counts WHERE namespace = ? AND kind = ? AND n > 0 LIMIT 1`,
			namespace, kind)
		return err
	})
	return waits, err
}

// Counts is how much the whole file contains.
type Counts struct {
	Episodes, Entities, Relationships, Namespaces int64
	Vectors                                       int64 // episodes with a vector in the active generation
	Jobs                                          []JobCount
}

// JobCount is the number of jobs of one kind in one status.
type JobCount struct {
	Kind, Status string
	N            int64
}

// Counts counts rows over all namespaces, for the operator.
func (s *Store) Counts(ctx context.Context) (Counts, error) {
	var n Counts
	err := s.read(ctx, "count", func(c *conn) error {
		for _, q := range []struct {
			into *int64
			sql  string
		}{
			{&n.Episodes, `SELECT count(*) FROM mg_episodes e WHERE ` + OfEpisodes.source().where},
			{&n.Entities, `SELECT count(*) FROM mg_entities WHERE kind IN ('entity', 'memory') AND merged_into IS NULL`},
			{&n.Relationships, `SELECT count(*) FROM mg_relationships WHERE valid_until IS NULL`},
			{&n.Namespaces, `SELECT count(DISTINCT namespace) FROM mg_episodes`},
			{&n.Vectors, `SELECT count(*) FROM mg_vector_log WHERE kind = 'episode' AND deleted = 0
				AND embedder_id = (SELECT id FROM mg_embedders WHERE state = 'active')`},
		} {
			var err error
			if *q.into, _, err = c.int64(ctx, q.sql); err != nil {
				return err
			}
		}
		return c.query(ctx, `SELECT kind, status, count(*) FROM mg_jobs GROUP BY kind, status ORDER BY kind, status`,
			func(row cursor) error {
				n.Jobs = append(n.Jobs, JobCount{row.text(0), row.text(1), row.int64(2)})
				return nil
			})
	})
	return n, err
}

// Versions are the versions of SQLite and sqlite-vec, and of the schemas of the file and of this program.
type Versions struct {
	SQLite, Vec            string
	Schema, ProgramsSchema int64 // equal, unless the file is older (AnySchema) or another program has upgraded it since
}

// Versions reads the versions from the open database.
func (s *Store) Versions(ctx context.Context) (Versions, error) {
	v := Versions{ProgramsSchema: migrations.Latest()}
	err := s.read(ctx, "read versions", func(c *conn) error {
		if err := c.query(ctx, `SELECT sqlite_version(), vec_version()`, func(row cursor) error {
			v.SQLite, v.Vec = row.text(0), row.text(1)
			return nil
		}); err != nil {
			return err
		}
		var err error
		v.Schema, err = schemaVersion(ctx, c)
		return err
	})
	return v, err
}

// IntegrityCheck reads the whole file and returns what is wrong with it, at most 20 findings; none if the file is
// intact.
func (s *Store) IntegrityCheck(ctx context.Context) ([]string, error) {
	findings := []string{}
	err := s.read(ctx, "check integrity", func(c *conn) error {
		// The check uses what the connection last read of an FTS5 index. If another connection has optimised the index since
		// then, the check reports an intact index as malformed. A query makes the connection read the index again.
		for _, index := range []string{"mg_episodes_fts", "mg_entities_fts"} {
			_, _, _ = c.int64(ctx, `SELECT 1 FROM `+index+` WHERE rowid = 0`) // the check reports what is wrong with it
		}
		if err := c.query(ctx, `PRAGMA integrity_check(20)`, func(row cursor) error {
			if f := row.text(0); f != "ok" {
				findings = append(findings, f)
			}
			return nil
		}); err != nil {
			return err
		}
		return c.query(ctx, `PRAGMA foreign_key_check`, func(row cursor) error {
			if len(findings) < 20 {
				findings = append(findings, "row "+row.text(1)+" of "+row.text(0)+" refers to a missing row of "+
					row.text(2))
			}
			return nil
		})
	})
	return findings, err
}
