package memory

// Decay is what the decay of a relation leaves of its facts.
type Decay struct {
	Relation string
	Rate     float64 // per day
	Facts    int     // that hold now
	Hidden   int     // of these, those with so little confidence left that reads hide them
	Mean     float64 // effective confidence, 0..1
}
