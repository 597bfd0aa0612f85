package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"memory-graph/internal/memory"
)

// Identity identifies the model of vectors. One ranking never mixes vectors of two identities. See docs/decisions.md,
// "Embedding generations".
type Identity struct {
	Provider   string
	Model      string
	Dimensions int // 1–8192
}

// The states of embedding generations. An abandoned generation becomes "retired", and its tables are dropped.
const (
	Building = "building" // being filled in the background; ranking does not use it
	Active   = "active"   // ranking uses it
)

// Generation is one embedding generation: all vectors of one identity.
type Generation struct {
	ID int64
	Identity
	State string
	Base  *float64 // the mean cosine of unrelated texts with this embedder; nil: not measured
}

// KindEmbed is the kind of the jobs that make vectors. Their subject is EmbedSubject.
const KindEmbed = "embed"

// EmbedSubject names an object's vector in an embedding generation: "2/t56", "2/e12". Memories have the letter e too.
func EmbedSubject(gen int64, of memory.ID) string {
	if of.Kind == memory.KindMemory {
		of.Kind = memory.KindEntity
	}
	return EmbedPrefix(gen) + of.String()
}

// EmbedPrefix is the prefix of the subjects of an embedding generation. With it a process claims only jobs for its
// model.
func EmbedPrefix(gen int64) string { return strconv.FormatInt(gen, 10) + "/" }

// ParseEmbedSubject parses a subject that EmbedSubject wrote.
func ParseEmbedSubject(s string) (gen int64, of memory.ID, err error) {
	left, right, _ := strings.Cut(s, "/")
	gen, err = strconv.ParseInt(left, 10, 64)
	if err != nil {
		return 0, memory.ID{}, fmt.Errorf("embed subject %q: no generation", s)
	}
	if of, err = memory.ParseID(right); err != nil || of.Kind != memory.KindEpisode && of.Kind != memory.KindEntity {
		return 0, memory.ID{}, fmt.Errorf("embed subject %q: no episode or entity", s)
	}
	return gen, of, nil
}

// EnsureGeneration makes the store embed with an identity. It returns the embedding generation for this process's
// vectors, and creates it and its tables if needed. Every episode without a vector in it gets an embed job. If the
// active generation already has this identity, entities are not checked, because that reads each of them; CatchUp does
// that.
//
// If no generation is active, the new one becomes active immediately. If another identity is active, EnsureGeneration
// starts or resumes a building generation. That one becomes active when it has no open jobs, and until then the active
// one stays unchanged. Any other building generation is abandoned, so the last process to start decides. A process
// without an embedder does not call this, and its episodes wait for a process with one.
func (s *Store) EnsureGeneration(ctx context.Context, id Identity) (Generation, error) {
	if id.Provider == "" || id.Model == "" || id.Dimensions < 1 || id.Dimensions > 8192 {
		return Generation{}, memory.Errorf(memory.InvalidArgument, "%s/%s with %d dimensions is not an embedder.",
			id.Provider, id.Model, id.Dimensions).
			WithHint("Give a provider, a model and 1 to 8192 dimensions.")
	}
	live, err := s.live(ctx, withBase)
	if err != nil {
		return Generation{}, err
	}
	// Most starts change nothing. They write nothing either, so they need not wait for another process's lock.
	if len(live) == 1 && live[0].Identity == id && live[0].State == Active {
		s.embeds.Store(true)
		return live[0], s.catchUpKind(ctx, live[0].ID, OfEpisodes)
	}
	var gen Generation
	// SQLite refuses to drop a table while a statement runs, and the driver runs a statement to watch a cancellable
	// context.
	err = s.write(context.WithoutCancel(ctx), "ensure generation", func(c *conn) (err error) {
		gen, err = s.ensureGeneration(ctx, c, id)
		return err
	})
	if err != nil {
		return Generation{}, err
	}
	s.embeds.Store(true) // from here on new episodes get their job; CatchUp finds the earlier ones
	if err := s.CatchUp(ctx, gen.ID); err != nil {
		return Generation{}, err
	}
	activated, err := s.ActivateIfReady(ctx, gen.ID)
	if activated {
		gen.State = Active
	}
	return gen, err
}

