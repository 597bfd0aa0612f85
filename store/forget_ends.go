package store

import "context"

// factEnd holds the columns of a fact's row that describe its end.
type factEnd struct {
	until, expires, unit *string
	by                   *int64
}

func (e factEnd) none() bool { return e.until == nil && e.expires == nil }

func (e factEnd) is(o factEnd) bool {
	return alike(e.until, o.until) && alike(e.expires, o.expires) && alike(e.unit, o.unit) && alike(e.by, o.by)
}

// endVersion is the end of a fact in one version.
type endVersion struct {
	factEnd
	cause   string
	at      string
	turn    int64 // that caused the version, 0 for none
	through bool  // the superseding fact is forgotten, and so is a turn that states it
}

// addEnds finds the facts that stay although only forgotten turns support their end, and computes their end without
// these turns. If the superseding fact has another turn as evidence, the end stays.
func (f *forgetting) addEnds(ctx context.Context) error {
	ended, err := f.w.ids(ctx, `SELECT r.id FROM mg_facts r WHERE r.superseded_by IN (SELECT value FROM json_each(?1))
		AND r.superseded_by IN (SELECT v.relationship_id FROM mg_evidence v WHERE v.episode_id IN
			(SELECT value FROM json_each(?2)))
		UNION SELECT CAST(substr(v.object, 2) AS INTEGER) FROM mg_events v WHERE v.namespace = ?3
			AND v.episode_id IN (SELECT value FROM json_each(?2)) AND v.object GLOB 'r*' AND v.before IS NOT NULL`,
		f.facts.list(), f.turns.list(), f.w.scope.Namespace)
	if err != nil {
		return err
	}
	for _, id := range ended {
		if f.facts[id] {
			continue
		}
		end, gone, err := f.endWithout(ctx, id)
		if err != nil {
			return err
		}
		if gone {
			f.ends[id] = end
		}
	}
	return f.settleEnds(ctx)
}

// endWithout returns the end of a fact without the forgotten turns, and whether it differs from the present end.
func (f *forgetting) endWithout(ctx context.Context, id int64) (end factEnd, gone bool, err error) {
	versions, err := f.endVersions(ctx, id)
	if err != nil || len(versions) == 0 {
		return end, false, err
	}
	i := len(versions) - 1
	end = versions[i].factEnd
	for ; i >= 0 && !versions[i].none(); i-- {
		set := i // the version that set this end
		for set > 0 && versions[set-1].is(versions[i].factEnd) {
			set--
		}
		v := versions[set]
		told := v.through || set > 0 && f.turns[v.turn]
		switch {
		case v.by != nil && !f.facts[*v.by]:
			return end, gone, nil
		case told:
			if again, err := f.saidAgain(ctx, id, v.at, set == 0); err != nil || again {
				return end, gone, err
			}
			gone = true
		case v.cause != causeExpired:
			return end, gone, nil
		}
		i = set
		end = factEnd{}
		if set > 0 {
			end = versions[set-1].factEnd
		}
	}
	if !gone {
		return end, false, nil
	}
	r, err := f.w.factByID(ctx, id)
	if err != nil {
		return end, false, err
	}
	taken, err := f.w.rows(ctx, f.w.openFacts, r, ` AND r.id <> ?5 AND r.id NOT IN (SELECT value FROM json_each(?6))`, id,
		f.facts.list())
	return end, len(taken) == 0, err
}

func (f *forgetting) endVersions(ctx context.Context, id int64) (list []endVersion, err error) {
	text := func(s cursor, i int) *string {
		if s.null(i) {
			return nil
		}
		t := s.text(i)
		return &t
	}
	err = f.w.c.query(ctx, `SELECT x.valid_until, x.expires_at, x.until_unit, x.superseded_by, x.cause, x.created_at,
		v.episode_id, x.superseded_by IN (SELECT value FROM json_each(?2)) AND EXISTS (SELECT 1 FROM mg_evidence s WHERE
			s.relationship_id = x.superseded_by AND s.episode_id IN (SELECT value FROM json_each(?3)))
		FROM mg_relationship_versions x LEFT JOIN mg_events v ON v.id = x.event_id WHERE x.relationship_id = ?1
		ORDER BY x.version_id`, func(s cursor) error {
		v := endVersion{factEnd: factEnd{until: text(s, 0), expires: text(s, 1), unit: text(s, 2)}, cause: s.text(4),
			at: s.text(5), turn: s.int64(6), through: s.bool(7)}
		if !s.null(3) {
			by := s.int64(3)
			v.by = &by
		}
		list = append(list, v)
		return nil
	}, id, f.facts.list(), f.turns.list())
	return list, err
}

// saidAgain reports whether a remaining turn became evidence of the fact when or after its end was told. Such a turn
// also supports the end. With first, the evidence from that very time does not count, because it created the fact.
func (f *forgetting) saidAgain(ctx context.Context, id int64, at string, first bool) (bool, error) {
	_, again, err := f.w.c.int64(ctx, `SELECT 1 FROM mg_evidence WHERE relationship_id = ?1 AND created_at >= ?2
		AND episode_id NOT IN (SELECT value FROM json_each(?3)) AND NOT (?4 AND created_at = ?2) LIMIT 1`, id, at,
		f.episodes.list(), first)
	return again, err
}
