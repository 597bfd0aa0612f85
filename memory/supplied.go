package memory

// SuppliedOrigin gives the origin of facts in the arguments of a call (decision 29): a person's on the command line, an
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
