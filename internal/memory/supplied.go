package memory

// ActorPage is the actor of what a person does at the page of `explore`.
const ActorPage = "explore"

// SuppliedOrigin returns the origin of facts in a call's arguments: user for the command line and for the page
// of explore, tool for an import, else agent.
func SuppliedOrigin(actor string) Origin {
	switch actor {
	case "cli", ActorPage:
		return OriginUser
	case "import":
		return OriginTool
	}
	return OriginAgent
}

// Suspicion says that a call's arguments look like an attack on whoever reads them. The content is stored, but no
// context block shows it until it is released from quarantine.
type Suspicion struct {
	Text    string   // the suspicious text, masked
	Reasons []string // why
}

// Withheld is the content that context blocks leave out because it came only from turns in quarantine.
type Withheld struct {
	Entities map[int64]bool // entities whose description is withheld
	Names    map[int64]bool // those of Entities whose name and facts are withheld too
	Facts    map[int64]bool // facts whose evidence is all in quarantine
}
