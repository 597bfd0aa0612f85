package tools

import "memory-graph/config"

// FromConfig takes the tools' settings from the configuration; what it does not name is as in Defaults.
func FromConfig(c *config.Config) Options {
	o := Defaults()
	o.Namespace, o.Project, o.User = c.Namespace, c.Project, c.User
	o.MaxContentBytes, o.MaxNameBytes, o.MaxScopeBytes = c.Limits.ContentBytes, c.Limits.NameBytes, c.Limits.ScopeBytes
	o.MaxResults, o.DefaultLimit = c.Limits.Results, c.Limits.DefaultResults
	o.BudgetTokens = c.BudgetTokens
	o.AnswerBytes, o.FullAnswerBytes = c.Limits.AnswerBytes, c.Limits.FullAnswerBytes
	o.ReadOnly = c.ReadOnly
	return o
}
