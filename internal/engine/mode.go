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
	// Storer is a Writer that stores turns and exits. It loads the data for that while the database is being opened.
	Storer
	// Reader reads and exits, possibly without Close. It opens the connection for writing only when something is written.
	Reader
	// Asker is a Reader that answers one question. It loads the embedder's model, the classifier and the vectors of the
	// configured namespace while the database is being opened.
	Asker
	// AskerAndWriter is an Asker that also stores turns. It also loads in advance the data for storing.
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
	// reads means that it writes nothing, or only exceptionally
	reads bool
}

var modes = [...]duties{
	Server:         {serves: true, works: true},
	Command:        {works: true},
	Writer:         {},
	Storer:         {readyToStore: true},
	Reader:         {reads: true},
	Asker:          {readyToAsk: true, reads: true},
	AskerAndWriter: {readyToAsk: true, readyToStore: true},
}
