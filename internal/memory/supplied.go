package memory

// SuppliedOrigin gives the origin of facts in the arguments of a call: a person's on the command line, an
// import's, else an agent's.
func SuppliedOrigin(actor string) Origin {
	switch actor {
	case "cli":
		return OriginUser
	case "import":
		return OriginTool
	}
	return OriginAgent
}

// Suspicion says that arguments of a call look like an attack on whoever reads them. What comes with it is stored, and
// stands in no rendered context until it is released from quarantine.
type Suspicion struct {
	Text    string   // what looks so, masked
	Reasons []string // why
}

// Withheld is what stands in no rendered context, since it came with turns in quarantine alone.
type Withheld struct {
	Entities map[int64]bool // what is said of them
	Names    map[int64]bool // those of Entities whose name is withheld too, and so their facts
	Facts    map[int64]bool // all of their evidence is in quarantine
}
