package engine

// Mode is what kind of process an engine is for. It decides what is opened beside the database, and what is done behind
// the answers.
type Mode int

const (
	// Server does everything: it is the mode of an engine that is given none.
	Server Mode = iota
	// Command does what it is asked and makes vectors. It leaves upkeep and the model's reading to servers.
	Command
	// Writer only writes, and does nothing behind its answers: servers and later processes make vectors and let the model
	// read. On an import, making vectors beside would take several times as long. It may end without Close.
	Writer
	// Asker is asked once and ends, also without Close. The embedder's model, the classifier and the vectors of the
	// settings' namespace are read while the database is being opened.
	Asker
	// AskerAndWriter is an Asker that stores a turn after its answer. What storing needs is read ahead, too.
	AskerAndWriter
)

// duties are what an engine does beside what it is asked for.
type duties struct {
	// serves does upkeep, lets the model read, takes up the turns of hooks, and answers hooks
	serves bool
	// works behind the answers: makes vectors and links, keeps the vectors in memory up to date, counts the facts used
	works bool
	// readyToAsk and readyToStore read ahead what a question, or a turn, needs
	readyToAsk, readyToStore bool
}

var modes = [...]duties{
	Server:         {serves: true, works: true},
	Command:        {works: true},
	Writer:         {},
	Asker:          {readyToAsk: true},
	AskerAndWriter: {readyToAsk: true, readyToStore: true},
}
