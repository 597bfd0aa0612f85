// Package vectors ranks episodes by the cosine of their vectors. It uses an exact copy of the stored int8 vectors in
// memory. The vec0 tables remain the source of truth. The copy is loaded in the background, follows the writes of all
// processes, and can be dropped at any time.
package vectors

import (
	"math"
	"slices"
	"time"

	"memory-graph/internal/embedding/kernel"
	"memory-graph/internal/memory"
	"memory-graph/internal/retrieval"
	"memory-graph/store"
)

// Index holds the vectors of one generation. It is not safe for concurrent use; Live locks it.
type Index struct {
	dims   int
	shards map[string]*shard // by namespace; a query reads one of them
	where  map[int64]string  // the namespace of each id
	names  names             // of projects, users and sessions
}

// NewIndex returns an empty index for vectors of this many dimensions.
func NewIndex(dims int) *Index {
	return &Index{dims: dims, shards: map[string]*shard{}, where: map[int64]string{}, names: names{"": 0}}
}

// chunkRows is the number of vectors in one allocation. Growing the index never copies existing vectors.
const chunkRows = 1024

// shard holds the vectors of one namespace. Row i is in chunk i / chunkRows.
type shard struct {
	ids      []int64
	position map[int64]int32
	attrs    []attributes
	chunks   [][]int8 // [chunkRows*dims]int8
}

// attributes are the properties that filters test. Strings are stored as their number in names.
type attributes struct {
	occurredAt             int64   // Unix seconds
	norm                   float32 // 1 / length; 0 for a zero vector
	project, user, session uint32
	role                   uint8
}

// names assigns numbers to strings; 0 is "".
type names map[string]uint32

func (n names) number(s string) uint32 {
	i, ok := n[s]
	if !ok {
		i = uint32(len(n))
		n[s] = i
	}
	return i
}

var roles = []memory.Role{memory.RoleUser, memory.RoleAssistant, memory.RoleTool, memory.RoleSystem}

func roleNumber(r memory.Role) uint8 { return uint8(slices.Index(roles, r) + 1) }

// Len returns the number of vectors.
func (x *Index) Len() int { return len(x.where) }

// Put adds a vector or replaces the one with the same id. A vector with other dimensions is ignored.
func (x *Index) Put(r store.VectorRow) {
	if len(r.Vec) != x.dims {
		return
	}
	if ns, ok := x.where[r.ID]; ok && ns != r.Namespace {
		x.Delete(r.ID)
	}
	s := x.shards[r.Namespace]
	if s == nil {
		s = &shard{position: map[int64]int32{}}
		x.shards[r.Namespace] = s
	}
	i, ok := s.position[r.ID]
	if !ok {
		i = int32(len(s.ids))
		s.position[r.ID] = i
		s.ids = append(s.ids, r.ID)
		s.attrs = append(s.attrs, attributes{})
		if int(i)/chunkRows == len(s.chunks) {
			s.chunks = append(s.chunks, make([]int8, chunkRows*x.dims))
		}
		x.where[r.ID] = r.Namespace
	}
	s.attrs[i] = attributes{
		occurredAt: r.OccurredAt.Unix(),
		norm:       inverseLength(r.Vec),
		project:    x.names.number(r.Project),
		user:       x.names.number(r.User),
		session:    x.names.number(r.SessionID),
		role:       roleNumber(r.Role),
	}
	copy(s.vector(int(i), x.dims), r.Vec)
}

// add adds a vector whose id the index does not have, without its attributes. added must follow, and nothing else may
// be called before. It is faster than Put, which grows two maps.
func (x *Index) add(namespace string, id int64, vec []int8) {
	if len(vec) != x.dims {
		return
	}
	s := x.shards[namespace]
	if s == nil {
		s = &shard{}
		x.shards[namespace] = s
	}
	i := len(s.ids)
	if i/chunkRows == len(s.chunks) {
		s.chunks = append(s.chunks, make([]int8, chunkRows*x.dims))
	}
	s.ids = append(s.ids, id)
	s.attrs = append(s.attrs, attributes{norm: inverseLength(vec)})
	copy(s.vector(i, x.dims), vec)
}

// added ends the adding of vectors to a namespace.
func (x *Index) added(namespace string) {
	s := x.shards[namespace]
	if s == nil {
		return
	}
	s.position = make(map[int64]int32, len(s.ids))
	for i, id := range s.ids {
		s.position[id] = int32(i)
	}
}

// Delete removes the vector of an id. The last vector of the namespace moves to its row.
func (x *Index) Delete(id int64) {
	ns, ok := x.where[id]
	if !ok {
		return
	}
	s := x.shards[ns]
	i, last := int(s.position[id]), len(s.ids)-1
	if i != last {
		s.ids[i], s.attrs[i] = s.ids[last], s.attrs[last]
		copy(s.vector(i, x.dims), s.vector(last, x.dims))
		s.position[s.ids[i]] = int32(i)
	}
	s.ids, s.attrs = s.ids[:last], s.attrs[:last]
	s.chunks = s.chunks[:(last+chunkRows-1)/chunkRows]
	delete(s.position, id)
	delete(x.where, id)
	if last == 0 {
		delete(x.shards, ns)
	}
}