// UseGeneration is EnsureGeneration for a short-lived process. It returns the active generation if that has this
// identity, and does not look for missing vectors.
func (s *Store) UseGeneration(ctx context.Context, id Identity) (gen Generation, ok bool, err error) {
	gen, ok, err = s.ActiveGeneration(ctx)
	if err != nil || !ok || gen.Identity != id {
		return Generation{}, false, err
	}
	s.embeds.Store(true)
	return gen, true, nil
}

func (s *Store) ensureGeneration(ctx context.Context, c *conn, id Identity) (Generation, error) {
	live, err := liveGenerations(ctx, c, withBase)
	if err != nil {
		return Generation{}, err
	}
	var ours *Generation
	state := Active
	for i, g := range live {
		switch {
		case g.Identity == id:
			ours = &live[i]
		case g.State == Active:
			state = Building
			if err := dropEmbedJobs(ctx, c, g.ID); err != nil {
				return Generation{}, err
			}
		default:
			if err := retire(ctx, c, g.ID); err != nil {
				return Generation{}, err
			}
		}
	}
	// If ours is active, any building generation was retired above. If ours is building, it is resumed.
	if ours != nil {
		return *ours, nil
	}
	return s.startGeneration(ctx, c, id, state)
}

// The expressions for Generation.Base. A file with an older schema has no such column.
const (
	withBase    = "base_cosine"
	withoutBase = "NULL"
)

func liveGenerations(ctx context.Context, c *conn, base string) ([]Generation, error) {
	var live []Generation
	err := c.query(ctx, `SELECT id, provider, model, dimensions, state, `+base+
		` FROM mg_embedders WHERE state <> 'retired' ORDER BY id`, func(row cursor) error {
		g := Generation{ID: row.int64(0), Identity: Identity{row.text(1), row.text(2), row.int(3)}, State: row.text(4)}
		if !row.null(5) {
			b := row.float(5)
			g.Base = &b
		}
		live = append(live, g)
		return nil
	})
	return live, err
}

func (s *Store) startGeneration(ctx context.Context, c *conn, id Identity, state string) (Generation, error) {
	now := memory.Millis(s.now())
	activated := nullable(now)
	if state != Active {
		activated = ""
	}
	if _, err := c.exec(ctx,
		`INSERT INTO mg_embedders (provider, model, dimensions, state, created_at, activated_at) VALUES (?, ?, ?, ?, ?, ?)`,
		id.Provider, id.Model, id.Dimensions, state, now, activated); err != nil {
		return Generation{}, err
	}
	g := Generation{ID: c.lastID(), Identity: id, State: state}
	for _, table := range []string{OfEpisodes.table(g.ID), OfEntities.table(g.ID)} {
		if err := createVectors(ctx, c, table, id.Dimensions); err != nil {
			return Generation{}, err
		}
	}
	return g, nil
}

func dropEmbedJobs(ctx context.Context, c *conn, gen int64) error {
	from, to := subjectRange(EmbedPrefix(gen))
	_, err := c.exec(ctx, `DELETE FROM mg_jobs WHERE kind = 'embed' AND subject >= ? AND subject < ? AND status <> 'done'`,
		from, to)
	return err
}

// retire ends an embedding generation. It deletes its jobs, its vectors and their log.
func retire(ctx context.Context, c *conn, gen int64) error {
	if err := dropEmbedJobs(ctx, c, gen); err != nil {
		return err
	}
	if _, err := c.exec(ctx, `DELETE FROM mg_vector_log WHERE embedder_id = ?`, gen); err != nil {
		return err
	}
	c.forget() // a prepared statement on the table would block the drop
	for _, table := range []string{OfEpisodes.table(gen), OfEntities.table(gen)} {
		if _, err := c.exec(ctx, `DROP TABLE IF EXISTS `+table); err != nil {
			return err
		}
	}
	_, err := c.exec(ctx, `UPDATE mg_embedders SET state = 'retired' WHERE id = ?`, gen)
	return err
}

