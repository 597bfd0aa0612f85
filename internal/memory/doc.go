// Package memory holds the domain types that every other package speaks: episodes, scopes, ids, times and errors.
// It imports nothing of the project.
package memory
