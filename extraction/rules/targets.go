package rules

// targets reads lines of the form "- relation [[Target]]".
func (r *reader) targets() {}
