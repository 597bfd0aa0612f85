package memory

import "strconv"

// Kind is the first letter of an id that clients see.
type Kind byte

// The kinds of ids.
const (
	KindEntity       Kind = 'e'
	KindRelationship Kind = 'r'
	KindEpisode      Kind = 't'
	KindMemory       Kind = 'm'
	KindCommunity    Kind = 'c'
)

// ID is a typed reference to a row, written as "t56".
type ID struct {
	Kind Kind
	Num  int64 // the row's number, from 1
}

// EpisodeID returns the id of an episode's row.
func EpisodeID(n int64) ID { return ID{KindEpisode, n} }

// String returns the id as clients see it.
func (id ID) String() string { return string(rune(id.Kind)) + strconv.FormatInt(id.Num, 10) }

// ParseID parses an id as String writes it. The error has the code InvalidArgument.
func ParseID(s string) (ID, error) {
	bad := func() (ID, error) {
		return ID{}, Errorf(InvalidArgument, "%q is not an id.",
			s).WithHint("Ids look like t56 (episode), e12 (entity), r34 (relationship), m7 (memory) or c3 (community).")
	}
	if len(s) < 2 {
		return bad()
	}
	k := Kind(s[0])
	switch k {
	case KindEntity, KindRelationship, KindEpisode, KindMemory, KindCommunity:
	default:
		return bad()
	}
	n, err := strconv.ParseInt(s[1:], 10, 64)
	if err != nil || n < 1 || s[1] == '+' || s[1] == '0' {
		return bad()
	}
	return ID{k, n}, nil
}