func (s *shard) vector(i, dims int) []int8 {
	at := i % chunkRows * dims
	return s.chunks[i/chunkRows][at : at+dims]
}

func inverseLength(v []int8) float32 {
	n := kernel.DotInt8(v, v)
	if n == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(n)))
}

// Rank compares the vector with all vectors that pass the filter and are not zero. It returns the k best by exact
// cosine; of equal cosines the newer id comes first.
func (x *Index) Rank(vec []int8, f memory.Filter, k int) retrieval.Similarities {
	pass, possible := x.predicate(f)
	if !possible {
		return retrieval.Similarities{}
	}
	return x.rank(vec, f.Namespace, k, pass)
}

// rank compares the vector with those that pass; a nil pass accepts all.
func (x *Index) rank(vec []int8, namespace string, k int, pass func(int64, *attributes) bool) retrieval.Similarities {
	s := x.shards[namespace]
	if s == nil || len(vec) != x.dims || k < 1 {
		return retrieval.Similarities{}
	}
	best := newBest(k)
	var n, sum, squares float64
	for i, c := range s.cosines(vec, x.dims) {
		if s.attrs[i].norm == 0 || pass != nil && !pass(s.ids[i], &s.attrs[i]) {
			continue
		}
		n++
		sum += float64(c)
		squares += float64(c) * float64(c)
		best.offer(memory.Hit{ID: s.ids[i], Score: float64(c)})
	}
	out := retrieval.Similarities{Top: best.sorted(), Compared: int(n)}
	if n > 0 {
		out.Mean = sum / n
		out.Std = math.Sqrt(max(0, squares/n-out.Mean*out.Mean))
	}
	return out
}

// Cosines compares the vector with those of the given ids. Ids without a vector in the namespace, or with a zero
// vector, are left out.
func (x *Index) Cosines(vec []int8, namespace string, ids []int64) map[int64]float64 {
	out := make(map[int64]float64, len(ids))
	s := x.shards[namespace]
	if s == nil || len(vec) != x.dims {
		return out
	}
	norm := float64(inverseLength(vec))
	for _, id := range ids {
		if i, ok := s.position[id]; ok && s.attrs[i].norm != 0 {
			out[id] = float64(kernel.DotInt8(vec, s.vector(int(i), x.dims))) * norm * float64(s.attrs[i].norm)
		}
	}
	return out
}

// Vectors returns copies of the vectors of the given ids. Ids without a vector in the namespace are left out.
func (x *Index) Vectors(namespace string, ids []int64) map[int64][]int8 {
	out := make(map[int64][]int8, len(ids))
	s := x.shards[namespace]
	if s == nil {
		return out
	}
	all := make([]int8, 0, len(ids)*x.dims)
	for _, id := range ids {
		if i, ok := s.position[id]; ok {
			all = append(all, s.vector(int(i), x.dims)...)
			out[id] = all[len(all)-x.dims : len(all) : len(all)]
		}
	}
	return out
}

// cosines compares the vector with every row, chunk by chunk.
func (s *shard) cosines(vec []int8, dims int) []float32 {
	n := len(s.ids)
	dots := make([]int32, chunkRows)
	out := make([]float32, n)
	norm := inverseLength(vec)
	for start := 0; start < n; start += chunkRows {
		rows := min(chunkRows, n-start)
		kernel.ScanInt8(vec, s.chunks[start/chunkRows][:rows*dims], dims, dots[:rows])
		for i, d := range dots[:rows] {
			out[start+i] = float32(d) * norm * s.attrs[start+i].norm
		}
	}
	return out
}

// predicate converts a filter to a test of attributes; nil accepts all. possible is false if the filter names a
// project, user or session that no vector has.
func (x *Index) predicate(f memory.Filter) (pass func(id int64, a *attributes) bool, possible bool) {
	if !f.Narrow() {
		return nil, true
	}
	want := [3]uint32{}
	for i, name := range [3]string{f.Project, f.User, f.SessionID} {
		n, ok := x.names[name]
		if ok {
			want[i] = n
		} else if i > 0 || !f.Unassigned {
			return nil, false
		}
	}
	project := func(p uint32) bool { return p == want[0] }
	if f.Project == "" && !f.Unassigned {
		project = func(uint32) bool { return true }
	} else if f.Unassigned { // an unknown project has the number 0, which is also the number of no project
		project = func(p uint32) bool { return p == want[0] || p == 0 }
	}
	var roleSet uint16
	for _, r := range f.Roles {
		roleSet |= 1 << roleNumber(r)
	}
	since, until := int64(math.MinInt64), int64(math.MaxInt64)
	if !f.Since.IsZero() {
		since = ceilUnix(f.Since)
	}
	if !f.Until.IsZero() {
		until = ceilUnix(f.Until)
	}
	return func(_ int64, a *attributes) bool {
		return project(a.project) && (want[1] == 0 || a.user == want[1]) && (want[2] == 0 || a.session == want[2]) &&
			(roleSet == 0 || roleSet&(1<<a.role) != 0) && a.occurredAt >= since && a.occurredAt < until
	}, true
}

// ceilUnix rounds t up to a whole second, since stored times are whole seconds.
func ceilUnix(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}
