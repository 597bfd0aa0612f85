package engine

// Mode is the kind of process that an engine serves. It decides which data is loaded beside the database, and which
// background work runs.
type Mode int

const (
	// Server does everything. It is the default.
	Server Mode = iota
	// Command answers calls and makes vectors. It leaves upkeep and reading by a model to servers.
	Command
	// Writer only writes, without background work: servers and later processes make vectors and ask the model. During an
	// import, making vectors at the same time would take several times as long. A Writer may exit without Close.
	Writer
	// Asker answers one question and exits, possibly without Close. It loads the embedder's model, the classifier and the
	// vectors of the configured namespace while the database is being opened.
	Asker
	// AskerAndWriter is an Asker that stores a turn after its answer. It also loads in advance the data for storing.
	AskerAndWriter
)

// duties are the tasks of an engine besides answering calls.
type duties struct {
	// serves means that the engine does upkeep, lets the model read turns, drains the spool, and answers hooks
	serves bool
	// works means that it makes vectors and links, keeps the vectors in memory up to date, and counts the facts used
	works bool
	// readyToAsk and readyToStore mean that it loads in advance the data for a question, or for storing a turn
	readyToAsk, readyToStore bool
}

var modes = [...]duties{
	Server:         {serves: true, works: true},
	Command:        {works: true},
	Writer:         {},
	Asker:          {readyToAsk: true},
	AskerAndWriter: {readyToAsk: true, readyToStore: true},
}