// writeTarget returns the embedding generation for new vectors: the building one, or else the active one.
func writeTarget(ctx context.Context, c *conn) (gen int64, ok bool, err error) {
	return c.int64(ctx,
		`SELECT id FROM mg_embedders WHERE state IN ('building', 'active') ORDER BY state = 'active' LIMIT 1`)
}

// ActivateIfReady makes a building generation active and retires the previous one if no embed job is left to run. Jobs
// that have given up do not delay this while they are fewer than the vectors. So a text that no model accepts cannot
// keep vector search off for ever, and a dead endpoint cannot replace a full generation with an empty one.
func (s *Store) ActivateIfReady(ctx context.Context, gen int64) (bool, error) {
	activated := false
	err := s.write(context.WithoutCancel(ctx), "activate generation", func(c *conn) (err error) {
		activated, err = activateIfReady(ctx, c, gen, s.now())
		return err
	})
	return activated && err == nil, err
}

func activateIfReady(ctx context.Context, c *conn, gen int64, now time.Time) (bool, error) {
	_, building, err := c.int64(ctx, `SELECT 1 FROM mg_embedders WHERE id = ? AND state = 'building'`, gen)
	if err != nil || !building {
		return false, err
	}
	from, to := subjectRange(EmbedPrefix(gen))
	_, open, err := c.int64(ctx,
		`SELECT 1 FROM mg_jobs WHERE kind = 'embed' AND subject >= ? AND subject < ? AND status IN ('pending', 'running')
			LIMIT 1`, from, to)
	if err != nil || open {
		return false, err
	}
	ready, _, err := c.int64(ctx, `SELECT v >= f AND v + f >= e FROM (SELECT
		(SELECT count(*) FROM mg_vector_log WHERE embedder_id = ?1 AND deleted = 0) AS v,
		(SELECT count(*) FROM mg_jobs WHERE kind = 'embed' AND subject >= ?2 AND subject < ?3 AND status = 'failed') AS f,
		(SELECT count(*) FROM mg_episodes e WHERE
		`+OfEpisodes.source().where+`) + (SELECT count(*) FROM mg_entities e WHERE
			`+shownEntity+`) AS e)`, gen, from, to)
	if err != nil || ready == 0 {
		return false, err
	}
	old, found, err := c.int64(ctx, `SELECT id FROM mg_embedders WHERE state = 'active'`)
	if err != nil {
		return false, err
	}
	if found {
		if err := retire(ctx, c, old); err != nil {
			return false, err
		}
	}
	_, err = c.exec(ctx, `UPDATE mg_embedders SET state = 'active', activated_at = ? WHERE id = ?`, memory.Millis(now),
		gen)
	return err == nil, err
}

// ActiveGeneration returns the active embedding generation. ok is false if there is none.
func (s *Store) ActiveGeneration(ctx context.Context) (gen Generation, ok bool, err error) {
	live, err := s.live(ctx, withBase)
	for _, g := range live {
		if g.State == Active {
			return g, true, nil
		}
	}
	return Generation{}, false, err
}

// Generations returns the active embedding generation and the building one, as far as they exist, without their base
// cosines. It reads a file with any schema.
func (s *Store) Generations(ctx context.Context) ([]Generation, error) {
	return s.live(ctx, withoutBase)
}

func (s *Store) live(ctx context.Context, base string) (live []Generation, err error) {
	err = s.readOne(ctx, "read generations", func(c *conn) (err error) {
		live, err = liveGenerations(ctx, c, base)
		return err
	})
	return live, err
}
