// Package memory holds the domain types that all other packages share: episodes, scopes, ids, times and errors. It
// imports no other package of this module.
package memory
